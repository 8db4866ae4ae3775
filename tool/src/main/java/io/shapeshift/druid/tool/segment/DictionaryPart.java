// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.Indexed;

/**
 * String dictionary of a column, stock or shape-shifting.
 *
 * @param encoding      name of the encoding: {@code utf8}, {@code frontCoded}, or {@code shapeshift} and the coding of
 *     texts
 * @param bytes         encoded bytes; empty if the column of a projection shares the base table's dictionary
 * @param values        supplier that opens the values for one thread
 * @param canShapeShift whether the dictionary shape-shifts or could; false if the column has a spatial index, or the
 *     dictionary is Druid's and takes several files
 */
public record DictionaryPart(
    String encoding,
    ByteBuffer bytes,
    Supplier<? extends Indexed<ByteBuffer>> values,
    boolean canShapeShift
) {
  /**
   * Reads a dictionary from a buffer, and advances the buffer's position past it.
   *
   * @param isShapeShifting whether the dictionary shape-shifts, unless it takes several files
   */
  static DictionaryPart read(SegmentColumn column, ByteBuffer buffer, boolean isShapeShifting) {
    final int start = buffer.position();
    final String encoding;
    final Supplier<? extends Indexed<ByteBuffer>> values;
    final boolean isInSeveralFiles = SeveralFiles.startWith(buffer);
    if (isShapeShifting && !isInSeveralFiles) {
      final StringDictionary ours = StringDictionary.read(column.displayName(), buffer);
      encoding = EncodedDictionary.nameOf(ours);
      values = ours;
    } else {
      encoding = EncodedDictionary.nameOf(buffer);
      values = StringEncodingStrategies.getStringDictionarySupplier(
          column.segment().files(), buffer.order(ByteOrder.BIG_ENDIAN), column.order());
    }
    return new DictionaryPart(encoding, buffer.duplicate().flip().position(start).slice(), values, !isInSeveralFiles);
  }

  /** Number of values, including null. A shape-shifting dictionary says it without the encoding of its texts. */
  public int size() {
    @Nullable final StringDictionary ours = ours();
    return ours == null ? values.get().size() : ours.size();
  }

  /** Copy for a column that shares the dictionary. */
  DictionaryPart shared() {
    return new DictionaryPart(encoding, ByteBuffer.allocate(0), values, canShapeShift);
  }

  /** Copy for a column with a spatial index. */
  DictionaryPart besideSpatialIndex() {
    return new DictionaryPart(encoding, bytes, values, false);
  }

  /** Whether the dictionary shape-shifts. */
  public boolean isShapeShifting() {
    return values instanceof StringDictionary;
  }

  /** Shape-shifting dictionary; null for a stock dictionary. */
  @Nullable
  public StringDictionary ours() {
    return values instanceof StringDictionary ours ? ours : null;
  }

  /** Whether the dictionary has a text index. */
  public boolean hasTextIndex() {
    @Nullable final StringDictionary ours = ours();
    return ours != null && ours.textIndex() != null;
  }

  /** Whether another column has the bytes. */
  public boolean isShared() {
    return !bytes.hasRemaining();
  }
}
