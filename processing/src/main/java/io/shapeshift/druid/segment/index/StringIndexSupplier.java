// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Preconditions;
import com.google.common.base.Supplier;
import com.google.common.collect.Collections2;
import com.google.common.collect.Iterators;
import com.google.common.collect.Sets;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.cost.CostModel;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.filter.DruidObjectPredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedValueIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.LexicographicalRangeIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.Utf8ValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;

/**
 * Supplier of the indexes of strings, in a string dimension, an {@code auto} column or a field of a nested column. A
 * column without posting lists answers only filters of cursors, by a scan of its ids. For other callers it has no
 * index.
 */
@SuppressWarnings("deprecation") // Druid still requests StringValueSetIndexes.
public final class StringIndexSupplier implements QueriedRows.Indexes {
  /**
   * Index types that answer filters exactly as Druid's matchers do. A column that stock does not index has only these.
   */
  private static final Set<Class<?>> INTERFACES_OF_SCANS = Set.of(
      NullValueIndex.class,
      ValueIndexes.class,
      ValueSetIndexes.class,
      StringValueSetIndexes.class,
      Utf8ValueSetIndexes.class,
      DruidPredicateIndexes.class
  );
  /** Index types that search the dictionary, which must be sorted for that. The others iterate over it, or take ids. */
  private static final Set<Class<?>> SEARCHING_INTERFACES = Set.of(
      ValueIndexes.class,
      ValueSetIndexes.class,
      StringValueSetIndexes.class,
      Utf8ValueSetIndexes.class,
      LexicographicalRangeIndexes.class
  );
  private static final Set<Class<?>> INTERFACES = Sets.union(INTERFACES_OF_SCANS, Set.of(
      LexicographicalRangeIndexes.class,
      DictionaryEncodedStringValueIndex.class,
      DictionaryEncodedValueIndex.class
  )).immutableCopy();

  /** Index types of a field of a nested column. */
  private static final Set<Class<?>> INTERFACES_OF_FIELD = Set.of(
      NullValueIndex.class,
      StringValueSetIndexes.class,
      Utf8ValueSetIndexes.class,
      LexicographicalRangeIndexes.class,
      DruidPredicateIndexes.class
  );

  private final Supplier<? extends Indexed<ByteBuffer>> dictionary;
  private final Supplier<? extends ValueBitmaps> bitmaps;
  private final Set<Class<?>> interfaces;
  /** Whether the stock column also has an index. */
  private final boolean isStock;
  /** Whether the caller is a cursor that knows which rows it reads. */
  private final boolean isQueried;

  /**
   * Creates a supplier.
   *
   * @param dictionary values in UTF-8, in Druid's order of strings
   * @param bitmaps    rows of each value
   */
  public StringIndexSupplier(
      Supplier<? extends Indexed<ByteBuffer>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps
  ) {
    this(dictionary, bitmaps, INTERFACES, true, false);
  }

  private StringIndexSupplier(
      Supplier<? extends Indexed<ByteBuffer>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps,
      Set<Class<?>> interfaces,
      boolean isStock,
      boolean isQueried
  ) {
    this.dictionary = dictionary;
    this.bitmaps = bitmaps;
    this.interfaces = interfaces;
    this.isStock = isStock;
    this.isQueried = isQueried;
  }

  /**
   * Creates a supplier for a column without an index. The parameters are those of the constructor.
   *
   * @param hasNull whether the column has nulls, on which matchers and indexes of ranges disagree
   */
  public static StringIndexSupplier withoutIndex(
      Supplier<? extends Indexed<ByteBuffer>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps,
      boolean hasNull
  ) {
    return new StringIndexSupplier(
        dictionary,
        bitmaps,
        hasNull
        ? INTERFACES_OF_SCANS
        : Sets.union(INTERFACES_OF_SCANS, Set.of(LexicographicalRangeIndexes.class)).immutableCopy(),
        false,
        false
    );
  }

  /** Creates a supplier for a field of a nested column. The parameters are those of the constructor. */
  public static StringIndexSupplier ofField(
      Supplier<? extends Indexed<ByteBuffer>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps
  ) {
    return new StringIndexSupplier(dictionary, bitmaps, INTERFACES_OF_FIELD, true, false);
  }

