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
 * The numbers of a type that a filter looks for: those of some ranges, or those that pass a test. Numbers are told by
 * their {@linkplain NumberType#sortable sortable bits}. All bits that are not a number, of which a column may have any,
 * count as one number, the greatest. May be shared by threads if the test may.
 */
public final class WantedNumbers {
  /** 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4). */
  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

  /**
   * Sortable bits of the least number of each range, ascending. Ranges do not overlap, nor touch unless they are single
   * numbers.
   */
  private final long[] starts;
  /** Sortable bits of the greatest number of each range. */
  private final long[] ends;
  /** Tells from sortable bits whether a number is wanted, if ranges do not, or not as soon. */
  @Nullable
  private final LongPredicate test;
  private final boolean hasRanges;
  /** Of single numbers that are looked up: a bit for each hash, set for those of these numbers. */
  @Nullable
  private final long[] hashes;
  /** A hash is the product's bits from here on. */
  private final int hashShift;

  private WantedNumbers(long[] starts, long[] ends, @Nullable LongPredicate test) {
    this.starts = starts;
    this.ends = ends;
    this.test = test;
    this.hasRanges = test == null;
    this.hashes = null;
    this.hashShift = 0;
  }

  /** Single numbers that are looked up, ascending. */
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
   * The numbers of a range.
   *
   * @param from sortable bits of the least
   * @param to   sortable bits of the greatest, inclusive; there are none if it is less than {@code from}
   */
  public static WantedNumbers between(NumberType type, long from, long to) {
    final Ranges ranges = new Ranges(type);
    ranges.add(from, to);
    return ranges.wanted();
  }

  /**
   * The numbers of a list.
   *
   * @param sortables their sortable bits, in any order
   */
  public static WantedNumbers of(NumberType type, long... sortables) {
    final Ranges ranges = new Ranges(type);
    for (long sortable : sortables) {
      ranges.add(sortable, sortable);
    }
    return ranges.wanted();
  }

  /**
   * The numbers that pass a test.
   *
   * @param test is given sortable bits, and always says the same of the same bits; may be foreign code: its exceptions
   *     arrive at the caller of a scan as {@link FilterFailure}
   */
  public static WantedNumbers matching(LongPredicate test) {
    return new WantedNumbers(new long[0], new long[0], test);
  }

  /**
   * How many numbers are wanted, whether a column has them or not.
   *
   * @return {@link Long#MAX_VALUE} if they are more than can be counted, or only a test tells them
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

  /** The sortable bits of all that is wanted, ascending: {@link #count} of them, which an array has to hold. */
  public LongList sortables() {
    if (starts == ends) {
      return LongList.of(starts);
    }
    final LongList sortables = new LongArrayList(Math.toIntExact(count()));
    for (int i = 0; i < starts.length; i++) {
      // By their number, as the last may be the greatest of all longs.
      for (long more = 0; more <= ends[i] - starts[i]; more++) {
        sortables.add(starts[i] + more);
      }
    }
    return sortables;
  }

  /** Whether ranges tell all that is wanted. */
  public boolean hasRanges() {
    return hasRanges;
  }

  /** Whether the ranges are single numbers, more than a few. */
  public boolean isList() {
    return hashes != null;
  }

  /** How many ranges there are. */
  public int numRanges() {
    return starts.length;
  }

  /** Sortable bits of the least number of a range. */
  public long start(int range) {
    return starts[range];
  }

  /** Sortable bits of the greatest number of a range. */
  public long end(int range) {
    return ends[range];
  }

  /** The first range that does not end before a number; the number of ranges if all do. */
  public int rangeFrom(long sortable) {
    final int found = Arrays.binarySearch(ends, sortable);
    return found >= 0 ? found : -(found + 1);
  }

  /**
   * Whether the number that has these sortable bits is wanted.
   *
   * @throws FilterFailure if the test fails
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
   * Which of some numbers may be wanted.
   *
   * @param sortables their sortable bits, {@code count} of them from {@code from} on
   * @param count at most 64
   * @return a bit for each number from the lowest on; only numbers whose bit is set may be wanted
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

  /** Collects ranges. */
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
