// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.collect.Iterators;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.structures.Texts;
import io.shapeshift.druid.form.numbers.NumberType;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexedWriter;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.nested.SortedValueDictionary;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Sorted distinct values of all fields of a nested column, in temporary files. The id of null is 0; then come all
 * strings, longs, doubles and arrays.
 */
public final class NestedColumnValues implements Closeable {
  /** Recently looked up texts, by hash. Neighbouring rows repeat texts. */
  private static final int CACHED_TEXTS = 1 << 12;
  private static final int BUCKET_OF_ARRAYS = 4;

  private final String column;
  private final Closer closer = Closer.create();
  private final DistinctTexts strings;
  private final LongsInFile longs;
  /** Sortable bits. */
  private final LongsInFile doubles;
  /** Null if there are none. */
  @Nullable
  private final FrontCodedIntArrayIndexed arrays;
  private final String[] texts = new String[CACHED_TEXTS];
  private final int[] ids = new int[CACHED_TEXTS];

  /**
   * Merges the values of several columns.
   *
   * @param column    name of the column, for messages
   * @param inputs    values of each column
   * @param medium    keeps what is read in order
   * @param directory for files that are mapped
   */
  public NestedColumnValues(
      String column, List<SortedValueDictionary> inputs, SegmentWriteOutMedium medium, File directory)
      throws IOException {
    this.column = column;
    boolean isComplete = false;
    try {
      // A child that is closed deletes the files that other children of the same medium have not opened yet.
      final SegmentWriteOutMedium own = medium.makeChildWriteOutMedium();
      this.strings = strings(inputs, own, directory);
      this.longs = numbers(inputs, SortedValueDictionary::getSortedLongs, number -> number, directory);
      this.doubles =
          numbers(inputs, SortedValueDictionary::getSortedDoubles, NumberType.DOUBLE::sortableOf, directory);
      this.arrays = arrays(inputs, own, directory);
      isComplete = true;
    } finally {
      if (!isComplete) {
        closer.close();
      }
    }
  }

  private DistinctTexts strings(List<SortedValueDictionary> inputs, SegmentWriteOutMedium medium, File directory)
      throws IOException {
    final NavigableSet<String> unsorted = new TreeSet<>();
    while (true) {
      final SegmentWriteOutMedium own = medium.makeChildWriteOutMedium();
      final DistinctTexts merged = new DistinctTexts(column, own, directory);
      final Stream<Iterator<String>> texts = inputs.stream().map(
          input -> Iterators.transform(input.getSortedStrings().iterator(), NestedColumnValues::asStored));
      if (merge(texts, Comparator.naturalOrder(), unsorted, merged::add)) {
        closer.register(merged);
        merged.complete();
        return merged;
      }
      own.close();
    }
  }

  /** Returns a text as UTF-8 has it, which is another one if it has half of a surrogate pair. */
  @Nullable
  private static String asStored(@Nullable String text) {
    return text != null && Texts.isChangedByUtf8(text) ? StringUtils.fromUtf8(StringUtils.toUtf8(text)) : text;
  }

  private <T extends Comparable<T>> LongsInFile numbers(
      List<SortedValueDictionary> inputs,
      Function<SortedValueDictionary, Indexed<T>> values,
      ToLongFunction<T> bits,
      File directory
  ) throws IOException {
    final LongsInFile merged = closer.register(new LongsInFile(directory));
    final Stream<Iterator<T>> numbers = inputs.stream().map(input -> values.apply(input).iterator());
    if (!merge(
        numbers, Comparator.naturalOrder(), new TreeSet<T>(), number -> merged.add(bits.applyAsLong(number)))) {
      throw ColumnFormatException.damaged(column, "the numbers of an input are not sorted");
    }
    merged.complete();
    return merged;
  }

  @Nullable
  private FrontCodedIntArrayIndexed arrays(
      List<SortedValueDictionary> inputs, SegmentWriteOutMedium medium, File directory) throws IOException {
    final Comparator<int[]> order = FrontCodedIntArrayIndexedWriter.ARRAY_COMPARATOR;
    final NavigableSet<int[]> unsorted = new TreeSet<>(order);
    while (true) {
      try (SegmentWriteOutMedium own = medium.makeChildWriteOutMedium()) {
        final FrontCodedIntArrayIndexedWriter merged =
            new FrontCodedIntArrayIndexedWriter(own, IndexIO.BYTE_ORDER, BUCKET_OF_ARRAYS);
        merged.open();
        final Stream<Iterator<int[]>> arrays = inputs.stream().map(
            input -> Iterators.transform(input.getSortedArrays().iterator(), this::idsOf));
        if (merge(arrays, order, unsorted, merged::write)) {
          return merged.getCardinality() == 0 ? null : mapped(merged, directory);
        }
      }
    }
  }

