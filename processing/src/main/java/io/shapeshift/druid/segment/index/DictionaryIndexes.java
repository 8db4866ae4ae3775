// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.collect.Lists;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.FilterFailure;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.index.AllFalseBitmapColumnIndex;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;

/**
 * Base class of the indexes of strings and numbers with a dictionary. One object implements all kinds of indexes of its
 * column.
 *
 * <p>Results, estimated costs and the rules by which an index does not pay are those of Druid's indexes. Only the
 * computation differs: Druid unites one bitmap per value; this class first finds the ids of all values, and
 * {@link ValueBitmaps} then creates one bitmap for them. In a column without rows nothing matches, whereas Druid's
 * indexes throw exceptions.
 *
 * @param <T> type of the dictionary's entries
 */
@SuppressWarnings("deprecation") // Druid still requests StringValueSetIndexes.
abstract class DictionaryIndexes<T> implements
    NullValueIndex,
    ValueIndexes,
    ValueSetIndexes,
    StringValueSetIndexes,
    DruidPredicateIndexes,
    DictionaryEncodedStringValueIndex {
  private final Indexed<T> dictionary;
  private final Comparator<? super T> order;
  private final ValueBitmaps bitmaps;

  /**
   * Creates indexes.
   *
   * @param dictionary values of the column in {@code order}; null has the id 0, if it is a value
   * @param order      order that sorts null first
   * @param bitmaps    rows of each id
   */
  DictionaryIndexes(Indexed<T> dictionary, Comparator<? super T> order, ValueBitmaps bitmaps) {
    this.dictionary = dictionary;
    this.order = order;
    this.bitmaps = bitmaps;
  }

  /** Type of values that sort as the dictionary does. */
  abstract ValueType type();

  /** Dictionary entry for a value of {@link #type()}. */
  @Nullable
  abstract T entry(@Nullable Object value);

  /** Dictionary entry for a value of another type. */
  @Nullable
  abstract T convert(@Nullable Object value);

  /** Whether the rows of id 0 are nulls, for which a comparison with a value is unknown. */
  abstract boolean hasUnknowns();

  /** Id of the first entry that a search for values considers. */
  abstract int leastId();

  /** Whether the stock column also has an index, and tests all entries if its rules say so. */
  abstract boolean isStock();

  /** Whether the dictionary has an entry for null. */
  final boolean hasNull() {
    return dictionary instanceof StringDictionaryReader ours
           ? ours.hasNull()
           : dictionary.size() > 0 && dictionary.get(0) == null;
  }

  @Override
  public final BitmapColumnIndex get() {
    return new ComputedIndex(0, includeUnknown -> unknowns());
  }

  @Nullable
  @Override
  public BitmapColumnIndex forSortedValues(List<?> sortedValues, TypeSignature<ValueType> matchValueType) {
    if (sortedValues.isEmpty()) {
      return nothing();
    }
    final boolean unknowns = hasNull() && sortedValues.get(0) != null;
    if (matchValueType.is(type())) {
      return sortedEntries(fromLeast(Lists.transform(sortedValues, this::entry)), unknowns);
    }
    return values(sortedValues, value -> dictionary.indexOf(convert(value)), unknowns);
  }

  @Override
  public final int getCardinality() {
    return dictionary.size();
  }

  @Override
  public final BitmapFactory getBitmapFactory() {
    return bitmaps.bitmapFactory();
  }

  @Override
  public final ImmutableBitmap getBitmap(int idx) {
    if (idx < 0) {
      return noRows();
    }
    Indexed.checkIndex(idx, bitmaps.size());
    return bitmaps.get(idx);
  }

  /** Index that matches no rows, not even unknown ones. */
  final BitmapColumnIndex nothing() {
    return new AllFalseBitmapColumnIndex(getBitmapFactory());
  }

  final ImmutableBitmap noRows() {
    return getBitmapFactory().makeEmptyImmutableBitmap();
  }

  /** Rows for which a comparison with a value is unknown. */
  final ImmutableBitmap unknowns() {
    return hasUnknowns() ? bitmaps.get(0) : noRows();
  }

  /** Whether posting lists exist, so that Druid's rules decide whether an index pays. */
  final boolean followStockRules() {
    return bitmaps.followStockRules();
  }

  /** Index of the rows of one entry. */
  final BitmapColumnIndex entryIndex(@Nullable T entry) {
    return entryIndex(entry, true);
  }

  /**
   * Index of the rows of one entry.
   *
   * @param isAsMatched whether a matcher finds the same rows, and so may be used when it is faster
   */
  final BitmapColumnIndex entryIndex(@Nullable T entry, boolean isAsMatched) {
    return new ComputedIndex(cost(1), (applied, total) -> !isAsMatched || isWorthIt(1, applied), includeUnknown -> {
      final IntArrayList ids = new IntArrayList(2);
      addUnknowns(ids, includeUnknown && hasUnknowns());
      final int id = dictionary.indexOf(entry);
      if (id >= 0) {
        DictionarySearch.add(ids, id);
      }
      return rows(ids);
    });
  }

  /**
   * Index of the rows of several entries.
   *
   * @param entries  entries in the order of the dictionary
   * @param unknowns whether rows exist whose result is unknown
   */
  final BitmapColumnIndex sortedEntries(Collection<T> entries, boolean unknowns) {
    // Above this ratio Druid reads the whole dictionary, and its cost estimate reflects that.
    final boolean many = entries.size() > SORTED_SCAN_RATIO_THRESHOLD * dictionary.size();
    return index(many ? Math.max(entries.size(), dictionary.size()) : entries.size(), includeUnknown -> {
      final IntArrayList ids = new IntArrayList();
      addUnknowns(ids, includeUnknown && unknowns);
      DictionarySearch.find(dictionary, order, entries, ids);
      return rows(ids);
    });
  }

  /**
   * Index of the rows of several values in any order.
   *
   * @param values   the values
   * @param id       looks up the id of a value; negative if the dictionary does not have the value
   * @param unknowns whether rows exist whose result is unknown
   */
  final <V> BitmapColumnIndex values(Collection<V> values, ToIntFunction<? super V> id, boolean unknowns) {
    return index(values.size(), includeUnknown -> {
      final int[] found = values.stream().mapToInt(id).filter(i -> i >= 0).toArray();
      Arrays.sort(found);
      final IntArrayList ids = new IntArrayList(found.length + 1);
      addUnknowns(ids, includeUnknown && unknowns);
      for (int i : found) {
        DictionarySearch.add(ids, i);
      }
      return rows(ids);
    });
  }

  /**
   * Sorted entries without those that are less than all of the dictionary. As in Druid, short lists are returned
   * unchanged, and for numbers null is removed.
   */
  final List<T> fromLeast(List<T> entries) {
    if (entries.size() < SIZE_WORTH_CHECKING_MIN || leastId() >= dictionary.size()) {
      return entries;
    }
    final int position = Collections.binarySearch(entries, dictionary.get(leastId()), order);
    return entries.subList(position >= 0 ? position : -(position + 1), entries.size());
  }

  /**
   * Index of the rows of all entries in a range of ids.
   *
   * @param from  first id
   * @param to    end of the ids, exclusive
   * @param scale maximum number of entries per remaining row for which the index pays
   * @param mayScan whether Druid's matcher also matches all entries of the range
   */
  final BitmapColumnIndex range(int from, int to, double scale, boolean mayScan) {
    final ComputedIndex.Worth worth =
        mayScan ? rangeIsWorthIt(from, to, scale) : (applied, total) -> isWorthUniting(from, to, scale, applied);
    return new ComputedIndex(cost(to - from), worth, includeUnknown -> {
      if (!includeUnknown || !hasUnknowns() || (from == 0 && to > 0)) {
        return bitmaps.union(from, to);
      }
      if (from == to) {
        return bitmaps.get(0);
      }
      return from == 1
             ? bitmaps.union(0, to)
             : getBitmapFactory().union(List.of(bitmaps.get(0), bitmaps.union(from, to)));
    });
  }

  /**
   * Index of the rows of the matching entries in a range of ids.
   *
   * @param from    first id
   * @param to      end of the ids, exclusive
   * @param scale   maximum number of entries per remaining row for which the index pays
   * @param matcher tests whether the entry of an id matches
   */
  final BitmapColumnIndex range(int from, int to, double scale, IntFunction<DruidPredicateMatch> matcher) {
    final ComputedIndex.Worth worth =
        (applied, total) -> isWorthUniting(from, to, scale, applied) && testIsWorthIt(to - from, applied, total);
    return new ComputedIndex(cost(to - from), worth, includeUnknown -> {
      final IntArrayList ids = new IntArrayList();
      addUnknowns(ids, includeUnknown && hasUnknowns());
      for (int id = from; id < to; id++) {
        // An unknown result counts as false here even if unknowns are included: only nulls are unknown, and they are
        // added above.
        if (matcher.apply(id).matches(false)) {
          DictionarySearch.add(ids, id);
        }
      }
      return rows(ids);
    });
  }

  /**
   * Test by Druid's rule, or by the cost of a scan, which unites no bitmaps. If the column has nulls and unknown rows
   * are requested, only Druid's rule applies, because index and matcher disagree on nulls in a range: the result is
   * unknown for an index, and false for a matcher.
   */
  private ComputedIndex.Worth rangeIsWorthIt(int from, int to, double scale) {
    return new ComputedIndex.Worth() {
      @Override
      public boolean test(int applied, int total) {
        return test(applied, total, true);
      }

      @Override
      public boolean test(int applied, int total, boolean includeUnknown) {
        final boolean isWorthUniting = isWorthUniting(from, to, scale, applied);
        return (includeUnknown && hasUnknowns())
               ? isWorthUniting
               : (bitmaps.followStockRules() && isWorthUniting) || scanIsWorthIt(to - from, applied);
      }
    };
  }

  /** Druid's rule: an index of a range pays if it unites few bitmaps per remaining row. */
  private static boolean isWorthUniting(int from, int to, double scale, int applied) {
    return to - from <= (int) Math.ceil(scale * applied);
  }

  /** Whether a scan for entries is faster than matching rows. Assumes that all entries have the same number of rows. */
  private boolean scanIsWorthIt(int entries, int applied) {
    final QueriedRows queried = bitmaps.queried();
    final boolean isRare = queried.rowsPerFound() == 0
        || (queried.rowsPerFound() != QueriedRows.NEVER
            && (long) entries * queried.rowsPerFound() <= dictionary.size());
    return isRare && queried.budget().isWorthIt(bitmaps.nanosToScan(), Math.min(applied, queried.count()));
  }

  /** Whether consecutive reads of entries are far faster than single reads. */
  private boolean isInBlocks() {
    return dictionary instanceof StringDictionaryReader ours && ours.isInBlocks();
  }

  /**
   * Whether testing entries and finding the rows of the matching ones is faster than matching rows. Matchers test each
   * entry of the remaining rows once.
   */
  private boolean testIsWorthIt(int entries, int applied, int total) {
    if (bitmaps.followStockRules()) {
      return true;
    }
    final int left = Math.min(applied, bitmaps.queried().count());
    if (!isStock()) {
      return (entries <= applied / CostModel.Indexes.MATCHES_PER_TEST || (isInBlocks() && left == total))
          && bitmaps.queried().rowsPerFound() == 0
          && scanIsWorthIt(entries, applied);
    }
    return entries <= (long) CostModel.Indexes.ENTRIES_PER_MATCH * left
        && bitmaps.queried().budget().isWorthIt(bitmaps.nanosToScan(), left);
  }

  /** Index that always pays if posting lists exist. */
  private ComputedIndex index(int numIds, ComputedIndex.Rows rows) {
    return new ComputedIndex(cost(numIds), (applied, total) -> isWorthIt(numIds, applied), rows);
  }

  private boolean isWorthIt(int numIds, int applied) {
    return bitmaps.followStockRules() || scanIsWorthIt(numIds, applied);
  }

  private int cost(int numIds) {
    return bitmaps.followStockRules()
           ? numIds
           : Math.max(numIds, ComputedIndex.costOfScan(bitmaps.queried().count()));
  }

  /**
   * Index of the rows of all matching entries.
   *
   * @param entries  iterator over all entries, as the type that the matcher takes
   * @param matchers creates the matcher of entries, once per bitmap
   */
  final <V> BitmapColumnIndex matching(
      Supplier<Iterator<V>> entries,
      Supplier<Function<V, DruidPredicateMatch>> matchers
  ) {
    return searching(matchers, (matches, ids) -> {
      final Iterator<V> all = entries.get();
      for (int id = 0; all.hasNext(); id++) {
        if (matches.test(all.next())) {
          ids.add(id);
        }
      }
    });
  }

  /** Search for the entries that match. */
  @FunctionalInterface
  interface Search<V> {
    /**
     * Adds the ids of the matching entries, in ascending order.
     *
     * @param matches the test; it may be left out for an entry whose result is known otherwise
     */
    void find(Predicate<V> matches, IntArrayList ids);
  }

  /**
   * Index of the rows of all matching entries.
   *
   * @param matchers creates the matcher of entries, once per bitmap
   */
  final <V> BitmapColumnIndex searching(Supplier<Function<V, DruidPredicateMatch>> matchers, Search<V> search) {
    final ComputedIndex.Rows rows = includeUnknown -> {
      final Function<V, DruidPredicateMatch> matcher = FilterFailure.guard(matchers);
      final IntArrayList ids = new IntArrayList();
      search.find(entry -> matches(matcher, entry, includeUnknown), ids);
      return rows(ids);
    };
    // If stock has an index, an exception of the test is thrown as from that index.
    return bitmaps.followStockRules() || isStock()
           ? new ComputedIndex(cost(dictionary.size()), this::matchingIsWorthIt, rows)
           : ComputedIndex.ofTest(this::matchingIsWorthIt, rows);
  }

  private boolean matchingIsWorthIt(int applied, int total) {
    final int size = dictionary.size();
    // If stock has an index, Druid's rule is tested first.
    return (!isStock() || applied == total || applied >= size) && testIsWorthIt(size, applied, total);
  }

  /**
   * Index of the rows of several entries that Druid finds by testing all entries. Its cost, and the rule by which it
   * does not pay, are those of {@link #matching}.
   *
   * @param entries entries in the order of the dictionary, without null
   */
  final BitmapColumnIndex matching(Collection<T> entries) {
    return new ComputedIndex(cost(dictionary.size()), this::matchingIsWorthIt, includeUnknown -> {
      final IntArrayList ids = new IntArrayList();
      addUnknowns(ids, includeUnknown && hasUnknowns());
      DictionarySearch.find(dictionary, order, entries, ids);
      return rows(ids);
    });
  }

  private static <V> boolean matches(Function<V, DruidPredicateMatch> matcher, V entry, boolean includeUnknown) {
    try {
      return matcher.apply(entry).matches(includeUnknown);
    } catch (RuntimeException | Error e) {
      throw FilterFailure.of(e);
    }
  }

  private static void addUnknowns(IntArrayList ids, boolean unknowns) {
    if (unknowns) {
      ids.add(0);
    }
  }

  /** Rows of ascending ids. */
  private ImmutableBitmap rows(IntArrayList ids) {
    return bitmaps.union(ids.elements(), ids.size());
  }
}
