// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.column.numbers.NumberDictionary;
import io.shapeshift.druid.column.strings.StringDictionary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/** Dictionaries of a column. A column of one type has one, a variant column has five. Absent dictionaries are null. */
record AutoDictionaries(
    @Nullable Supplier<? extends Indexed<ByteBuffer>> strings,
    @Nullable Supplier<FixedIndexed<Long>> longs,
    @Nullable Supplier<FixedIndexed<Double>> doubles,
    @Nullable Supplier<FrontCodedIntArrayIndexed> arrays,
    @Nullable Supplier<FixedIndexed<Integer>> arrayElements
) {
  /** Reads the dictionaries of a column. */
  static AutoDictionaries read(
      SegmentFileMapper files,
      String column,
      ByteOrder order,
      Set<AutoColumnFile> ours
  ) throws IOException {
    @Nullable final ByteBuffer strings = map(files, column, ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME);
    @Nullable final ByteBuffer longs = map(files, column, ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME);
    @Nullable final ByteBuffer doubles = map(files, column, ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME);
    @Nullable final ByteBuffer arrays = map(files, column, ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME);
    @Nullable final ByteBuffer arrayElements =
        map(files, column, ColumnSerializerUtils.ARRAY_ELEMENT_DICTIONARY_FILE_NAME);
    return new AutoDictionaries(
        strings == null ? null : strings(files, column, strings, order, ours),
        longs == null ? null : longs(column, longs, order, ours),
        doubles == null ? null : doubles(column, doubles, order, ours),
        arrays == null ? null : FrontCodedIntArrayIndexed.read(arrays, order),
        arrayElements == null
        ? null
        : FixedIndexed.read(
            arrayElements,
            CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY,
            order,
            Integer.BYTES
        )
    );
  }

  private static Supplier<? extends Indexed<ByteBuffer>> strings(
      SegmentFileMapper files,
      String column,
      ByteBuffer bytes,
      ByteOrder order,
      Set<AutoColumnFile> ours
  ) {
    if (!ours.contains(AutoColumnFile.STRING_DICTIONARY) || SeveralFiles.startWith(bytes)) {
      SeveralFiles.check(AutoColumnFile.STRING_DICTIONARY.of(column), bytes, files);
      return StringEncodingStrategies.getStringDictionarySupplier(files, bytes, order);
    }
    final String file = AutoColumnFile.STRING_DICTIONARY.of(column);
    final StringDictionary strings = StringDictionary.read(file, bytes);
    ColumnFormatException.requireEnd(file, bytes);
    return strings;
  }

  private static Supplier<FixedIndexed<Long>> longs(
      String column,
      ByteBuffer bytes,
      ByteOrder order,
      Set<AutoColumnFile> ours
  ) {
    return ours.contains(AutoColumnFile.LONG_DICTIONARY)
           ? NumberDictionary.longs(AutoColumnFile.LONG_DICTIONARY.of(column), bytes, order)
           : FixedIndexed.read(bytes, ColumnType.LONG.getStrategy(), order, Long.BYTES);
  }

  private static Supplier<FixedIndexed<Double>> doubles(
      String column,
      ByteBuffer bytes,
      ByteOrder order,
      Set<AutoColumnFile> ours
  ) {
    return ours.contains(AutoColumnFile.DOUBLE_DICTIONARY)
           ? NumberDictionary.doubles(AutoColumnFile.DOUBLE_DICTIONARY.of(column), bytes, order)
           : FixedIndexed.read(bytes, ColumnType.DOUBLE.getStrategy(), order, Double.BYTES);
  }

  /**
   * Number of ids. The ids of a variant column number the entries of all its dictionaries except that of array
   * elements.
   */
  int numIds() {
    return Stream.of(strings, longs, doubles, arrays)
                 .filter(Objects::nonNull)
                 // Opening a segment must not read the dictionary's texts.
                 .mapToInt(dictionary ->
                     dictionary instanceof StringDictionary ours ? ours.size() : dictionary.get().size())
                 .sum();
  }

  @Nullable
  private static ByteBuffer map(SegmentFileMapper files, String column, String suffix) throws IOException {
    return files.mapFile(ColumnSerializerUtils.getInternalFileName(column, suffix));
  }
}
