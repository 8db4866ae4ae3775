// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.apache.druid.error.DruidException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RandomData.Seeded.class)
class DistinctTextsTest extends WithTemporaryFiles {
  private static void assertHolds(List<String> texts, DistinctTexts distinct, RandomData random) throws IOException {
    for (String text : texts) {
      distinct.add(text);
    }
    distinct.complete();
    assertEquals(texts.size(), distinct.size());
    for (int i = 0; i < texts.size(); i++) {
      assertEquals(texts.get(i), distinct.get(i));
      assertEquals(i, distinct.indexOf(texts.get(i)));
      final int other = random.nextInt(texts.size());
      assertEquals(texts.get(other), distinct.get(other));
    }
    assertEquals(-1, distinct.indexOf("a text that was not added"));
  }

  /** Short, empty and long ones, of one to four bytes per character; some are longer than a block. */
  private static List<String> texts(RandomData random) {
    final TreeSet<String> texts = new TreeSet<>(List.of(""));
    for (int i = 0; i < 3000; i++) {
      final StringBuilder text = new StringBuilder("same beginning ").append(random.nextInt(1000));
      final int length = random.nextInt(100) == 0 ? random.nextInt(60_000) : random.nextInt(300);
      while (text.length() < length) {
        text.appendCodePoint(random.nextInt(4) == 0 ? random.between(0x1F600, 0x1F64F) : random.between(' ', 'ÿ'));
      }
      texts.add(text.toString());
    }
    return new ArrayList<>(texts);
  }

  @Test
  void findsEachTextAndItsNumber(RandomData random) throws IOException {
    try (DistinctTexts distinct = new DistinctTexts("c", medium, folder)) {
      assertHolds(texts(random), distinct, random);
    }
  }

  @Test
  void thereMayBeNone() throws IOException {
    try (DistinctTexts distinct = new DistinctTexts("c", medium, folder)) {
      distinct.complete();
      assertEquals(0, distinct.size());
      assertEquals(-1, distinct.indexOf("a"));
    }
  }

  @Test
  void otherHashesTellTextsApart(RandomData random) throws IOException {
    final HashFunction poor = Hashing.concatenating(Hashing.adler32(), Hashing.adler32());
    final List<String> texts = texts(random);
    texts.addAll(List.of("x bbb", "x c`c"));
    assertEquals(
        poor.hashString("x bbb", StandardCharsets.UTF_8), poor.hashString("x c`c", StandardCharsets.UTF_8));
    final Iterator<HashFunction> tries = List.of(poor, poor, Hashing.sipHash24()).iterator();
    try (DistinctTexts distinct = new DistinctTexts("c", medium, folder, tries::next)) {
      assertHolds(texts, distinct, random);
    }
    assertFalse(tries.hasNext());
    try (DistinctTexts distinct = new DistinctTexts("c", medium, folder, () -> poor)) {
      for (String text : texts) {
        distinct.add(text);
      }
      assertThrows(DruidException.class, distinct::complete);
    }
  }
}
