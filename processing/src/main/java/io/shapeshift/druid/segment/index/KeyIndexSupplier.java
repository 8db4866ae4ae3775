// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.form.postings.RowSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;

/**
 * Answers filters for one value or a few on a column of longs by its {@link HashIndex}. Whatever it does not answer is
 * left to the column's other indexes: values of which Druid's filters do not all make the same long, and sets of so
 * many values that reading all rows is faster.
 */
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
public final class KeyIndexSupplier implements ColumnIndexSupplier {
  /**
   * A key is looked up if so many rows or more would have to be matched instead. To match one takes 8 ns or so, to find
   * a key about half a microsecond.
   */
  static final int ROWS_PER_KEY = 64;

  private static final Set<Class<?>> INTERFACES =
      Set.of(ValueIndexes.class, ValueSetIndexes.class, StringValueSetIndexes.class);

  private final HashIndex index;
  private final Supplier<NumericColumn> column;
  private final ImmutableBitmap nulls;
  private final BitmapFactory bitmapFactory;
  private final ColumnIndexSupplier others;

  /**
   * Makes a supplier.
   *
   * @param column        makes a reader of the column, in which the index's candidates are checked
   * @param nulls         the rows that are null, of which nobody knows whether they match a value
   * @param bitmapFactory makes the bitmaps of the rows that are found
   * @param others        the indexes that the column has besides
   */
  public KeyIndexSupplier(
      HashIndex index,
      Supplier<NumericColumn> column,
      ImmutableBitmap nulls,
      BitmapFactory bitmapFactory,
      ColumnIndexSupplier others
  ) {
    this.index = index;
    this.column = column;
    this.nulls = nulls;
    this.bitmapFactory = bitmapFactory;
    this.others = others;
  }

  /** Also gives the hash index itself. */
  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    if (clazz == HashIndex.class) {
      return clazz.cast(index);
    }
    return INTERFACES.contains(clazz) ? clazz.cast(new Indexes()) : others.as(clazz);
  }

  private final class Indexes implements ValueIndexes, ValueSetIndexes, StringValueSetIndexes {
    @Nullable
    @Override
    public BitmapColumnIndex forValue(Object value, TypeSignature<ValueType> valueType) {
      if (valueType.isPrimitive() && isClear(value, valueType)) {
        @Nullable final ExprEval<?> number = ExprEval.castForEqualityComparison(
            ExprEval.ofType(ExpressionType.fromColumnTypeStrict(valueType), value), ExpressionType.LONG);
        if (number != null) {
          return keys(LongList.of(number.asLong()), false);
        }
      }
      return other(ValueIndexes.class, indexes -> indexes.forValue(value, valueType));
    }

    @Nullable
    @Override
    public BitmapColumnIndex forValue(@Nullable String value) {
      return value != null && isLong(value)
             ? keys(LongList.of(Long.parseLong(value)), false)
             : other(StringValueSetIndexes.class, indexes -> indexes.forValue(value));
    }

    @Nullable
    @Override
    public BitmapColumnIndex forSortedValues(List<?> sortedValues, TypeSignature<ValueType> matchValueType) {
      final boolean areClear = areFew(sortedValues)
          && matchValueType.isPrimitive()
          && sortedValues.stream().allMatch(value -> value == null || isClear(value, matchValueType));
      return areClear
             ? in(sortedValues)
             : other(ValueSetIndexes.class, indexes -> indexes.forSortedValues(sortedValues, matchValueType));
    }

    @Nullable
    @Override
    public BitmapColumnIndex forSortedValues(SortedSet<String> values) {
      return areFew(values)
             ? in(values)
             : other(StringValueSetIndexes.class, indexes -> indexes.forSortedValues(values));
    }
  }

  /** What another index says; null, for Druid to match rows, where there is none. */
  @Nullable
  private <T> BitmapColumnIndex other(Class<T> clazz, Function<T, BitmapColumnIndex> answer) {
    @Nullable final T indexes = others.as(clazz);
    return indexes == null ? null : answer.apply(indexes);
  }

  /** Whether all of Druid's filters take a value for the same long: expressions compare texts. */
  private static boolean isClear(Object value, TypeSignature<ValueType> valueType) {
    return !valueType.is(ValueType.STRING) || isLong(value.toString());
  }

  /** Whether a text is what Druid writes for a long. */
  private static boolean isLong(String text) {
    @Nullable final Long number = DimensionHandlerUtils.convertObjectToLong(text);
    return number != null && number.toString().equals(text);
  }

  private boolean areFew(Collection<?> values) {
    return isWorthIt(values.size(), index.numRows());
  }

  private static boolean isWorthIt(int numKeys, int numRows) {
    return numKeys <= numRows / ROWS_PER_KEY;
  }

  /** The rows of a set's values; what is no long matches nothing. */
  private BitmapColumnIndex in(Collection<?> values) {
    final LongArrayList keys = new LongArrayList(values.size());
    for (Object value : values) {
      @Nullable final Long key = DimensionHandlerUtils.convertObjectToLong(value);
      if (key != null) {
        keys.add(key.longValue());
      }
    }
    return keys(keys, values.stream().anyMatch(Objects::isNull));
  }

  private BitmapColumnIndex keys(LongList keys, boolean withNulls) {
    return new ComputedIndex(
        keys.size(),
        (applied, total) -> isWorthIt(keys.size(), applied),
        includeUnknown -> rows(keys, withNulls || includeUnknown)
    );
  }

  private ImmutableBitmap rows(LongList keys, boolean withNulls) {
    final RowSet found = new RowSet(index.numRows());
    try (NumericColumn numbers = column.get()) {
      index.reader(numbers::getLongSingleValueRow).find(keys, found);
    }
    final ImmutableBitmap rows = found.toBitmap(bitmapFactory);
    return withNulls && !nulls.isEmpty() ? bitmapFactory.union(List.of(rows, nulls)) : rows;
  }
}
