// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.strings.StringDictionaryReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.Indexed;

/**
 * Distinct values of all fields of a column, sorted. Druid's merges of segments iterate over them, and do nothing else
 * with them.
 *
 * @param <T> type of the values
 */
final class MergedValues<T> implements Indexed<T> {
  private final int size;
  private final boolean hasNull;
  private final Comparator<? super T> order;
  private final int numFields;
  private final IntFunction<Iterator<T>> valuesOfField;

  private MergedValues(
      int size, boolean hasNull, Comparator<? super T> order, int numFields, IntFunction<Iterator<T>> valuesOfField) {
    this.size = size;
    this.hasNull = hasNull;
    this.order = order;
    this.numFields = numFields;
    this.valuesOfField = valuesOfField;
  }

  /** Returns null and the strings of a column. */
  static Indexed<String> strings(NestedColumnData column) {
    return new MergedValues<>(
        column.numStrings(),
        true,
        Comparator.naturalOrder(),
        column.numFields(),
        field -> withoutNull(texts(column.field(field).strings()))
    );
  }

  private static Iterator<String> texts(Indexed<ByteBuffer> dictionary) {
    return dictionary instanceof StringDictionaryReader ours
           ? ours.strings().iterator()
           : new StringEncodingStrategies.Utf8ToStringIndexed(dictionary).iterator();
  }

  private static Iterator<String> withoutNull(Iterator<String> texts) {
    texts.next();
    return texts;
  }

  /** Returns the longs of a column. */
  static Indexed<Long> longs(NestedColumnData column) {
    return new MergedValues<>(
        column.numLongs(),
        false,
        Comparator.naturalOrder(),
        column.numFields(),
        field -> column.field(field).longs().iterator()
    );
  }

  /** Returns the doubles of a column. */
  static Indexed<Double> doubles(NestedColumnData column) {
    return new MergedValues<>(
        column.numDoubles(),
        false,
        Comparator.naturalOrder(),
        column.numFields(),
        field -> column.field(field).doubles().iterator()
    );
  }

  /** Returns the arrays of a column. */
  static Indexed<Object[]> arrays(NestedColumnData column) {
    return new MergedValues<>(
        column.numArrays(),
        false,
        (left, right) -> Arrays.compare(left, right, MergedValues::compareElements),
        column.numFields(),
        field -> arrays(new FieldReader.Values(column.field(field)))
    );
  }

  private static Iterator<Object[]> arrays(FieldReader.Values values) {
    return Stream.iterate(0, i -> i < values.numArrays(), i -> i + 1)
                 .map(i -> values.array(values.firstArray() + i))
                 .iterator();
  }

  /** Orders the elements of arrays as a dictionary numbers them: null, strings, longs, doubles. */
  private static int compareElements(@Nullable Object left, @Nullable Object right) {
    final int byKind = Integer.compare(kind(left), kind(right));
    if (byKind != 0 || left == null) {
      return byKind;
    }
    if (left instanceof String text) {
      return text.compareTo((String) right);
    }
    return left instanceof Long number ? number.compareTo((Long) right) : ((Double) left).compareTo((Double) right);
  }

  private static int kind(@Nullable Object element) {
    if (element == null) {
      return 0;
    }
    if (element instanceof String) {
      return 1;
    }
    return element instanceof Long ? 2 : 3;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public T get(int index) {
    throw new UnsupportedOperationException("the values are only iterated over");
  }

  @Override
  public int indexOf(@Nullable T value) {
    throw new UnsupportedOperationException("the values are only iterated over");
  }

  @Override
  public Iterator<T> iterator() {
    return new Merge();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}

  /** The next value of a field, and those after it. */
  private static final class Next<T> {
    private final Iterator<T> later;
    private T value;

    private Next(Iterator<T> values) {
      this.later = values;
      this.value = values.next();
    }
  }

  private final class Merge implements Iterator<T> {
    private final PriorityQueue<Next<T>> fields =
        new PriorityQueue<>((left, right) -> order.compare(left.value, right.value));
    private boolean isNullNext = hasNull;

    private Merge() {
      for (int field = 0; field < numFields; field++) {
        final Iterator<T> values = valuesOfField.apply(field);
        if (values.hasNext()) {
          fields.add(new Next<>(values));
        }
      }
    }

    @Override
    public boolean hasNext() {
      return isNullNext || !fields.isEmpty();
    }

    @Nullable
    @Override
    public T next() {
      if (isNullNext) {
        isNullNext = false;
        return null;
      }
      if (fields.isEmpty()) {
        throw new NoSuchElementException();
      }
      final T value = Objects.requireNonNull(fields.peek()).value;
      while (!fields.isEmpty() && order.compare(fields.peek().value, value) == 0) {
        final Next<T> field = fields.poll();
        if (field.later.hasNext()) {
          field.value = field.later.next();
          fields.add(field);
        }
      }
      return value;
    }
  }
}
