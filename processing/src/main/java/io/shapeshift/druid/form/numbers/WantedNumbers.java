// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.CostModel;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import javax.annotation.Nullable;

/**
 * Numbers of a type that match a filter: ranges of numbers, or those that satisfy a predicate. Numbers are represented
 * by their {@linkplain NumberType#sortable sortable bits}. All NaNs count as one number, the greatest. Thread-safe if
 * the predicate is.
 */
public final class WantedNumbers {
  /** 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4). */
  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

  /**
   * Sortable bits of the start of each range, ascending. Ranges do not overlap. They do not touch either, unless they
   * are single numbers.
   */
  private final long[] starts;
  /** Sortable bits of the inclusive end of each range. */
  private final long[] ends;
  /** Predicate on sortable bits, for filters that ranges cannot represent, or not as fast; otherwise null. */
  @Nullable
  private final LongPredicate test;
  private final boolean hasRanges;
  /** Hash filter of a list of single numbers: one bit per hash; null without a list. */
  @Nullable
  private final long[] hashes;
  /** Shift that leaves the hash in the lowest bits of the product. */
  private final int hashShift;

  private WantedNumbers(long[] starts, long[] ends, @Nullable LongPredicate test) {
    this.starts = starts;
    this.ends = ends;
    this.test = test;
    this.hasRanges = test == null;
    this.hashes = null;
    this.hashShift = 0;
  }

  /** Creates a list of single numbers, ascending. */
  private WantedNumbers(long[] sortables) {
    this.starts = sortables;
    this.ends = sortables;
    this.test = new LongOpenHashSet(sortables)::contains;
    this.hasRanges = true;
    final int logHashes =
        Math.min(
            CostModel.Filters.MAX_LOG_HASHES,
            Long.SIZE - Long.numberOfLeadingZeros(CostModel.Filters.HASHES_PER_NUMBER * sortables.length));
    this.hashes = new long[1 << (logHashes - 6)];
    this.hashShift = Long.SIZE - logHashes;
    for (long sortable : sortables) {
      final long hash = (sortable * HASH) >>> hashShift;
      hashes[(int) (hash >>> 6)] |= 1L << hash;
    }
  }

  /**
   * Returns the numbers in a range.
   *
   * @param from sortable bits of the start
   * @param to   sortable bits of the inclusive end; the range is empty if it is less than {@code from}
   */
  public static WantedNumbers between(NumberType type, long from, long to) {
    final Ranges ranges = new Ranges(type);
    ranges.add(from, to);
    return ranges.wanted();
  }

  /**
   * Returns the numbers in a list.
   *
   * @param sortables sortable bits of the numbers, in any order
   */
  public static WantedNumbers of(NumberType type, long... sortables) {
    final Ranges ranges = new Ranges(type);
    for (long sortable : sortables) {
      ranges.add(sortable, sortable);
    }
    return ranges.wanted();
  }

  /**
   * Returns the numbers that satisfy a predicate.
   *
   * @param test a pure function of sortable bits. It may be foreign code: a scan wraps its exceptions in
   *     {@link FilterFailure}
   */
  public static WantedNumbers matching(LongPredicate test) {
    return new WantedNumbers(new long[0], new long[0], test);
  }

  /**
   * Returns the number of wanted numbers; it does not depend on a column.
   *
   * @return {@link Long#MAX_VALUE} if the count overflows, or only a predicate defines the numbers
   */
  public long count() {
    if (!hasRanges) {
      return Long.MAX_VALUE;
    }
    long count = 0;
    for (int i = 0; i < starts.length; i++) {
      final long inRange = ends[i] - starts[i] + 1;
      count += inRange;
      if (inRange <= 0 || count < 0) {
        return Long.MAX_VALUE;
      }
    }
    return count;
  }

