// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

/**
 * Hash of keys, which is a part of the format: the 64-bit finalizer of MurmurHash3 (Austin Appleby, public domain), a
 * bijection. The upper bits select the bucket; the lowest byte is the fingerprint.
 */
final class KeyHash {
  private static final long FIRST_FACTOR = 0xFF51AFD7ED558CCDL;
  private static final long SECOND_FACTOR = 0xC4CEB9FE1A85EC53L;
  private static final int SHIFT = 33;

  private KeyHash() {}

  /** Returns the hash of a key; it is unique to the key. */
  static long of(long key) {
    long hash = key ^ (key >>> SHIFT);
    hash *= FIRST_FACTOR;
    hash ^= hash >>> SHIFT;
    hash *= SECOND_FACTOR;
    return hash ^ (hash >>> SHIFT);
  }

  /** Returns the key with a hash: the inverse of {@link #of}. */
  static long key(long hash) {
    long key = hash ^ (hash >>> SHIFT);
    key *= inverse(SECOND_FACTOR);
    key ^= key >>> SHIFT;
    key *= inverse(FIRST_FACTOR);
    return key ^ (key >>> SHIFT);
  }

  /** Returns the inverse of an odd factor modulo 2^64; each step doubles the number of correct bits. */
  private static long inverse(long factor) {
    long inverse = factor;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - factor * inverse;
    }
    return inverse;
  }

  /** Returns the bucket of a hash; the bucket number grows with the hash as an unsigned number. */
  static int bucket(long hash, int numBuckets) {
    return (int) (((hash >>> Integer.SIZE) * numBuckets) >>> Integer.SIZE);
  }

  /** Returns a byte that distinguishes most other keys of the same bucket. */
  static int fingerprint(long hash) {
    return (int) hash & 0xFF;
  }
}
