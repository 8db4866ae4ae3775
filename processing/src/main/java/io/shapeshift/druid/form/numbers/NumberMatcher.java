// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.bits.RowMatches;
import io.shapeshift.druid.form.Found;
import java.util.Arrays;

/**
 * Finds the numbers of a chunk that a filter looks for, as far as possible without making numbers of what is stored.
 *
 * <p>Where numbers ascend with their ints, as integers and decimals do, the ends of a range of numbers are searched for
 * among the ints that the chunk may have, by the very computation by which numbers are read: nothing is ever rounded
 * the wrong way. Ints of a dictionary, and runs, are asked once each. Bounds that tell that all or none are found come
 * from the form's header (base and width), so that they cost no bytes: they are too wide by less than a factor of two,
 * which is less than what neighbouring chunks of a clustered column overlap by.
 */
final class NumberMatcher {
  /** More ranges of ints than these are looked up in a set. */
  private static final int MOST_RANGES = 4;
  /** The most ints that a set has a bit for. */
  private static final int MOST_IN_SET = 1 << 16;
  /** A test is asked for all ints that a chunk may have if these are fewer than one in so many of its values. */
  private static final int VALUES_PER_TEST = 2;
  /** One int is looked for before it is found out where it is if there may be so many of them for each value. */
  private static final int INTS_PER_VALUE = 4;
  /** Single numbers are turned into ints if they are fewer than one in so many of a chunk's values. */
  private static final int VALUES_PER_LISTED = 16;

  private final NumberChunkReader in;
  private final RowMatches matches = new RowMatches();
  private final long[] keys = new long[RowMatches.LENGTH];
  private final int[] starts = new int[MOST_RANGES];
  private final int[] ends = new int[MOST_RANGES];
  private long[] set = new long[0];
  private int[] list = new int[0];

  NumberMatcher(NumberChunkReader in) {
    this.in = in;
  }

  /**
   * Finds numbers.
   *
   * @param out has room for a bit for each number of the chunk, and is cleared; afterwards that of each number that was
   *     found is set, if some were
   */
  Found find(WantedNumbers wanted, long[] out) {
    return switch (in.shape) {
      case NumberChunkReader.LINEAR, NumberChunkReader.DECIMAL -> inFrame(wanted, out);
      case NumberChunkReader.DICTIONARY -> byEntries(wanted, out);
      case NumberChunkReader.DELTAS -> byEnds(wanted, out);
      default -> scan(wanted, out);
    };
  }

  private Found inFrame(WantedNumbers wanted, long[] out) {
    final int least = in.ints.least();
    final int greatest = in.ints.greatest();
    if (least > greatest) {
      // In a damaged chunk.
      return scan(wanted, out);
    }
    final boolean ascends = in.ascends(greatest);
    if (ascends && wanted.hasRanges()) {
      final int ranges = ranges(wanted, least, greatest);
      if (ranges >= 0) {
        return withExceptions(find(ranges, least, greatest, out), wanted, out);
      }
    }
    if (ascends && wanted.isList() && in.hasOneIntEach()) {
      final int count = listInts(wanted, least, greatest);
      if (count >= 0) {
        return withExceptions(findList(count, least, greatest, out), wanted, out);
      }
    }
    final long numInts = (long) greatest - least + 1;
    if (isWorthSet(numInts)) {
      startSet((int) numInts);
      for (int i = 0; i < numInts; i++) {
        add(i, wanted.contains(in.keyOf(least + i)));
      }
      return withExceptions(findSet(least, greatest, out), wanted, out);
    }
    return scanRuns(wanted, out);
  }

  /** Lists the ints of single numbers that are wanted, ascending: how many; negative if it takes longer than a scan. */
  private int listInts(WantedNumbers wanted, int least, int greatest) {
    final long last = in.keyOf(greatest);
    final int from = wanted.rangeFrom(in.keyOf(least));
    final int most = in.numValues / VALUES_PER_LISTED;
    if (from + most < wanted.numRanges() && wanted.start(from + most) <= last) {
      return -1;
    }
    if (list.length < most) {
      list = new int[most];
    }
    int count = 0;
    for (int i = from; i < wanted.numRanges() && wanted.start(i) <= last; i++) {
      final long key = wanted.start(i);
      final long value = in.intOf(key);
      if (value >= least && value <= greatest && in.keyOf((int) value) == key) {
        list[count++] = (int) value;
      }
    }
    return count;
  }

