// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.testing.Golden;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every form of ints promises. The test of a form extends this, says which form it is, which chunks the form
 * stores, and how its bytes are read by the book.
 */
@ExtendWith(RandomData.Seeded.class)
public abstract class FormContract {
  private static final List<UnaryOperator<ByteBuffer>> KINDS_OF_BUFFERS =
      List.of(UnaryOperator.identity(), ByteBuffer::asReadOnlyBuffer, FormContract::direct);
  private static final Duration NEVER_HANGS = Duration.ofMinutes(3);

  private final IntChunkReader reader = new IntChunkReader();
  private long borrowedBefore;

  /** The form under test. */
  public abstract IntForm form();

  /** What {@link Form#estimate} has to answer; null if it may skip the chunk or not. */
  @Nullable
  public abstract Estimate.Kind expectedEstimate(int[] values);

  /**
   * Reads the chunk without any code of ours.
   *
   * @param chunk     the chunk from the byte behind the form's id on, in the column's byte order
   * @param numValues how many values it has
   */
  public abstract int[] readByTheBook(ByteBuffer chunk, int numValues);

  /**
   * Whether a chunk of this form tells how many values it has.
   *
   * @param chunk the chunk from its first byte on
   */
  public abstract boolean tellsNumValues(ByteBuffer chunk);

  /** Whether the first bytes of a chunk of this form may be another chunk, of fewer bytes per value. */
  public boolean mayBeWholeIfTruncated(ByteBuffer chunk) {
    return false;
  }

  /** How many arrays and buffers a reader of a chunk of this form borrows; what is decoded whole borrows one. */
  public int borrows() {
    return 0;
  }

  /** Chunks that make this form take turns that those of {@link Sample#all} do not. */
  public List<Sample> hardSamples(RandomData random) {
    return List.of();
  }

  /** The tests of all forms. */
  public static List<FormContract> all() throws ReflectiveOperationException, IOException, URISyntaxException {
    final List<FormContract> contracts = new ArrayList<>();
    final Path here = Path.of(FormContract.class.getResource("FormContract.class").toURI()).getParent();
    try (Stream<Path> files = Files.walk(here)) {
      for (Path file : files.filter(file -> file.toString().endsWith("Test.class")).sorted().toList()) {
        final String name = here.relativize(file).toString().replace(".class", "").replace(File.separatorChar, '.');
        final Class<?> type = Class.forName(FormContract.class.getPackageName() + "." + name);
        if (FormContract.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
          final Constructor<?> constructor = type.getDeclaredConstructor();
          constructor.setAccessible(true);
          contracts.add((FormContract) constructor.newInstance());
        }
      }
    }
    return contracts;
  }

  @BeforeEach
  void countBorrowed() {
    borrowedBefore = BorrowedBuffers.count();
  }

  /** Whatever was encoded, read or refused, in the end nothing is borrowed but what the reader gives back. */
  @AfterEach
  void closeAndCountBorrowed() {
    reader.close();
    assertEquals(borrowedBefore, BorrowedBuffers.count(), "borrowed");
  }

