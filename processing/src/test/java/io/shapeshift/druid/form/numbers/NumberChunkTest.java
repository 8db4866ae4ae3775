// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.numbers.frame.Framed;
import io.shapeshift.druid.form.numbers.raw.RawForm;
import io.shapeshift.druid.testing.NumberData;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberChunkTest {
  @ParameterizedTest
  @CsvSource({"LONG, 8192", "DOUBLE, 8192", "FLOAT, 16384"})
  void fillsUpAndCanBeFilledAgain(NumberType type, int capacity) {
    final NumberChunk chunk = new NumberChunk(type);
    assertEquals(capacity, type.maxValuesPerChunk());
    for (int i = 0; i < capacity; i++) {
      assertFalse(chunk.isFull());
      chunk.add(i);
    }
    assertTrue(chunk.isFull());
    assertEquals(
        "The chunk is full, with " + capacity + " values",
        assertThrows(IllegalStateException.class, () -> chunk.add(1)).getMessage());
    assertEquals(capacity, chunk.size());
    chunk.clear();
    assertEquals(0, chunk.size());
    chunk.add(5);
    assertEquals(1, chunk.size());
    assertEquals(5, chunk.bits()[0]);
  }

  @Test
  void whatIsKnownIsFoundOutOnceForEachFilling() {
    final NumberChunk chunk = new NumberChunk(NumberType.LONG);
    chunk.add(7);
    final Framed framed = NumberForms.LINEAR.framed(chunk);
    assertSame(framed, NumberForms.LINEAR.framed(chunk));
    assertEquals(1, framed.ints().size());
    final NumberForm form = new RawForm();
    final AtomicInteger calls = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      assertEquals(1, chunk.findings().once(form, Integer.class, calls::incrementAndGet));
    }
    chunk.add(1L << 60);
    assertEquals(2, chunk.findings().once(form, Integer.class, calls::incrementAndGet));
    assertEquals(2, NumberForms.LINEAR.framed(chunk).ints().size());
    Arrays.setAll(chunk.startFilling(3), i -> Long.MIN_VALUE * (i & 1) + i * 3L + (long) i * i);
    assertNull(NumberForms.LINEAR.framed(chunk));
    assertNull(NumberForms.LINEAR.framed(chunk), "asked again");
    chunk.clear();
    chunk.add(2);
    assertEquals(3, chunk.findings().once(form, Integer.class, calls::incrementAndGet));
    assertNotNull(NumberForms.LINEAR.framed(chunk));
  }

  /** As the ints of the fastest frame do; where there is none, parts may have one. */
  @Test
  void variesAsItsIntsDo() {
    final NumberChunk constant = chunk(NumberType.LONG, IntStream.range(0, 4096).mapToLong(i -> 1L << 40).toArray());
    assertFalse(NumberForms.varies(constant, 1024));
    final NumberChunk blocks =
        chunk(NumberType.LONG, IntStream.range(0, 4096).mapToLong(i -> i / 1024 * 1_000_000L + i % 5).toArray());
    assertTrue(NumberForms.varies(blocks, 1024));
    final NumberChunk decimals = chunk(
        NumberType.DOUBLE, IntStream.range(0, 4096).mapToLong(i -> NumberData.bits(NumberType.DOUBLE, 0.1)).toArray());
    assertFalse(NumberForms.varies(decimals, 1024));
    final NumberChunk noFrame = chunk(
        NumberType.DOUBLE, IntStream.range(0, 4096).mapToLong(i -> NumberData.bits(NumberType.DOUBLE, Math.sqrt(i)))
            .toArray());
    assertTrue(NumberForms.varies(noFrame, 1024));
  }

  private static NumberChunk chunk(NumberType type, long[] bits) {
    final NumberChunk chunk = new NumberChunk(type);
    Arrays.stream(bits).forEach(chunk::add);
    return chunk;
  }

  // Numbers that wait

  @Test
  void asManyNumbersWaitAsOneChunkMayHave() {
    final BufferedNumbers buffered = new BufferedNumbers(NumberType.LONG, 2048);
    for (int i = 0; i < 2048; i++) {
      assertTrue(buffered.add(-i));
    }
    assertFalse(buffered.add(1));
    assertEquals(2048, buffered.size());
    final NumberChunk chunk = buffered.chunk(1500, 500);
    assertEquals(500, chunk.size());
    for (int i = 0; i < 500; i++) {
      assertEquals(-1500 - i, chunk.bits()[i]);
    }
  }

  /** Chunks do not go across the borders of larger ones. */
  @Test
  void fewerNumbersWaitWhereTheFirstIsNotAtABorder() {
    final BufferedNumbers buffered = new BufferedNumbers(NumberType.LONG, 16);
    IntStream.range(0, 16).forEach(i -> assertTrue(buffered.add(i)));
    buffered.removeFirst(12, 12);
    assertEquals(4, buffered.size());
    assertFalse(buffered.add(16), "behind the border");
    buffered.removeFirst(4, 16);
    IntStream.range(16, 32).forEach(i -> assertTrue(buffered.add(i)));
    assertFalse(buffered.add(32));
    assertEquals(16, buffered.chunk(0, 16).bits()[0]);
    buffered.release();
  }
}