  /** Finds the ints of the list. */
  private Found findList(int count, int least, int greatest, long[] out) {
    if (count == 0) {
      return Found.NONE;
    }
    if (greatest - least < MOST_IN_SET) {
      startSet(greatest - least + 1);
      for (int i = 0; i < count; i++) {
        add(list[i] - least, true);
      }
      return findSet(least, greatest, out);
    }
    in.ints.in(list, count, out);
    return Found.SOME;
  }

  /** Whether all ints that the chunk may have are asked for, rather than all values. */
  private boolean isWorthSet(long numInts) {
    return numInts <= MOST_IN_SET && numInts * VALUES_PER_TEST <= in.numValues;
  }

  /** How many numbers are asked for if only a test tells which are wanted, but for those of runs. */
  int numTests() {
    return switch (in.shape) {
      case NumberChunkReader.LINEAR, NumberChunkReader.DECIMAL -> {
        final long numInts = (long) in.ints.greatest() - in.ints.least() + 1;
        yield numInts > 0 && isWorthSet(numInts) ? (int) numInts + in.numExceptions : in.numValues;
      }
      case NumberChunkReader.DICTIONARY -> in.lastEntry + 1;
      default -> in.numValues;
    };
  }

  /** The ranges of ints that those of numbers are; negative if more than {@link #MOST_RANGES} may have ints. */
  private int ranges(WantedNumbers wanted, int least, int greatest) {
    final long last = in.keyOf(greatest);
    final int first = wanted.rangeFrom(in.keyOf(least));
    if (wanted.rangeFrom(last) - first > MOST_RANGES) {
      // Whether they have ints or not: each is searched for.
      return -1;
    }
    int count = 0;
    for (int i = first; i < wanted.numRanges() && wanted.start(i) <= last; i++) {
      final int start = firstFrom(wanted.start(i), least, greatest);
      final int end = wanted.end(i) >= last ? greatest : firstFrom(wanted.end(i) + 1, start, greatest) - 1;
      if (start <= end) {
        if (count == MOST_RANGES) {
          return -1;
        }
        starts[count] = start;
        ends[count++] = end;
      }
    }
    return count;
  }