  public static List<ByteOrder> orders() {
    return List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN);
  }

  // Estimating and encoding

  @Test
  void estimatesWhatItTakes(RandomData random) {
    for (Sample sample : samples(random)) {
      final Estimate estimate = form().estimate(sample.chunk());
      final Estimate.Kind expected = expectedEstimate(sample.values());
      if (expected != null) {
        assertEquals(expected, estimate.kind(), sample.name());
      }
      if (estimate.kind() == Estimate.Kind.EXACT || estimate.kind() == Estimate.Kind.TAKE) {
        assertEquals(sample.encode(form(), ByteOrder.nativeOrder()).limit(), estimate.bytes(), sample.name());
      }
    }
  }

  @Test
  void encodingLeavesTheChunkAsItIs(RandomData random) {
    for (Sample sample : fewSamples(random)) {
      final IntChunk chunk = sample.chunk();
      final int[] array = chunk.values().clone();
      form().encode(chunk, ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES));
      assertArrayEquals(array, chunk.values(), sample.name());
      assertEquals(sample.values().length, chunk.size(), sample.name());
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void encodesWhereTheBufferStands(ByteOrder order, RandomData random) {
    for (Sample sample : fewSamples(random)) {
      final byte[] chunk = sample.encode(form(), order).array();
      for (ByteBuffer out : List.of(
          ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES + 9), ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES + 9))) {
        final byte[] before = random.bytes(random.between(1, 9));
        form().encode(sample.chunk(), out.order(order).put(before));
        final byte[] written = new byte[out.flip().limit()];
        out.get(written);
        assertArrayEquals(concat(before, chunk), written, sample.name());
      }
    }
  }

  /** Codecs keep arrays between chunks; what was in them must not be seen in the bytes. */
  @Test
  void encodesTheSameWhateverWasEncodedBefore(RandomData random) {
    final List<Sample> samples =
        storedSamples(Stream.of(Sample.few(random), hardSamples(random)).flatMap(List::stream).toList());
    final List<byte[]> first = samples.stream().map(s -> s.encode(form(), ByteOrder.nativeOrder()).array()).toList();
    for (int i = samples.size() - 1; i >= 0; i--) {
      assertArrayEquals(
          first.get(i), samples.get(i).encode(form(), ByteOrder.nativeOrder()).array(), samples.get(i).name());
    }
  }

  // Reading

  @ParameterizedTest
  @MethodSource("orders")
  void readsWhatItWrote(ByteOrder order, RandomData random) {
    int combination = orders().indexOf(order);
    for (Sample sample : storedSamples(samples(random))) {
      if (!Tier.tries(combination++, 2)) {
        continue;
      }
      final ByteBuffer chunk = sample.encode(form(), order);
      assertEquals(form().id(), chunk.get(0), sample.name());
      assertArrayEquals(
          sample.values(),
          readByTheBook(chunk.slice(1, chunk.limit() - 1).order(order), sample.values().length),
          () -> "by the book: " + sample.name());
      for (UnaryOperator<ByteBuffer> kind : Tier.pick(List.of(random.oneOf(KINDS_OF_BUFFERS)), KINDS_OF_BUFFERS)) {
        transformAmidGarbage(chunk, kind, sample.values().length, random);
        Reads.assertAll(sample.values(), reader, random, sample::name);
      }
    }
  }

  /** A chunk that is decoded whole borrows an array, or a buffer for its payload, and says so before it is read. */
  @Test
  void saysWhetherItIsDecodedWhole(RandomData random) {
    for (Sample sample : fewSamples(random)) {
      final ByteBuffer chunk = sample.encode(form(), ByteOrder.nativeOrder());
      reader.startChunk(sample.values().length);
      assertEquals(borrows() > 0, form().isDecodedWhole(chunk, 0, chunk.limit(), reader), sample.name());
    }
  }

  @Test
  void readsAfterClosing(RandomData random) {
    for (Sample sample : fewSamples(random)) {
      transform(sample.encode(form(), ByteOrder.nativeOrder()), sample.values().length);
      Reads.assertAll(sample.values(), reader, random, sample::name);
      reader.close();
      reader.close();
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void matchesGoldenBytes(ByteOrder order, RandomData random) throws IOException {
    final List<Golden.Example> examples = Golden.check(
        goldenFile(form(), order),
        values -> new Sample("golden", values).encode(form(), order).array());
    assertTrue(examples.size() > 1, "examples in " + goldenFile(form(), order));
    for (Golden.Example example : examples) {
      transform(ByteBuffer.wrap(example.bytes()).order(order), example.values().length);
      Reads.assertAll(example.values(), reader, random, example::spec);
    }
  }

  /**
   * The Javadoc of a form is its specification: the first golden example is the one that it works through. Zeros at the
   * end, of which interleaved packing has many, may be counted there.
   */
  @Test
  void javadocShowsTheFirstGoldenExample() throws IOException {
    final String source = Files.readString(
        Path.of("src", "main", "java").resolve(form().getClass().getName().replace('.', '/') + ".java"));
    final String hex = Golden.read(goldenFile(form(), ByteOrder.LITTLE_ENDIAN)).get(0).hex();
    assertFalse(hex.isEmpty(), "the first golden example has no bytes yet: see matchesGoldenBytes");
    final String zeros = hex.replaceFirst(".*?((?: 00){16,})?$", "$1");
    final String shown = zeros.isEmpty()
        ? "{@code " + hex + "}"
        : "{@code " + hex.substring(0, hex.length() - zeros.length()) + "} and " + zeros.length() / 3 + " zero bytes";
    assertTrue(
        source.replaceAll("\n \\* *", " ").contains(shown),
        "Javadoc of " + form().getClass().getSimpleName() + " should show " + shown);
  }

  public static Path goldenFile(IntForm form, ByteOrder order) {
    return Golden.file("ints/" + form.name(), order);
  }

  // Malformed chunks

  @ParameterizedTest
  @MethodSource("orders")
  void refusesTruncatedChunks(ByteOrder order, RandomData random) {
    for (Sample sample : fewSamples(random)) {
      final ByteBuffer chunk = sample.encode(form(), order);
      for (int length = 0; length < chunk.limit(); length++) {
        // What was cut off still stands there: a decoder that reads on would find it.
        assertRefusesTruncated(sample, chunk, length);
      }
      transform(chunk, sample.values().length);
      Reads.assertAll(sample.values(), reader, random, () -> sample.name() + " after truncated ones");
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void refusesTruncatedFullChunks(ByteOrder order, RandomData random) {
    for (Sample sample : storedSamples(Sample.full(random))) {
      final ByteBuffer chunk = sample.encode(form(), order);
      for (int i = 0; i < Tier.pick(60, 300); i++) {
        final int cut = i < 10 ? Math.max(0, chunk.limit() - 1 - i) : random.nextInt(chunk.limit());
        assertRefusesTruncated(sample, chunk, cut);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void refusesBytesBehindTheChunk(ByteOrder order, RandomData random) {
    for (Sample sample : fewSamples(random)) {
      final byte[] chunk = sample.encode(form(), order).array();
      for (int more = 1; more <= 20; more++) {
        for (byte[] tail : List.of(new byte[more], filled(more, 0x80), random.bytes(more))) {
          assertThrows(
              MalformedChunkException.class,
              () -> transform(ByteBuffer.wrap(concat(chunk, tail)).order(order), sample.values().length),
              () -> sample.name() + " and " + Arrays.toString(tail));
        }
      }
    }
  }

  /** Where a chunk does not tell how many values it has, only the column's header knows. */
  @Test
  void refusesAnotherNumberOfValues(RandomData random) {
    for (Sample sample : fewSamples(random)) {
      final ByteBuffer chunk = sample.encode(form(), ByteOrder.nativeOrder());
      final int length = sample.values().length;
      for (int other : new int[] {1, length - 1, length + 1, Limits.MAX_INTS_PER_CHUNK}) {
        if (other == 0 || other == length) {
          continue;
        }
        if (tellsNumValues(chunk)) {
          assertThrows(MalformedChunkException.class, () -> transform(chunk, other), sample::name);
        } else {
          readOrRefuse(chunk, other);
        }
      }
    }
  }

  @Test
  void readsOrRefusesCorruptChunks(RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> forEachChunkOfEachKind(random, (chunk, sample) -> {
      for (int attempt = 0; attempt < Tier.pick(20, 100); attempt++) {
        final ByteBuffer corrupt = corrupt(chunk, random);
        try {
          readOrRefuse(corrupt, sample.values().length);
        } catch (RuntimeException | Error e) {
          final String hex = HexFormat.of().formatHex(bytes(corrupt));
          throw new AssertionError(sample.name() + " corrupted to " + hex + " gave " + e, e);
        }
      }
      transform(chunk, sample.values().length);
      Reads.assertAll(sample.values(), reader, random, () -> sample.name() + " after corrupt ones");
    }));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void readsOrRefusesRandomBytes(ByteOrder order, RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      for (int attempt = 0; attempt < Tier.pick(400, 2000); attempt++) {
        final byte[] bytes = random.bytes(random.between(1, random.nextInt(3) == 0 ? 4096 : 64));
        bytes[0] = form().id();
        final int numValues = random.between(1, random.nextInt(3) == 0 ? Limits.MAX_INTS_PER_CHUNK : 300);
        readOrRefuse(ByteBuffer.wrap(bytes).order(order), numValues);
      }
    });
  }

  // Tools

  private List<Sample> samples(RandomData random) {
    return Stream.of(Sample.all(random), Sample.few(random), hardSamples(random)).flatMap(List::stream).toList();
  }

  private List<Sample> fewSamples(RandomData random) {
    final List<Sample> stored = storedSamples(Sample.few(random));
    assertFalse(stored.isEmpty(), "no sample for " + form().name() + ": add one to Sample.few");
    return stored;
  }

  private List<Sample> storedSamples(List<Sample> samples) {
    return samples.stream().filter(sample -> sample.suits(form())).toList();
  }

  private void assertRefusesTruncated(Sample sample, ByteBuffer chunk, int cut) {
    try {
      transform(chunk, cut, sample.values().length);
    } catch (MalformedChunkException e) {
      return;
    }
    assertTrue(
        mayBeWholeIfTruncated(chunk), () -> sample.name() + " cut to " + cut + " of " + chunk.limit() + " bytes");
  }

  private void transform(ByteBuffer chunk, int numValues) {
    transform(chunk, chunk.limit(), numValues);
  }

  private void transform(ByteBuffer chunk, int length, int numValues) {
    reader.startChunk(numValues);
    form().transform(chunk.duplicate().order(chunk.order()), 0, length, reader);
  }

  private void transformAmidGarbage(
      ByteBuffer chunk,
      UnaryOperator<ByteBuffer> kind,
      int numValues,
      RandomData random
  ) {
    final byte[] before = random.bytes(random.between(1, 9));
    final byte[] amid = concat(concat(before, bytes(chunk)), random.bytes(random.between(1, 9)));
    reader.startChunk(numValues);
    form().transform(
        kind.apply(ByteBuffer.wrap(amid)).order(chunk.order()), before.length, chunk.limit(), reader);
  }

  /** Checks that a chunk of so many values, written in hex and little-endian, is refused with this message. */
  public final void assertRefused(String hex, int numValues, String message) {
    final ByteBuffer chunk =
        ByteBuffer.wrap(HexFormat.ofDelimiter(" ").parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(
        message,
        assertThrows(MalformedChunkException.class, () -> transform(chunk, numValues)).getMessage());
  }

  /** Fails if transforming or reading gives any exception but the one for malformed chunks. */
  private void readOrRefuse(ByteBuffer chunk, int numValues) {
    try {
      transform(chunk, numValues);
      for (int i = 0; i < numValues; i++) {
        reader.get(i);
      }
      // Reads of many values may find that positions contradict each other, which no check of the header tells.
      reader.get(new int[numValues], 0, 0, numValues);
      final int[] all = RandomData.sequence(numValues, 0);
      reader.get(new int[numValues], all, 0, numValues, 0);
      final long[] found = new long[(numValues + Long.SIZE - 1) / Long.SIZE];
      reader.find(5, 1000, found);
      assertTrue(BitSet.valueOf(found).length() <= numValues);
    } catch (MalformedChunkException refused) {
      assertFalse(refused.getMessage().isBlank());
    }
  }

  private void forEachChunkOfEachKind(RandomData random, BiConsumer<ByteBuffer, Sample> test) {
    final List<Sample> samples = Stream.of(Sample.few(random), Sample.full(random)).flatMap(List::stream).toList();
    int first = 0;
    for (Sample sample : storedSamples(samples)) {
      int combination = first++;
      for (ByteOrder order : orders()) {
        for (UnaryOperator<ByteBuffer> kind : KINDS_OF_BUFFERS) {
          if (Tier.tries(combination++, KINDS_OF_BUFFERS.size())) {
            test.accept(kind.apply(sample.encode(form(), order)).order(order), sample);
          }
        }
      }
    }
  }

  /** A copy with some bytes changed, mostly early ones, where lengths and widths are. The form's id stays. */
  private static ByteBuffer corrupt(ByteBuffer chunk, RandomData random) {
    final byte[] bytes = bytes(chunk);
    for (int i = random.between(1, 4); i > 0 && bytes.length > 1; i--) {
      final int reach = random.nextInt(2) == 0 ? Math.min(bytes.length, 16) : bytes.length;
      bytes[random.between(1, reach - 1)] = random.bytes(1)[0];
    }
    final ByteBuffer copy = ByteBuffer.wrap(bytes);
    return (chunk.isDirect() ? direct(copy) : copy).order(chunk.order());
  }

  private static ByteBuffer direct(ByteBuffer buffer) {
    return ByteBuffer.allocateDirect(buffer.limit()).put(buffer.duplicate().rewind()).flip();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return bytes;
  }

  private static byte[] concat(byte[] a, byte[] b) {
    return ByteBuffer.allocate(a.length + b.length).put(a).put(b).array();
  }

  private static byte[] filled(int length, int value) {
    final byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
