// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.data.FrontCodedIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Encodings of the dictionary of a column of strings. */
public enum DictionaryEncoding {
  /** Druid's default, the baseline: end offsets, and the values. */
  DRUID_UTF8("druid-utf8", new StringEncodingStrategy.Utf8(), null),
  /** Druid's front coding of version 1 in buckets of 4. */
  DRUID_FRONT_CODED_4(
      "druid-front-coded-4",
      new StringEncodingStrategy.FrontCoded(4, FrontCodedIndexed.V1),
      null
  ),
  /** Druid's front coding of version 1 in buckets of 16. */
  DRUID_FRONT_CODED_16(
      "druid-front-coded-16",
      new StringEncodingStrategy.FrontCoded(16, FrontCodedIndexed.V1),
      null
  ),
  /** Shape-shifting under target {@code smaller}. */
  SHAPESHIFT_SMALLER(OptimizationTarget.SMALLER),
  /** Shape-shifting under target {@code fastbutsmallish}. */
  SHAPESHIFT_FASTBUTSMALLISH(OptimizationTarget.FASTBUTSMALLISH),
  /** Shape-shifting under target {@code faster}. */
  SHAPESHIFT_FASTER(OptimizationTarget.FASTER);

  private static final String COLUMN = "column";

  private final String encoding;
  @Nullable
  @SuppressWarnings("ImmutableEnumChecker")
  private final StringEncodingStrategy druid;
  @Nullable
  private final OptimizationTarget target;

  DictionaryEncoding(OptimizationTarget target) {
    this(RowEncodings.shapeShiftName(target), null, target);
  }

  DictionaryEncoding(
      String encoding, @Nullable StringEncodingStrategy druid, @Nullable OptimizationTarget target) {
    this.encoding = encoding;
    this.druid = druid;
    this.target = target;
  }

  /**
   * The encoding with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DictionaryEncoding parse(String name) {
    return Arrays.stream(values()).filter(each -> each.encoding.equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException(
            "There is no encoding " + name + " of dictionaries. There are "
                + Arrays.stream(values()).map(each -> each.encoding).collect(Collectors.joining(", "))
        ));
  }

  /** Writes a dictionary of sorted values. */
  DictionaryWriter<String> write(Iterable<String> values, SegmentWriteOutMedium medium) throws IOException {
    final DictionaryWriter<String> writer =
        target == null
        ? StringEncodingStrategies.getStringDictionaryWriter(druid, medium, COLUMN)
        : new StringDictionarySerializer(COLUMN, medium, target);
    writer.open();
    for (String value : values) {
      writer.write(value);
    }
    return writer;
  }

  /**
   * Opens a dictionary as a segment does. Each supplied reader is for one thread.
   *
   * @param bytes from index 0 on
   */
  Supplier<Reader> open(ByteBuffer bytes) {
    final ByteBuffer buffer = bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
    if (target == null) {
      final Supplier<? extends Indexed<ByteBuffer>> dictionary =
          StringEncodingStrategies.getStringDictionarySupplier(null, buffer, IndexIO.BYTE_ORDER);
      return () -> {
        final Indexed<ByteBuffer> utf8 = dictionary.get();
        return new Reader(utf8, new StringEncodingStrategies.Utf8ToStringIndexed(utf8));
      };
    }
    final StringDictionary dictionary = StringDictionary.read(COLUMN, buffer);
    return () -> {
      final StringDictionaryReader utf8 = dictionary.get();
      return new Reader(utf8, utf8.strings());
    };
  }

  /**
   * Reads a dictionary; for one thread.
   *
   * @param utf8    its values as bytes
   * @param strings its values as strings, as columns look them up
   */
  record Reader(Indexed<ByteBuffer> utf8, Indexed<String> strings) {}

  @Override
  public String toString() {
    return encoding;
  }
}