  /** The least int of a key that is not less than this one, which is not greater than that of {@code greatest}. */
  private int firstFrom(long key, int least, int greatest) {
    int low = least;
    int high = greatest;
    while (low < high) {
      final int middle = low + (high - low) / 2;
      if (in.keyOf(middle) < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Found find(int ranges, int least, int greatest, long[] out) {
    if (ranges == 0) {
      return Found.NONE;
    }
    if (starts[0] <= least && ends[0] >= greatest) {
      return Found.ALL;
    }
    if (ranges == 1 && starts[0] == ends[0] && isRare(least, greatest)) {
      return in.ints.equal(starts[0], out) ? Found.SOME : Found.NONE;
    }
    for (int i = 0; i < ranges; i++) {
      in.ints.between(starts[i], ends[i], out);
    }
    return Found.SOME;
  }

  /** Whether most of the ints that a chunk may have are not there, as those of keys are not. */
  private boolean isRare(int least, int greatest) {
    return greatest - least > INTS_PER_VALUE * in.numValues;
  }

  private void startSet(int numInts) {
    final int length = (numInts + Long.SIZE - 1) / Long.SIZE;
    if (set.length < length) {
      set = new long[length];
    } else {
      Arrays.fill(set, 0, length, 0);
    }
  }

  private void add(int i, boolean isWanted) {
    if (isWanted) {
      set[i >>> 6] |= 1L << i;
    }
  }

  /** Finds the ints of the set: by ranges if it has few. */
  private Found findSet(int least, int greatest, long[] out) {
    final int numInts = greatest - least + 1;
    int ranges = 0;
    for (int i = nextInSet(0, numInts, 0); i < numInts; ) {
      final int end = nextInSet(i, numInts, -1L);
      if (ranges == MOST_RANGES) {
        in.ints.in(set, least, greatest, out);
        return Found.SOME;
      }
      starts[ranges] = least + i;
      // What exceeds all, as a code without an entry that a damaged chunk has, counts as the last.
      ends[ranges++] = end == numInts ? Integer.MAX_VALUE : least + end - 1;
      i = nextInSet(end, numInts, 0);
    }
    return find(ranges, least, greatest, out);
  }

  /** The first place from one on whose bit is set, or, if bits are inverted by {@code inverse}, is not set. */
  private int nextInSet(int from, int numInts, long inverse) {
    for (int i = from; i < numInts; i = (i | Long.SIZE - 1) + 1) {
      final long word = (set[i >>> 6] ^ inverse) >>> i;
      if (word != 0) {
        return Math.min(numInts, i + Long.numberOfTrailingZeros(word));
      }
    }
    return numInts;
  }

  /** Tests each entry once, and then finds codes. */
  private Found byEntries(WantedNumbers wanted, long[] out) {
    startSet(in.lastEntry + 1);
    for (int i = 0; i <= in.lastEntry; i++) {
      add(i, wanted.contains(in.keyOfEntry(i)));
    }
    return findSet(0, in.lastEntry, out);
  }

  /** Corrects what was found where exceptions are, whose ints mean nothing. */
  private Found withExceptions(Found found, WantedNumbers wanted, long[] out) {
    if (in.numExceptions == 0) {
      return found;
    }
    if (found == Found.ALL) {
      BitRanges.set(out, 0, in.numValues);
    }
    boolean isSame = found != Found.SOME;
    for (int start = 0; start < in.numValues; start += NumberChunkReader.VECTOR) {
      final int exceptions = in.exceptionsIn(start, Math.min(NumberChunkReader.VECTOR, in.numValues - start));
      for (int i = 0; i < exceptions; i++) {
        final int place = in.places[i];
        final long bits = in.exceptionBits(Math.min(in.exceptionRank + i, in.numExceptions - 1));
        final boolean isWanted = wanted.contains(in.type().key(bits));
        isSame &= isWanted == (found == Found.ALL);
        out[place >>> 6] = (out[place >>> 6] & ~(1L << place)) | (isWanted ? 1L << place : 0);
      }
    }
    if (isSame) {
      // Only what says that some were found leaves bits: the next chunk's come to the same array.
      clear(out);
      return found;
    }
    return Found.SOME;
  }

  private void clear(long[] out) {
    Arrays.fill(out, 0, (in.numValues + Long.SIZE - 1) / Long.SIZE, 0);
  }

  /** Tests each run once, if the chunk has runs. */
  private Found scanRuns(WantedNumbers wanted, long[] out) {
    for (int start = 0; start < in.numValues; start += NumberChunkReader.VECTOR) {
      final int runs = in.runs(start, Math.min(NumberChunkReader.VECTOR, in.numValues - start));
      if (runs == 0) {
        // Vectors before may have had runs, in which exceptions are taken for the numbers beside them.
        clear(out);
        return scan(wanted, out);
      }
      int runStart = start;
      for (int run = 0; run < runs; run++) {
        final int end = start + in.runEnds[run];
        if (wanted.contains(in.keyOf(in.intVector[run]))) {
          BitRanges.set(out, runStart, end);
        }
        runStart = end;
      }
    }
    return withExceptions(Found.SOME, wanted, out);
  }

  /** Of longs that ascend, the first and the last tell whether all or none are found. */
  private Found byEnds(WantedNumbers wanted, long[] out) {
    final long first = in.bits(0);
    final long last = in.bits(in.numValues - 1);
    if (!wanted.hasRanges() || !in.deltasAscend || first > last) {
      return scan(wanted, out);
    }
    final int range = wanted.rangeFrom(first);
    if (range == wanted.numRanges() || wanted.start(range) > last) {
      return Found.NONE;
    }
    return wanted.start(range) <= first && wanted.end(range) >= last ? Found.ALL : scan(wanted, out);
  }

  /** Makes all numbers of the chunk, vector by vector. */
  private Found scan(WantedNumbers wanted, long[] out) {
    final boolean byRange = wanted.hasRanges() && wanted.numRanges() <= MOST_RANGES;
    // Whoever used the matcher before may have failed in the middle of a chunk.
    matches.start();
    for (int start = 0; start < in.numValues; start += RowMatches.LENGTH) {
      final int length = Math.min(RowMatches.LENGTH, in.numValues - start);
      if (byRange) {
        in.compare(start, length, wanted, matches, start / RowMatches.LENGTH);
      } else {
        in.keys(keys, start, length);
        test(wanted, length, out, start >>> 6);
      }
    }
    if (byRange) {
      matches.finish(in.numValues, out);
    }
    return Found.SOME;
  }

  private void test(WantedNumbers wanted, int length, long[] out, int at) {
    for (int i = 0; i < length; i += Long.SIZE) {
      final int count = Math.min(Long.SIZE, length - i);
      long found = 0;
      // Nearly all that are not wanted are ruled out without a branch, which no processor could predict.
      for (long left = wanted.candidates(keys, i, count); left != 0; left &= left - 1) {
        if (wanted.contains(keys[i + Long.numberOfTrailingZeros(left)])) {
          found |= left & -left;
        }
      }
      out[at + i / Long.SIZE] |= found;
    }
  }
}