  @Override
  public boolean dependOnRows() {
    return PostingIndex.isScanned(bitmaps);
  }

  @Override
  public ColumnIndexSupplier of(QueriedRows rows) {
    return bitmaps instanceof QueriedBitmaps index
           ? new StringIndexSupplier(dictionary, () -> index.get(rows), interfaces, isStock, true)
           : this;
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    if (!interfaces.contains(clazz) || !(isQueried || isStock)) {
      return null;
    }
    final Indexed<ByteBuffer> values = dictionary.get();
    if (SEARCHING_INTERFACES.contains(clazz) && !values.isSorted()) {
      // Druid's own check and message. Without a stock index, Druid's matchers need no search, so there is no error.
      Preconditions.checkArgument(!isStock, "Dictionary must be sorted");
      return null;
    }
    return clazz.cast(new Indexes(values, bitmaps.get(), isStock));
  }

  /** Index of a predicate whose matches contain a known part; null if it is another predicate. */
  @Nullable
  BitmapColumnIndex search(DruidPredicateFactory predicate) {
    return as(DruidPredicateIndexes.class) instanceof Indexes indexes ? indexes.searched(predicate) : null;
  }

  private static final class Indexes extends DictionaryIndexes<ByteBuffer>
      implements Utf8ValueSetIndexes, LexicographicalRangeIndexes {
    /** Upper bound that {@code like} gives to the range of a prefix, as if no text could be greater. */
    private static final String END_OF_PREFIX = "\uFFFF";

    /** Line terminators of Java's regular expressions. */
    private static final List<String> LINE_TERMINATORS = List.of("\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029");

    private final Indexed<ByteBuffer> dictionary;
    /** Whether the stock column also has an index. */
    private final boolean isStock;

    private Indexes(Indexed<ByteBuffer> dictionary, ValueBitmaps bitmaps, boolean isStock) {
      super(dictionary, ByteBufferUtils.utf8Comparator(), bitmaps);
      this.dictionary = dictionary;
      this.isStock = isStock;
    }

    @Override
    ValueType type() {
      return ValueType.STRING;
    }

    @Nullable
    @Override
    ByteBuffer entry(@Nullable Object value) {
      return StringUtils.toUtf8ByteBuffer((String) value);
    }

    @Nullable
    @Override
    ByteBuffer convert(@Nullable Object value) {
      return entry(DimensionHandlerUtils.convertObjectToString(value));
    }

    @Nullable
    private String text(@Nullable ByteBuffer entry) {
      // Reading a buffer moves its position, and a dictionary may return the same buffer again.
      return entry == null ? null : StringUtils.fromUtf8(entry.duplicate());
    }

    @Override
    boolean isStock() {
      return isStock;
    }

    @Override
    boolean hasUnknowns() {
      return hasNull();
    }

    @Override
    int leastId() {
      return 0;
    }

    @Nullable
    @Override
    public BitmapColumnIndex forValue(@Nullable String value) {
      if (value == null || followStockRules()) {
        return entryIndex(entry(value));
      }
      final boolean isAsMatched = !hasLine(value);
      return isStock || isAsMatched ? entryIndex(entry(value), isAsMatched) : null;
    }

    /**
     * Whether the dictionary has the value with one more line terminator. A {@code like} without wildcards requests the
     * rows of a value. Druid's matcher also matches the value with a line terminator, because its regular expression
     * ends with {@code $}; an index does not.
     */
    private boolean hasLine(String value) {
      final int id = dictionary.indexOf(entry(value));
      final int next = id < 0 ? -(id + 1) : id + 1;
      return next < dictionary.size()
          && Objects.requireNonNull(getValue(next)).startsWith(value)
          && LINE_TERMINATORS.stream().anyMatch(end -> dictionary.indexOf(entry(value + end)) >= 0);
    }

    @Nullable
    @Override
    public BitmapColumnIndex forValue(Object value, TypeSignature<ValueType> valueType) {
      if (!valueType.isPrimitive()) {
        return null;
      }
      final String text = ExprEval.ofType(ExpressionType.fromColumnTypeStrict(valueType), value)
          .castTo(ExpressionType.STRING).asString();
      return entryIndex(entry(text));
    }

    @Override
    public BitmapColumnIndex forSortedValues(SortedSet<String> values) {
      return sortedEntries(Collections2.transform(values, this::entry), hasNull());
    }

    @Override
    public BitmapColumnIndex forSortedValuesUtf8(List<ByteBuffer> sortedValuesUtf8) {
      return sortedValuesUtf8.isEmpty() ? nothing() : sortedEntries(fromLeast(sortedValuesUtf8), hasNull());
    }

    @Nullable
    @Override
    public BitmapColumnIndex forPredicate(DruidPredicateFactory matcherFactory) {
      if (!isStock && ComputedIndex.isCode(matcherFactory)) {
        return null;
      }
      @Nullable final BitmapColumnIndex searched = searched(matcherFactory);
      if (searched != null) {
        return searched;
      }
      final DruidObjectPredicate<String> predicate = matcherFactory.makeStringPredicate();
      return matching(this::getValueIterator, () -> predicate::apply);
    }

    /** Index of a predicate whose matches contain a known part; null if it is another predicate. */
    @Nullable
    private BitmapColumnIndex searched(DruidPredicateFactory matcherFactory) {
      @Nullable final TextQuery query =
          dictionary instanceof StringDictionaryReader ? TextQuery.of(matcherFactory) : null;
      if (query == null) {
        return null;
      }
      final DruidObjectPredicate<String> predicate = matcherFactory.makeStringPredicate();
      return searching(
          () -> predicate::apply,
          (matches, ids) -> search((StringDictionaryReader) dictionary, query, matches, ids)
      );
    }

    private static void search(
        StringDictionaryReader dictionary,
        TextQuery query,
        Predicate<String> matches,
        IntArrayList ids
    ) {
      if (dictionary.hasNull() && matches.test(null)) {
        ids.add(0);
      }
      dictionary.find(query.parts(), query.isExact(), (id, run, index) -> {
        if (run == null || matches.test(run.string(index))) {
          ids.add(id);
        }
      });
    }

    @Nullable
    @Override
    public BitmapColumnIndex forRange(
        @Nullable String startValue,
        boolean startStrict,
        @Nullable String endValue,
        boolean endStrict
    ) {
      final int from = from(startValue, startStrict);
      final int to = to(endValue, endStrict);
      final boolean isAsMatched = !goesOnBehind(to, endValue);
      return isStock || isAsMatched
             ? range(from, Math.max(from, to), CostModel.Indexes.RANGE_SCALE, isAsMatched)
             : null;
    }

    /**
     * Whether some texts that have the prefix sort after the end of the prefix's range. Druid's matchers find such
     * texts.
     */
    private boolean goesOnBehind(int to, @Nullable String endValue) {
      return endValue != null && endValue.endsWith(END_OF_PREFIX) && to >= 0 && to < dictionary.size()
          && getValue(to).startsWith(endValue);
    }

    @Nullable
    @Override
    public BitmapColumnIndex forRange(
        @Nullable String startValue,
        boolean startStrict,
        @Nullable String endValue,
        boolean endStrict,
        DruidObjectPredicate<String> matcher
    ) {
      final int from = from(startValue, startStrict);
      final int to = to(endValue, endStrict);
      return isStock || !goesOnBehind(to, endValue)
             ? range(from, Math.max(from, to), CostModel.Indexes.RANGE_SCALE, id -> matcher.apply(getValue(id)))
             : null;
    }

    @Nullable
    @Override
    public String getValue(int index) {
      return dictionary instanceof StringDictionaryReader ours ? ours.getString(index) : text(dictionary.get(index));
    }

    @Override
    public Iterator<String> getValueIterator() {
      return dictionary instanceof StringDictionaryReader ours
             ? ours.strings().iterator()
             : Iterators.transform(dictionary.iterator(), this::text);
    }

    /** First id of a range. */
    private int from(@Nullable String value, boolean strict) {
      if (value == null) {
        return hasNull() ? 1 : 0;
      }
      final int id = dictionary.indexOf(entry(value));
      return id < 0 ? -(id + 1) : strict ? id + 1 : id;
    }

    /** End of the ids of a range, exclusive. May be less than the start of the range. */
    private int to(@Nullable String value, boolean strict) {
      if (value == null) {
        return dictionary.size();
      }
      final int id = dictionary.indexOf(entry(value));
      return id < 0 ? -(id + 1) : strict ? id : id + 1;
    }
  }
}
