// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the registered forms are to each other; and that none lacks what belongs to a form. */
@ExtendWith(RandomData.Seeded.class)
class FormsTest {
  /** Of all forms that were ever released. Never change or remove one: their segments are to be read for ever. */
  private static final Map<String, Integer> RELEASED_IDS = Map.of(
      "zero", 0,
      "constant", 1,
      "unencoded", 2,
      "bytepack", 3,
      "rle", 4,
      "lz4", 5,
      "fastpfor", 6,
      "zstd", 7
  );

  static List<IntForm> forms() {
    return Forms.INTS;
  }

  // Nothing is missing

  @Test
  void idsAreForEver() {
    // toMap fails where two forms have the same name.
    final Map<String, Integer> registered =
        Forms.INTS.stream().collect(Collectors.toMap(IntForm::name, form -> (int) form.id()));
    assertEquals(RELEASED_IDS, registered, "a new form needs a line in RELEASED_IDS, once it is released for ever");
    assertEquals(Forms.INTS.size(), Forms.INTS.stream().map(IntForm::id).distinct().count(), "ids");
  }

  @Test
  void formsAreFoundByTheirIds() {
    for (IntForm form : Forms.INTS) {
      assertSame(form, Forms.intForm(form.id()));
    }
    assertNull(Forms.intForm((byte) 99));
    assertNull(Forms.intForm((byte) -1));
  }

  @Test
  void everyFormHasItsContractTest() throws Exception {
    final Set<Byte> tested = new TreeSet<>();
    for (Class<?> type : testClassesOfThisPackage()) {
      if (FormContract.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
        tested.add(((FormContract) type.getDeclaredConstructor().newInstance()).form().id());
      }
    }
    assertEquals(Forms.INTS.stream().map(IntForm::id).collect(Collectors.toSet()), tested, "ids with a FormContract");
  }

  private static List<Class<?>> testClassesOfThisPackage() throws Exception {
    final URI here = FormsTest.class.getResource("FormsTest.class").toURI();
    try (Stream<Path> files = Files.list(Path.of(here).getParent())) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Test.class"))
          .<Class<?>>map(FormsTest::load)
          .toList();
    }
  }

  private static Class<?> load(String classFile) {
    try {
      return Class.forName(FormsTest.class.getPackageName() + "." + classFile.replace(".class", ""));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormHasItsGoldenBytes(IntForm form) {
    for (ByteOrder order : FormContract.orders()) {
      assertTrue(Files.exists(FormContract.goldenFile(form, order)), () -> FormContract.goldenFile(form, order) + "?");
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormHasItsRowInTheDocs(IntForm form) throws Exception {
    final Path docs = Path.of("..", "docs", "format.md");
    final String row = "^\\|.*`" + form.name() + "`.*";
    final String id = ".*\\|\\s*`?" + form.id() + "`?\\s*\\|.*";
    assertTrue(
        Files.readAllLines(docs).stream().anyMatch(line -> line.matches(row) && line.matches(id)),
        () -> docs + " should have a row of a table with `" + form.name() + "` and " + form.id());
  }

  // One reader, many forms

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.FormContract#orders")
  void oneReaderReadsChunksOfAllFormsInAnyOrder(ByteOrder order, RandomData random) {
    final List<Sample> samples = Sample.few(random);
    final IntChunkReader reader = new IntChunkReader();
    for (int i = 0; i < 2_000; i++) {
      final Sample sample = samples.get(random.nextInt(samples.size()));
      final IntForm form = Forms.INTS.get(random.nextInt(Forms.INTS.size()));
      if (!sample.suits(form)) {
        continue;
      }
      final ByteBuffer chunk = sample.encode(form, order);
      reader.startChunk(sample.values().length);
      switch (random.nextInt(4)) {
        case 0 -> reader.close();
        case 1 -> assertThrows(
            MalformedChunkException.class, () -> form.transform(chunk, 0, chunk.capacity() - 1, reader));
        default -> { }
      }
      form.transform(chunk.clear(), 0, chunk.capacity(), reader);
      Reads.assertAll(sample.values(), reader, random, () -> sample + " in form " + form.name());
    }
    reader.close();
  }

  /** Forms have no state, although the codecs and arrays that some of them borrow do. */
  @ParameterizedTest
  @MethodSource("forms")
  void formsServeManyThreads(IntForm form, RandomData random) throws Exception {
    final List<Sample> samples = Sample.few(random).stream().filter(sample -> sample.suits(form)).toList();
    final List<ByteBuffer> chunks = samples.stream().map(s -> s.encode(form, ByteOrder.LITTLE_ENDIAN)).toList();
    final Callable<Void> thread = () -> {
      try (IntChunkReader reader = new IntChunkReader()) {
        for (int i = 0; i < 10 * samples.size(); i++) {
          final Sample sample = samples.get(i % samples.size());
          final ByteBuffer chunk = sample.encode(form, ByteOrder.LITTLE_ENDIAN);
          assertEquals(chunks.get(i % samples.size()), chunk, sample::name);
          reader.startChunk(sample.values().length);
          form.transform(chunk, 0, chunk.limit(), reader);
          final int[] values = new int[sample.values().length];
          reader.get(values, 0, 0, values.length);
          assertArrayEquals(sample.values(), values, sample::name);
        }
      }
      return null;
    };
    final ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Void> done : threads.invokeAll(List.of(thread, thread, thread, thread))) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  // The pools

  @Test
  void readersBorrowOnlyWhatTheirChunksNeed() {
    final Sample sample = new Sample("runs", RandomData.constant(500, 7));
    for (IntForm form : Forms.INTS) {
      if (!sample.suits(form)) {
        continue;
      }
      final ByteBuffer chunk = sample.encode(form, ByteOrder.LITTLE_ENDIAN);
      final long before = Pools.borrowed();
      final IntChunkReader reader = new IntChunkReader();
      reader.startChunk(sample.values().length);
      form.transform(chunk, 0, chunk.limit(), reader);
      final long expected = switch (form.name()) {
        case "rle", "fastpfor" -> 1;
        // Run length, which it holds here, is decoded from the decompressed payload.
        case "lz4", "zstd" -> chunk.get(1) == RunLengthForm.ID ? 2 : 1;
        default -> 0;
      };
      assertEquals(before + expected, Pools.borrowed(), () -> "after reading " + form.name());
      reader.close();
      assertEquals(before, Pools.borrowed(), () -> "after closing a reader of " + form.name());
    }
  }
}
