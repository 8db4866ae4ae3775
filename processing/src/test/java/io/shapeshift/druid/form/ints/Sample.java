// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Values of one chunk, with a name for messages. */
public final class Sample {
  /** Of a chunk in any form but those that compress. */
  private static final int MAX = Limits.MAX_DIRECT_INTS;
  /** The shortest and the longest, and around the borders at which forms and codecs change what they do. */
  public static final int[] LENGTHS = {
    1, 2, 3, 15, 16, 17, 31, 32, 33, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2048, 4095, 4096,
    4097, 8192, MAX - 1, MAX
  };
  /** On both sides of each byte border, with and without the bit that run length needs. */
  private static final int[] BORDERS =
      {127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000000, Integer.MAX_VALUE};

  private final String name;
  private final int[] values;
  private final IntChunk chunk;

  public Sample(String name, int... values) {
    this(name, values, false);
  }

  private Sample(String name, int[] values, boolean ofLongs) {
    this.name = name;
    this.values = values;
    this.chunk = new IntChunk(values.length, ofLongs);
    System.arraycopy(values, 0, chunk.startFilling(values.length), 0, values.length);
  }

  /** The same values, of which readers make longs. */
  Sample ofLongs() {
    return new Sample(name + ", of longs", values, true);
  }

  public String name() {
    return name;
  }

  public int[] values() {
    return values;
  }

  /** Chunks of all lengths and bit widths, each with some of the others or all, and of shapes that forms are for. */
  static List<Sample> all(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      final List<Supplier<Sample>> ofLength = ofLength(LENGTHS[i], random);
      for (int j = 0; j < ofLength.size(); j++) {
        if (Tier.tries(i + j, 5)) {
          samples.add(ofLength.get(j).get());
        }
      }
    }
    samples.addAll(longer(random));
    samples.add(new Sample("sequence", RandomData.sequence(MAX, 0)));
    samples.add(new Sample("last sequence", RandomData.sequence(MAX, Integer.MAX_VALUE - MAX + 1)));
    samples.add(new Sample("sparse", random.sparse(MAX, 20, 100)));
    samples.add(new Sample("zipf", random.zipf(MAX, 100_000)));
    samples.add(new Sample("phrases", random.phrases(MAX, 12, 50, 20)));
    return samples;
  }

  private static List<Supplier<Sample>> ofLength(int length, RandomData random) {
    final List<Supplier<Sample>> samples = new ArrayList<>();
    for (int each = 0; each < Integer.SIZE; each++) {
      final int width = each;
      samples.add(() -> new Sample(length + " of " + width + " bits", random.uniform(length, width)));
    }
    for (int border : BORDERS) {
      samples.add(() -> new Sample(length + " times " + border, RandomData.constant(length, border)));
    }
    for (int width : new int[] {1, 7, 8, 15, 16, 23, 24, 31}) {
      final String of = " of " + width + " bits, length " + length;
      samples.add(() -> new Sample("short runs" + of, random.runs(length, width, 1, 2, 3, 4)));
      samples.add(
          () -> new Sample("borders of runs" + of, random.runs(length, width, 1, 126, 127, 128, 129, 254, 381)));
    }
    return samples;
  }

  /** Chunks longer than {@link Limits#MAX_DIRECT_INTS}, of {@link Limits#MAX_PAYLOAD_BYTES} and around. */
  private static List<Sample> longer(RandomData random) {
    final int max = Limits.MAX_INTS_PER_CHUNK;
    return List.of(
        new Sample("many zeros", RandomData.constant(max, 0)),
        new Sample("one more zero", RandomData.constant(MAX + 1, 0)),
        new Sample("many times the same", RandomData.constant(max, 77)),
        new Sample("many times the largest", RandomData.constant(MAX + 1, Integer.MAX_VALUE)),
        new Sample("many of 1 bit", random.uniform(max, 1)),
        new Sample("many of 2 bits", random.uniform(max, 2)),
        new Sample("many of 3 bits", random.uniform(max - 1, 3)),
        new Sample("many of 4 bits above 1000", RandomData.above(1000, random.uniform(max / 2, 4))),
        new Sample("many of 5 bits", random.uniform(max, 5)),
        new Sample("many of 8 bits", random.uniform(max, 8)),
        new Sample("many of 9 bits", random.uniform(max / 2, 9)),
        new Sample("many of 16 bits", random.uniform(max / 2, 16)),
        new Sample("one too many of 16 bits", random.uniform(max / 2 + 1, 16)),
        new Sample("many of 24 bits", random.uniform(max / 3, 24)),
        new Sample("one too many of 24 bits", random.uniform(max / 3 + 1, 24)),
        new Sample("one too many of 31 bits", random.uniform(MAX + 1, 31)),
        new Sample("many runs", random.runs(max, 8, 1, 2, 3, 300)),
        new Sample("many long runs", random.runs(max / 2, 16, 100, 10_000)),
        new Sample("many phrases", random.phrases(max, 7, 50, 20)),
        new Sample("many wide phrases", random.phrases(max / 3, 20, 3, 20)),
        new Sample("a long sequence", RandomData.sequence(max / 2, 0))
    );
  }

  /** The few of {@link #all} that say most per byte, for tests that try every length or many corruptions. */
  public static List<Sample> few(RandomData random) {
    return List.of(
        new Sample("one", 300),
        new Sample("few", 1, 300, 2),
        new Sample("zeros", RandomData.constant(513, 0)),
        new Sample("constant", RandomData.constant(513, 70_000)),
        new Sample("narrow", random.uniform(255, 3)),
        new Sample("17 different", IntStream.range(0, 300).map(i -> 70 + (i < 17 ? i : random.nextInt(17))).toArray()),
        new Sample("wide", random.uniform(300, 31)),
        new Sample("exceptions", random.exceptions(513, 4, 29, 20)),
        new Sample("exceptions of many widths", IntStream.range(0, 3)
            .mapToObj(frame -> random.exceptions(256, 2 * frame, 9 * frame + 5, 9))
            .flatMapToInt(Arrays::stream)
            .toArray()),
        new Sample("runs", random.runs(500, 7, 1, 2, 3, 127, 128)),
        new Sample("wide runs", random.runs(500, 25, 1, 2, 3, 127, 128)),
        new Sample("phrases", random.phrases(600, 10, 5, 20))
    );
  }

  /** Full chunks: too long to try every length of them. */
  static List<Sample> full(RandomData random) {
    return List.of(
        new Sample("zeros", RandomData.constant(MAX, 0)),
        new Sample("constant", RandomData.constant(MAX, Integer.MAX_VALUE)),
        new Sample("exceptions", random.exceptions(MAX, 3, 30, 15)),
        new Sample("eleven different", IntStream.range(0, MAX).map(i -> random.nextInt(11)).toArray()),
        new Sample("runs", random.runs(MAX, 14, 1, 2, 3, 300)),
        new Sample("phrases", random.phrases(MAX, 17, 30, 20))
    );
  }

  /** The chunk, the same for all who ask, so that what is to be known of it is found out but once. */
  public IntChunk chunk() {
    return chunk;
  }

  /** Whether the form says that it stores this. */
  public boolean suits(IntForm form) {
    return form.estimate(chunk).kind() != Estimate.Kind.SKIP;
  }

  /** The chunk's bytes, from 0 to the limit. */
  public ByteBuffer encode(IntForm form, ByteOrder order) {
    final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(order);
    form.encode(chunk, out);
    return ByteBuffer.wrap(Arrays.copyOf(out.array(), out.position())).order(order);
  }

  @Override
  public String toString() {
    return name;
  }
}
