// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Lower bound of the size of a payload in LZ4's block format, for any compressor and effort. Computing it needs about a
 * twentieth of the time of a thorough compressor.
 *
 * <p>A block consists of literals, which have at least one byte each, and of matches of at least four bytes. A match of
 * length l has a cost of c(l) bytes: its token, two bytes of distance, and if l is 19 or more (l - 19) / 255 + 1 bytes
 * of length, so that c is 3 up to a length of 18, 4 up to 273, 5 up to 528 and so on. The last literals have a token of
 * their own.
 *
 * <p>Let a position be <em>novel</em> if the k bytes that start there start at no earlier position of the payload. A
 * match copies bytes from an earlier position. Any k bytes within the match therefore also start at an earlier
 * position, so at most the last k - 1 positions of the match are novel. A match covers at most min(l, k - 1) novel
 * positions, and a literal one. Let R(k) be the most novel positions that a byte of the block covers: the largest of 1
 * and, over all l, min(l, k - 1) / c(l). Among lengths with the same c the quotient does not decrease. So only the
 * longest length of each c up to k - 1, and k - 1 itself, matter. With U(k) novel positions, the block therefore has at
 * least U(k) / R(k) + 1 bytes.
 *
 * <p>Novel positions are counted with one bit per hash of k bytes. If different bytes have the same hash, fewer
 * positions are counted: the bound is then lower than possible, but still valid.
 */
public final class Lz4Bound {
  /** Minimum length of a match. */
  private static final int MIN_MATCH = 4;
  /** Size of the shortest match in bytes. */
  private static final int LEAST_COST = 3;
  /** Longest match of {@link #LEAST_COST} bytes. Each further byte lengthens it by up to {@link #PER_BYTE}. */
  private static final int LONGEST_CHEAPEST = 18;
  private static final int PER_BYTE = 255;
  /** Maximum of k. A larger k would prove only what {@link #trivially} proves without reading the payload. */
  private static final int MAX_K = 1024;
  /** Number of values of k that are tried. */
  private static final int TRIES = 3;

  private static final int LOG_BITS = 20;
  /** Pool of instances, because each has a large work area. */
  public static final Pool<Lz4Bound> POOL =
      Pools.ofProcess().heap("LZ4 bound", (1L << LOG_BITS) / Byte.SIZE, Lz4Bound::new);

  /** Odd number whose powers are the weights of bytes, and another one that mixes the sum. */
  private static final long BASE = 0x9E37_79B9_7F4A_7C15L;
  private static final long MIX = 0xD6E8_FEB8_6659_FD93L;
  /** Number of positions between two checks whether enough is proven. */
  private static final int STEP = 512;

  private final RawBytes bytes = new RawBytes();
  private final long[] seen = new long[(1 << LOG_BITS) / Long.SIZE];

  Lz4Bound() {}

  /**
   * Returns a lower bound, in bytes, on the size of any LZ4 block that encodes the payload.
   *
   * @param payload payload from position to limit, at most {@link Limits#MAX_PAYLOAD_BYTES}, in either byte order; not
   *     modified
   * @param enough  bound at which the search stops
   * @return the bound; {@code enough} or more if that was proven
   */
  public int atLeast(ByteBuffer payload, int enough) {
    final int size = payload.remaining();
    int best = trivially(size);
    int k = longest(size, enough);
    for (int i = 0; i < TRIES && best < enough && k >= MIN_MATCH; i++) {
      best = Math.max(best, bound(payload, k, enough));
      // Next k whose matches cover noticeably fewer positions.
      k = Math.min(k - 1, k * 7 / 8);
    }
    return best;
  }

  /**
   * Lower bound from the size alone: no byte of a block stands for more than 255 bytes, and the last token for none.
   */
  public static int trivially(int size) {
    return (size + PER_BYTE - 1) / PER_BYTE + 1;
  }

  /**
   * Maximum number of novel positions that {@code bytes} bytes of a block can cover: {@code bytes} times R(k), rounded
   * down.
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

  /** Largest k that can prove {@code enough} bytes if nearly all positions are novel. */
  private static int longest(int size, int enough) {
    int k = 0;
    while (k < MAX_K && covered(k + 1, enough) < (size - k) - (size >> 5)) {
      k++;
    }
    return k;
  }

  /** Lower bound from one k. */
  private int bound(ByteBuffer payload, int k, int enough) {
    final int positions = payload.remaining() - k + 1;
    // A block of enough - 2 bytes and the last token cannot cover more positions.
    final int wanted = covered(k, Math.max(0, enough - 2)) + 1;
    if (positions < wanted) {
      return 0;
    }
    Arrays.fill(seen, 0);
    final int novel = k <= Long.BYTES
                      ? countShort(payload, k, positions, wanted)
                      : countLong(payload, k, positions, wanted);
    return novel >= wanted ? enough : provenBy(novel, k);
  }

  /** Minimum number of bytes that cover {@code novel} novel positions, plus the last token. */
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
    bytes.wrap(payload);
    final int first = payload.position();
    // Ignores the last positions, from which eight bytes cannot be loaded.
    final int end = Math.min(positions, payload.remaining() - Long.BYTES + 1);
    final int shift = Long.SIZE - Byte.SIZE * k;
    int novel = 0;
    for (int start = 0; start < end; start += STEP) {
      final int stop = Math.min(end, start + STEP);
      for (int i = start; i < stop; i++) {
        novel += mark((bytes.getLowFirst(first + i) << shift) * BASE);
      }
      if (novel >= wanted || novel + (end - stop) < wanted) {
        break;
      }
    }
    bytes.release();
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

  /** Sets the bit for the upper bits of a hash. Returns 1 if it was not set. */
  private int mark(long hash) {
    final int bit = (int) (hash >>> (Long.SIZE - LOG_BITS));
    final long word = seen[bit >>> 6];
    final long mask = 1L << bit;
    seen[bit >>> 6] = word | mask;
    return (word & mask) == 0 ? 1 : 0;
  }
}
