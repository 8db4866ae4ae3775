// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.Indexed;

/**
 * The part of a column that has its distinct strings: Druid's dictionary, or one of ours.
 *
 * @param encoding      how it is stored: {@code utf8}, {@code frontCoded}, or {@code shapeshift} and the texts' coding
 * @param bytes         its bytes; none where the column of a projection shares those of the base table's
 * @param values        opens the values, for one thread
 * @param canShapeShift whether it is, or could be, one of ours: it stays Druid's beside a spatial index
 */
public record DictionaryPart(
    String encoding,
    ByteBuffer bytes,
    Supplier<? extends Indexed<ByteBuffer>> values,
    boolean canShapeShift
) {
  /**
   * Takes it from a buffer, whose position moves behind it.
   *
   * @param isShapeShifting whether it is one of ours
   */
  static DictionaryPart read(SegmentColumn column, ByteBuffer buffer, boolean isShapeShifting) {
    final int start = buffer.position();
    final String encoding;
    final Supplier<? extends Indexed<ByteBuffer>> values;
    if (isShapeShifting) {
      final StringDictionary ours = StringDictionary.read(column.displayName(), buffer);
      encoding = EncodedDictionary.nameOf(ours);
      values = ours;
    } else {
      encoding = EncodedDictionary.nameOf(buffer);
      values = StringEncodingStrategies.getStringDictionarySupplier(
          column.segment().files(), buffer.order(ByteOrder.BIG_ENDIAN), column.order());
    }
    return new DictionaryPart(encoding, buffer.duplicate().flip().position(start).slice(), values, true);
  }

  /** The same, for a column that shares it. */
  DictionaryPart shared() {
    return new DictionaryPart(encoding, ByteBuffer.allocate(0), values, canShapeShift);
  }

  /** The same, beside a spatial index. */
  DictionaryPart besideSpatialIndex() {
    return new DictionaryPart(encoding, bytes, values, false);
  }

  /** Whether it is one of ours. */
  public boolean isShapeShifting() {
    return values instanceof StringDictionary;
  }

  /** One of ours; null of Druid's. */
  @Nullable
  public StringDictionary ours() {
    return values instanceof StringDictionary ours ? ours : null;
  }

  /** Whether another column has its bytes. */
  public boolean isShared() {
    return !bytes.hasRemaining();
  }
}
