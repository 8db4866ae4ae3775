// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.strings.TextPart;
import io.shapeshift.druid.testing.Damage;
import io.shapeshift.druid.testing.GuardedMemory;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of trigrams in a dictionary: what is in it, its size, and what damage does. */
@ExtendWith(RandomData.Seeded.class)
class TextIndexTest {
  private static final OptimizationTarget TARGET = OptimizationTarget.FASTBUTSMALLISH;
  private static final int DAMAGED = Tier.pick(3000, 300_000);

  private static int[] slots(String... texts) {
    final Trigrams trigrams = new Trigrams(16);
    for (String text : texts) {
      final byte[] bytes = ("?" + text + "?").getBytes(StandardCharsets.UTF_8);
      trigrams.add(bytes, 1, bytes.length - 1);
    }
    return Arrays.stream(trigrams.slots(), 0, trigrams.count()).sorted().toArray();
  }

  @Test
  void trigramsAreOfFoldedBytes() {
    assertArrayEquals(slots("abc", "bcd"), slots("AbcD"));
    assertArrayEquals(slots("kiss"), slots("\u212A\u0130\u017F\u017F"));
    assertArrayEquals(slots("kiss"), slots("K\u0131sS"));
    assertEquals(1, slots("\u212A\u0130\u017F").length);
    assertEquals(0, slots("", "a", "ab", "\u00E9", "\u017F\u017F").length);
    assertEquals(2, slots("\u00E9\u00E9\u00E9").length);
    assertEquals(3, slots("a", "aaaaaaaa", "@[`{").length);
    // 0x616263 times 0x9E3779B1, of whose lowest 32 bits the upper 16.
    assertArrayEquals(new int[] {(int) ((0x616263L * 0x9E3779B1L & 0xFFFF_FFFFL) >>> 16)}, slots("ABC"));
  }

  /** The index of one case finds all characters that equal an ASCII letter if case is ignored. */
  @Test
  void charactersThatEqualLettersHaveTheirTrigrams() {
    for (char c = 0x80; c < Character.MIN_SURROGATE; c++) {
      for (char letter = 'a'; letter <= 'z'; letter++) {
        if (String.valueOf(c).regionMatches(true, 0, String.valueOf(letter), 0, 1)) {
          assertArrayEquals(slots("a" + letter + "b"), slots("a" + c + "b"));
        }
      }
    }
  }

  private static List<Integer> find(StringDictionary dictionary, String part) {
    final List<Integer> found = new ArrayList<>();
    dictionary.get().find(List.of(TextPart.of(part)), true, (id, run, index) -> found.add(id));
    return found;
  }

  private static List<TextPart> parts(String... parts) {
    return Stream.of(parts).map(TextPart::of).toList();
  }

  private static void checkFound(List<String> texts, StringDictionary dictionary, String part) {
    final List<Integer> expected = IntStream.range(0, texts.size())
        .filter(id -> texts.get(id) != null && texts.get(id).contains(part))
        .boxed()
        .toList();
    assertEquals(expected, find(dictionary, part), part);
  }

  private static List<String> sorted(int size, Supplier<String> texts) {
    final TreeSet<String> set = new TreeSet<>();
    while (set.size() < size) {
      set.add(texts.get());
    }
    return new ArrayList<>(set);
  }

  private static List<String> urls(RandomData random, int size) {
    final List<String> words = Stream.generate(() -> letters(random, "etaoinshrdlucmfw", 4, 9)).limit(500).toList();
    return sorted(size, () -> "https://www." + random.oneOf(words) + ".example/" + random.oneOf(words) + "/"
        + random.oneOf(words) + "-" + random.oneOf(words) + "?id=" + random.nextInt(100_000));
  }

