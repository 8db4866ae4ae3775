// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

/**
 * The hash of keys, which is part of the format. It is the finalizer of MurmurHash3 for 64 bits (Austin Appleby, public
 * domain), which maps different keys to different hashes. The top bits say in which bucket a key is, the lowest byte is
 * its fingerprint.
 */
final class KeyHash {
  private static final long FIRST_FACTOR = 0xFF51AFD7ED558CCDL;
  private static final long SECOND_FACTOR = 0xC4CEB9FE1A85EC53L;
  private static final int SHIFT = 33;

  private KeyHash() {}

  /** The hash of a key; no other key has the same. */
  static long of(long key) {
    long hash = key ^ (key >>> SHIFT);
    hash *= FIRST_FACTOR;
    hash ^= hash >>> SHIFT;
    hash *= SECOND_FACTOR;
    return hash ^ (hash >>> SHIFT);
  }

  /** The key that has a hash: the inverse of {@link #of}. */
  static long key(long hash) {
    long key = hash ^ (hash >>> SHIFT);
    key *= inverse(SECOND_FACTOR);
    key ^= key >>> SHIFT;
    key *= inverse(FIRST_FACTOR);
    return key ^ (key >>> SHIFT);
  }

  /** By which odd number a product is multiplied to undo a factor, modulo 2^64: each step doubles the bits that fit. */
  private static long inverse(long factor) {
    long inverse = factor;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - factor * inverse;
    }
    return inverse;
  }

  /** The bucket of a hash. Greater hashes, as unsigned numbers, are in the same or in later ones. */
  static int bucket(long hash, int numBuckets) {
    return (int) (((hash >>> Integer.SIZE) * numBuckets) >>> Integer.SIZE);
  }

  /** One byte that tells most other keys of the same bucket apart. */
  static int fingerprint(long hash) {
    return (int) hash & 0xFF;
  }
}
