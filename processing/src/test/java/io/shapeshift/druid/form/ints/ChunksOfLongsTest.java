// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.packed.BitPackForm;
import io.shapeshift.druid.form.ints.packed.BitPackFormTest;
import io.shapeshift.druid.form.ints.patched.PatchedForm;
import io.shapeshift.druid.form.ints.patched.PatchedFormTest;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Forms that pack in words of 64 bits where readers make longs of all values, and what reads these as longs. */
@ExtendWith(RandomData.Seeded.class)
class ChunksOfLongsTest {
  private static final long UNTOUCHED = -6016;
  private static final int ROW_BASES = 32;
  private static final int IN_LONGS = 64;
  private static final Duration NEVER_HANGS = Duration.ofMinutes(3);

  private final IntChunkReader reader = new IntChunkReader();

  @AfterEach
  void close() {
    reader.close();
  }

  private static List<FormContract> contracts() {
    return List.of(new BitPackFormTest(), new PatchedFormTest());
  }

  static Stream<Arguments> contractsAndOrders() {
    return contracts().stream()
        .flatMap(contract -> FormContract.orders().stream()
            .map(order -> Arguments.of(contract.form().name(), contract, order)));
  }

  private static List<Sample> stored(FormContract contract, List<Sample> samples) {
    return samples.stream().map(Sample::ofLongs).filter(sample -> sample.suits(contract.form())).toList();
  }

