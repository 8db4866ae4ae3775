// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.form.numbers.frame.Frame;
import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every form of numbers of every type promises. */
@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class NumberFormsTest {
  private static final List<UnaryOperator<ByteBuffer>> KINDS_OF_BUFFERS =
      List.of(UnaryOperator.identity(), ByteBuffer::asReadOnlyBuffer, NumberFormsTest::direct);
  private static final Duration NEVER_HANGS = Duration.ofMinutes(3);
  /** The same for all tests, as making them takes longer than many a test. */
  private static final Map<NumberType, List<NumberSample>> SAMPLES = new EnumMap<>(NumberType.class);
  private static final Map<NumberType, List<NumberSample>> FEW_SAMPLES = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      SAMPLES.put(type, NumberSample.all(type, RandomData.shared(1)));
      FEW_SAMPLES.put(type, NumberSample.few(type, RandomData.shared(2)));
    }
  }

  private long borrowedBefore;

  static Stream<Arguments> forms() {
    return Stream.of(NumberType.values())
        .flatMap(type -> NumberForms.of(type).stream()
            .map(form -> Arguments.of(type, form.name(), form)));
  }

  @BeforeEach
  void countBorrowed() {
    borrowedBefore = BorrowedBuffers.count();
  }

  @AfterEach
  void nothingIsBorrowedAnyMore() {
    assertEquals(borrowedBefore, BorrowedBuffers.count(), "borrowed");
  }

  private static List<NumberSample> samples(NumberType type, NumberForm form) {
    return SAMPLES.get(type).stream().filter(sample -> sample.suits(form)).toList();
  }

  private static List<NumberSample> fewSamples(NumberType type, NumberForm form) {
    return FEW_SAMPLES.get(type).stream().filter(sample -> sample.suits(form)).toList();
  }

  /** Some of the {@link #fewSamples} in each build, for tests that damage each in many ways. */
  private static List<NumberSample> someSamples(NumberType type, NumberForm form) {
    return Tier.oneIn(3, fewSamples(type, form).stream());
  }

  // Writing

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void takesWhatItEstimates(NumberType type, String name, NumberForm form) {
    final List<NumberSample> samples = samples(type, form);
    assertFalse(samples.isEmpty(), "a form that stores no shape needs one in NumberData");
    for (NumberSample sample : samples) {
      final Estimate estimate = form.estimate(sample.chunk());
      if (form instanceof CodecForm<?, ?>) {
        assertEquals(Estimate.Kind.TRY, estimate.kind(), sample.name());
      } else {
        assertEquals(sample.encode(form, ByteOrder.LITTLE_ENDIAN).limit(), estimate.bytes(), sample.name());
      }
    }
  }

  /** Arrays and chunks are used again; what was in them must not be seen in the bytes. */
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void encodesTheSameAgainAndAmidOtherBytes(NumberType type, String name, NumberForm form, RandomData random) {
    final NumberChunk reused = new NumberChunk(type);
    final List<NumberSample> samples = someSamples(type, form);
    for (ByteOrder order : FormContract.orders()) {
      for (NumberSample sample : samples) {
        final byte[] first = sample.encode(form, order).array();
        for (NumberSample other : samples.subList(0, Math.min(Tier.pick(2, 5), samples.size()))) {
          reused.clear();
          Arrays.stream(other.bits()).forEach(reused::add);
          form.estimate(reused);
          reused.clear();
          Arrays.stream(sample.bits()).forEach(reused::add);
          final long[] before = reused.bits().clone();
          final byte[] garbage = random.bytes(random.between(1, 9));
          final ByteBuffer out = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES + 9).order(order).put(garbage);
          form.encode(reused, out);
          final byte[] again = new byte[out.flip().limit() - garbage.length];
          out.get(garbage.length, again);
          assertArrayEquals(first, again, sample.name());
          assertArrayEquals(before, reused.bits(), sample.name());
          final byte[] kept = new byte[garbage.length];
          out.get(0, kept);
          assertArrayEquals(garbage, kept, sample.name());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void codecsTakeWhatTheySay(NumberType type) {
    for (NumberForm form : NumberForms.of(type)) {
      if (form instanceof CodecForm<?, ?>) {
        @SuppressWarnings("unchecked")
        final CodecForm<NumberChunk, NumberChunkReader> codec = (CodecForm<NumberChunk, NumberChunkReader>) form;
        for (NumberSample sample : fewSamples(type, form)) {
          final int bytes = sample.encode(form, ByteOrder.LITTLE_ENDIAN).limit();
          assertEquals(bytes, codec.bestSize(sample.chunk()), sample.name());
          final CodecForm.Trial trial = codec.tryQuickly(sample.chunk());
          assertTrue(trial.best() <= trial.plain(), sample.name());
        }
      }
    }
  }

  // Reading

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void readsWhatItWrote(NumberType type, String name, NumberForm form, RandomData random) {
    final NumberChunkReader reader = NumberForms.reader(type);
    int i = 0;
    for (NumberSample sample : samples(type, form)) {
      for (ByteOrder order : FormContract.orders()) {
        if (!Tier.tries(i++, 7)) {
          continue;
        }
        final ByteBuffer chunk = sample.encode(form, order);
        assertEquals(form.id(), chunk.get(0), sample.name());
        final long[] byTheBook = NumberReference.read(type, chunk.duplicate().order(order), sample.size());
        assertArrayEquals(sample.bits(), byTheBook, () -> "by the book: " + sample);
        final UnaryOperator<ByteBuffer> kind = KINDS_OF_BUFFERS.get(i / 7 % KINDS_OF_BUFFERS.size());
        transformAmidGarbage(form, chunk, kind, sample, reader, random);
        NumberReads.assertAll(sample.bits(), reader, random, sample::toString);
        if (i % 5 == 0) {
          reader.close();
        }
      }
    }
    reader.close();
  }

  /** Chunks that no writer of ours makes of such numbers are read all the same: each frame with each form of ints. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void readsEachFrameWithEachFormOfInts(NumberType type, RandomData random) {
    final List<Sample> ints = new ArrayList<>(Sample.few(random));
    ints.add(new Sample(
        "few far apart", IntStream.generate(() -> 5 + 100_000 * random.nextInt(3)).limit(999).toArray()));
    ints.add(new Sample("rising", IntStream.range(0, 700).map(i -> 900 * i + random.nextInt(900)).toArray()));
    final Set<String> read = new TreeSet<>();
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (Frame frame : NumberForms.FRAMES) {
        if (!frame.suits(type)) {
          continue;
        }
        for (IntForm child : IntForms.ALL) {
          int combination = child.id();
          for (Sample unclipped : ints) {
            final Sample sample = new Sample(unclipped.name(), clipped(type, unclipped.values()));
            if (sample.suits(child)) {
              combination++;
              for (ByteOrder order : FormContract.orders()) {
                if (!Tier.tries(combination++, 2)) {
                  continue;
                }
                final ByteBuffer chunk = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(order).put(frame.id());
                final long[] expected = putFrame(frame, type, sample.values(), chunk, random);
                chunk.put(sample.encode(child, order)).flip();
                reader.startChunk(expected.length);
                frame.transform(chunk.duplicate().order(order), 0, chunk.limit(), reader);
                final String name = frame.nameOf(child);
                NumberReads.assertAll(expected, reader, random, () -> type + ", " + name + ": " + sample.name());
                reader.startChunk(expected.length);
                assertEquals(name, frame.nameOf(chunk.duplicate().order(order), 0, chunk.limit(), reader));
              }
              read.add(frame.nameOf(child));
            }
          }
        }
      }
    }
    final Set<String> all = new TreeSet<>();
    NumberForms.FRAMES.stream().filter(frame -> frame.suits(type))
        .forEach(frame -> IntForms.ALL.forEach(child -> all.add(frame.nameOf(child))));
    assertEquals(all, read, "a form of ints that stores no sample needs one in Sample.few");
  }

  /** Decimals of floats have no larger ones. */
  private static int[] clipped(NumberType type, int[] values) {
    return type == NumberType.FLOAT
           ? Arrays.stream(values).map(value -> Math.min(value, 1 << 24)).toArray()
           : values;
  }

  /** Appends a frame, and says which numbers these ints stand for. */
  private static long[] putFrame(Frame frame, NumberType type, int[] ints, ByteBuffer out, RandomData random) {
    final boolean isFloat = type == NumberType.FLOAT;
    final int size = ints.length;
    final long[] bits = new long[size];
    switch (frame.name()) {
      case "linear" -> {
        final long base = random.nextLong();
        final long multiplier = random.nextLong();
        out.put((byte) 3).putLong(base).putLong(multiplier);
        Arrays.setAll(bits, i -> base + multiplier * ints[i]);
      }
      case "decimal" -> {
        final int exponent = random.nextInt(isFloat ? 11 : 19);
        final long base = isFloat ? -(1 << 24) : random.nextInt(1000) - 500;
        out.put((byte) 1).put((byte) exponent).putLong(base);
        Arrays.setAll(bits, i -> NumberReference.quotient(type, base + ints[i], exponent));
      }
      case "dictionary" -> {
        final long[] entries = new long[100];
        out.putShort((short) (entries.length - 1));
        for (int i = 0; i < entries.length; i++) {
          entries[i] = isFloat ? random.nextLong() & 0xFFFF_FFFFL : random.nextLong();
          Frame.putBits(type, entries[i], out);
        }
        // What has no entry is taken for the last one.
        Arrays.setAll(bits, i -> entries[Math.min(ints[i], entries.length - 1)]);
      }
      default -> {
        final long minDelta = random.nextLong();
        final long multiplier = random.nextLong();
        out.putLong(minDelta).putLong(multiplier).putLong(0).put((byte) 64);
        for (int i = 0; i < size; i += 128) {
          bits[i] = random.nextLong();
          out.putLong(bits[i]);
        }
        out.put(new byte[7]);
        for (int i = 0; i < size; i++) {
          bits[i] = i % 128 == 0 ? bits[i] : bits[i - 1] + minDelta + multiplier * ints[i];
        }
      }
    }
    return isFloat ? Arrays.stream(bits).map(value -> value & 0xFFFF_FFFFL).toArray() : bits;
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void oneReaderReadsChunksOfAllFormsInAnyOrder(NumberType type, RandomData random) {
    final List<NumberSample> samples = FEW_SAMPLES.get(type);
    final List<NumberForm> forms = NumberForms.of(type);
    final NumberChunkReader reader = NumberForms.reader(type);
    for (int i = 0; i < Tier.pick(3000, 10_000); i++) {
      final NumberSample sample = samples.get(random.nextInt(samples.size()));
      final NumberForm form = forms.get(random.nextInt(forms.size()));
      if (!sample.suits(form)) {
        continue;
      }
      final ByteBuffer chunk = sample.encode(form, FormContract.orders().get(random.nextInt(2)));
      switch (random.nextInt(4)) {
        case 0 -> reader.close();
        case 1 -> assertThrows(
            MalformedChunkException.class, () -> transform(form, chunk, chunk.capacity() - 1, sample.size(), reader));
        default -> { }
      }
      transform(form, chunk, chunk.capacity(), sample.size(), reader);
      NumberReads.assertAll(sample.bits(), reader, random, () -> sample + " in form " + form.name());
    }
    reader.close();
  }

  /** Forms have no state, although the codecs and arrays that some of them borrow do. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void formsServeManyThreads(NumberType type, RandomData random) throws Exception {
    final List<Callable<Void>> tasks = IntStream.range(0, 4).<Callable<Void>>mapToObj(i -> () -> {
      final RandomData ofThread = new RandomData(7);
      final List<NumberSample> samples = Tier.oneIn(3, NumberSample.few(type, ofThread).stream());
      try (NumberChunkReader reader = NumberForms.reader(type)) {
        for (NumberForm form : NumberForms.of(type)) {
          for (NumberSample sample : samples) {
            if (sample.suits(form)) {
              transform(form, sample.encode(form, ByteOrder.LITTLE_ENDIAN), sample.size(), reader);
              final Object out = NumberArrays.untouched(type, sample.size());
              NumberReads.get(reader, out, 0, 0, sample.size());
              NumberArrays.assertWritten(sample.bits(), 0, out, sample::toString);
            }
          }
        }
      }
      return null;
    }).toList();
    final ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  // Malformed chunks

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void refusesTruncatedChunks(NumberType type, String name, NumberForm form, RandomData random) {
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (NumberSample sample : someSamples(type, form)) {
        final ByteBuffer chunk = sample.encode(form, FormContract.orders().get(random.nextInt(2)));
        for (int length = 1; length < chunk.limit(); length += length < 50 ? 1 : Tier.pick(131, 13)) {
          final int cut = length;
          // What was cut off still stands there: a decoder that reads on would find it.
          assertThrows(
              MalformedChunkException.class,
              () -> transform(form, chunk, cut, sample.size(), reader),
              () -> sample + " cut to " + cut + " of " + chunk.limit() + " bytes");
        }
        transform(form, chunk, sample.size(), reader);
        NumberReads.assertAll(sample.bits(), reader, random, () -> sample + " after truncated ones");
      }
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void refusesBytesBehindTheChunk(NumberType type, String name, NumberForm form, RandomData random) {
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (NumberSample sample : someSamples(type, form)) {
        final byte[] chunk = sample.encode(form, ByteOrder.LITTLE_ENDIAN).array();
        for (int more = 1; more <= 9; more++) {
          final ByteBuffer longer = ByteBuffer.allocate(chunk.length + more).order(ByteOrder.LITTLE_ENDIAN);
          longer.put(chunk).put(random.nextInt(2) == 0 ? new byte[more] : random.bytes(more)).flip();
          assertThrows(
              MalformedChunkException.class, () -> transform(form, longer, sample.size(), reader), sample::toString);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void readsOrRefusesCorruptChunks(NumberType type, String name, NumberForm form, RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      try (NumberChunkReader reader = NumberForms.reader(type)) {
        for (NumberSample sample : someSamples(type, form)) {
          final ByteOrder order = FormContract.orders().get(random.nextInt(2));
          final byte[] chunk = sample.encode(form, order).array();
          for (int attempt = 0; attempt < Tier.pick(12, 60); attempt++) {
            final byte[] corrupt = corrupt(chunk, random);
            final ByteBuffer buffer = KINDS_OF_BUFFERS.get(attempt % 3).apply(ByteBuffer.wrap(corrupt)).order(order);
            readOrRefuse(form, buffer, sample.size(), reader, () -> sample + ": " + HexFormat.of().formatHex(corrupt));
          }
          transform(form, ByteBuffer.wrap(chunk).order(order), sample.size(), reader);
          NumberReads.assertAll(sample.bits(), reader, random, () -> sample + " after corrupt ones");
        }
      }
    });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void readsOrRefusesRandomBytesAndNumbersOfValues(NumberType type, String name, NumberForm form, RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      try (NumberChunkReader reader = NumberForms.reader(type)) {
        for (int attempt = 0; attempt < Tier.pick(300, 1000); attempt++) {
          final byte[] bytes = random.bytes(random.between(1, random.nextInt(3) == 0 ? 4096 : 64));
          bytes[0] = form.id();
          final int numValues = random.between(1, random.nextInt(9) == 0 ? type.maxValuesPerChunk() : 300);
          readOrRefuse(
              form, ByteBuffer.wrap(bytes).order(FormContract.orders().get(attempt % 2)), numValues, reader,
              () -> numValues + ": " + HexFormat.of().formatHex(bytes));
        }
        for (NumberSample sample : someSamples(type, form)) {
          for (int other : new int[] {1, sample.size() - 1, sample.size() + 1, type.maxValuesPerChunk()}) {
            if (other > 0) {
              readOrRefuse(form, sample.encode(form, ByteOrder.LITTLE_ENDIAN), other, reader, sample::toString);
            }
          }
        }
      }
    });
  }

  /** Codes without an entry count as the last one for all ways to read, whatever an earlier chunk had there. */
  @ParameterizedTest
  @CsvSource({
    "LONG, linear-dictionary", "DOUBLE, linear-dictionary", "FLOAT, linear-dictionary",
    "DOUBLE, decimal-dictionary", "FLOAT, decimal-dictionary"
  })
  void allReadsTakeCodesWithoutAnEntryForTheLast(NumberType type, String name, RandomData random) {
    final int size = 3000;
    final NumberSample four = new NumberSample(type, "four entries", numbers(type, size, 4, 1));
    final NumberSample three = new NumberSample(type, "three entries", numbers(type, size, 3, 7));
    final NumberForm form =
        NumberForms.of(type).stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    final ByteBuffer chunk = three.encode(form, ByteOrder.LITTLE_ENDIAN);
    final int codes = chunk.limit() - Integer.BYTES * InterleavedPacking.numWords(size, 2);
    // Every code is 3, and the entries are 0 to 2.
    for (int i = codes; i < chunk.limit(); i++) {
      chunk.put(i, (byte) 0xFF);
    }
    final long[] expected = new long[size];
    Arrays.fill(expected, NumberData.bits(type, 20_011));
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      transform(form, four.encode(form, ByteOrder.LITTLE_ENDIAN), size, reader);
      NumberReads.assertAll(four.bits(), reader, random, four::toString);
      transform(form, chunk, size, reader);
      NumberReads.assertAll(expected, reader, random, () -> "three entries of four codes in " + name);
    }
  }

  private static long[] numbers(NumberType type, int size, int cardinality, int first) {
    return IntStream.range(0, size)
        .map(i -> i * 31 / 7 % cardinality)
        .mapToLong(entry -> NumberData.bits(type, first + 10_000 * entry + entry * entry))
        .toArray();
  }

  // Tools

  private static void transform(NumberForm form, ByteBuffer chunk, int numValues, NumberChunkReader reader) {
    transform(form, chunk, chunk.limit(), numValues, reader);
  }

  private static void transform(
      NumberForm form,
      ByteBuffer chunk,
      int length,
      int numValues,
      NumberChunkReader reader
  ) {
    reader.startChunk(numValues);
    form.transform(chunk.duplicate().order(chunk.order()), 0, length, reader);
  }

  private static void transformAmidGarbage(
      NumberForm form,
      ByteBuffer chunk,
      UnaryOperator<ByteBuffer> kind,
      NumberSample sample,
      NumberChunkReader reader,
      RandomData random
  ) {
    final byte[] before = random.bytes(random.between(1, 9));
    final byte[] behind = random.bytes(random.between(1, 9));
    final ByteBuffer amid = ByteBuffer.allocate(before.length + chunk.limit() + behind.length);
    amid.put(before).put(chunk.duplicate()).put(behind).flip();
    reader.startChunk(sample.size());
    form.transform(kind.apply(amid).order(chunk.order()), before.length, chunk.limit(), reader);
  }

  /** Fails if transforming or reading gives any exception but the one for malformed chunks. */
  private static void readOrRefuse(
      NumberForm form,
      ByteBuffer chunk,
      int numValues,
      NumberChunkReader reader,
      Supplier<String> what
  ) {
    try {
      transform(form, chunk, numValues, reader);
      final Object out = NumberArrays.untouched(reader.type(), numValues);
      NumberReads.get(reader, out, 0, 0, numValues);
      final int[] all = IntStream.range(0, numValues).toArray();
      NumberReads.get(reader, out, all, 0, numValues, 0);
      final int[] sparse = Arrays.stream(all).filter(i -> i % 200 == 17).toArray();
      if (sparse.length > 0) {
        NumberReads.get(reader, out, sparse, 0, sparse.length, 0);
      }
      for (int i = 0; i < numValues; i += 1 + numValues / 200) {
        NumberReads.get(reader, i);
      }
      NumberReads.findAnything(reader, numValues);
    } catch (MalformedChunkException refused) {
      // Reads of many values may find that positions contradict each other, which no check of the header tells.
      assertFalse(refused.getMessage().isBlank());
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(form.name() + " gave " + e + " of " + what.get(), e);
    }
  }

  /** A copy with some bytes changed, mostly early ones, where lengths and widths are. The form's id stays. */
  private static byte[] corrupt(byte[] chunk, RandomData random) {
    final byte[] bytes = chunk.clone();
    for (int i = random.between(1, 4); i > 0 && bytes.length > 1; i--) {
      final int reach = random.nextInt(2) == 0 ? Math.min(bytes.length, 24) : bytes.length;
      bytes[random.between(1, reach - 1)] = random.bytes(1)[0];
    }
    return bytes;
  }

  private static ByteBuffer direct(ByteBuffer buffer) {
    return ByteBuffer.allocateDirect(buffer.limit()).put(buffer.duplicate().rewind()).flip();
  }
}
