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
 * Encoded rows of a column and index of its values, chosen together as in the extension's mergers.
 *
 * @param encoding encoding of the rows; if there are no posting lists, one in which ids are fast enough to scan
 * @param index    index of values; null if the column has none
 */
public record EncodedColumn(RowEncoding encoding, EncodedRows rows, @Nullable EncodedIndex index)
    implements Closeable {
  /**
   * Encodes a column.
   *
   * @param column  name of the column, for messages
   * @param ofRows  encoding of the rows
   * @param ofIndex encoding of the index
   * @throws IOException           if the system's temporary directory is full
   * @throws ColumnFormatException if a part exceeds the maximum size of a file, 2 GiB
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
   * Encodes the column without posting lists.
   *
   * @param column  name of the column, for messages
   * @param ofIndex encoding of the index
   * @return null if a scan of its ids cannot replace the lists, or if the result is larger
   * @throws IOException if the system's temporary directory is full
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

  /** Encodes the column without posting lists; null if a scan of its ids cannot replace them. */
  @Nullable
  private static EncodedColumn withoutLists(
      String column,
      RowEncoding ofRows,
      RowValues rows,
      RowEncoding ofIndex,
      IndexValues index
  ) throws IOException {
    // The lists of auto columns are built without reading the ids, and a row that is in no list also has an id.
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
   * Opens the index as a segment does.
   *
   * @param dictionary values of the column
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
