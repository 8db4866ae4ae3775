// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.Indexed;

/**
 * A column's rows and the index of its values, chosen together as the extension's mergers choose them.
 *
 * @param encoding of the rows: where their ids answer filters alone, one that is fast enough
 * @param index    null if there is none
 */
public record EncodedColumn(RowEncoding encoding, EncodedRows rows, @Nullable EncodedIndex index)
    implements Closeable {
  /**
   * Stores a column.
   *
   * @param column  name of the column, for messages
   * @param ofRows  the encoding of the rows
   * @param ofIndex the encoding of the index
   * @throws IOException           if there is no room for it where the system keeps temporary files
   * @throws ColumnFormatException if it takes more than one file can have, 2 GiB
   */
  public static EncodedColumn encode(
      String column,
      RowEncoding ofRows,
      RowValues rows,
      RowEncoding ofIndex,
      IndexValues index
  ) throws IOException {
    final EncodedRows encodedRows = ofRows.encode(column, rows);
    try {
      final EncodedColumn direct =
          new EncodedColumn(ofRows, encodedRows, ofIndex.encodeIndex(column, index));
      @Nullable final EncodedColumn scanned = direct.smallerWithoutLists(column, rows, ofIndex, index);
      if (scanned == null) {
        return direct;
      }
      direct.close();
      return scanned;
    } catch (IOException | RuntimeException e) {
      encodedRows.close();
      throw e;
    }
  }

  /**
   * Stores the column without posting lists.
   *
   * @param column  name of the column, for messages
   * @param ofIndex the encoding of its index
   * @return null if its ids may not answer in their place, or if it is larger
   * @throws IOException if there is no room for it where the system keeps temporary files
   */
  @Nullable
  public EncodedColumn smallerWithoutLists(String column, RowValues rows, RowEncoding ofIndex, IndexValues index)
      throws IOException {
    @Nullable final EncodedColumn scanned = withoutLists(column, encoding, rows, ofIndex, index);
    if (scanned != null && scanned.sizeInBytes() > sizeInBytes()) {
      scanned.close();
      return null;
    }
    return scanned;
  }

  /** The column without posting lists, if its ids may answer in their place; else null. */
  @Nullable
  private static EncodedColumn withoutLists(
      String column,
      RowEncoding ofRows,
      RowValues rows,
      RowEncoding ofIndex,
      IndexValues index
  ) throws IOException {
    // Of columns of type auto the lists are made without a look at the ids; rows in no list have an id all the same.
    if (!(ofIndex instanceof ShapeShiftEncoding lists && lists.mayDoWithoutLists())
        || !(rows instanceof RowValues.Ids)
        || index.owner() != IndexValues.Owner.STRINGS
        || index.rows().length != rows.rows()
        || !(ofRows instanceof ShapeShiftEncoding ours)) {
      return null;
    }
    final ShapeShiftEncoding ofScannedIds = ours.ofScannedIds();
    return new EncodedColumn(
        ofScannedIds, ofScannedIds.encode(column, rows), EncodedIndex.withoutLists(column, index));
  }

  /**
   * Opens the index as a segment's reader does.
   *
   * @param dictionary the column's values
   */
  public ColumnIndexSupplier open(Supplier<? extends Indexed<ByteBuffer>> dictionary) {
    return index.open(dictionary, rows);
  }

  private long sizeInBytes() {
    return (long) rows.sizeInBytes() + index.sizeInBytes();
  }

  @Override
  public void close() {
    rows.close();
    if (index != null) {
      index.close();
    }
  }
}
