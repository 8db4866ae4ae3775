// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.bits.RawBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Some positions of a chunk in ascending order, of which one is found without reading those before it. Values are
 * divided into segments of 256, and an index says how many positions lie before each segment.
 *
 * <pre>
 * | layout     | bytes                                                                                              |
 * |------------|----------------------------------------------------------------------------------------------------|
 * | 0, shorts  | each position (short)                                                                              |
 * | 1, bytes   | index (short for each segment), then each position's last eight bits (byte)                        |
 * | 2, bitmap  | index (short for each segment), then four longs for each segment, whose bit i % 64, counted from   |
 * |            | the lowest, is set in the long i / 64 if the segment's i-th value is one of the positions          |
 * </pre>
 * Shorts are unsigned; they and longs have the column's byte order. {@link PositionsWriter} writes them.
 */
public final class SortedPositions {
  /** Bytes of the buffer that must lie before positions, because searches may touch them. */
  public static final int LEAST_OFFSET = 5;

  static final int SHORTS = 0;
  static final int BYTES = 1;
  static final int BITMAP = 2;
  static final int LOG_SEGMENT = 8;
  private static final int SEGMENT = 1 << LOG_SEGMENT;
  static final int LONGS_PER_SEGMENT = SEGMENT / Long.SIZE;
  private static final long[] NO_WORDS = {};
  private static final int[] NO_RANKS = {};

  /** Not stored: positions of any layout once {@link #expect} has built a directory of them. */
  private static final int DIRECTORY = 3;
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  private static final long HIGHEST_BITS = 0x8080_8080_8080_8080L;

  private final RawBytes in = new RawBytes();
  private boolean isLittleEndian;
  private int layout;
  private int count;
  private int numValues;
  private int numSegments;
  private int index;
  private int positions;
  /** The directory: a bit for each value, set if it is one of the positions. */
  private long[] words = NO_WORDS;
  /** For each word how many positions are before it. */
  private int[] ranks = NO_RANKS;

  /**
   * Reads positions from now on.
   *
   * @param layout one of the three, which is checked
   * @param offset index in the buffer of the first byte, at least {@link #LEAST_OFFSET}; all of them are there
   * @throws MalformedChunkException if there is no such layout, or the index contradicts itself
   */
  public void read(ByteBuffer chunk, int offset, int layout, int numValues, int count) {
    checkLayout(layout);
    this.in.wrap(chunk);
    this.isLittleEndian = chunk.order() == ByteOrder.LITTLE_ENDIAN;
    this.layout = layout;
    this.count = count;
    this.numValues = numValues;
    this.numSegments = numSegments(numValues);
    this.index = offset;
    this.positions = layout == SHORTS ? offset : offset + Short.BYTES * numSegments;
    if (layout != SHORTS) {
      int before = 0;
      for (int segment = 0; segment < numSegments; segment++) {
        final int next = before(segment);
        if (next < before || next > count) {
          throw new MalformedChunkException(
              "segment " + segment + " comes behind " + next + " positions, expected " + before + " to " + count);
        }
        before = next;
      }
    }
  }

  /**
   * Prepares for many searches: where that takes less time than they would, positions of any layout become a bitmap
   * with a rank for each word, in which no search takes more than two loads.
   *
   * @param searches how many will follow
   * @param cost     of each, in words and positions of which a directory is built in the same time
   * @throws MalformedChunkException if the positions do not ascend, or are not as many as the chunk says
   */
  public void expect(int searches, int cost) {
    if (searches * cost > LONGS_PER_SEGMENT * numSegments + (layout == BITMAP ? 0 : count)) {
      index();
    }
  }

  /**
   * Builds the directory, if it is not there.
   *
   * @throws MalformedChunkException if the positions do not ascend, or are not as many as the chunk says
   */
  public void index() {
    if (layout != DIRECTORY) {
      buildDirectory(LONGS_PER_SEGMENT * numSegments);
    }
  }

  private void buildDirectory(int longs) {
    final boolean isLarger = words.length < longs;
    if (isLarger) {
      words = new long[longs];
      ranks = new int[longs];
    }
    if (layout == BITMAP) {
      in.getLongs(positions, words, 0, longs);
    } else {
      if (!isLarger) {
        Arrays.fill(words, 0, longs, 0);
      }
      if (layout == SHORTS) {
        int previous = -1;
        for (int i = 0; i < count; i++) {
          previous = set(shortAt(i), previous, longs);
        }
      } else {
        for (int segment = 0; segment < numSegments; segment++) {
          setBytes(words, segment);
        }
      }
    }
    // Positions behind the last value, which only a damaged chunk has, do not count.
    final int end = (numValues + Long.SIZE - 1) >> 6;
    words[end - 1] &= -1L >>> -numValues;
    Arrays.fill(words, end, longs, 0);
    int rank = 0;
    for (int i = 0; i < longs; i++) {
      ranks[i] = rank;
      rank += Long.bitCount(words[i]);
    }
    if (rank != count) {
      throw new MalformedChunkException("there are " + rank + " distinct positions, expected " + count);
    }
    layout = DIRECTORY;
  }

