// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.data.FrontCodedIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Encoding of the distinct values of a string column. */
public final class DictionaryEncoding {
  /** Druid's default, with which all others are compared. */
  public static final DictionaryEncoding UTF8 = stock("utf8", new StringEncodingStrategy.Utf8());

  /**
   * Stock encodings: the default first, then front coding in its newest version, with buckets of 4 and of 16 values.
   */
  public static final List<DictionaryEncoding> STOCK = List.of(UTF8, frontCoded(4), frontCoded(16));

  private interface Writers {
    DictionaryWriter<String> make(String column, SegmentWriteOutMedium medium, boolean hasTextIndex);
  }

  private final String name;
  private final boolean isShapeShifting;
  private final Writers writers;

  private DictionaryEncoding(String name, boolean isShapeShifting, Writers writers) {
    this.name = name;
    this.isShapeShifting = isShapeShifting;
    this.writers = writers;
  }

  private static DictionaryEncoding stock(String name, StringEncodingStrategy strategy) {
    return new DictionaryEncoding(name, false, (column, medium, hasTextIndex) ->
        StringEncodingStrategies.getStringDictionaryWriter(strategy, medium, column));
  }

  private static DictionaryEncoding frontCoded(int bucketSize) {
    return stock(
        "front-coded-" + bucketSize, new StringEncodingStrategy.FrontCoded(bucketSize, FrontCodedIndexed.V1));
  }

  /** Shape-shifting dictionary under a target. */
  static DictionaryEncoding shapeShifting(OptimizationTarget target) {
    return new DictionaryEncoding(RowEncodings.shapeShiftName(target), true, (column, medium, hasTextIndex) ->
        new StringDictionarySerializer(column, medium, target, hasTextIndex));
  }

  /** Name, such as {@code utf8}, {@code front-coded-4} or {@code shapeshift-smaller}. */
  public String name() {
    return name;
  }

  /** Whether the dictionary shape-shifts. */
  public boolean isShapeShifting() {
    return isShapeShifting;
  }

  /** Encodes values without a text index; see the method with all parameters. */
  public EncodedDictionary encode(String column, Supplier<? extends Indexed<ByteBuffer>> values) throws IOException {
    return encode(column, values, false);
  }

  /**
   * Encodes values.
   *
   * @param column name of the column, for messages
   * @param values values in Java's order of strings
   * @param hasTextIndex whether a shape-shifting dictionary gets a text index if that helps
   * @throws IOException           if the system's temporary directory is full
   * @throws ColumnFormatException if they exceed the maximum size of a file, 2 GiB
   */
  public EncodedDictionary encode(
      String column,
      Supplier<? extends Indexed<ByteBuffer>> values,
      boolean hasTextIndex
  ) throws IOException {
    return RowEncoding.withMedium(medium -> {
      final DictionaryWriter<String> writer = writers.make(column, medium, hasTextIndex);
      writer.open();
      for (ByteBuffer value : values.get()) {
        writer.write(value == null ? null : StringUtils.fromUtf8(value.duplicate()));
      }
      return EncodedDictionary.write(column, isShapeShifting, writer);
    });
  }
}