  /** Returns the sortable bits of all wanted numbers, ascending: {@link #count} of them, which must fit an array. */
  public LongList sortables() {
    if (starts == ends) {
      return LongList.of(starts);
    }
    final LongList sortables = new LongArrayList(Math.toIntExact(count()));
    for (int i = 0; i < starts.length; i++) {
      // Loops by count, because the end may be the greatest long.
      for (long more = 0; more <= ends[i] - starts[i]; more++) {
        sortables.add(starts[i] + more);
      }
    }
    return sortables;
  }

  /** Returns whether ranges define all wanted numbers. */
  public boolean hasRanges() {
    return hasRanges;
  }

  /** Returns whether the ranges are a list of many single numbers. */
  public boolean isList() {
    return hashes != null;
  }

  /** Returns the number of ranges. */
  public int numRanges() {
    return starts.length;
  }

  /** Returns the sortable bits of the start of a range. */
  public long start(int range) {
    return starts[range];
  }

  /** Returns the sortable bits of the inclusive end of a range. */
  public long end(int range) {
    return ends[range];
  }

  /** Returns the first range that does not end before a number; the number of ranges if all do. */
  public int rangeFrom(long sortable) {
    final int found = Arrays.binarySearch(ends, sortable);
    return found >= 0 ? found : -(found + 1);
  }

  /**
   * Returns whether the number with these sortable bits is wanted.
   *
   * @throws FilterFailure if the predicate fails
   */
  public boolean contains(long sortable) {
    if (test != null) {
      try {
        return test.test(sortable);
      } catch (RuntimeException | Error e) {
        throw FilterFailure.of(e);
      }
    }
    final int range = rangeFrom(sortable);
    return range < starts.length && starts[range] <= sortable;
  }

  /**
   * Returns which of some numbers may be wanted.
   *
   * @param sortables sortable bits, {@code count} of them from {@code from}
   * @param count number of numbers, at most 64
   * @return one bit per number, from the lowest; numbers whose bit is not set are not wanted
   */
  long candidates(long[] sortables, int from, int count) {
    if (hashes == null) {
      return -1L >>> -count;
    }
    long found = 0;
    for (int i = 0; i < count; i++) {
      final long hash = (sortables[from + i] * HASH) >>> hashShift;
      found |= (hashes[(int) (hash >>> 6)] >>> hash & 1) << i;
    }
    return found;
  }

  /** Builder of ranges. */
  private static final class Ranges {
    private final NumberType type;
    private final List<long[]> ranges = new ArrayList<>();

    private Ranges(NumberType type) {
      this.type = type;
    }

    private void add(long from, long to) {
      put(Math.max(from, type.leastSortable()), Math.min(to, type.greatestSortable()));
      if (type != NumberType.LONG && from <= type.nanSortable() && to >= type.nanSortable()) {
        put(type.greatestSortable() + 1, type.sortable(Long.MAX_VALUE >> (Long.SIZE - Byte.SIZE * type.bytes())));
        put(type.sortable(-1L), type.leastSortable() - 1);
      }
    }

    private void put(long from, long to) {
      if (from <= to) {
        ranges.add(new long[] {from, to});
      }
    }

    private WantedNumbers wanted() {
      ranges.sort(Comparator.comparingLong(range -> range[0]));
      final long[] starts = new long[ranges.size()];
      final long[] ends = new long[ranges.size()];
      int count = 0;
      for (long[] range : ranges) {
        if (count > 0 && (range[0] <= ends[count - 1] || range[0] == ends[count - 1] + 1)) {
          ends[count - 1] = Math.max(ends[count - 1], range[1]);
        } else {
          starts[count] = range[0];
          ends[count++] = range[1];
        }
      }
      final WantedNumbers wanted = new WantedNumbers(Arrays.copyOf(starts, count), Arrays.copyOf(ends, count), null);
      return count > CostModel.Filters.MOST_TO_SEARCH && wanted.count() <= CostModel.Filters.NUMBERS_PER_RANGE * count
             ? new WantedNumbers(wanted.sortables().toLongArray())
             : wanted;
    }
  }
}
