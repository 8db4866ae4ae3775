// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.InterleavedMatches;
import io.shapeshift.druid.bits.Matches;
import io.shapeshift.druid.cost.CostModel;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Search of a chunk for ints, in any shape: vector by vector, once per run, or once per dictionary entry. The result
 * has one bit per value of the chunk.
 */
public final class IntMatcher {
  /** 2^32 divided by the golden ratio, an odd number (Knuth, The Art of Computer Programming, 6.4). */
  private static final int HASH = 0x9E37_79B9;

  private final Matches matches = new Matches();
  private final int[] vector = new int[Matches.LENGTH];
  private final long[] words = new long[Matches.LENGTH / Long.SIZE];
  private final int[] runEnds = new int[Scratch.LENGTH];
  private final int[] hashes = new int[Matches.LENGTH];
  private byte[] table = new byte[0];
  private long[] edges = new long[0];

  @Nullable
  private InterleavedMatches packed;

  /** Returns the comparison of packed values. */
  public InterleavedMatches packed() {
    if (packed == null) {
      packed = new InterleavedMatches();
    }
    return packed;
  }

  /** Values of a chunk, read vector by vector or run by run. */
  public interface Values {
    /** Number of values in the chunk. */
    int numValues();

    /**
     * Reads consecutive values.
     *
     * @param out   receives the values, from index {@code offset}
     * @param start index of the first value
     */
    void get(int[] out, int offset, int start, int length);

    /**
     * Lists the runs of equal values in at most one vector.
     *
     * @param ends   receives the end of each run, exclusive, relative to {@code start}
     * @param values receives the value of each run
     * @return number of runs; 0 if the chunk does not store runs, or too many
     */
    int runs(int start, int length, int[] ends, int[] values);
  }

  /**
   * Finds the ints in a range.
   *
   * @param from  start of the range, 0 or more
   * @param to    end of the range, inclusive
   * @param out   receives the bits; has one bit per value
   */
  void between(Values in, int from, int to, long[] out) {
    final int numValues = in.numValues();
    for (int start = 0; start < numValues; start += Matches.LENGTH) {
      final int length = Math.min(Matches.LENGTH, numValues - start);
      in.get(vector, 0, start, length);
      if (from == to) {
        matches.equal(vector, from, words, 0);
      } else {
        // The exclusive end may be 2^31; its overflow to a negative int is harmless.
        matches.between(vector, from, to + 1, words, 0);
      }
      add(length, out, start);
    }
  }

  /**
   * Finds the ints in a set.
   *
   * @param set   bit i is set if {@code least + i} is in the set; values beyond the last bit count as the last
   */
  public void in(Values in, long[] set, int least, int greatest, long[] out) {
    final int numValues = in.numValues();
    final int last = greatest - least;
    for (int start = 0; start < numValues; start += Matches.LENGTH) {
      final int length = Math.min(Matches.LENGTH, numValues - start);
      in.get(vector, 0, start, length);
      for (int i = 0; i < words.length; i++) {
        words[i] = lookUp(vector, i * Long.SIZE, set, least, last);
      }
      add(length, out, start);
    }
  }

  private static long lookUp(int[] values, int from, long[] set, int least, int last) {
    long found = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      final int place = Math.min(values[from + i] - least & Integer.MAX_VALUE, last);
      found |= (set[place >>> 6] >>> place & 1) << i;
    }
    return found;
  }

  /**
   * Finds the ints in a list. A hash table excludes nearly all other values. One of its loops is vectorised by C2, the
   * other has no branch.
   *
   * @param wanted the first {@code count} ints are the list, ascending
   */
  public void in(Values in, int[] wanted, int count, long[] out) {
    final int numValues = in.numValues();
    final int shift = startTable(count);
    for (int i = 0; i < count; i++) {
      table[(wanted[i] * HASH) >>> shift] = 1;
    }
    for (int start = 0; start < numValues; start += Matches.LENGTH) {
      final int length = Math.min(Matches.LENGTH, numValues - start);
      in.get(vector, 0, start, length);
      hash(vector, hashes, shift);
      for (int i = 0; i < words.length; i++) {
        words[i] = inTable(hashes, i * Long.SIZE, table);
        if (words[i] != 0) {
          words[i] = inList(vector, i * Long.SIZE, words[i], wanted, count);
        }
      }
      add(length, out, start);
    }
  }

  /** Clears the table with room for {@code count} ints, and returns the shift that maps hashes to slots. */
  private int startTable(int count) {
    final int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(count * CostModel.Filters.PLACES_PER_INT);
    final int log = Math.max(CostModel.Filters.LEAST_LOG_TABLE, Math.min(CostModel.Filters.MOST_LOG_TABLE, wanted));
    if (table.length == 1 << log) {
      Arrays.fill(table, (byte) 0);
    } else {
      table = new byte[1 << log];
    }
    return Integer.SIZE - log;
  }

  private static void hash(int[] values, int[] out, int shift) {
    for (int i = 0; i < Matches.LENGTH; i++) {
      out[i] = (values[i] * HASH) >>> shift;
    }
  }

  private static long inTable(int[] hashes, int from, byte[] table) {
    long found = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      found |= (long) table[hashes[from + i] & table.length - 1] << i;
    }
    return found;
  }

  private static long inList(int[] values, int from, long candidates, int[] wanted, int count) {
    long found = 0;
    for (long left = candidates; left != 0; left &= left - 1) {
      if (Arrays.binarySearch(wanted, 0, count, values[from + Long.numberOfTrailingZeros(left)]) >= 0) {
        found |= left & -left;
      }
    }
    return found;
  }

  /**
   * Finds the runs whose value is in a range, in a chunk that stores runs.
   *
   * <p>Without a branch per run, it sets a bit where matches begin or end. A prefix sum (XOR) of these bits then gives
   * the bit of each value.
   */
  public void betweenRuns(Values in, int from, int to, long[] out) {
    final int numValues = in.numValues();
    final int numWords = (numValues + Long.SIZE - 1) / Long.SIZE;
    if (edges.length < numWords) {
      edges = new long[numWords];
    } else {
      Arrays.fill(edges, 0, numWords, 0);
    }
    int before = 0;
    for (int start = 0; start < numValues; start += Scratch.LENGTH) {
      final int runs = in.runs(start, Math.min(Scratch.LENGTH, numValues - start), runEnds, vector);
      int runStart = start;
      for (int run = 0; run < runs; run++) {
        final int isFound = ((vector[run] - from) | (to - vector[run])) >>> 31 ^ 1;
        edges[runStart >>> 6] ^= (long) (isFound ^ before) << runStart;
        before = isFound;
        runStart = start + runEnds[run];
      }
    }
    long isOpen = 0;
    for (int i = 0; i < numWords; i++) {
      long word = edges[i];
      for (int shift = 1; shift < Long.SIZE; shift *= 2) {
        word ^= word << shift;
      }
      word ^= isOpen;
      isOpen = word >> 63;
      final int left = numValues - i * Long.SIZE;
      out[i] |= left < Long.SIZE ? word & -1L >>> -left : word;
    }
  }

  private void add(int length, long[] out, int start) {
    // Bits after the last value are left over from earlier vectors.
    for (int i = 0; i * Long.SIZE < length; i++) {
      final int left = length - i * Long.SIZE;
      out[(start >>> 6) + i] |= left < Long.SIZE ? words[i] & -1L >>> -left : words[i];
    }
  }
}
