// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A lower bound of the bytes that LZ4's block format takes for a payload, whatever the compressor and its effort. It
 * takes about a twentieth of the time of a thorough compressor.
 *
 * <p>A block is made of literals, of at least one byte each, and of matches of four bytes or more. A match of length l
 * takes c(l) bytes: its token, two bytes of distance, and if l is 19 or more (l - 19) / 255 + 1 bytes of length, so
 * that c is 3 up to a length of 18, 4 up to 273, 5 up to 528 and so on. The last literals have a token of their own.
 *
 * <p>Let a position be <em>novel</em> if the k bytes that start there start at no earlier position of the payload. A
 * match copies what stands at an earlier position: each k bytes that lie within it start at an earlier position as
 * well, so that at most its last k - 1 positions are novel. A match covers at most min(l, k - 1) novel positions, and a
 * literal one. Let R(k) be the most novel positions that a byte of the block covers: the largest of 1 and, over all l,
 * min(l, k - 1) / c(l). Within the lengths of the same c the quotient does not fall, so that only the longest length
 * of each c up to k - 1, and k - 1 itself, count. With U(k) novel positions, then, the block takes at least
 * U(k) / R(k) + 1 bytes.
 *
 * <p>Novel positions are counted with one bit for each hash of k bytes. Where different bytes have the same hash, fewer
 * are counted, and the bound is lower than it could be but true.
 */
public final class Lz4Bound {
  /** Lends such objects, for their work areas of 128 KiB. */
  public static final Pool<Lz4Bound> POOL = Pool.forThreads("LZ4 bound", Lz4Bound::new);

  /** The least length of a match. */
  private static final int MIN_MATCH = 4;
  /** Bytes of the shortest match. */
  private static final int LEAST_COST = 3;
  /** The longest match of {@link #LEAST_COST} bytes; each further byte makes it longer by up to {@link #PER_BYTE}. */
  private static final int LONGEST_CHEAPEST = 18;
  private static final int PER_BYTE = 255;
  /** The most bytes that make a position novel; more would prove what is proven without a look at the payload. */
  private static final int MAX_K = 1024;
  /** How many lengths k are tried. */
  private static final int TRIES = 3;

  private static final int LOG_BITS = 20;
  /** An odd number, whose powers are the weights of bytes; and another one, which mixes the sum. */
  private static final long BASE = 0x9E37_79B9_7F4A_7C15L;
  private static final long MIX = 0xD6E8_FEB8_6659_FD93L;
  /** Positions between two looks at whether it is enough. */
  private static final int STEP = 512;

  private final long[] seen = new long[(1 << LOG_BITS) / Long.SIZE];

  Lz4Bound() {}

  /**
   * A number of bytes below which no block of the payload is.
   *
   * @param payload from position to limit, at most {@link Limits#MAX_PAYLOAD_BYTES}; little-endian or not, and left as
   *                it is
   * @param enough  how many bytes are to be proven: the search ends with them
   * @return {@code enough} or more if that could be proven
   */
  public int atLeast(ByteBuffer payload, int enough) {
    final int size = payload.remaining();
    int best = trivially(size);
    int k = longest(size, enough);
    for (int i = 0; i < TRIES && best < enough && k >= MIN_MATCH; i++) {
      best = Math.max(best, bound(payload, k, enough));
      // The next that covers fewer positions by as much as makes a difference.
      k = Math.min(k - 1, k * 7 / 8);
    }
    return best;
  }

  /** Without a look at the payload: no byte of a block stands for more than 255, and the last token for none. */
  public static int trivially(int size) {
    return (size + PER_BYTE - 1) / PER_BYTE + 1;
  }

  /**
   * The most novel positions that {@code bytes} bytes of a block can cover, rounded down: R(k) times as many.
   *
   * @param k 1 to {@link #MAX_K}
   */
  static int covered(int k, int bytes) {
    long most = bytes;
    long cost = LEAST_COST;
    for (int longest = LONGEST_CHEAPEST; ; longest += PER_BYTE) {
      most = Math.max(most, Math.min(longest, k - 1L) * bytes / cost);
      if (longest >= k - 1) {
        return (int) Math.min(Integer.MAX_VALUE, most);
      }
      cost++;
    }
  }

  /** The largest k by which {@code bytes} can be proven if nearly all positions are novel. */
  private static int longest(int size, int enough) {
    int k = 0;
    while (k < MAX_K && covered(k + 1, enough) < (size - k) - (size >> 5)) {
      k++;
    }
    return k;
  }

  /** What one k proves. */
  private int bound(ByteBuffer payload, int k, int enough) {
    final int positions = payload.remaining() - k + 1;
    // A block of enough - 2 bytes and the last token cannot cover more.
    final int wanted = covered(k, Math.max(0, enough - 2)) + 1;
    if (positions < wanted) {
      return 0;
    }
    Arrays.fill(seen, 0);
    final int novel = k <= Long.BYTES
                      ? countShort(payload.duplicate().order(ByteOrder.LITTLE_ENDIAN), k, positions, wanted)
                      : countLong(payload, k, positions, wanted);
    return novel >= wanted ? enough : provenBy(novel, k);
  }

  /** The fewest bytes that can cover {@code novel} novel positions, and the last token. */
  private static int provenBy(int novel, int k) {
    int least = 0;
    int most = novel;
    while (least < most) {
      final int middle = (least + most) >>> 1;
      if (covered(k, middle) >= novel) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return least + 1;
  }

  private int countShort(ByteBuffer payload, int k, int positions, int wanted) {
    final int first = payload.position();
    // The last positions, from which eight bytes cannot be loaded, do not count.
    final int end = Math.min(positions, payload.remaining() - Long.BYTES + 1);
    final int shift = Long.SIZE - Byte.SIZE * k;
    int novel = 0;
    for (int start = 0; start < end; start += STEP) {
      final int stop = Math.min(end, start + STEP);
      for (int i = start; i < stop; i++) {
        novel += mark((payload.getLong(first + i) << shift) * BASE);
      }
      if (novel >= wanted || novel + (end - stop) < wanted) {
        break;
      }
    }
    return novel;
  }

  private int countLong(ByteBuffer payload, int k, int positions, int wanted) {
    final int first = payload.position();
    long leaving = 1;
    long hash = 0;
    for (int i = 0; i < k - 1; i++) {
      hash = hash * BASE + payload.get(first + i);
      leaving *= BASE;
    }
    int novel = 0;
    for (int start = 0; start < positions; start += STEP) {
      final int stop = Math.min(positions, start + STEP);
      for (int i = start; i < stop; i++) {
        hash = hash * BASE + payload.get(first + i + k - 1);
        novel += mark((hash ^ (hash >>> 32)) * MIX);
        hash -= leaving * payload.get(first + i);
      }
      if (novel >= wanted || novel + (positions - stop) < wanted) {
        break;
      }
    }
    return novel;
  }

  /** Sets the bit of a hash, that of its upper bits; 1 if it was not set. */
  private int mark(long hash) {
    final int bit = (int) (hash >>> (Long.SIZE - LOG_BITS));
    final long word = seen[bit >>> 6];
    final long mask = 1L << bit;
    seen[bit >>> 6] = word | mask;
    return (word & mask) == 0 ? 1 : 0;
  }
}
