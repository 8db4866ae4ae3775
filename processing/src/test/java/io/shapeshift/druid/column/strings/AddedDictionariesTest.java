// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.api.TextModel;
import io.shapeshift.druid.api.TextReader;
import io.shapeshift.druid.api.TextValues;
import io.shapeshift.druid.api.TextWriter;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.added.AddedCoding;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.form.strings.added.DeflatedTexts;
import io.shapeshift.druid.form.strings.added.FailingTexts;
import io.shapeshift.druid.form.strings.added.FailingTexts.Method;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dictionaries in encodings of other jars. */
@ExtendWith(RandomData.Seeded.class)
class AddedDictionariesTest {
  private static final String NO_MODEL = "it returned null from read()";
  private static final List<TextEncoding> ENCODINGS = List.of(new CheckedTexts(), new DeflatedTexts());

  private static void install(TextEncoding... encodings) {
    TextCodings.install(Stream.of(encodings).map(AddedTexts::of).toList());
  }

  @AfterEach
  void uninstall() {
    install();
  }

  /** Texts with checksums, sorted and distinct. */
  private static List<String> texts(int count, int maxLength, Random random) {
    final TreeSet<String> texts = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      final StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(maxLength + 1); left > 0; left--) {
        text.append((char) ('a' + random.nextInt(16)));
      }
      texts.add(CheckedTexts.withChecksum(text.toString()));
    }
    return new ArrayList<>(texts);
  }

  private static StringDictionarySerializer serializer(List<String> values, OptimizationTarget target)
      throws IOException {
    final StringDictionarySerializer serializer =
        new StringDictionarySerializer("dim", new OnHeapMemorySegmentWriteOutMedium(), target);
    serializer.open();
    for (String value : values) {
      serializer.write(value);
    }
    return serializer;
  }

  private static ByteBuffer bytes(StringDictionarySerializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final long size = serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out), null);
    assertEquals(size, out.size());
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static ByteBuffer write(List<String> values, OptimizationTarget target) throws IOException {
    return bytes(serializer(values, target));
  }

  /** Writes a dictionary in an encoding, whether it would be chosen or not. */
  private static ByteBuffer write(List<String> values, TextEncoding encoding) throws IOException {
    final TextSpill texts = new TextSpill(new OnHeapMemorySegmentWriteOutMedium().makeWriteOutBytes());
    for (String value : values) {
      if (value != null) {
        texts.add(StringUtils.toUtf8(value));
      }
    }
    texts.complete();
    final StringDictionarySerializer serializer = serializer(values, OptimizationTarget.FASTBUTSMALLISH);
    serializer.complete(AddedCoding.learn(AddedTexts.of(encoding), new SpilledTexts(texts)));
    return bytes(serializer);
  }

  private static StringDictionary read(ByteBuffer bytes) {
    return StringDictionary.read("dim", bytes.duplicate());
  }

  private static void check(List<String> values, ByteBuffer bytes, Random random) {
    final StringDictionary dictionary = read(bytes);
    final List<String> found = new ArrayList<>();
    dictionary.get().strings().forEach(found::add);
    assertEquals(values, found);
    final StringDictionaryReader reader = dictionary.get();
    for (int i = 0; i < Math.min(500, values.size()); i++) {
      final int any = random.nextInt(values.size());
      assertEquals(values.get(any), reader.getString(any));
      assertEquals(any, reader.strings().indexOf(values.get(any)));
      final String more = values.get(any) + "\0";
      if (values.get(any) != null) {
        assertEquals(-any - 2, reader.strings().indexOf(more));
      }
    }
    final int first = values.get(0) == null ? 1 : 0;
    if (values.stream().noneMatch(""::equals)) {
      assertEquals(-first - 1, reader.strings().indexOf(""));
    }
    assertEquals(-values.size() - 1, reader.strings().indexOf("\uFFFF\uFFFF"));
  }

  @Test
  void textsOfAllKinds(RandomData data) throws IOException {
    install(ENCODINGS.toArray(TextEncoding[]::new));
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<List<String>> all = new ArrayList<>(List.of(
        List.of(""),
        Arrays.asList(null, ""),
        List.of("a"),
        List.of("", "a"),
        List.of("e", "\u00E9", "\u76EE\u5F55", "\uD83D\uDE00", "\uE000", "\uFFFD"),
        List.of("a".repeat(3_000_000), "a".repeat(3_000_000) + "b", "b".repeat(1_000_001)),
        texts(Tier.pick(20_000, 1_000_000), 20, random)
    ));
    for (int count : new int[] {15, 16, 17, 63, 64, 65, 129}) {
      all.add(texts(4 * count, 5, random).subList(0, count));
    }
    for (TextEncoding encoding : ENCODINGS) {
      for (List<String> values : all) {
        final ByteBuffer bytes = write(values, encoding);
        assertEquals(encoding.name(), read(bytes).coding().name());
        check(values, bytes, random);
      }
    }
  }

  /** Encoding whose model has all texts, one byte each, so that buckets take no bytes. */
  private static final class AllInModel implements TextEncoding {
    @Override
    public String name() {
      return "test.all_in_model";
    }

    @Override
    public ReadCost cost() {
      return ReadCost.NONE;
    }

    @Override
    public TextModel learn(TextValues texts) {
      final ByteBuffer all = ByteBuffer.allocate(texts.size());
      texts.forEach(all::put);
      return model(all.flip());
    }

    @Override
    public TextModel read(ByteBuffer model) {
      return model(model);
    }

    private static TextModel model(ByteBuffer all) {
      return new TextModel() {
        @Override
        public int textsPerBucket() {
          return MAX_TEXTS_PER_BUCKET;
        }

        @Override
        public byte[] toBytes() {
          final byte[] bytes = new byte[all.limit()];
          all.get(0, bytes);
          return bytes;
        }

        @Override
        public int memory() {
          return all.limit();
        }

        @Override
        public TextWriter writer() {
          return texts -> new byte[0];
        }

        @Override
        public TextReader reader() {
          return new OneByte(all);
        }
      };
    }
  }

  private static final class OneByte implements TextReader {
    private final ByteBuffer all;
    private final byte[] text = new byte[1];

    OneByte(ByteBuffer all) {
      this.all = all;
    }

    @Override
    public void open(ByteBuffer bucket, int numTexts) {
      if (bucket.hasRemaining()) {
        throw new DamagedChunkException(bucket.remaining() + " bytes, expected none");
      }
    }

    @Override
    public int read(int index) {
      text[0] = all.get(index);
      return 1;
    }

    @Override
    public byte[] text() {
      return text;
    }
  }

  @Test
  void bucketsWithoutBytes(RandomData data) throws IOException {
    final TextEncoding encoding = new AllInModel();
    install(encoding);
    final List<String> values = IntStream.range(0, 26).mapToObj(i -> String.valueOf((char) ('a' + i))).toList();
    final ByteBuffer bytes = write(values, encoding);
    assertEquals(encoding.name(), read(bytes).coding().name());
    check(values, bytes, new Random(data.nextInt(Integer.MAX_VALUE)));
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void theSmallestWeightWins(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> values = new ArrayList<>(Collections.singletonList(null));
    values.addAll(texts(20_000, 8, random));
    final ByteBuffer ours = write(values, target);
    install(new CheckedTexts());
    final ByteBuffer checked = write(values, target);
    assertEquals(CheckedTexts.NAME, read(checked).coding().name());
    assertTrue(checked.remaining() < ours.remaining());
    check(values, checked, random);
    assertArrayEquals(checked.array(), write(values, target).array());
    // Other texts do not suit it.
    final List<String> letters = IntStream.range(0, 5000).mapToObj(i -> "value " + (char) ('A' + i % 50) + i)
        .sorted().distinct().toList();
    assertNotEquals(CheckedTexts.NAME, read(write(letters, target)).coding().name());
    // Small dictionaries keep our codings.
    assertNotEquals(CheckedTexts.NAME, read(write(values.subList(1, 12), target)).coding().name());
  }

  /** The buckets of the sample are small, and those that are written are not. */
  @Test
  void aSampleMayPromiseTooMuch(RandomData data) throws IOException {
    final List<String> values = texts(200_000, 9, new Random(data.nextInt(Integer.MAX_VALUE)));
    final ByteBuffer ours = write(values, OptimizationTarget.FASTBUTSMALLISH);
    final FailingTexts encoding = new FailingTexts();
    install(encoding);
    assertEquals(CheckedTexts.NAME, read(write(values, OptimizationTarget.FASTBUTSMALLISH)).coding().name());
    encoding.swellAfter((1 << 19) / 16 / 12);
    assertArrayEquals(ours.array(), write(values, OptimizationTarget.FASTBUTSMALLISH).array());
  }

  @Test
  void aTargetMayExcludeAnEncoding(RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> words = texts(30, 12, random);
    final List<String> values = Stream
        .generate(() -> words.get(random.nextInt(words.size())) + "." + words.get(random.nextInt(words.size())) + "."
            + words.get(random.nextInt(words.size())) + random.nextInt(10))
        .limit(5000).distinct().sorted().toList();
    install(new DeflatedTexts());
    assertEquals(DeflatedTexts.NAME, read(write(values, OptimizationTarget.FASTBUTSMALLISH)).coding().name());
    assertTrue(read(write(values, OptimizationTarget.FASTBUTSMALLISH)).get().isInBlocks());
    assertNotEquals(DeflatedTexts.NAME, read(write(values, OptimizationTarget.FASTER)).coding().name());
    check(values, write(values, OptimizationTarget.FASTBUTSMALLISH), random);
  }

  @Test
  void withoutTheJarOneErrorNamesTheEncoding(RandomData data) throws IOException {
    final List<String> values = texts(1000, 40, new Random(data.nextInt(Integer.MAX_VALUE)));
    for (TextEncoding encoding : ENCODINGS) {
      install(encoding);
      final ByteBuffer bytes = write(values, encoding);
      install();
      final StringDictionary dictionary = read(bytes);
      assertEquals(encoding.name(), dictionary.coding().name());
      assertEquals(values.size(), dictionary.size());
      assertEquals(0, dictionary.numSymbols());
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, dictionary::get);
      assertEquals("Column[dim]: it is stored in encoding[" + encoding.name() + "], which no extension of this process"
          + " has. Install the extension whose jar has the encoding: on a service name it in druid.extensions.loadList,"
          + " for the command-line tool in --extension", e.getMessage());
      install(encoding);
      assertEquals(values.get(7), dictionary.get().getString(7));
    }
  }

  @Test
  void damagedBytesAreReadOrRefused(RandomData data) throws IOException {
    install(ENCODINGS.toArray(TextEncoding[]::new));
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> values = texts(300, 12, random);
    for (TextEncoding encoding : ENCODINGS) {
      final byte[] intact = write(values, encoding).array();
      for (int length = 0; length < intact.length; length++) {
        final ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(intact, length));
        assertThrows(ColumnFormatException.class, () -> read(cut));
      }
      int refused = 0;
      for (int i = 0; i < Tier.pick(2000, 20_000); i++) {
        final byte[] bytes = intact.clone();
        for (int more = 0; more <= i % 4; more++) {
          bytes[random.nextInt(i % 2 == 0 ? Math.min(100, bytes.length) : bytes.length)] = (byte) random.nextInt(256);
        }
        try {
          final StringDictionaryReader reader = read(ByteBuffer.wrap(bytes)).get();
          for (int id = 0; id < Math.min(400, reader.size()); id++) {
            reader.getString(id);
          }
          reader.strings().indexOf(values.get(77));
        } catch (ColumnFormatException e) {
          refused++;
          assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
        }
      }
      assertTrue(refused > 100);
    }
  }

  private static List<Throwable> errors() {
    return Arrays.asList(
        new IllegalArgumentException("boom"), new IOException("boom"), new NoSuchMethodError("boom"),
        new StackOverflowError("boom"), null);
  }

  private static boolean mayBeNonsense(Method method, @Nullable Throwable error, Method... these) {
    return error != null || Arrays.asList(these).contains(method);
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void whatFailsWhileWritingIsOneError(Method method, RandomData data) throws IOException {
    final List<String> values = texts(1000, 40, new Random(data.nextInt(Integer.MAX_VALUE)));
    final FailingTexts encoding = new FailingTexts();
    install(encoding);
    final boolean isCalled = !EnumSet.of(Method.MEMORY, Method.COMPARE_FIRST, Method.FIND).contains(method);
    for (Throwable error : errors()) {
      encoding.fail(method, error);
      final StringDictionarySerializer serializer = serializer(values, OptimizationTarget.FASTBUTSMALLISH);
      if (error == null && method == Method.LEARN) {
        continue;
      }
      final boolean fails = isCalled && mayBeNonsense(method, error, Method.READ_MODEL, Method.TEXTS_PER_BUCKET,
          Method.TO_BYTES, Method.WRITER, Method.READER, Method.ENCODE, Method.READ, Method.TEXT);
      if (fails) {
        final EncodingException e = assertThrows(EncodingException.class, serializer::getSerializedSize);
        assertTrue(e.getMessage().startsWith("Column[dim]: Encoding[test.checked] failed to "), e.getMessage());
        assertTrue(error == null || e.getMessage().contains(error.toString()), e.getMessage());
        assertTrue(error != null || method != Method.READ_MODEL || e.getMessage().contains(NO_MODEL), e.getMessage());
      } else {
        serializer.getSerializedSize();
      }
    }
    final OutOfMemoryError fatal = new OutOfMemoryError("boom");
    encoding.fail(method, fatal);
    if (isCalled) {
      final StringDictionarySerializer serializer = serializer(values, OptimizationTarget.FASTBUTSMALLISH);
      assertSame(fatal, assertThrows(OutOfMemoryError.class, serializer::getSerializedSize));
    }
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void whatFailsWhileReadingIsOneError(Method method, RandomData data) throws IOException {
    final List<String> values = texts(1000, 40, new Random(data.nextInt(Integer.MAX_VALUE)));
    final FailingTexts encoding = new FailingTexts();
    install(encoding);
    final ByteBuffer bytes = write(values, encoding);
    final boolean isCalled = !EnumSet.of(Method.LEARN, Method.READS_WHOLE_BUCKETS, Method.TO_BYTES, Method.WRITER,
        Method.ENCODE, Method.CLOSE).contains(method);
    for (Throwable error : errors()) {
      encoding.fail(null, null);
      final StringDictionary early = read(bytes);
      final StringDictionaryReader opened = early.get();
      assertEquals(values.get(3), opened.getString(3));
      encoding.fail(method, error);
      final boolean fails = isCalled && mayBeNonsense(method, error, Method.READ_MODEL, Method.TEXTS_PER_BUCKET,
          Method.READER, Method.READ, Method.TEXT, Method.FIND);
      if (!fails && method != Method.COMPARE_FIRST) {
        readAll(read(bytes).get(), values);
      }
      if (!fails) {
        continue;
      }
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> readAll(read(bytes).get(), values));
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
      assertTrue(e.getMessage().contains(" of its dictionary: test.checked"), e.getMessage());
      assertTrue(error == null || e.getMessage().contains(error.toString()), e.getMessage());
      assertTrue(error != null || method != Method.READ_MODEL || e.getMessage().contains(NO_MODEL), e.getMessage());
      if (EnumSet.of(Method.OPEN, Method.READ, Method.TEXT, Method.COMPARE_FIRST, Method.FIND).contains(method)) {
        assertTrue(e.getMessage().matches("Column\\[dim]: bucket \\d+ at offset \\d+ of its .*"), e.getMessage());
        // A reader of which a read failed is as good as another once its encoding works.
        assertThrows(ColumnFormatException.class, () -> readAll(opened, values));
        encoding.fail(null, null);
        readAll(opened, values);
      }
    }
  }

  private static void readAll(StringDictionaryReader reader, List<String> values) {
    for (int id = 0; id < values.size(); id += 17) {
      assertEquals(id, reader.strings().indexOf(values.get(id)));
    }
    for (int id = 0; id < values.size(); id++) {
      assertEquals(values.get(id), reader.getString(id));
    }
  }
}
