// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A search in buckets finds the texts that {@link String#contains} finds, without symbols and with any symbols. */
@ExtendWith(RandomData.Seeded.class)
class FrontCodedSearchTest {
  private static final int ROUNDS = Tier.pick(300, 20_000);
  private static final int PARTS = 20;
  private static final int START = 5;
  private static final int FIRST_ID = 1000;
  /** Few letters, so that parts are often found, and start within prefixes; the last two are outside ASCII. */
  private static final List<String> LETTERS = List.of("a", "b", "B", "c", "K", "i", "ab", "abc", "@", "é", "中");

  private static String text(RandomData random, int maxLetters, int numLetters) {
    final StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(maxLetters + 1); left > 0; left--) {
      text.append(LETTERS.get(random.nextInt(numLetters)));
    }
    return text.toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Symbols that are parts of texts, or bytes that hardly any text has. */
  private static SymbolTable symbols(RandomData random, List<String> texts) {
    final TreeSet<String> chosen = new TreeSet<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      final byte[] text = utf8(texts.get(random.nextInt(texts.size())));
      if (text.length > 0) {
        final int from = random.nextInt(text.length);
        final int length = 1 + random.nextInt(Math.min(SymbolTable.MAX_LENGTH, text.length - from));
        chosen.add(new String(text, from, length, StandardCharsets.ISO_8859_1));
      }
    }
    final List<String> symbols = new ArrayList<>(chosen);
    final long[] words = new long[symbols.size()];
    for (int code = 0; code < words.length; code++) {
      for (int i = 0; i < symbols.get(code).length(); i++) {
        words[code] |= (long) symbols.get(code).charAt(i) << (Byte.SIZE * i);
      }
    }
    return new SymbolTable(words.length, words, symbols.stream().mapToInt(String::length).toArray());
  }

  private static ByteBuffer encode(List<String> texts, FrontCoding coding) {
    final byte[][] padded =
        texts.stream().map(FrontCodedSearchTest::utf8).map(text -> Arrays.copyOf(text, text.length + 8)).toArray(
            byte[][]::new);
    final int[] lengths = texts.stream().mapToInt(text -> utf8(text).length).toArray();
    final BucketWriter writer = coding.writer();
    final int size = writer.encode(padded, lengths, lengths.length);
    return ByteBuffer.allocateDirect(START + size + FrontCodedBucket.SLACK)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(START, writer.bytes(), 0, size)
        .limit(START + size);
  }

  private static TextRun search(
      ByteBuffer bucket, int count, FrontCoding coding, TextPart part, boolean isExact, boolean learns) {
    final BucketSearch search = coding.reader(bucket).search(part, isExact);
    if (learns) {
      search.learn(START, bucket.limit(), count);
    }
    final TextRun run = new TextRun();
    run.setNextId(FIRST_ID);
    search.find(START, bucket.limit(), count, run);
    assertEquals(FIRST_ID + count, run.nextId());
    return run;
  }

  private static TextPart part(String text, boolean ignoresCase) {
    return ignoresCase ? TextPart.ignoringCase(text) : TextPart.of(text);
  }

  private static void check(List<String> texts, ByteBuffer bucket, FrontCoding coding, String sought, boolean learns) {
    for (boolean ignoresCase : new boolean[] {false, true}) {
      if (ignoresCase && sought.chars().anyMatch(letter -> letter > 127)) {
        continue;
      }
      for (boolean isExact : new boolean[] {false, true}) {
        final TextPart part = part(sought, ignoresCase);
        final boolean hasOthers = part.hasForeignEquals() && texts.stream().anyMatch(text -> !isAscii(text));
        final boolean isCut = part.utf8().length > PartFinder.MAX_LENGTH;
        final TextRun run = search(bucket, texts.size(), coding, part, isExact, learns);
        final List<Integer> found = IntStream.range(0, run.count()).mapToObj(run::id).toList();
        final List<Integer> expected = IntStream.range(0, texts.size())
            .filter(index -> hasOthers || lower(texts.get(index), ignoresCase).contains(lower(sought, ignoresCase)))
            .mapToObj(index -> FIRST_ID + index)
            .toList();
        assertTrue(isCut ? found.containsAll(expected) : found.equals(expected), () -> sought + " in " + texts);
        for (int index = 0; index < run.count(); index++) {
          assertEquals(
              isExact && !isCut && !hasOthers ? lower(sought, ignoresCase) : texts.get(run.id(index) - FIRST_ID),
              run.string(index)
          );
        }
      }
    }
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(letter -> letter < 128);
  }

  private static String lower(String text, boolean ignoresCase) {
    return ignoresCase ? text.toLowerCase(Locale.ROOT) : text;
  }

  private static List<String> texts(RandomData random, int numLetters) {
    final String prefix = text(random, 8, numLetters);
    final TreeSet<String> texts = new TreeSet<>();
    final int count = 1 + random.nextInt(16);
    while (texts.size() < count) {
      texts.add((random.nextInt(4) == 0 ? "" : prefix) + text(random, 20, numLetters));
    }
    return new ArrayList<>(texts);
  }

  private static String sought(RandomData random, List<String> texts, int numLetters) {
    final String text = texts.get(random.nextInt(texts.size()));
    if (random.nextInt(3) == 0 || text.isEmpty()) {
      return text(random, 3, numLetters) + LETTERS.get(random.nextInt(numLetters));
    }
    final int from = random.nextInt(text.length());
    return text.substring(from, from + 1 + random.nextInt(text.length() - from));
  }

  @Test
  void findsWhatStringsContain(RandomData random) {
    for (int round = 0; round < ROUNDS; round++) {
      final int numLetters = LETTERS.size() - (random.nextInt(2) == 0 ? 2 : 0);
      final List<String> texts = texts(random, numLetters);
      @Nullable final SymbolTable symbols = random.nextInt(3) == 0 ? null : symbols(random, texts);
      final FrontCoding coding = new FrontCoding(symbols);
      final ByteBuffer bucket = encode(texts, coding);
      for (int i = 0; i < PARTS; i++) {
        check(texts, bucket, coding, sought(random, texts, numLetters), random.nextInt(2) == 0);
      }
    }
  }

  @Test
  void damagedBucketsFailOrFindSomething(RandomData random) {
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      final int numLetters = LETTERS.size();
      final List<String> texts = texts(random, numLetters);
      final FrontCoding coding = new FrontCoding(random.nextInt(3) == 0 ? null : symbols(random, texts));
      final ByteBuffer bucket = encode(texts, coding);
      for (int i = 0; i < PARTS; i++) {
        final int at = START + random.nextInt(bucket.limit() - START);
        final byte before = bucket.get(at);
        bucket.put(at, (byte) random.nextInt(256));
        try {
          final TextPart part = part(sought(random, texts, numLetters), random.nextInt(2) == 0);
          assertTrue(search(bucket, texts.size(), coding, part, random.nextInt(2) == 0, true).count() <= texts.size());
        } catch (MalformedChunkException e) {
          failed++;
        }
        if (random.nextInt(2) == 0) {
          bucket.put(at, before);
        }
      }
    }
    assertTrue(failed > ROUNDS, failed + " failed");
  }
}
