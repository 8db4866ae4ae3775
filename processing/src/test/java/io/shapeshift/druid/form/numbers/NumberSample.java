// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Numbers of one chunk, with a name for messages. */
final class NumberSample {
  private final NumberType type;
  private final String name;
  private final long[] bits;
  private final NumberChunk chunk;

  NumberSample(NumberType type, String name, long... bits) {
    this.type = type;
    this.name = name;
    this.bits = bits;
    this.chunk = new NumberChunk(type);
    Arrays.stream(bits).forEach(chunk::add);
  }

  String name() {
    return name;
  }

  NumberType type() {
    return type;
  }

  long[] bits() {
    return bits;
  }

  int size() {
    return bits.length;
  }

  /** The chunk, the same for all who ask, so that what is to be known of it is found out but once. */
  NumberChunk chunk() {
    return chunk;
  }

  /** Chunks of all shapes, in some lengths each, around the borders at which forms change what they do. */
  static List<NumberSample> all(NumberType type, RandomData random) {
    final int max = type.maxValuesPerChunk();
    return ofLengths(
        type, random, 1, 2, 3, 15, 16, 17, 33, 127, 128, 129, 255, 257, 512, 513, 1025, 2047, 2048, 2049, max - 1, max);
  }

  /** Chunks of all shapes that are short enough for tests that try every length or many corruptions. */
  static List<NumberSample> few(NumberType type, RandomData random) {
    final List<NumberSample> few = new ArrayList<>(ofLengths(type, random, 3, 300));
    few.add(new NumberSample(type, "one", NumberData.bits(type, 300)));
    return few;
  }

  /** Each shape with some or all of the lengths. */
  private static List<NumberSample> ofLengths(NumberType type, RandomData random, int... lengths) {
    final List<NumberSample> samples = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      int combination = i;
      for (Map.Entry<String, long[]> shape : NumberData.shapes(type, lengths[i], random).entrySet()) {
        if (Tier.tries(combination++, 1 + lengths.length / 4)) {
          samples.add(new NumberSample(type, lengths[i] + " of " + shape.getKey(), shape.getValue()));
        }
      }
    }
    return samples;
  }

  /** Whether the form says that it stores this. */
  boolean suits(NumberForm form) {
    return form.estimate(chunk).kind() != Estimate.Kind.SKIP;
  }

  /** The chunk's bytes, from 0 to the limit. */
  ByteBuffer encode(NumberForm form, ByteOrder order) {
    final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(order);
    form.encode(chunk, out);
    return ByteBuffer.wrap(Arrays.copyOf(out.array(), out.position())).order(order);
  }

  @Override
  public String toString() {
    return type + ": " + name;
  }
}
