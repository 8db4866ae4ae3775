// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.numbers.NumberDictionary;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.tool.encoding.NumberDictionaryEncoding;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/**
 * Dictionary of the distinct longs or doubles of an {@code auto} column.
 *
 * @param type            type, long or double
 * @param isShapeShifting whether the dictionary shape-shifts
 * @param bytes           encoded bytes
 * @param values          supplier that opens the values
 */
public record NumberDictionaryPart(
    NumberType type,
    boolean isShapeShifting,
    ByteBuffer bytes,
    Supplier<? extends FixedIndexed<?>> values
) {
  /** Dictionaries of a column, by the suffix of their files after the dot. */
  static Map<String, NumberDictionaryPart> of(SegmentColumn column) {
    final Map<String, NumberDictionaryPart> parts = new LinkedHashMap<>();
    for (NumberType type : new NumberType[] {NumberType.LONG, NumberType.DOUBLE}) {
      final String file = file(type);
      @Nullable final ByteBuffer bytes = column.internalFiles().get(file);
      if (bytes != null) {
        parts.put(file, read(column, type, bytes.duplicate(), column.isShapeShifting(file)));
      }
    }
    return parts;
  }

  private static String file(NumberType type) {
    return type == NumberType.LONG
           ? ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME
           : ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME;
  }

  private static NumberDictionaryPart read(
      SegmentColumn column,
      NumberType type,
      ByteBuffer bytes,
      boolean isShapeShifting
  ) {
    final ByteBuffer in = bytes.duplicate();
    final Supplier<? extends FixedIndexed<?>> values;
    if (type == NumberType.LONG) {
      values = isShapeShifting
               ? NumberDictionary.longs(column.displayName(), in, column.order())
               : FixedIndexed.read(in, TypeStrategies.LONG, column.order(), type.bytes());
    } else {
      values = isShapeShifting
               ? NumberDictionary.doubles(column.displayName(), in, column.order())
               : FixedIndexed.read(in, TypeStrategies.DOUBLE, column.order(), type.bytes());
    }
    return new NumberDictionaryPart(type, isShapeShifting, bytes, values);
  }

  /**
   * Encodes the same numbers, shape-shifting or stock.
   *
   * @throws Damage if the numbers cannot be read
   */
  public ByteBuffer encode(boolean asOurs) {
    return Damage.reading("the dictionary of numbers", () ->
        NumberDictionaryEncoding.encode(type, values.get(), asOurs));
  }
}
