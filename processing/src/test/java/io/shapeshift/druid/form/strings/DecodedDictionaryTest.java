// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.StringUtils;
import org.junit.jupiter.api.Test;

/** Native memory of decoded dictionaries is bounded without garbage collection. */
class DecodedDictionaryTest {
  private static final int MODELS = 2000;
  private static final int CONTENT = 1 << 15;

  private static byte[][] texts() {
    return IntStream.range(0, 32)
                    .mapToObj(i -> StringUtils.format("some words of value %05d, and more of them", i * 7))
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
  }

  /** Without zstd's magic number, any bytes are a dictionary. */
  private static BlockCoding model() {
    final byte[] content = Arrays.copyOf("words of value".getBytes(StandardCharsets.UTF_8), CONTENT);
    return new BlockCoding(5, 3, ByteBuffer.wrap(content));
  }

  private static ByteBuffer bucket(byte[][] texts, BlockCoding model) {
    try (BlockBucket.Writer writer = new BlockBucket.Writer(model)) {
      final int size = writer.encode(texts, Arrays.stream(texts).mapToInt(text -> text.length).toArray(), texts.length);
      return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(0, writer.bytes(), 0, size);
    }
  }

  private static void check(byte[][] texts, ByteBuffer bucket, BlockCoding model) {
    final BlockBucket.Reader reader = new BlockBucket.Reader(bucket, model);
    final int length = reader.read(0, bucket.limit(), texts.length, 17);
    assertArrayEquals(texts[17], Arrays.copyOf(reader.text(), length));
  }

  @Test
  void scansOfManyDictionariesByManyThreads() {
    final byte[][] texts = texts();
    final ByteBuffer bucket = bucket(texts, model());
    final List<BlockCoding> models = IntStream.range(0, MODELS).mapToObj(i -> model()).toList();
    final int mostInUse = Runtime.getRuntime().availableProcessors() + 1;
    for (int scan = 0; scan < 2; scan++) {
      models.parallelStream().forEach(model -> {
        check(texts, bucket, model);
        final long bytes = DecodedDictionary.nativeBytes();
        assertTrue(bytes <= BlockCoding.MAX_DECODED_BYTES + mostInUse * 4L * CONTENT, () -> bytes + " bytes");
      });
    }
    assertTrue(DecodedDictionary.nativeBytes() <= BlockCoding.MAX_DECODED_BYTES);
    // Most have been evicted, and decode their dictionaries again.
    models.forEach(model -> check(texts, bucket, model));
  }

  @Test
  void memoryIsFreedWhenTheLastUserLeaves() {
    final long before = DecodedDictionary.nativeBytes();
    final DecodedDictionary.Cache cache = new DecodedDictionary.Cache(1);
    final DecodedDictionary first = cache.decode(new byte[CONTENT]);
    final long one = DecodedDictionary.nativeBytes() - before;
    assertTrue(one > CONTENT);
    final DecodedDictionary second = cache.decode(new byte[CONTENT]);
    assertEquals(2 * one, DecodedDictionary.nativeBytes() - before);
    assertTrue(first.acquire());
    first.release();
    first.release();
    assertEquals(one, DecodedDictionary.nativeBytes() - before);
    assertFalse(first.acquire());
    second.release();
    assertTrue(second.acquire());
    second.release();
    assertEquals(one, DecodedDictionary.nativeBytes() - before);
  }

  /** Dictionaries that are used stay, and those that are not make room. */
  @Test
  void usedDictionariesStay() {
    final DecodedDictionary.Cache cache = new DecodedDictionary.Cache(1 << 18);
    final DecodedDictionary used = cache.decode(new byte[CONTENT]);
    final DecodedDictionary other = cache.decode(new byte[CONTENT]);
    used.release();
    other.release();
    for (int i = 0; i < 100; i++) {
      cache.decode(new byte[CONTENT]).release();
      assertTrue(used.acquire());
      used.release();
    }
    assertFalse(other.acquire());
  }
}
