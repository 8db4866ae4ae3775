// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.util.Arrays;

/** Damages bytes as disks, networks and copies do. */
public enum Damage {
  /** A bit is another. */
  FLIP {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      bytes[near(bytes.length, random)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      return bytes;
    }
  },
  /** A byte is one at the edge of what a byte can be. */
  EDGE {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      final byte[] edges = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFF};
      bytes[near(bytes.length, random)] = edges[random.nextInt(edges.length)];
      return bytes;
    }
  },
  /** Some bytes are noise. */
  NOISE {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      final int start = near(bytes.length, random);
      final byte[] noise = random.bytes(random.between(1, Math.min(16, bytes.length - start)));
      System.arraycopy(noise, 0, bytes, start, noise.length);
      return bytes;
    }
  },
  /** A sector of zeros. */
  ZEROS {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      final int start = near(bytes.length, random);
      Arrays.fill(bytes, start, Math.min(bytes.length, start + random.between(1, 512)), (byte) 0);
      return bytes;
    }
  },
  /** The end is missing. */
  CUT {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      return Arrays.copyOf(bytes, near(bytes.length, random));
    }
  },
  /** Two parts have changed places. */
  SWAP {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      final int length = random.between(1, Math.min(64, bytes.length));
      final int one = random.nextInt(bytes.length - length + 1);
      final int other = random.nextInt(bytes.length - length + 1);
      final byte[] part = Arrays.copyOfRange(bytes, one, one + length);
      System.arraycopy(bytes, other, bytes, one, length);
      System.arraycopy(part, 0, bytes, other, length);
      return bytes;
    }
  },
  /** A part is of something else that is like it. */
  SPLICE {
    @Override
    byte[] apply(byte[] bytes, byte[] others, RandomData random) {
      final int length = random.between(1, Math.min(256, Math.min(bytes.length, others.length)));
      final int from = random.nextInt(others.length - length + 1);
      System.arraycopy(others, from, bytes, random.nextInt(bytes.length - length + 1), length);
      return bytes;
    }
  };

  abstract byte[] apply(byte[] bytes, byte[] others, RandomData random);

  /** Bytes that are damaged in one place, or now and then in a few. */
  public static byte[] any(byte[] intact, byte[] others, RandomData random) {
    byte[] bytes = intact.clone();
    for (int i = random.nextInt(4) == 0 ? random.between(2, 5) : 1; i > 0 && bytes.length > 0; i--) {
      bytes = values()[random.nextInt(values().length)].apply(bytes, others, random);
    }
    return bytes;
  }

  /** Any place, but that at every second time one among the first bytes, of which most depends. */
  private static int near(int length, RandomData random) {
    return random.nextInt(random.nextInt(2) == 0 ? length : Math.min(length, 100));
  }
}