  private FrontCodedIntArrayIndexed mapped(FrontCodedIntArrayIndexedWriter arrays, File directory) throws IOException {
    final MappedFile file = closer.register(new MappedFile(directory));
    arrays.writeTo(file.channel(), null);
    return FrontCodedIntArrayIndexed.read(file.map(Integer.MAX_VALUE).get(0), IndexIO.BYTE_ORDER).get();
  }

  /** Receiver of values. */
  @FunctionalInterface
  private interface Sink<T> {
    void add(T value) throws IOException;
  }

  /**
   * Merges values into a sink, each once. An input is out of order where a text has half of a surrogate pair: it was
   * sorted with the half, and is compared as it is stored.
   *
   * @param unsorted is merged too; receives values that are out of order
   * @return false if there are values that are out of order and not passed on: merge once more, into a new sink
   */
  private static <T> boolean merge(
      Stream<Iterator<T>> inputs, Comparator<? super T> order, NavigableSet<T> unsorted, Sink<? super T> sink)
      throws IOException {
    final List<T> apart = List.copyOf(unsorted);
    final List<Iterator<T>> sources = Stream.concat(inputs, Stream.of(apart.iterator())).toList();
    final Iterator<T> all = Iterators.mergeSorted(sources, Comparator.nullsFirst(order));
    T last = null;
    while (all.hasNext()) {
      final T value = all.next();
      final int toLast = value == null ? 0 : last == null ? 1 : order.compare(value, last);
      if (toLast > 0) {
        sink.add(value);
        last = value;
      } else if (toLast < 0) {
        unsorted.add(value);
      }
    }
    return unsorted.size() == apart.size();
  }

  /**
   * Returns the id of a value of a field.
   *
   * @param value a String, Long, Double, or array of these, as Druid's expressions have them
   */
  int id(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof Long number) {
      return firstLong() + found(longs.indexOf(number), value);
    }
    if (value instanceof Double number) {
      return firstDouble() + found(doubles.indexOf(NumberType.DOUBLE.sortableOf(number)), value);
    }
    if (value instanceof Object[] array) {
      return firstArray() + found(arrays == null ? -1 : arrays.indexOf(idsOf(array)), Arrays.asList(array));
    }
    return textId(String.valueOf(value));
  }

  private int[] idsOf(Object[] array) {
    final int[] elements = new int[array.length];
    for (int i = 0; i < array.length; i++) {
      elements[i] = id(array[i]);
    }
    return elements;
  }

  private int textId(String text) {
    final int hash = text.hashCode();
    final int slot = (hash ^ hash >>> 15) & CACHED_TEXTS - 1;
    if (!text.equals(texts[slot])) {
      ids[slot] = 1 + found(strings.indexOf(text), text);
      texts[slot] = text;
    }
    return ids[slot];
  }

  private int found(int index, Object value) {
    if (index < 0) {
      throw DruidException.defensive(
          "Column[%s]: the dictionaries that are merged lack the value[%s] of a row", column, value);
    }
    return index;
  }

  /** Returns a string, long or double by its id; null for 0. */
  @Nullable
  Object scalar(int id) {
    if (id == 0) {
      return null;
    }
    if (id < firstLong()) {
      return strings.get(id - 1);
    }
    if (id < firstDouble()) {
      return longs.get(id - firstLong());
    }
    return Double.longBitsToDouble(NumberType.DOUBLE.bits(doubles.get(id - firstDouble())));
  }

  /** Returns the ids of an array's elements. */
  int[] elements(int arrayId) {
    return Objects.requireNonNull(arrays.get(arrayId - firstArray()));
  }

  /** Returns the id of the first long, if there is one. */
  int firstLong() {
    return 1 + strings.size();
  }

  /** Returns the id of the first double, if there is one. */
  int firstDouble() {
    return firstLong() + longs.size();
  }

  /** Returns the id of the first array, if there is one. */
  int firstArray() {
    return firstDouble() + doubles.size();
  }

  /** Returns the number of values, including null. */
  int size() {
    return firstArray() + (arrays == null ? 0 : arrays.size());
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
