// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import it.unimi.dsi.fastutil.HashCommon;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RandomData.Seeded.class)
class KeyHashTest {
  @Test
  void isThatOfMurmurHash(RandomData random) {
    assertEquals(0, KeyHash.of(0));
    assertEquals(0xB456BCFC34C2CB2CL, KeyHash.of(1));
    for (int i = 0; i < 1000; i++) {
      final long key = random.nextLong();
      assertEquals(HashCommon.murmurHash3(key), KeyHash.of(key));
      assertEquals(key, KeyHash.key(KeyHash.of(key)));
    }
  }

  @Test
  void bucketsAscendWithHashes() {
    for (int numBuckets : new int[] {1, 2, 255, 256, 768, HashIndexHeader.MAX_BUCKETS}) {
      assertEquals(0, KeyHash.bucket(0, numBuckets));
      assertEquals(numBuckets - 1, KeyHash.bucket(-1, numBuckets));
      assertEquals(numBuckets / 2, KeyHash.bucket(Long.MIN_VALUE, numBuckets));
    }
  }

  @Test
  void aPartitionHasBucketsOfItsOwn() {
    for (int numKeys : new int[] {1, 8, 9, 2047, 2048, 3000, 5_000_000, Integer.MAX_VALUE}) {
      final int numBuckets = HashIndexSerializer.numBuckets(numKeys);
      assertTrue(numBuckets > 0 && numBuckets <= HashIndexHeader.MAX_BUCKETS, () -> "buckets: " + numBuckets);
      assertTrue(numBuckets <= 256 || numBuckets % 256 == 0, () -> "buckets: " + numBuckets);
    }
    assertEquals(0, HashIndexSerializer.numBuckets(0));
    assertEquals(1, HashIndexSerializer.numBuckets(8));
    assertEquals(2, HashIndexSerializer.numBuckets(9));
    assertEquals(124_928, HashIndexSerializer.numBuckets(1_000_000));
  }
}
