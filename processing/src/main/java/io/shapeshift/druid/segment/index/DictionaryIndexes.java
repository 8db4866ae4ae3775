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
 * What the indexes of strings and numbers have in common. One object is an index of all kinds that its column has.
 *
 * <p>Answers, estimated costs and the rules by which an index is not worth it are those of Druid's own indexes. The
 * difference is how a bitmap is made: Druid unites one bitmap per value, whereas here the ids of all values are found
 * first, and then {@link ValueBitmaps} makes one bitmap of them. In a column without rows, for which Druid's indexes
 * throw exceptions, nothing matches.
 *
 * @param <T> type of the dictionary's entries
 */
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
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
   * Makes indexes.
   *
   * @param dictionary the values of the column in {@code order}; null, if there are nulls, has the id 0
   * @param order      puts null first
   * @param bitmaps    the rows of each id
   */
  DictionaryIndexes(Indexed<T> dictionary, Comparator<? super T> order, ValueBitmaps bitmaps) {
    this.dictionary = dictionary;
    this.order = order;
    this.bitmaps = bitmaps;
  }

  /** The type of values that are sorted as the dictionary is. */
  abstract ValueType type();

  /** The entry that stands for a value of {@link #type()}. */
  @Nullable
  abstract T entry(@Nullable Object value);

  /** The entry that stands for a value of another type. */
  @Nullable
  abstract T convert(@Nullable Object value);

  /** Whether the rows of the id 0 are nulls, of which nobody knows whether they match a value. */
  abstract boolean hasUnknowns();

  /** The id of the entry from which on values are searched for. */
  abstract int leastId();

  /** Whether Druid's own column has an index, too, and tests all entries where its rules say so. */
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
  public final BitmapColumnIndex forSortedValues(List<?> sortedValues, TypeSignature<ValueType> matchValueType) {
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

  /** No rows, not even those that are unknown. */
  final BitmapColumnIndex nothing() {
    return new AllFalseBitmapColumnIndex(getBitmapFactory());
  }

  final ImmutableBitmap noRows() {
    return getBitmapFactory().makeEmptyImmutableBitmap();
  }

  /** The rows of which nobody knows whether they match a value. */
  final ImmutableBitmap unknowns() {
    return hasUnknowns() ? bitmaps.get(0) : noRows();
  }

  /** Whether there are lists, so that Druid's rules say whether an index is worth it. */
  final boolean followStockRules() {
    return bitmaps.followStockRules();
  }

  /** The rows of one entry. */
  final BitmapColumnIndex entryIndex(@Nullable T entry) {
    return entryIndex(entry, true);
  }

  /**
   * The rows of one entry.
   *
   * @param isAsMatched whether a matcher finds the same rows, so that it may be taken where that takes less
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
   * The rows of some entries.
   *
   * @param entries  in the order of the dictionary
   * @param unknowns whether there are rows of which nobody knows whether they match
   */
  final BitmapColumnIndex sortedEntries(Collection<T> entries, boolean unknowns) {
    // Druid reads all of the dictionary when there are more entries than this, and its estimate says so.
    final boolean many = entries.size() > SORTED_SCAN_RATIO_THRESHOLD * dictionary.size();
    return index(many ? Math.max(entries.size(), dictionary.size()) : entries.size(), includeUnknown -> {
      final IntArrayList ids = new IntArrayList();
      addUnknowns(ids, includeUnknown && unknowns);
      DictionarySearch.find(dictionary, order, entries, ids);
      return rows(ids);
    });
  }

  /**
   * The rows of some values in any order.
   *
   * @param values   the values
   * @param id       finds the id of a value, or a negative number if there is none
   * @param unknowns whether there are rows of which nobody knows whether they match
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
   * Of sorted entries those that are not less than all of the dictionary. As in Druid, few entries are not cut, and
   * null is cut off those of numbers.
   */
  final List<T> fromLeast(List<T> entries) {
    if (entries.size() < SIZE_WORTH_CHECKING_MIN || leastId() >= dictionary.size()) {
      return entries;
    }
    final int position = Collections.binarySearch(entries, dictionary.get(leastId()), order);
    return entries.subList(position >= 0 ? position : -(position + 1), entries.size());
  }

  /**
   * The rows of all entries of a range.
   *
   * @param from  the first id
   * @param to    the end of the ids, exclusive
   * @param scale how many entries are worth it for each row that is left
   * @param mayScan whether all entries of the range match where Druid has no index, too
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
   * The rows of those entries of a range that match.
   *
   * @param from    the first id
   * @param to      the end of the ids, exclusive
   * @param scale   how many entries are worth it for each row that is left
   * @param matcher says of an id whether its entry matches
   */
  final BitmapColumnIndex range(int from, int to, double scale, IntFunction<DruidPredicateMatch> matcher) {
    final ComputedIndex.Worth worth =
        (applied, total) -> isWorthUniting(from, to, scale, applied) && testIsWorthIt(to - from, applied, total);
    return new ComputedIndex(cost(to - from), worth, includeUnknown -> {
      final IntArrayList ids = new IntArrayList();
      addUnknowns(ids, includeUnknown && hasUnknowns());
      for (int id = from; id < to; id++) {
        // Here an unknown match is none, also where unknowns are wanted: those are the nulls alone.
        if (matcher.apply(id).matches(false)) {
          DictionarySearch.add(ids, id);
        }
      }
      return rows(ids);
    });
  }

  /**
   * By Druid's rule, or where a scan, which unites no bitmaps, is worth it. By nothing but Druid's rule if there are
   * nulls: an index of Druid says that nobody knows whether they are in a range, and a matcher that they are not.
   */
  private ComputedIndex.Worth rangeIsWorthIt(int from, int to, double scale) {
    return (applied, total) -> {
      final boolean isWorthUniting = isWorthUniting(from, to, scale, applied);
      return hasUnknowns()
             ? isWorthUniting
             : (bitmaps.followStockRules() && isWorthUniting) || scanIsWorthIt(to - from, applied);
    };
  }

  /** Druid's rule, by which there is an index of a range if few bitmaps are to be united for each row that is left. */
  private static boolean isWorthUniting(int from, int to, double scale, int applied) {
    return to - from <= (int) Math.ceil(scale * applied);
  }

  /** Whether a scan for entries takes less than matching rows; all entries are assumed to have as many rows. */
  private boolean scanIsWorthIt(int entries, int applied) {
    final QueriedRows queried = bitmaps.queried();
    final boolean isRare = queried.rowsPerFound() == 0
        || (queried.rowsPerFound() != QueriedRows.NEVER
            && (long) entries * queried.rowsPerFound() <= dictionary.size());
    return isRare && queried.budget().isWorthIt(bitmaps.nanosToScan(), Math.min(applied, queried.count()));
  }

  /** Whether the entries are read far faster one after the other. */
  private boolean isInBlocks() {
    return dictionary instanceof StringDictionaryReader ours && ours.isInBlocks();
  }

  /**
   * Whether it pays to test entries, and then to find the rows of those that match. Matchers test each entry of the
   * rows that are left once.
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

  /** An index that is always worth it where there are lists. */
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
   * The rows of all entries that match.
   *
   * @param entries  all entries in turn, as what is matched
   * @param matchers makes what says of an entry whether it matches, once for each bitmap
   */
  final <V> BitmapColumnIndex matching(
      Supplier<Iterator<V>> entries,
      Supplier<Function<V, DruidPredicateMatch>> matchers
  ) {
    final int size = dictionary.size();
    // Druid's rule comes first where Druid has an index.
    final ComputedIndex.Worth worth = (applied, total) ->
        (!isStock() || applied == total || applied >= size) && testIsWorthIt(size, applied, total);
    final ComputedIndex.Rows rows = includeUnknown -> {
      final Function<V, DruidPredicateMatch> matcher = FilterFailure.guard(matchers);
      final IntArrayList ids = new IntArrayList();
      final Iterator<V> all = entries.get();
      for (int id = 0; all.hasNext(); id++) {
        if (matches(matcher, all.next(), includeUnknown)) {
          ids.add(id);
        }
      }
      return rows(ids);
    };
    // It fails as Druid's own index does, if there is one.
    return bitmaps.followStockRules() || isStock()
           ? new ComputedIndex(cost(size), worth, rows)
           : ComputedIndex.ofTest(worth, rows);
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

  /** The rows of ids that ascend. */
  private ImmutableBitmap rows(IntArrayList ids) {
    return bitmaps.union(ids.elements(), ids.size());
  }
}
