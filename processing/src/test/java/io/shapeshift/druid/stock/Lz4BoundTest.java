// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.HostileData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(RandomData.Seeded.class)
class Lz4BoundTest {
  private static final int PAYLOADS = Tier.pick(100, 20_000);
  private static final int LEVELS = 17;

  private final Lz4Bound bound = new Lz4Bound();

  /** The quick compressor, and all levels of the thorough one, native and in Java. */
  private static List<LZ4Compressor> compressors() {
    final List<LZ4Compressor> compressors = new ArrayList<>();
    for (LZ4Factory factory : List.of(LZ4Factory.nativeInstance(), LZ4Factory.safeInstance())) {
      compressors.add(factory.fastCompressor());
      for (int level = 1; level <= LEVELS; level++) {
        compressors.add(factory.highCompressor(level));
      }
    }
    return compressors;
  }

  @Test
  void noCompressorTakesLess(RandomData random) {
    final List<LZ4Compressor> compressors = compressors();
    final HostileData data = new HostileData(random);
    int tight = 0;
    for (int i = 0; i < PAYLOADS; i++) {
      final int[] values = data.ids();
      final int numBytes = random.oneOf(List.of(1, 1, 2, 3, 4, 8));
      final byte[] payload = payload(values, Math.min(values.length, (1 << 16) / numBytes), numBytes);
      int least = Integer.MAX_VALUE;
      // The last levels look the longest; each of the others is tried on some payloads.
      for (int level : new int[] {LEVELS, 9, 10, random.nextInt(compressors.size())}) {
        least = Math.min(least, compressors.get(level).compress(payload).length);
      }
      for (double share : new double[] {0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1}) {
        final int enough = (int) (payload.length * share);
        final int atLeast = bound.atLeast(ByteBuffer.wrap(payload).order(ByteOrder.BIG_ENDIAN), enough);
        final int compressed = least;
        assertTrue(atLeast <= compressed, () -> atLeast + " bytes of " + payload.length + ", compressed " + compressed
            + ", of " + numBytes + " bytes each:" + data.told());
        tight += atLeast > 0.7 * compressed ? 1 : 0;
      }
    }
    assertTrue(tight > PAYLOADS, tight + " bounds are above seven tenths");
  }

  private static byte[] payload(int[] values, int length, int numBytes) {
    final byte[] payload = new byte[length * numBytes];
    for (int i = 0; i < payload.length; i++) {
      final int shift = Byte.SIZE * (i % numBytes);
      payload[i] = (byte) (shift < Integer.SIZE ? values[i / numBytes] >>> shift : 0);
    }
    return payload;
  }

  /** By trying all lengths of matches that the format has. */
  @Test
  void noByteCoversMore() {
    for (int k = 1; k <= 1024; k++) {
      double most = 1;
      for (int length = 4; length < 5000; length++) {
        final int cost = 3 + (length < 19 ? 0 : 1 + (length - 19) / 255);
        most = Math.max(most, (double) Math.min(length, k - 1) / cost);
      }
      assertEquals(Math.floor(most * 60_000 + 1e-6), Lz4Bound.covered(k, 60_000), "k " + k);
    }
  }

  /** What is dense proves what the forms that are read directly take of it, or nearly. */
  @ParameterizedTest
  @CsvSource({"2, 0.14", "3, 0.24", "10, 0.52", "18, 0.64", "50, 0.76", "200, 0.94"})
  void provesRandomBytesToBeIncompressible(int distinct, double share, RandomData random) {
    final byte[] payload = new byte[1 << 16];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) random.nextInt(distinct);
    }
    final int enough = (int) (share * payload.length);
    assertTrue(bound.atLeast(ByteBuffer.wrap(payload), enough) >= enough);
  }

  @Test
  void emptyAndShortPayloads() {
    assertEquals(1, bound.atLeast(ByteBuffer.allocate(0), 100));
    assertEquals(2, bound.atLeast(ByteBuffer.allocate(1), 100));
    assertEquals(2, bound.atLeast(ByteBuffer.allocate(255), 1));
    assertEquals(3, bound.atLeast(ByteBuffer.allocate(256), 1));
  }
}