  private static List<Sample> samples(FormContract contract, RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    samples.addAll(Sample.all(random));
    samples.addAll(Sample.few(random));
    samples.addAll(contract.hardSamples(random));
    return stored(contract, samples);
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("contractsAndOrders")
  void readsWhatItWrote(String name, FormContract contract, ByteOrder order, RandomData random) {
    final Set<Integer> flags = new TreeSet<>();
    for (Sample sample : samples(contract, random)) {
      final ByteBuffer chunk = sample.encode(contract.form(), order);
      final Estimate estimate = contract.form().estimate(sample.chunk());
      assertEquals(Estimate.Kind.EXACT, estimate.kind(), sample.name());
      assertEquals(chunk.limit(), estimate.bytes(), sample.name());
      flags.add((int) chunk.get(1));
      assertArrayEquals(
          sample.values(),
          contract.readByTheBook(chunk.slice(1, chunk.limit() - 1).order(order), sample.values().length),
          () -> "by the book: " + sample.name());
      transformAmidGarbage(contract, chunk, sample.values().length, random);
      assertTrue(reader.shape().isInLongs(), sample.name());
      Reads.assertAll(sample.values(), reader, random, sample::name);
      assertLongs(sample.values(), random, sample::name);
    }
    assertTrue(flags.stream().allMatch(each -> each >= IN_LONGS), "words of 64 bits: " + flags);
    assertTrue(flags.contains(IN_LONGS), "widths of 0: " + flags);
    assertTrue(flags.size() > 5, "many widths: " + flags);
    if (contract.form() instanceof BitPackForm) {
      assertTrue(flags.contains(IN_LONGS | ROW_BASES), "row bases alone: " + flags);
      assertTrue(flags.stream().filter(each -> (each & ROW_BASES) != 0).count() > 3, "row bases: " + flags);
    }
  }

  /** A chunk for readers of ints has the other kind of words, and is not read as longs. */
  @Test
  void onlyChunksOfLongsHaveWordsOf64Bits(RandomData random) {
    for (FormContract contract : contracts()) {
      for (Sample sample : Sample.few(random)) {
        if (sample.suits(contract.form())) {
          transform(contract, sample.encode(contract.form(), ByteOrder.LITTLE_ENDIAN), sample.values().length);
          assertFalse(reader.shape().isInLongs(), sample.name());
        }
      }
    }
  }

  /** What one chunk has left in the reader must not be seen in the next one. */
  @Test
  void oneReaderReadsBothKindsOfWordsInAnyOrder(RandomData random) {
    final List<FormContract> contracts = contracts();
    final List<Sample> ints = Stream.of(Sample.few(random), new BitPackFormTest().hardSamples(random))
        .flatMap(List::stream).toList();
    for (int attempt = 0; attempt < 1000; attempt++) {
      final FormContract contract = random.oneOf(contracts);
      final Sample sample = random.nextInt(2) == 0 ? random.oneOf(ints) : random.oneOf(ints).ofLongs();
      if (sample.suits(contract.form())) {
        transform(contract, sample.encode(contract.form(), ByteOrder.LITTLE_ENDIAN), sample.values().length);
        Reads.assertAll(sample.values(), reader, random, sample::name);
        if (reader.shape().isInLongs()) {
          assertLongs(sample.values(), random, sample::name);
        }
      }
    }
  }

  /** Rare zeros, and other values so large that the escape code stands for more than any int. */
  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.ints.FormContract#orders")
  void readsEscapesBeyondTheLargestInt(ByteOrder order, RandomData random) {
    for (int width = 1; width <= 30; width++) {
      final int largest = (1 << width) - 2;
      final int[] values = IntStream.range(0, 3000)
          .map(i -> random.nextInt(40) == 0 ? 0 : Integer.MAX_VALUE - random.nextInt(largest + 1))
          .toArray();
      values[0] = Integer.MAX_VALUE;
      values[1] = Integer.MAX_VALUE - largest;
      final Sample sample = new Sample("up to the largest int in " + width + " bits", values).ofLongs();
      if (sample.suits(new PatchedForm())) {
        transform(new PatchedFormTest(), sample.encode(new PatchedForm(), order), values.length);
        Reads.assertAll(values, reader, random, sample::name);
        assertLongs(values, random, sample::name);
      }
    }
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("contractsAndOrders")
  void refusesTruncatedAndLongerChunks(String name, FormContract contract, ByteOrder order, RandomData random) {
    for (Sample sample : stored(contract, Sample.few(random))) {
      final ByteBuffer chunk = sample.encode(contract.form(), order);
      for (int length = 0; length < chunk.limit(); length++) {
        final int cut = length;
        assertThrows(
            MalformedChunkException.class,
            () -> transform(contract, chunk, cut, sample.values().length),
            () -> sample.name() + " cut to " + cut + " of " + chunk.limit() + " bytes");
      }
      for (int more = 1; more <= 20; more++) {
        final ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(bytes(chunk), chunk.limit() + more)).order(order);
        assertThrows(
            MalformedChunkException.class, () -> transform(contract, longer, sample.values().length), sample::name);
      }
    }
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("contractsAndOrders")
  void readsOrRefusesCorruptChunks(String name, FormContract contract, ByteOrder order, RandomData random) {
    assertTrue(FormContract.class.desiredAssertionStatus(), "reads behind the chunk are found by assertions");
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      final List<Sample> samples = Stream.of(Sample.few(random), Sample.full(random)).flatMap(List::stream).toList();
      for (Sample sample : stored(contract, samples)) {
        final byte[] chunk = sample.encode(contract.form(), order).array();
        for (int attempt = 0; attempt < Tier.pick(40, 300); attempt++) {
          final byte[] corrupt = chunk.clone();
          for (int i = random.between(1, 4); i > 0; i--) {
            final int reach = random.nextInt(2) == 0 ? Math.min(corrupt.length, 16) : corrupt.length;
            corrupt[random.between(1, reach - 1)] = random.bytes(1)[0];
          }
          readOrRefuse(contract, ByteBuffer.wrap(corrupt).order(order), sample.values().length, random);
        }
        for (int other : new int[] {1, sample.values().length - 1, sample.values().length + 1, 1 << 16}) {
          if (other > 0) {
            readOrRefuse(contract, ByteBuffer.wrap(chunk).order(order), other, random);
          }
        }
      }
    });
  }