  /** Sets the bits of a segment's positions, without a branch for each. */
  private void setBytes(long[] out, int segment) {
    final int word = segment * LONGS_PER_SEGMENT;
    final int end = before(segment + 1);
    int previous = -1;
    int steps = 0;
    for (int i = before(segment); i < end; i++) {
      final int position = byteAt(i);
      out[word + (position >> 6)] |= 1L << position;
      steps |= position - previous - 1;
      previous = position;
    }
    if (steps < 0) {
      throw new MalformedChunkException("positions of segment " + segment + " do not ascend");
    }
  }

  private int set(int position, int previous, int longs) {
    if (position <= previous) {
      throw new MalformedChunkException("position " + position + " comes behind " + previous);
    }
    if (position >> 6 < longs) {
      words[position >> 6] |= 1L << position;
    }
    return position;
  }

  /** Checks that a chunk names one of the layouts. */
  public static void checkLayout(int layout) {
    if (layout < SHORTS || layout > BITMAP) {
      throw new MalformedChunkException("positions are in the layout " + layout + ", expected 0 to 2");
    }
  }

  /** Number of segments of a chunk. */
  static int numSegments(int numValues) {
    return (numValues + SEGMENT - 1) >> LOG_SEGMENT;
  }

  private int before(int segment) {
    return segment < numSegments ? in.getShort(index + Short.BYTES * segment) : count;
  }

  private int shortAt(int i) {
    return in.getShort(positions + Short.BYTES * i);
  }

  private int byteAt(int i) {
    return in.getByte(positions + i);
  }

  private long longAt(int i) {
    return layout == BITMAP ? in.getLong(positions + Long.BYTES * i) : words[i];
  }

  /**
   * Finds those that are among the positions; only with a directory.
   *
   * @param indexes those to look for
   * @param from    the first of them that counts
   * @param to      end index, exclusive
   * @param less    what is taken off each
   * @param found   room for {@code to - from} ints; then the places in {@code indexes} of those that are, ascending
   * @return how many are
   */
  public int among(int[] indexes, int from, int to, int less, int[] found) {
    int count = 0;
    for (int i = from; i < to; i++) {
      final int position = indexes[i] - less;
      found[count] = i;
      count += (int) (words[position >> 6] >>> position) & 1;
    }
    return count;
  }

  /** Whether there is a directory. */
  public boolean hasDirectory() {
    return layout == DIRECTORY;
  }

  /** Of 64 values from {@code 64 * i} on the lowest bit is that of the first: set if it is one of the positions. */
  public long word(int i) {
    return longAt(i);
  }

  /** The number of positions that are less than or equal to this one. */
  public int rank(int position) {
    return switch (layout) {
      case SHORTS -> rankOfShort(position);
      case BYTES -> rankOfByte(position);
      case BITMAP -> rankOfBit(position);
      default -> rankOfWord(position);
    };
  }

  /**
   * Start of values around a position that have its rank. There may be more of them before.
   *
   * @param rank of the position
   */
  public int startOfRank(int rank, int position) {
    final int segment = position >> LOG_SEGMENT;
    return switch (layout) {
      case SHORTS -> rank > 0 ? shortAt(rank - 1) : 0;
      case BYTES -> segment << LOG_SEGMENT | (rank > before(segment) ? byteAt(rank - 1) : 0);
      default -> position;
    };
  }

  /** End of values around a position that have its rank, exclusive. There may be more of them behind. */
  public int endOfRank(int rank, int position) {
    final int segment = position >> LOG_SEGMENT;
    return switch (layout) {
      case SHORTS -> rank < count ? shortAt(rank) : numValues;
      case BYTES -> rank < before(segment + 1)
                    ? segment << LOG_SEGMENT | byteAt(rank)
                    : Math.min(numValues, (segment + 1) << LOG_SEGMENT);
      default -> position + 1;
    };
  }

  /** As {@link #rank}; only with a directory, and small enough to be part of a loop. */
  public int rankOfWord(int position) {
    final int word = position >> 6;
    // The bits above the position's are shifted out.
    return ranks[word] + Long.bitCount(words[word] << ~position);
  }

  /** The number of a position among the others, counted from 0, or a negative one if it is none of them. */
  public int find(int position) {
    // The bits above the position's are shifted out, so that its own is the sign.
    return switch (layout) {
      case SHORTS -> findShort(position);
      case BYTES -> findByte(position);
      case BITMAP -> longAt(position >> 6) << ~position < 0 ? Math.max(0, rankOfBit(position) - 1) : -1;
      default -> words[position >> 6] << ~position < 0 ? rankOfWord(position) - 1 : -1;
    };
  }

