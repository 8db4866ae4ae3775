// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.strings.FrontCoding;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dictionaries of all kinds of texts give the values and ids that Druid's do. */
@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class StringDictionaryTest {
  private static final Comparator<String> ORDER = Comparator.nullsFirst(Comparator.naturalOrder());
  private static final String BLOCKS = "blocks";
  private static final String PATTERN = "pattern";
  private static final String LETTERS = "etaoinshrdlu -_/.,:0123456789ABCXYZ";

  private static ByteBuffer write(List<String> values, OptimizationTarget target) throws IOException {
    final StringDictionarySerializer serializer =
        new StringDictionarySerializer("dim", new OnHeapMemorySegmentWriteOutMedium(), target);
    serializer.open();
    for (String value : values) {
      serializer.write(value);
    }
    assertEquals(values.size(), serializer.getCardinality());
    final long size = serializer.getSerializedSize();
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    serializer.writeTo(Channels.newChannel(out), null);
    assertEquals(size, out.size());
    assertEquals(stockSize(values), serializer.stockBytes());
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static long stockSize(List<String> values) throws IOException {
    final GenericIndexedWriter<String> stock = new GenericIndexedWriter<>(
        new OnHeapMemorySegmentWriteOutMedium(), "dim", GenericIndexed.STRING_STRATEGY);
    stock.open();
    for (String value : values) {
      stock.write(value);
    }
    return stock.getSerializedSize();
  }

  private static List<String> sorted(Stream<String> values) {
    final TreeSet<String> sorted = new TreeSet<>(ORDER);
    values.forEach(sorted::add);
    return new ArrayList<>(sorted);
  }

  private static String check(List<String> values, OptimizationTarget target, Random random) throws IOException {
    final ByteBuffer bytes = write(values, target);
    final StringDictionary dictionary = StringDictionary.read("dim", bytes);
    assertEquals(0, bytes.remaining());
    assertEquals(values.size(), dictionary.size());
    final StringDictionaryReader reader = dictionary.get();
    assertEquals(values.size(), reader.size());
    assertTrue(reader.isSorted());
    int id = 0;
    for (ByteBuffer value : reader) {
      checkValue(values.get(id++), value);
    }
    assertEquals(values.size(), id);
    final Indexed<String> strings = reader.strings();
    final List<String> iterated = new ArrayList<>();
    strings.forEach(iterated::add);
    assertEquals(values, iterated);
    assertEquals(values.size(), strings.size());
    assertTrue(strings.isSorted());
    final int most = Tier.pick(600, 3000);
    for (int i = 0; i < Math.min(most, values.size()); i++) {
      final int any = values.size() < most ? values.size() - 1 - i : random.nextInt(values.size());
      assertEquals(values.get(any), reader.getString(any));
      assertEquals(any, strings.indexOf(values.get(any)));
      checkValue(values.get(any), reader.get(any));
      assertEquals(any, reader.indexOf(StringUtils.toUtf8ByteBuffer(values.get(any))));
      // A reader that has read nothing yet, as that of a filter.
      assertEquals(any, dictionary.get().indexOf(StringUtils.toUtf8ByteBuffer(values.get(any))));
      checkMiss(values, dictionary.get(), near(values.get(any), random));
      checkMiss(values, reader, near(values.get(any), random));
    }
    checkMiss(values, reader, null);
    checkMiss(values, reader, "");
    checkMiss(values, reader, "\uFFFF\uFFFF");
    checkMiss(values, reader, "\uDBFF\uDFFF");
    assertThrows(RuntimeException.class, () -> reader.get(-1));
    assertThrows(RuntimeException.class, () -> reader.get(values.size()));
    return dictionary.coding().name();
  }

  private static void checkValue(@Nullable String expected, @Nullable ByteBuffer found) {
    assertEquals(expected, found == null ? null : StringUtils.fromUtf8(found));
  }

  /** What may be in the dictionary or not. */
  private static void checkMiss(List<String> values, StringDictionaryReader reader, @Nullable String value) {
    final int expected = Collections.binarySearch(values, value, ORDER);
    assertEquals(expected, reader.indexOf(StringUtils.toUtf8ByteBuffer(value)), () -> "of " + value);
  }

  @Nullable
  private static String near(@Nullable String value, Random random) {
    if (value == null) {
      return null;
    }
    final int at = value.isEmpty() ? 0 : random.nextInt(value.length());
    if (at > 0 && Character.isLowSurrogate(value.charAt(at))) {
      return value + "\uE000";
    }
    return switch (random.nextInt(4)) {
      case 0 -> value.substring(0, at);
      case 1 -> value.substring(0, at) + LETTERS.charAt(random.nextInt(LETTERS.length()));
      case 2 -> value + '\0';
      default -> value.substring(0, at) + "\uD83D\uDE00";
    };
  }

  private static String text(Random random, int maxLength, String letters) {
    final int length = random.nextInt(maxLength + 1);
    final StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void anyTexts(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    for (int count : new int[] {1, 2, 7, 8, 9, 63, 64, 65, 513, 3000}) {
      for (int maxLength : new int[] {1, 9, 40}) {
        check(sorted(Stream.generate(() -> text(random, maxLength, LETTERS)).limit(count)), target, random);
        check(sorted(Stream.concat(
            Stream.of((String) null), Stream.generate(() -> "prefix-" + text(random, maxLength, "ab")).limit(count)
        )), target, random);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void wordsUrlsAndNumbers(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final int count = Tier.pick(6000, 20_000);
    final String[] words = {"carefully", "final", "deposits", "sleep", "quickly", "Größe", "目录", "\uD83D\uDE00"};
    check(sorted(IntStream.range(0, count).mapToObj(i -> random.ints(5, 0, words.length)
                                                                .mapToObj(word -> words[word])
                                                                .collect(Collectors.joining(" ")))), target, random);
    check(sorted(IntStream.range(0, count).mapToObj(
        i -> "https://www.example.com/" + words[random.nextInt(5)] + "/" + random.nextInt(1 << 20) + ".html"
    )), target, random);
    check(sorted(IntStream.range(0, count).mapToObj(String::valueOf)), target, random);
    check(
        sorted(IntStream.range(0, 5000).mapToObj(i -> StringUtils.format("%016x", random.nextLong()))), target, random);
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void textsOfOnePattern(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    for (int count : Tier.pick(new int[] {2, 9, 1000}, new int[] {2, 8, 9, 1000, 5000})) {
      final List<List<String>> all = List.of(
          sorted(Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()).toString()).limit(count)),
          sorted(Stream.generate(() -> StringUtils.format("%016X", random.nextLong())).limit(count)),
          sorted(IntStream.range(0, count).mapToObj(i -> StringUtils.format("Customer#%09d", i * 37))),
          sorted(Stream.generate(() -> StringUtils.format("%03d-----------%c-%012d.",
              random.nextInt(1000), 'A' + random.nextInt(26), random.nextLong() >>> 25)).limit(count)),
          sorted(Stream.generate(() -> IntStream.range(0, 40)
              .mapToObj(i -> String.valueOf((char) random.nextInt(1 + i * 3)))
              .collect(Collectors.joining())).limit(count))
      );
      for (List<String> values : all) {
        final String coding = check(values, target, random);
        // Blocks may be smaller where numbers follow each other.
        if (count >= 1000 && !coding.equals(BLOCKS)) {
          assertEquals(PATTERN, coding, () -> "of " + values.get(0));
        }
        final List<String> more = new ArrayList<>(values);
        more.add(0, null);
        check(more, target, random);
        more.add(values.get(values.size() - 1) + "~");
        check(more, target, random);
      }
    }
    check(List.of("0".repeat(256)), target, random);
    check(List.of("0".repeat(256), "0".repeat(255) + "1"), target, random);
    check(List.of("0".repeat(257), "0".repeat(256) + "1"), target, random);
  }

  @Test
  void wordsInBlocks(RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> words = sorted(Stream.generate(() -> text(random, 9, "etaoinshrdlu")).limit(300));
    words.addAll(List.of("Größe", "目录", "\uD83D\uDE00", "\uE000"));
    for (int count : new int[] {400, 1000, Tier.pick(4000, 20_000)}) {
      for (int length : new int[] {3, 30}) {
        final List<String> values = sorted(Stream.concat(
            Stream.of((String) null),
            Stream.generate(() -> random.ints(length, 0, words.size())
                                        .mapToObj(words::get)
                                        .collect(Collectors.joining(" "))).limit(count)
        ));
        assertEquals(BLOCKS, check(values, OptimizationTarget.SMALLER, random));
        values.add("~".repeat(1 << 17));
        values.add("~".repeat((1 << 17) + 1) + "a");
        values.add("~".repeat(1 << 18));
        check(sorted(values.stream()), OptimizationTarget.SMALLER, random);
      }
    }
  }

  @Test
  void longTextsThatResembleEachOther(RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> templates = Stream.generate(() -> text(random, 900, LETTERS)).limit(9).toList();
    for (int count : new int[] {40, 3000}) {
      final List<String> values = sorted(IntStream.range(0, count).mapToObj(
          i -> random.nextInt() + " ms for " + text(random, 9, LETTERS) + templates.get(i % 9)));
      values.add(0, null);
      assertEquals(BLOCKS, check(values, OptimizationTarget.SMALLER, random));
      assertNotEquals(BLOCKS, check(values, OptimizationTarget.FASTER, random));
      final String coding = check(values, OptimizationTarget.FASTBUTSMALLISH, random);
      if (count == 40) {
        // A model for so few may be larger than what it saves.
        continue;
      }
      assertEquals(BLOCKS, coding);
      final StringDictionary small = StringDictionary.read("dim", write(values, OptimizationTarget.SMALLER));
      final StringDictionary fast = StringDictionary.read("dim", write(values, OptimizationTarget.FASTBUTSMALLISH));
      assertTrue(small.textsPerBucket() > fast.textsPerBucket());
    }
    final List<String> unlike = sorted(Stream.generate(() -> text(random, 1200, LETTERS)).limit(1000));
    assertNotEquals(BLOCKS, check(unlike, OptimizationTarget.FASTBUTSMALLISH, random));
    final List<String> shortOnes = sorted(IntStream.range(0, 3000).mapToObj(
        i -> "value " + i % 9 + " took " + random.nextInt() + " ms for " + text(random, 9, LETTERS)));
    assertNotEquals(BLOCKS, check(shortOnes, OptimizationTarget.FASTBUTSMALLISH, random));
  }

  @Test
  void manyThreadsReadOneDictionary(RandomData data) throws IOException {
    final List<String> values =
        sorted(IntStream.range(0, 20_000).mapToObj(i -> "value " + i * 7919 % 100_000 + " of some"));
    final StringDictionary dictionary = StringDictionary.read("dim", write(values, OptimizationTarget.SMALLER));
    assertEquals(BLOCKS, dictionary.coding().name());
    final int seed = data.nextInt(Integer.MAX_VALUE);
    IntStream.range(0, 64).parallel().forEach(thread -> {
      final Random random = new Random(seed + thread);
      final StringDictionaryReader reader = dictionary.get();
      for (int i = 0; i < 500; i++) {
        final int id = random.nextInt(values.size());
        assertEquals(values.get(id), reader.getString(id));
        assertEquals(id, reader.indexOf(StringUtils.toUtf8ByteBuffer(values.get(id))));
      }
    });
  }

  /** Eight bytes tell hardly any of them apart. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void manyTextsBeginAlike(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    for (String start : List.of("https://www.", "\0\0\0\0\0\0\0\0", "\uFFFF\uFFFF\uFFFF")) {
      check(sorted(Stream.concat(
          Stream.generate(() -> start + text(random, 12, LETTERS)).limit(4000),
          Stream.of("", "\0", "a", "https://", "https:/é", "z", "\uFFFF", "\uFFFFz")
      )), target, random);
    }
  }

  /** The order of UTF-16, in which surrogates are before U+E000. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void anyCharacters(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final int[] characters =
        {0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xF8FF, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF};
    check(sorted(Stream.generate(() -> random.ints(random.nextInt(12), 0, characters.length)
        .map(i -> characters[i])
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString()).limit(4000)), target, random);
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void textsOfAllLengths(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> values = new ArrayList<>();
    for (int length : new int[] {0, 1, 255, 256, 257, 65_535, 65_536, 3_000_000}) {
      values.add("m".repeat(length));
      values.add("n".repeat(length) + "x");
      values.add(text(random, length, LETTERS));
    }
    for (int i = 0; i < 100; i++) {
      values.add(text(random, 20, LETTERS));
    }
    check(sorted(values.stream()), target, random);
  }

  /** One long text does not take symbols from the others, unless a bucket of such texts would fill the heap. */
  @ParameterizedTest
  @EnumSource(value = OptimizationTarget.class, names = {"FASTBUTSMALLISH", "SMALLER"})
  void oneLongTextAmongMany(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> words = sorted(Stream.generate(() -> text(random, 9, "etaoinshrdlu")).limit(300));
    final List<String> phrases = sorted(Stream.generate(() -> random.ints(8, 0, words.size())
        .mapToObj(words::get)
        .collect(Collectors.joining(" "))).limit(20_000));
    assertTrue(isLearned(check(phrases, target, random)));
    final String longText = String.join(" ", Collections.nCopies(8, String.join(" ", phrases)));
    assertTrue(isLearned(codingWith(longText.substring(0, 1_500_000), phrases, target)));
    assertTrue(isLearned(codingWith(longText.substring(0, 1 << 22), phrases, target)));
    assertFalse(isLearned(codingWith(longText.substring(0, (1 << 22) + 1), phrases, target)));
  }

  private static boolean isLearned(String coding) {
    return coding.equals("front-suffix-symbols") || coding.equals(BLOCKS);
  }

  private static String codingWith(String longText, List<String> texts, OptimizationTarget target)
      throws IOException {
    final List<String> values = sorted(Stream.concat(Stream.of(longText), texts.stream()));
    final StringDictionary dictionary = StringDictionary.read("dim", write(values, target));
    int id = 0;
    for (ByteBuffer value : dictionary.get()) {
      checkValue(values.get(id++), value);
    }
    assertEquals(longText, dictionary.get().getString(values.indexOf(longText)));
    return dictionary.coding().name();
  }

  /** As of documents: all are long, and still stored in fewer bytes than they have. */
  @Test
  void allTextsAreLong(RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> values = sorted(Stream.generate(() -> text(random, 1 << 20, "etaoinshrdlu")).limit(9));
    final long bytes = values.stream().mapToLong(String::length).sum();
    assertTrue(write(values, OptimizationTarget.SMALLER).remaining() < .75 * bytes);
    check(values, OptimizationTarget.FASTBUTSMALLISH, random);
  }

  /** What all texts together do not keep of what a sample promises is not stored, nor an error for want of room. */
  @Test
  void aSampleMayPromiseTooMuch(RandomData data) throws IOException {
    final Random random = new Random(data.between(0, Integer.MAX_VALUE - 1));
    final int sampled = 1 << FrontCoding.LOG_SIZE_WITH_SYMBOLS;
    final int numBuckets = 4000;
    final int length = 64;
    final int every = numBuckets * sampled * (6 + length) / (1 << 17);
    final List<String> values = new ArrayList<>();
    for (int i = 0; i < numBuckets * sampled; i++) {
      final StringBuilder rest = new StringBuilder();
      while (rest.length() < length) {
        rest.append((char) (i / sampled % every == 0 ? 'a' : ' ' + random.nextInt(95)));
      }
      values.add(StringUtils.format("%06d%s", i, rest));
    }
    final TextSpill texts = new TextSpill(new OnHeapMemorySegmentWriteOutMedium().makeWriteOutBytes());
    for (String value : values) {
      texts.add(StringUtils.toUtf8(value));
    }
    texts.complete();
    final CodingChoice promised = CodingChoice.of(texts, OptimizationTarget.FASTBUTSMALLISH);
    final int bytes = (int) write(Integer.MAX_VALUE, values, null);
    assertTrue(write(Integer.MAX_VALUE, values, promised) > bytes);
    assertEquals(bytes, write(bytes, values, null));
    assertThrows(ColumnFormatException.class, () -> write(bytes - 1, values, null));
  }

  /** A dictionary that is too large for any coding can still be copied to another. */
  @Test
  void whatDoesNotFitIsCopied(RandomData data) throws IOException {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    final List<String> values = new ArrayList<>();
    values.add(null);
    values.addAll(sorted(Stream.generate(() -> text(random, 100, "etaoinshrdlu")).limit(99)));
    final StringDictionarySerializer small = serializer(Integer.MAX_VALUE, values);
    final long size = small.getSerializedSize();
    assertTrue(small.fitsInto(size));
    assertFalse(small.fitsInto(size - 1));
    final StringDictionarySerializer large = serializer((int) size / 2, values);
    assertFalse(large.fitsInto(Long.MAX_VALUE));
    assertThrows(ColumnFormatException.class, large::getSerializedSize);
    final StringDictionarySerializer copy = serializer(Integer.MAX_VALUE, List.of());
    large.copyTo(copy);
    assertEquals(size, copy.getSerializedSize());
  }

  private static StringDictionarySerializer serializer(int maxBytes, List<String> values) throws IOException {
    final StringDictionarySerializer serializer = new StringDictionarySerializer(
        "dim", new OnHeapMemorySegmentWriteOutMedium(), OptimizationTarget.FASTBUTSMALLISH, false, maxBytes);
    serializer.open();
    for (String value : values) {
      serializer.write(value);
    }
    return serializer;
  }

  /** Writes a dictionary as it is chosen to be, or in the best way that has room, and tells its bytes. */
  private static long write(int maxBytes, List<String> values, @Nullable CodingChoice choice) throws IOException {
    final StringDictionarySerializer serializer = serializer(maxBytes, values);
    if (choice != null) {
      serializer.complete(choice.coding());
    }
    return serializer.getSerializedSize();
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void noValuesAndNullAlone(OptimizationTarget target) throws IOException {
    check(List.of(), target, new Random(1));
    check(Collections.singletonList(null), target, new Random(1));
    check(List.of(""), target, new Random(1));
    check(Arrays.asList(null, ""), target, new Random(1));
  }

  @Test
  void nullIsFirstOrNothing() throws IOException {
    final StringDictionarySerializer serializer = new StringDictionarySerializer(
        "dim", new OnHeapMemorySegmentWriteOutMedium(), OptimizationTarget.SMALLER);
    serializer.open();
    serializer.write("a");
    assertThrows(IllegalArgumentException.class, () -> serializer.write(null));
    serializer.getSerializedSize();
    assertThrows(IllegalStateException.class, () -> serializer.write("b"));
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void damagedBytesAreReadOrRefused(OptimizationTarget target, RandomData random) throws IOException {
    checkDamage(
        sorted(IntStream.range(0, 300).mapToObj(i -> "value " + i * 7919 % 1000 + " of some")), target, random);
    checkDamage(
        sorted(IntStream.range(0, 300).mapToObj(i -> StringUtils.format("id-%05x", i * 7919))), target, random);
    checkDamage(
        sorted(IntStream.range(0, 300).mapToObj(i -> "value " + i * i + " of some " + i * 7919)), target, random);
    assertNull(StringDictionary.read("dim", ByteBuffer.wrap(write(Collections.singletonList(null), target).array()))
                   .get().getString(0));
  }

  private static void checkDamage(List<String> values, OptimizationTarget target, RandomData random)
      throws IOException {
    final byte[] intact = write(values, target).array();
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      assertThrows(ColumnFormatException.class, () -> StringDictionary.read("dim", ByteBuffer.wrap(cut)));
    }
    for (int i = 0; i < Tier.pick(1000, 20_000); i++) {
      final byte[] bytes = intact.clone();
      final int offset = i < Tier.pick(600, 3000) ? i % Math.min(600, bytes.length) : random.nextInt(bytes.length);
      bytes[offset] = (byte) random.nextInt(256);
      for (int more = 0; more < i % 4; more++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        final StringDictionaryReader reader = StringDictionary.read("dim", ByteBuffer.wrap(bytes)).get();
        for (int any = 0; any < Math.min(20, reader.size()); any++) {
          reader.getString(random.nextInt(reader.size()));
        }
        for (int id = 0; id < Math.min(1000, reader.size()); id++) {
          reader.getString(id);
        }
        reader.indexOf(StringUtils.toUtf8ByteBuffer(values.get(77)));
      } catch (ColumnFormatException e) {
        assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
      }
    }
  }
}