  /** Fails if transforming or reading gives any exception but the one for malformed chunks. */
  private void readOrRefuse(FormContract contract, ByteBuffer chunk, int numValues, RandomData random) {
    try {
      transform(contract, chunk, numValues);
      for (int i = 0; i < numValues; i++) {
        reader.get(i);
      }
      final int[] all = RandomData.sequence(numValues, 0);
      final int[] some = random.ascending(numValues, 50, 0);
      reader.get(new int[numValues], 0, 0, numValues);
      reader.get(new int[numValues], all, 0, numValues, 0);
      reader.get(new int[some.length], some, 0, some.length, 0);
      if (reader.shape().isInLongs()) {
        reader.shape().get(new long[numValues], 0, 0, numValues, 7);
        reader.shape().get(new long[numValues], all, 0, numValues, 0, 7);
        reader.shape().get(new long[some.length], some, 0, some.length, 0, 7);
      }
    } catch (MalformedChunkException refused) {
      assertFalse(refused.getMessage().isBlank());
    } catch (RuntimeException | Error e) {
      final String hex = HexFormat.of().formatHex(bytes(chunk));
      throw new AssertionError(numValues + " values of " + hex + " gave " + e, e);
    }
  }

  /** Checks that both ways of reading longs give these values at their places, and touch nothing else. */
  private void assertLongs(int[] values, RandomData random, Supplier<String> message) {
    final int size = values.length;
    assertRange(values, 0, size, 0, message);
    final int start = random.nextInt(size);
    assertRange(values, start, random.between(0, size - start), random.nextLong(), message);
    assertPositions(values, RandomData.sequence(size, 0), random.nextLong(), random, message);
    final int[] ascending = random.ascending(size, 1 << random.between(1, 10), start);
    assertPositions(values, ascending, 0, random, message);
    final int[] unordered = IntStream.generate(() -> random.nextInt(size)).limit(700).toArray();
    assertPositions(values, unordered, random.nextLong(), random, message);
  }

  private void assertRange(int[] values, int start, int length, long added, Supplier<String> message) {
    final int offset = start % 7;
    final long[] expected = untouched(offset + length + 1);
    for (int i = 0; i < length; i++) {
      expected[offset + i] = values[start + i] + added;
    }
    final long[] actual = untouched(expected.length);
    reader.shape().get(actual, offset, start, length, added);
    assertArrayEquals(expected, actual, () -> length + " longs from " + start + ": " + message.get());
  }

  private void assertPositions(
      int[] values,
      int[] positions,
      long added,
      RandomData random,
      Supplier<String> message
  ) {
    final int base = random.nextInt(1_000_000);
    final int from = random.nextInt(positions.length);
    final int to = random.between(from + 1, positions.length);
    final long[] expected = untouched(positions.length);
    for (int i = from; i < to; i++) {
      expected[i] = values[positions[i]] + added;
    }
    final long[] actual = untouched(positions.length);
    reader.shape().get(actual, RandomData.above(base, positions), from, to, base, added);
    assertArrayEquals(expected, actual, () -> "longs by positions from " + from + ": " + message.get());
  }

  private static long[] untouched(int length) {
    final long[] array = new long[length];
    Arrays.fill(array, UNTOUCHED);
    return array;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return bytes;
  }

  private void transform(FormContract contract, ByteBuffer chunk, int numValues) {
    transform(contract, chunk, chunk.limit(), numValues);
  }

  private void transform(FormContract contract, ByteBuffer chunk, int length, int numValues) {
    reader.startChunk(numValues);
    contract.form().transform(chunk.duplicate().order(chunk.order()), 0, length, reader);
  }

  private void transformAmidGarbage(FormContract contract, ByteBuffer chunk, int numValues, RandomData random) {
    final byte[] before = random.bytes(random.between(1, 9));
    final byte[] behind = random.bytes(random.between(1, 9));
    final int length = before.length + chunk.limit() + behind.length;
    final ByteBuffer amid = random.nextInt(2) == 0 ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
    amid.put(before).put(chunk.duplicate()).put(behind).flip();
    reader.startChunk(numValues);
    contract.form().transform(amid.order(chunk.order()), before.length, chunk.limit(), reader);
  }
}