  private static String letters(RandomData random, String letters, int least, int most) {
    final StringBuilder text = new StringBuilder();
    for (int i = random.between(least, most); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void findsTextsOfAllGroups(OptimizationTarget target, RandomData random) throws IOException {
    for (int size : new int[] {1, 2, 15, 16, 17, 128, 1000, 1001, 4096}) {
      final List<String> texts = sorted(size, () -> "-" + letters(random, "abcdefghij", 0, 30) + "-");
      for (int groupBytes : new int[] {1, 100, 5000, 1 << 30}) {
        final StringDictionary dictionary = TextIndexes.read(TextIndexes.encode(texts, target, groupBytes));
        TextIndexCheck.check(dictionary, new OnHeapMemorySegmentWriteOutMedium());
        assertNotNull(dictionary.textIndex());
        for (int i = 0; i < 30; i++) {
          final String text = random.oneOf(texts);
          final int from = random.nextInt(text.length());
          checkFound(texts, dictionary, text.substring(from, random.between(from + 1, text.length())));
        }
        checkFound(texts, dictionary, texts.get(0));
        checkFound(texts, dictionary, texts.get(size - 1));
        checkFound(texts, dictionary, "zzz");
      }
    }
  }

  @Test
  void unusualTexts() throws IOException {
    for (List<String> texts : List.of(
        List.of("a"),
        List.of("", "a", "ab", "abc"),
        Arrays.asList(null, "", "abc"),
        List.of("\u00E9\u4E2D\uD83D\uDE00", "\uD83D\uDE00\uD83D\uDE01"),
        List.of("x".repeat(1 << 20), "x".repeat(1 << 20) + "yz")
    )) {
      final StringDictionary dictionary = TextIndexes.read(TextIndexes.encode(texts, TARGET, 1));
      assertNotNull(dictionary.textIndex());
      TextIndexCheck.check(dictionary, new OnHeapMemorySegmentWriteOutMedium());
      for (String part : List.of("a", "ab", "abc", "xyz", "\u4E2D", "\uD83D\uDE00", "\uD83D\uDE01", "yz", "zz")) {
        checkFound(texts, dictionary, part);
      }
    }
    for (List<String> texts : List.of(List.<String>of(), List.of(""), Collections.<String>singletonList(null))) {
      final byte[] bytes = TextIndexes.encode(texts, TARGET, 1);
      assertArrayEquals(TextIndexes.encode(texts, TARGET, null), bytes);
      assertEquals(List.of(), find(TextIndexes.read(bytes), "abc"));
    }
  }

  @Test
  void fewGroupsAreSearched(RandomData random) {
    final List<String> texts = urls(random, 20_000);
    final byte[] plain = TextIndexes.encode(texts, TARGET, null);
    final byte[] indexed = TextIndexes.encode(texts, TARGET, TextIndexWriter.Limits.DEFAULT);
    final TextIndex index = TextIndexes.read(indexed).textIndex();
    final long bytes = texts.stream().mapToLong(String::length).sum();
    assertTrue(index.sizeInBytes() <= bytes * 3 / 10, index.sizeInBytes() + " of " + bytes);
    assertEquals(plain.length + index.sizeInBytes(), indexed.length, 5);
    assertTrue(index.numGroups() > 300, index.numGroups() + " groups");
    final TextIndexReader reader = index.reader();
    int searched = 0;
    for (int i = 0; i < 100; i++) {
      final String text = random.oneOf(texts);
      final BitSet groups = reader.find(parts(text.substring(text.length() - 16)));
      assertTrue(groups.cardinality() >= 1 && groups.cardinality() < index.numGroups() / 2, groups::toString);
      searched += groups.cardinality();
    }
    assertTrue(searched < 100 * index.numGroups() / 8, searched + " groups");
    assertNull(reader.find(parts("ht")));
    assertNull(reader.find(parts("https://")));
    // Slots have several trigrams, but hardly these together.
    assertEquals(new BitSet(), reader.find(parts("~{|}~}|{~~{{||}}")));
  }

  @Test
  void groupsHaveAllParts(RandomData random) {
    final List<String> texts = urls(random, 20_000);
    final StringDictionary dictionary = TextIndexes.read(TextIndexes.encode(texts, TARGET, 100));
    final TextIndexReader reader = dictionary.textIndex().reader();
    int ofOne = 0;
    int ofBoth = 0;
    for (int i = 0; i < 100; i++) {
      final String text = random.oneOf(texts);
      final String[] words = text.substring(text.indexOf(".example/") + 9, text.indexOf("?id=")).split("[/-]");
      ofOne += Math.min(reader.find(parts(words[0])).cardinality(), reader.find(parts(words[1])).cardinality());
      final BitSet groups = reader.find(parts(words[0], words[1]));
      assertEquals(groups, reader.find(parts(words[1], words[0])));
      ofBoth += groups.cardinality();
      final List<String> found = new ArrayList<>();
      dictionary.get().find(parts(words[0], words[1]), false, (id, run, index) -> found.add(run.string(index)));
      assertTrue(
          found.containsAll(texts.stream().filter(one -> one.contains(words[0]) && one.contains(words[1])).toList()),
          text);
    }
    assertTrue(ofBoth * 4 < ofOne, ofBoth + " groups for both parts, " + ofOne + " for one");
  }

  /** Texts are searched for the part with the shortest list, and without an index for the longest part. */
  @Test
  void theRarestPartIsSearched(RandomData random) {
    final List<String> texts = new ArrayList<>(urls(random, 5000));
    texts.add("https://www.qzjvxk/");
    for (boolean isIndexed : new boolean[] {false, true}) {
      final StringDictionary dictionary = TextIndexes.read(
          TextIndexes.encode(texts, TARGET, isIndexed ? TextIndexWriter.Limits.DEFAULT : null));
      final List<Integer> found = new ArrayList<>();
      dictionary.get().find(parts("qzjvxk", "https://", "/"), false, (id, run, index) -> found.add(id));
      assertTrue(found.contains(5000));
      assertEquals(isIndexed, found.size() == 1, found.size() + " texts");
    }
  }

  /** Limits of the size hold, whatever the texts are. */
  @ParameterizedTest
  @ValueSource(strings = {"ab", "0123456789abcdef", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP+/"})
  void textsOfRandomLetters(String alphabet, RandomData random) {
    for (int length : new int[] {8, 24, 200}) {
      final List<String> texts =
          sorted(3000, () -> letters(random, alphabet, length, 2 * length) + random.nextInt(1 << 20));
      final TextIndex index =
          TextIndexes.read(TextIndexes.encode(texts, TARGET, TextIndexWriter.Limits.DEFAULT)).textIndex();
      final long bytes = texts.stream().mapToLong(String::length).sum();
      assertTrue(index == null || index.sizeInBytes() <= bytes * 3 / 10, index + " of " + bytes);
    }
    final List<String> few = List.of("a few texts", "have no index");
    assertArrayEquals(
        TextIndexes.encode(few, TARGET, null), TextIndexes.encode(few, TARGET, TextIndexWriter.Limits.DEFAULT));
  }

  @Test
  void damagedIndexesAreReadOrRefused(RandomData random) throws IOException {
    final List<String> texts = urls(random, 600);
    final byte[] intact = TextIndexes.encode(texts, TARGET, 200);
    final byte[] others = TextIndexes.encode(urls(random, 600), TARGET, 200);
    final int start = intact.length - TextIndexes.read(intact).textIndex().sizeInBytes();
    final GuardedMemory memory = new GuardedMemory(intact.length);
    int refused = 0;
    for (int i = 0; i < DAMAGED; i++) {
      final byte[] index = Damage.any(
          Arrays.copyOfRange(intact, start, intact.length), Arrays.copyOfRange(others, start, others.length), random);
      final byte[] bytes = Arrays.copyOf(intact, start + index.length);
      System.arraycopy(index, 0, bytes, start, index.length);
      final ByteBuffer buffer = memory.put(bytes, (byte) i, ByteOrder.BIG_ENDIAN);
      try {
        final StringDictionary dictionary = StringDictionary.read("c", buffer);
        for (int search = 0; search < 20; search++) {
          final String text = random.oneOf(texts);
          final int from = random.nextInt(text.length() - 3);
          final String part = text.substring(from, Math.min(text.length(), from + random.between(3, 12)));
          for (int id : find(dictionary, part)) {
            assertTrue(texts.get(id).contains(part));
          }
        }
        TextIndexCheck.check(dictionary, new OnHeapMemorySegmentWriteOutMedium());
      } catch (ColumnFormatException e) {
        assertTrue(e.getMessage().startsWith("Column[c]"), e.getMessage());
        refused++;
      }
    }
    assertTrue(refused > DAMAGED / 2, refused + " of " + DAMAGED);
  }

  @Test
  void contradictionsAreNamed() {
    final List<String> texts = IntStream.range(100, 164).mapToObj(i -> "text " + i).toList();
    final byte[] intact = TextIndexes.encode(texts, TARGET, 100);
    final int start = intact.length - TextIndexes.read(intact).textIndex().sizeInBytes();
    refuse(intact, start, 31, "logGroup at offset 0 of the text index of its dictionary is 31, expected 0 to 30");
    refuse(intact, start + 1, 7, "logSlots at offset 1 of the text index of its dictionary is 7, expected 8 to 16");
    refuse(intact, start + 1, 9, "the lists of the text index of its dictionary take ");
    refuse(intact, 0, 2, "the version at offset 0 of its dictionary is 2, this druid-shapeshift knows 1");
    refuse(intact, 2, 4, "flags at offset 2 of its dictionary is 4, expected 0 to 3");
  }

  private static void refuse(byte[] intact, int offset, int value, String message) {
    final byte[] bytes = intact.clone();
    bytes[offset] = (byte) value;
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> TextIndexes.read(bytes));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void theCheckFindsMissingAndOtherGroups() throws IOException {
    final List<String> texts = IntStream.range(100, 164).mapToObj(i -> "text " + i).toList();
    final byte[] bytes = TextIndexes.encode(texts, TARGET, 1);
    final int size = TextIndexes.read(bytes).textIndex().sizeInBytes();
    int missing = 0;
    int other = 0;
    for (int bit = (bytes.length - size) * Byte.SIZE; bit < bytes.length * Byte.SIZE; bit++) {
      final byte[] damaged = bytes.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      try {
        TextIndexCheck.check(TextIndexes.read(damaged), new OnHeapMemorySegmentWriteOutMedium());
      } catch (ColumnFormatException e) {
        final String message = e.getMessage();
        missing += message.contains(" is not in the list of slot ") && message.contains(", whose trigrams it has") ? 1
            : 0;
        other += message.contains(" is in the list of slot ") && message.contains(", whose trigrams it does not have")
            ? 1 : 0;
      }
    }
    assertTrue(missing > 10 && other > 10, missing + " and " + other);
  }

  /** Lists of all groups take few bits. */
  @Test
  void theCheckOfManyGroupsSpillsFewBytes() throws IOException {
    final List<String> texts = IntStream.range(1000, 3000).mapToObj(i -> "text " + i).toList();
    final byte[] plain = TextIndexes.encode(texts, TARGET, null);
    final int logSlots = TextIndex.MOST_LOG_SLOTS;
    final GroupLists.Writer lists = new GroupLists.Writer(new OnHeapMemorySegmentWriteOutMedium(), texts.size());
    final int[] all = IntStream.range(0, texts.size()).toArray();
    for (int slot = 0; slot < 1 << logSlots; slot++) {
      lists.add(all, all.length);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final StringDictionaryHeader header =
        StringDictionaryHeader.read("c", ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN));
    out.writeBytes(header.withTextIndex((int) lists.sizeInBytes() + TextIndex.FIXED_BYTES).toBytes().array());
    out.write(plain, header.size(), plain.length - header.size());
    out.writeBytes(new byte[] {0, (byte) logSlots});
    lists.writeTo(Channels.newChannel(out));
    final StringDictionary dictionary = TextIndexes.read(out.toByteArray());
    try (MeasuredMedium medium = new MeasuredMedium()) {
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> TextIndexCheck.check(dictionary, medium));
      assertTrue(e.getMessage().contains("group 0 of 2000 is in the list of slot "), e.getMessage());
      // The trigrams of each text, in three bytes, and the ends of each group.
      final int most = 3 * texts.stream().mapToInt(text -> text.length()).sum();
      assertTrue(medium.numBytes() <= most, medium.numBytes() + " of " + most);
    }
  }

  /** The estimate of the size may be too low: attempts to write an index that is too large leave nothing. */
  @Test
  void attemptsLeaveNoBytes(RandomData random) throws IOException {
    int refused = 0;
    for (int percent = 10; percent < 60; percent++) {
      try (MeasuredMedium medium = new MeasuredMedium()) {
        final TextSpill texts = new TextSpill(medium.makeWriteOutBytes());
        for (String text : urls(random, 500)) {
          texts.add(text.getBytes(StandardCharsets.UTF_8));
        }
        texts.complete();
        final long before = medium.numBytes();
        final TextIndexWriter index =
            TextIndexWriter.build("c", medium, texts, new TextIndexWriter.Limits(1, 100, percent, 0));
        final long most = index == null ? 0 : index.sizeInBytes();
        assertTrue(medium.numBytes() <= before + most, medium.numBytes() + " after " + before + " and " + most);
        // One child was temporary, and one has the index.
        refused += medium.numChildren() > (index == null ? 1 : 2) ? 1 : 0;
      }
    }
    assertTrue(refused > 0, refused + " had an attempt that was too large");
  }

  @Test
  void textsAreWrittenWithoutAnIndexThatIsTooLarge() throws IOException {
    final List<String> texts = IntStream.range(1000, 9000).mapToObj(i -> "text " + i).toList();
    final MeasuredMedium medium = new MeasuredMedium() {
      @Override
      public SegmentWriteOutMedium makeChildWriteOutMedium() {
        throw new ArithmeticException("integer overflow");
      }
    };
    final StringDictionarySerializer writer = new StringDictionarySerializer("c", medium, TARGET, true);
    writer.open();
    for (String text : texts) {
      writer.write(text);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(writer.fitsInto(writer.getSerializedSize()));
    writer.writeTo(Channels.newChannel(out), null);
    assertArrayEquals(TextIndexes.encode(texts, TARGET, null), out.toByteArray());
  }
}
