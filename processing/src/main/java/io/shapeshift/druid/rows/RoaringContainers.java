// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.rows;

import io.shapeshift.druid.cost.CostModel;
import java.nio.CharBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;
import org.roaringbitmap.buffer.MappeableArrayContainer;
import org.roaringbitmap.buffer.MappeableBitmapContainer;
import org.roaringbitmap.buffer.MappeableContainer;
import org.roaringbitmap.buffer.MappeableRunContainer;
import org.roaringbitmap.buffer.MutableRoaringArray;
import org.roaringbitmap.buffer.MutableRoaringBitmap;

/**
 * Construction of Roaring bitmaps container by container, from rows, bits or runs. Adding rows one by one would take
 * longer than decoding them. Heap arrays are also intersected faster than mapped ones.
 */
public final class RoaringContainers {
  private static final int LOG_CONTAINER = 16;
  private static final int LOG_WORDS = LOG_CONTAINER - 6;
  private static final int MAX_ARRAY = 4096;

  private RoaringContainers() {}

  /** Returns a bitmap of the first {@code count} rows, which ascend. */
  static ImmutableRoaringBitmap ofRows(int[] rows, int count) {
    if (count == 0) {
      return new MutableRoaringBitmap();
    }
    final int numKeys = (rows[count - 1] >>> LOG_CONTAINER) - (rows[0] >>> LOG_CONTAINER) + 1;
    final MutableRoaringArray containers = new MutableRoaringArray(Math.min(count, numKeys));
    for (int start = 0; start < count; ) {
      final int end =
          count <= CostModel.Postings.MOST_WALKED
          ? walkToEnd(rows, start, count)
          : endOfContainer(rows, start, count);
      containers.append((char) (rows[start] >>> LOG_CONTAINER), container(rows, start, end));
      start = end;
    }
    return new MutableRoaringBitmap(containers);
  }

  private static int walkToEnd(int[] rows, int start, int count) {
    final int key = rows[start] >>> LOG_CONTAINER;
    int end = start + 1;
    while (end < count && rows[end] >>> LOG_CONTAINER == key) {
      end++;
    }
    return end;
  }

  /** Returns the index after the last row in the same container as the row at {@code start}. */
  public static int endOfContainer(int[] rows, int start, int count) {
    final int key = rows[start] >>> LOG_CONTAINER;
    int from = start + 1;
    int to = Math.min(count, start + (1 << LOG_CONTAINER));
    if (rows[to - 1] >>> LOG_CONTAINER == key) {
      return to;
    }
    while (from < to) {
      final int mid = (from + to) >>> 1;
      if (rows[mid] >>> LOG_CONTAINER == key) {
        from = mid + 1;
      } else {
        to = mid;
      }
    }
    return from;
  }

  private static MappeableContainer container(int[] rows, int start, int end) {
    if (end - start <= MAX_ARRAY) {
      final char[] lows = new char[end - start];
      copy(rows, start, lows);
      return array(lows);
    }
    final long[] words = new long[1 << LOG_WORDS];
    for (int i = start; i < end; i++) {
      words[(char) rows[i] >>> 6] |= 1L << rows[i];
    }
    return new MappeableBitmapContainer(LongBuffer.wrap(words), end - start);
  }

  private static void copy(int[] rows, int start, char[] lows) {
    for (int i = 0; i < lows.length; i++) {
      lows[i] = (char) rows[start + i];
    }
  }

  private static MappeableContainer array(char[] lows) {
    return new MappeableArrayContainer(CharBuffer.wrap(lows), lows.length);
  }

  /** Returns a bitmap of the set bits. It shares their words where possible, because a copy costs more than reading. */
  static ImmutableRoaringBitmap ofWords(long[] words) {
    final int numKeys = (words.length + (1 << LOG_WORDS) - 1) >> LOG_WORDS;
    final MutableRoaringArray containers = new MutableRoaringArray(numKeys);
    for (int key = 0; key < numKeys; key++) {
      final int start = key << LOG_WORDS;
      final int end = Math.min(words.length, start + (1 << LOG_WORDS));
      int cardinality = 0;
      for (int i = start; i < end; i++) {
        cardinality += Long.bitCount(words[i]);
      }
      if (cardinality > MAX_ARRAY) {
        containers.append((char) key, new MappeableBitmapContainer(bits(words, start), cardinality));
      } else if (cardinality > 0) {
        final char[] lows = new char[cardinality];
        int count = 0;
        for (int i = start; i < end; i++) {
          for (long word = words[i]; word != 0; word &= word - 1) {
            lows[count++] = (char) ((i << 6) + Long.numberOfTrailingZeros(word));
          }
        }
        containers.append((char) key, array(lows));
      }
    }
    return new MutableRoaringBitmap(containers);
  }

  private static LongBuffer bits(long[] words, int start) {
    final int length = 1 << LOG_WORDS;
    // A container that starts at its array's start is assumed to have the array's whole length.
    return start == 0 || start + length > words.length
           ? LongBuffer.wrap(Arrays.copyOfRange(words, start, start + length))
           : LongBuffer.wrap(words, start, length).slice();
  }

  /**
   * Returns a bitmap of runs.
   *
   * @param runs  start and end, exclusive, of each run in turn; runs ascend and do not touch
   * @param count number of ints in {@code runs}, two per run
   */
  static ImmutableRoaringBitmap ofRuns(int[] runs, int count) {
    final MutableRoaringArray containers = new MutableRoaringArray(Math.max(1, count / 2));
    // Pairs of start and length less one of the runs in a container; runs are cut at container borders.
    char[] pairs = new char[8];
    int length = 0;
    for (int i = 0; i < count; i += 2) {
      final int last = runs[i + 1] - 1;
      for (int start = runs[i]; start >= 0 && start <= last; ) {
        final int key = start >>> LOG_CONTAINER;
        final int end = Math.min(last, start | (1 << LOG_CONTAINER) - 1);
        if (length == pairs.length) {
          pairs = Arrays.copyOf(pairs, 2 * length);
        }
        pairs[length++] = (char) start;
        pairs[length++] = (char) (end - start);
        if (end < last || i + 2 >= count || runs[i + 2] >>> LOG_CONTAINER != key) {
          final CharBuffer copy = CharBuffer.wrap(Arrays.copyOf(pairs, length));
          containers.append((char) key, new MappeableRunContainer(copy, length / 2));
          length = 0;
        }
        start = end + 1;
      }
    }
    return new MutableRoaringBitmap(containers);
  }
}
