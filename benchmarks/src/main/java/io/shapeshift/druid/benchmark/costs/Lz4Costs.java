// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.Lz4Sequences;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** Times LZ4 decompression, per byte and per sequence of each kind. */
final class Lz4Costs {
  private static final int SIZE = Limits.MAX_PAYLOAD_BYTES;
  /** Distance of a near match: that between two equal longs. */
  private static final int NEAR = Long.BYTES;
  /** Repetitions of the bytes in a short match and in a long one. */
  private static final int FEW = 3;
  private static final int MANY = 64;

  private final Measurements measurements;
  private final Random random = new Random(2);

  private Lz4Costs(Measurements measurements) {
    this.measurements = measurements;
  }

  /** Block, and the time of its decompression. */
  private record Block(Lz4Sequences sequences, DoubleSupplier nanos) {}

  static void add(Measurements measurements) {
    new Lz4Costs(measurements).add();
  }

  private void add() {
    final Block literals = block(out -> out.put(bytes(out.remaining())));
    final DoubleSupplier perByte = () -> literals.nanos.getAsDouble() / SIZE;
    measurements.constant(CostModel.Codecs.class, "LZ4_BYTE_NANOS", perByte);

    final byte[][] words = new byte[256][];
    for (int i = 0; i < words.length; i++) {
      words[i] = bytes(Long.BYTES);
    }
    final Block far = block(out -> {
      while (out.remaining() >= Long.BYTES) {
        out.put(words[random.nextInt(words.length)]);
      }
    });
    final DoubleSupplier perFar = () -> above(perByte, far) / far.sequences.far();
    measurements.constant(CostModel.Codecs.class, "LZ4_FAR_NANOS", perFar);

    // Two equations give the time per near sequence and the time per byte of one.
    final Block some = near(FEW);
    final Block more = near(MANY);
    final DoubleSupplier ofSome = () -> (above(perByte, some) - perFar.getAsDouble() * some.sequences.far())
        / some.sequences.near();
    final DoubleSupplier ofMore = () -> (above(perByte, more) - perFar.getAsDouble() * more.sequences.far())
        / more.sequences.near();
    final double someBytes = (double) some.sequences.nearBytes() / some.sequences.near();
    final double moreBytes = (double) more.sequences.nearBytes() / more.sequences.near();
    final DoubleSupplier rest = Measurements.difference(ofMore, ofSome);
    final DoubleSupplier perNearByte = () -> rest.getAsDouble() / (moreBytes - someBytes);
    measurements.constant(CostModel.Codecs.class, "LZ4_NEAR_BYTE_NANOS", perNearByte);
    measurements.constant(
        CostModel.Codecs.class,
        "LZ4_NEAR_NANOS",
        Measurements.difference(ofSome, () -> perNearByte.getAsDouble() * someBytes)
    );
  }

  private static double above(DoubleSupplier perByte, Block block) {
    return Measurements.difference(block.nanos, () -> perByte.getAsDouble() * SIZE).getAsDouble();
  }

  private Block near(int repetitions) {
    return block(out -> {
      while (out.remaining() >= NEAR) {
        final byte[] bytes = bytes(NEAR);
        for (int i = 0; i < repetitions && out.remaining() >= NEAR; i++) {
          out.put(bytes);
        }
      }
    });
  }

  private byte[] bytes(int length) {
    final byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private Block block(Consumer<ByteBuffer> filler) {
    final ByteBuffer payload = ByteBuffer.allocateDirect(SIZE);
    filler.accept(payload);
    payload.clear();
    final ByteBuffer compressed = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES);
    Codec.LZ4.compress(payload, compressed, Codec.Effort.STOCK);
    compressed.flip();
    final int length = compressed.remaining();
    final ByteBuffer out = ByteBuffer.allocateDirect(SIZE);
    return new Block(Lz4Sequences.of(compressed.duplicate()), measurements.time(1, () -> {
      compressed.position(0).limit(length);
      out.clear();
      Codec.LZ4.decompress(compressed, length, out);
      return out.get(0);
    }));
  }
}
