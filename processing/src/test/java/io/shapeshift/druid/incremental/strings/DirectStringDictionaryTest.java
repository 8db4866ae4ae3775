// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.error.DruidException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Strings are returned unchanged, have one id each, and are sorted as the JVM does. */
@ExtendWith(RandomData.Seeded.class)
class DirectStringDictionaryTest {
  private final DirectMemory memory = new DirectMemory();
  private final Texts texts = new Texts(memory);
  private final DirectStringDictionary dictionary = new DirectStringDictionary(memory, texts);

  @AfterEach
  void free() {
    memory.freeAll();
  }

  static Stream<List<String>> hardTexts() {
    final String long1 = "ab".repeat(40_000);
    return Stream.of(
        List.of(),
        List.of(""),
        // Zeros beside nothing, in and between blocks.
        IntStream.range(0, 300).mapToObj(i -> "\0".repeat(i)).toList(),
        IntStream.range(0, 300).mapToObj(i -> "key" + "\0".repeat(i % 150) + (i < 150 ? "" : "x")).toList(),
        // Of one and of two bytes, which begin alike.
        IntStream.range(0, 400).mapToObj(i -> "x".repeat(i / 4) + (char) (0xFE + i % 4)).toList(),
        // Halves of surrogate pairs, and what comes before and after them.
        IntStream.range(0xD7F0, 0xE010).mapToObj(i -> "s" + (char) i).toList(),
        // What is the same for long, in more than are compared one by one.
        IntStream.range(0, 60).mapToObj(i -> long1 + (char) ('a' + i)).toList(),
        // All of one hash.
        IntStream.range(0, 1 << 10).mapToObj(DirectStringDictionaryTest::ofOneHash).toList(),
        IntStream.range(0, 20_000).mapToObj(i -> "value " + i * 7_919L % 100_000_007L).toList()
    );
  }

  /** "Aa" and "BB" have the same hash. */
  private static String ofOneHash(int number) {
    final StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("hardTexts")
  void hardTextsAreKept(List<String> all) {
    check(all, all.size() / 2);
    check(all, -1);
  }

  @Test
  void randomTextsAreKept(RandomData random) {
    for (int round = 0; round < 50; round++) {
      final int chars = random.oneOf(List.of(2, 20, 300, 0xFFFF));
      final List<String> all = new ArrayList<>();
      for (int i = random.nextInt(3_000); i > 0; i--) {
        final StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "some prefix " : "");
        for (int j = random.nextInt(12); j > 0; j--) {
          text.append((char) random.nextInt(chars));
        }
        all.add(text.toString());
      }
      check(all.stream().distinct().toList(), random.nextInt(all.size() + 1) - 1);
    }
  }

  /** Adds all strings twice, with null before one of them, and checks the dictionary. */
  private void check(List<String> all, int nullPlace) {
    final DirectStringDictionary tried = new DirectStringDictionary(memory, texts);
    final List<String> expected = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i == nullPlace) {
        assertEquals(expected.size(), tried.addNull());
        expected.add(null);
      }
      assertEquals(DirectStringDictionary.ABSENT, tried.find(all.get(i)));
      assertEquals(expected.size(), tried.add(all.get(i)));
      expected.add(all.get(i));
    }
    assertEquals(expected.size(), tried.size());
    for (int id = 0; id < expected.size(); id++) {
      final String text = expected.get(id);
      assertEquals(text, tried.get(id));
      assertEquals(id, tried.find(text));
      assertEquals(id, text == null ? tried.addNull() : tried.add(text));
    }
    assertEquals(expected.indexOf(null), tried.nullId());
    final List<String> sorted = new ArrayList<>(expected);
    sorted.sort(Comparator.nullsFirst(Comparator.naturalOrder()));
    final int[] order = tried.sort();
    assertEquals(sorted, Arrays.stream(order).mapToObj(tried::get).toList());
    for (int i = 1; i < order.length; i++) {
      assertEquals(-1, Integer.signum(tried.compare(order[i - 1], order[i])));
      assertEquals(1, Integer.signum(tried.compare(order[i], order[i - 1])));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> tried.get(expected.size()));
    assertThrows(IndexOutOfBoundsException.class, () -> tried.get(-1));
  }

  @Test
  void nothingTakesNothing() {
    assertEquals(DirectStringDictionary.ABSENT, dictionary.find(null));
    assertEquals(DirectStringDictionary.ABSENT, dictionary.find(""));
    assertEquals(0, dictionary.sort().length);
    assertEquals(0, memory.bytes());
  }

  /** Many dimensions of few values each are usual. */
  @Test
  void fewStringsTakeLittle() {
    dictionary.addNull();
    for (int i = 0; i < 60; i++) {
      dictionary.add("v" + i);
    }
    final long first = memory.bytes();
    final DirectStringDictionary other = new DirectStringDictionary(memory, texts);
    for (int i = 0; i < 60; i++) {
      other.add("v" + i);
    }
    assertEquals(1_280, memory.bytes() - first);
  }

  /** Running out of memory leaves the dictionary as it was, whichever allocation fails. */
  @Test
  void withoutMemoryNothingChanges() {
    final AtomicBoolean isOut = new AtomicBoolean();
    final DirectMemory scarce = new DirectMemory() {
      @Override
      protected ByteBuffer newBuffer(int size) {
        if (isOut.get()) {
          throw new OutOfMemoryError("none in a test");
        }
        return super.newBuffer(size);
      }
    };
    final DirectStringDictionary tried = new DirectStringDictionary(scarce, new Texts(scarce));
    int failures = 0;
    for (int i = 0; i < 20_000; i++) {
      final String text = "a text of thirty chars, about " + i;
      isOut.set(true);
      final int size = tried.size();
      try {
        tried.add(text);
      } catch (DruidException e) {
        failures++;
        assertEquals(size, tried.size());
        assertEquals(DirectStringDictionary.ABSENT, tried.find(text));
      }
      isOut.set(false);
      assertEquals(i, tried.add(text));
    }
    assertEquals(20_000, Arrays.stream(tried.sort()).distinct().count());
    assertEquals("a text of thirty chars, about 19999", tried.get(19_999));
    // Once for the first string, six times for larger addresses and four for more, 14 for tables, 17 for texts.
    assertEquals(42, failures);
    scarce.freeAll();
  }

  /** Readers find and read every string that they know of, while the table and the addresses grow. */
  @Test
  void readersFindWhatIsThere() {
    final AtomicBoolean isDone = new AtomicBoolean();
    final List<CompletableFuture<Integer>> readers = IntStream.range(0, 2)
        .mapToObj(reader -> CompletableFuture.supplyAsync(() -> {
          int read = 0;
          for (int i = reader; !isDone.get() || read < 1_000; i++) {
            final int known = dictionary.size();
            if (known > 0) {
              final int id = (int) (i * 7_919L % known);
              assertEquals("text " + id, dictionary.get(id));
              assertEquals(id, dictionary.find("text " + id));
              read++;
            }
          }
          return read;
        }))
        .toList();
    for (int i = 0; i < 200_000; i++) {
      dictionary.add("text " + i);
    }
    isDone.set(true);
    readers.forEach(CompletableFuture::join);
    assertEquals(200_000, dictionary.size());
  }
}
