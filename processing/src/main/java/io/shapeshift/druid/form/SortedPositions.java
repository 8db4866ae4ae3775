// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.bits.RawBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Ascending positions in a chunk, with random access to the rank of a position. Values are divided into segments of
 * 256, and an index has the number of positions before each segment.
 *
 * <pre>
 * | layout    | bytes                                                                                            |
 * |-----------|--------------------------------------------------------------------------------------------------|
 * | 0, shorts | positions (short each)                                                                           |
 * | 1, bytes  | index (short for each segment), then the last eight bits of each position (byte)                 |
 * | 2, bitmap | index (short for each segment), then four longs for each segment, whose bit i % 64, counted from |
 * |           | the lowest, is set in the long i / 64 if the i-th value of the segment is a position             |
 * </pre>
 * Shorts are unsigned; they and longs have the column's byte order. {@link PositionsWriter} writes them.
 */
public final class SortedPositions {
  /** Bytes of the buffer that must exist before the positions, because searches may touch them. */
  public static final int LEAST_OFFSET = 5;

  static final int SHORTS = 0;
  static final int BYTES = 1;
  static final int BITMAP = 2;
  static final int LOG_SEGMENT = 8;
  private static final int SEGMENT = 1 << LOG_SEGMENT;
  static final int LONGS_PER_SEGMENT = SEGMENT / Long.SIZE;
  private static final long[] NO_WORDS = {};
  private static final int[] NO_RANKS = {};

  /** Layout that is not stored: positions of any layout with a rank directory, which {@link #expect} builds. */
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
  /** Rank directory: one bit per value, set if it is a position. */
  private long[] words = NO_WORDS;
  /** Number of positions before each word. */
  private int[] ranks = NO_RANKS;

  /**
   * Sets the positions to read.
   *
   * @param layout one of the three layouts; checked
   * @param offset index in the buffer of the first byte, at least {@link #LEAST_OFFSET}; all bytes exist
   * @throws MalformedChunkException if the layout is unknown, or the index is invalid
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
              "segment " + segment + " follows " + next + " positions, expected " + before + " to " + count);
        }
        before = next;
      }
    }
  }

  /**
   * Builds the rank directory if that is faster than the expected searches. With it, a search takes at most two loads.
   *
   * @param searches number of searches to expect
   * @param cost     cost of a search, as the number of words and positions that are added to a directory in the same
   *     time
   * @throws MalformedChunkException if the positions do not ascend, or their number is not that of the chunk
   */
  public void expect(int searches, int cost) {
    if (searches * cost > LONGS_PER_SEGMENT * numSegments + (layout == BITMAP ? 0 : count)) {
      index();
    }
  }

  /**
   * Builds the rank directory if there is none.
   *
   * @throws MalformedChunkException if the positions do not ascend, or their number is not that of the chunk
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
    // Positions after the last value, which only a damaged chunk has, are ignored.
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

  /** Sets the bits of a segment's positions, without a branch per position. */
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
      throw new MalformedChunkException("position " + position + " follows " + previous);
    }
    if (position >> 6 < longs) {
      words[position >> 6] |= 1L << position;
    }
    return position;
  }

  /** Checks that a layout is one of the three. */
  public static void checkLayout(int layout) {
    if (layout < SHORTS || layout > BITMAP) {
      throw new MalformedChunkException("positions are in the layout " + layout + ", expected 0 to 2");
    }
  }

  /** Returns the number of segments of a chunk. */
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
   * Finds the indexes that are positions; requires a directory.
   *
   * @param indexes indexes to look up
   * @param from    start in {@code indexes}
   * @param to      end in {@code indexes}, exclusive
   * @param less    subtracted from each index
   * @param found   receives the matches as ascending places in {@code indexes}; has room for {@code to - from} ints
   * @return number of matches
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

  /** Returns whether there is a rank directory. */
  public boolean hasDirectory() {
    return layout == DIRECTORY;
  }

  /** Returns the bits of 64 values from {@code 64 * i}, the first in the lowest bit; set bits are positions. */
  public long word(int i) {
    return longAt(i);
  }

  /** Returns the number of positions that are less than or equal to a position. */
  public int rank(int position) {
    return switch (layout) {
      case SHORTS -> rankOfShort(position);
      case BYTES -> rankOfByte(position);
      case BITMAP -> rankOfBit(position);
      default -> rankOfWord(position);
    };
  }

  /**
   * Returns the start of a range of values around a position that have its rank. Values before it may have the rank
   * too.
   *
   * @param rank rank of the position
   */
  public int startOfRank(int rank, int position) {
    final int segment = position >> LOG_SEGMENT;
    return switch (layout) {
      case SHORTS -> rank > 0 ? shortAt(rank - 1) : 0;
      case BYTES -> segment << LOG_SEGMENT | (rank > before(segment) ? byteAt(rank - 1) : 0);
      default -> position;
    };
  }

  /**
   * Returns the exclusive end of a range of values around a position that have its rank. Values after it may have the
   * rank too.
   */
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

  /** Returns the {@link #rank}; requires a directory. Small enough to be inlined in a loop. */
  public int rankOfWord(int position) {
    final int word = position >> 6;
    // Shifts out the bits above the position's bit.
    return ranks[word] + Long.bitCount(words[word] << ~position);
  }

  /** Returns the index of a position among the positions, from 0; negative if it is not one of them. */
  public int find(int position) {
    // Shifts out the bits above the position's bit, so that this bit is the sign.
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

  /** Most values are no positions, and this check is faster than their rank: see {@link #rankOfByte}. */
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
      // Not 0 if a byte is 0 (Hacker's Delight, 6-1).
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
   * Compares eight bytes at a time, from the segment's last: the branches of a search among so few bytes are
   * unpredictable. Bytes before the segment's first are loaded too, but not counted; they are bytes of the chunk.
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

  /** Returns a word in which the highest bit of a byte is set if the byte is not greater than the other word's. */
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
   * Lists the positions from {@code start} to {@code end}, exclusive.
   *
   * @param rank number of positions before {@code start}
   * @param out  receives the positions, from index 0, as far as there is room
   * @return number of positions listed
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