  private int findShort(int position) {
    final int rank = rankOfShort(position);
    return rank > 0 && shortAt(rank - 1) == position ? rank - 1 : -1;
  }

  /** Most are none of the positions, which takes less to see than their rank: see {@link #rankOfByte}. */
  private int findByte(int position) {
    final int segment = position >> LOG_SEGMENT;
    final long wanted = EACH_BYTE * (position & (SEGMENT - 1));
    final int low = before(segment);
    for (int left = before(segment + 1) - low; left > 0; left -= Long.BYTES) {
      long different = in.getLong(positions + low + left - Long.BYTES) ^ wanted;
      if (left < Long.BYTES) {
        final int counted = Byte.SIZE * left;
        different |= isLittleEndian ? -1L >>> counted : -1L << counted;
      }
      // Hacker's Delight, 6-1: not 0 if a byte is.
      if (((different - EACH_BYTE) & ~different & HIGHEST_BITS) != 0) {
        return Math.max(low, rankOfByte(position) - 1);
      }
    }
    return -1;
  }

  private int rankOfShort(int position) {
    int low = 0;
    int high = count;
    while (low < high) {
      final int middle = (low + high) >>> 1;
      if (shortAt(middle) <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Compares eight bytes at a time, from the segment's last on: no processor can predict a search among so few. What is
   * loaded before the segment's first are bytes of the chunk, too, and are not counted.
   */
  private int rankOfByte(int position) {
    final int segment = position >> LOG_SEGMENT;
    final long wanted = EACH_BYTE * (position & (SEGMENT - 1));
    final int low = before(segment);
    int left = before(segment + 1) - low;
    int rank = low;
    for (; left >= Long.BYTES; left -= Long.BYTES) {
      rank += Long.bitCount(notAbove(in.getLong(positions + low + left - Long.BYTES), wanted));
    }
    if (left > 0) {
      final long found = notAbove(in.getLong(positions + low + left - Long.BYTES), wanted);
      final int others = Long.SIZE - Byte.SIZE * left;
      rank += Long.bitCount(isLittleEndian ? found >>> others : found << others);
    }
    return rank;
  }

  /** The highest bit of each byte is set if it is not above that of the other. */
  private static long notAbove(long bytes, long others) {
    final long lowerBits = (others | HIGHEST_BITS) - (bytes & ~HIGHEST_BITS);
    return ((lowerBits & ~(others ^ bytes)) | (others & ~bytes)) & HIGHEST_BITS;
  }

  private int rankOfBit(int position) {
    int rank = before(position >> LOG_SEGMENT);
    final int last = position >> 6;
    for (int i = position >> LOG_SEGMENT << 2; i < last; i++) {
      rank += Long.bitCount(longAt(i));
    }
    return Math.min(count, rank + Long.bitCount(longAt(last) << ~position));
  }

  /**
   * Lists the positions from {@code start} to before {@code end}.
   *
   * @param rank how many positions are before {@code start}
   * @param out  where they go, from 0 on, as many as it has room for
   * @return their number
   */
  public int list(int start, int end, int rank, int[] out) {
    return switch (layout) {
      case SHORTS -> listShorts(start, end, rank, out);
      case BYTES -> listBytes(start, end, rank, out);
      default -> listBits(start, end, out);
    };
  }

  private int listShorts(int start, int end, int rank, int[] out) {
    int found = 0;
    for (int i = rank; i < count && found < out.length; i++) {
      final int position = shortAt(i);
      if (position < start || position >= end) {
        break;
      }
      out[found++] = position;
    }
    return found;
  }

  private int listBytes(int start, int end, int rank, int[] out) {
    int found = 0;
    int i = rank;
    for (int segment = start >> LOG_SEGMENT; segment << LOG_SEGMENT < end; segment++) {
      final int behind = before(segment + 1);
      while (i < behind && found < out.length) {
        final int position = segment << LOG_SEGMENT | byteAt(i++);
        if (position >= end) {
          return found;
        }
        if (position >= start) {
          out[found++] = position;
        }
      }
    }
    return found;
  }

  private int listBits(int start, int end, int[] out) {
    int found = 0;
    for (int i = start >> 6; i << 6 < end; i++) {
      long bits = longAt(i);
      while (bits != 0 && found < out.length) {
        final int position = i << 6 | Long.numberOfTrailingZeros(bits);
        bits &= bits - 1;
        if (position >= end) {
          return found;
        }
        if (position >= start) {
          out[found++] = position;
        }
      }
    }
    return found;
  }
}
