// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.StringUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Blocks give their texts, compressed or not, and refuse what is damaged. */
@ExtendWith(RandomData.Seeded.class)
class BlockBucketTest {
  private static final int START = 5;

  private static byte[][] words(int count) {
    return IntStream.range(0, count)
                    .mapToObj(i -> StringUtils.format("some words of value %05d, and more of them", i * 7))
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
  }

  private static int[] lengths(byte[][] texts) {
    return Arrays.stream(texts).mapToInt(text -> text.length).toArray();
  }

  private static BlockCoding model(byte[][] texts, int logSize) {
    final BlockTrainer trainer = new BlockTrainer(1 << 16, texts.length, OptimizationTarget.SMALLER);
    for (int from = 0; from < texts.length; from += 1 << logSize) {
      final byte[][] block = Arrays.copyOfRange(texts, from, Math.min(texts.length, from + (1 << logSize)));
      trainer.add(block, lengths(block), block.length);
    }
    final BlockCoding model = trainer.train();
    final ByteBuffer out = ByteBuffer.allocate(model.sizeInBytes());
    model.write(out);
    return BlockCoding.read(out.flip());
  }

  private static ByteBuffer encode(byte[][] texts, BlockCoding model) {
    try (BlockBucket.Writer writer = new BlockBucket.Writer(model)) {
      final int size = writer.encode(texts, lengths(texts), texts.length);
      return ByteBuffer.allocateDirect(START + size + FrontCodedBucket.SLACK)
                       .order(ByteOrder.LITTLE_ENDIAN)
                       .put(START, writer.bytes(), 0, size);
    }
  }

  private static void check(byte[][] texts, ByteBuffer bucket, BlockCoding model) {
    final BlockBucket.Reader reader = new BlockBucket.Reader(bucket, model);
    final int to = bucket.capacity() - FrontCodedBucket.SLACK;
    for (int i : IntStream.range(0, 4 * texts.length).map(i -> i * 31 % texts.length).toArray()) {
      final int length = reader.read(START, to, texts.length, i);
      assertArrayEquals(texts[i], Arrays.copyOf(reader.text(), length));
      assertEquals(i, reader.find(START, to, texts.length, texts[i], texts[i].length));
      final byte[] behind = Arrays.copyOf(texts[i], texts[i].length + 1);
      assertEquals(-i - 2, reader.find(START, to, texts.length, behind, behind.length));
    }
    assertEquals(-1, reader.find(START, to, texts.length, new byte[0], 0));
    assertEquals(-texts.length - 1, reader.find(START, to, texts.length, new byte[] {'~'}, 1));
  }

  @Test
  void compressedWithADictionaryAndWithout() {
    final byte[][] texts = words(4096);
    final BlockCoding trained = model(texts, 5);
    assertTrue(trained.dictionary().length > 0);
    final BlockCoding bare = new BlockCoding(5, 3, ByteBuffer.allocate(0));
    for (int count : new int[] {1, 2, 31, 32, 128}) {
      final byte[][] block = Arrays.copyOf(texts, count);
      // Both by turns, as contexts keep the dictionary of the last read.
      for (BlockCoding model : List.of(trained, bare, trained, bare)) {
        check(block, encode(block, model), model);
      }
    }
    final byte[][] block = Arrays.copyOf(texts, 32);
    assertTrue(encode(block, trained).capacity() < encode(block, bare).capacity());
  }

  @Test
  void tooLargeOrWithoutGainAsTheyAre() {
    final BlockCoding model = new BlockCoding(1, 3, ByteBuffer.allocate(0));
    final byte[] large = new byte[BlockTexts.MAX_SIZE];
    Arrays.fill(large, (byte) 'b');
    for (byte[][] texts : List.of(new byte[][] {{'a'}, large}, new byte[][] {{'a'}, {'b'}}, new byte[][] {{'a'}})) {
      final ByteBuffer bucket = encode(texts, model);
      assertEquals(0, bucket.get(START));
      check(texts, bucket, model);
    }
  }

  /** Of more than one block of zstd, up to the limit, and also between smaller ones. */
  @Test
  void largeBlocks(RandomData random) {
    final BlockCoding model = model(words(4096), 0);
    for (int size : new int[] {1 << 17, (1 << 17) + 1, 300_000, 1_000_000}) {
      final byte[] text = new byte[size];
      for (int i = 0; i < size; i++) {
        text[i] = (byte) ('a' + random.nextInt(2 + i % 7));
      }
      final byte[][] texts = {"Some words".getBytes(StandardCharsets.UTF_8), text};
      final ByteBuffer bucket = encode(texts, model);
      assertTrue(bucket.get(START) != 0);
      assertTrue(bucket.capacity() < size / 2);
      check(texts, bucket, model);
      final BlockBucket.Reader reader = new BlockBucket.Reader(bucket, model);
      final int to = bucket.capacity() - FrontCodedBucket.SLACK;
      assertThrows(MalformedChunkException.class, () -> reader.read(START, to - 1, 2, 1));
      bucket.put(START + 2, (byte) 0x7F);
      assertThrows(MalformedChunkException.class, () -> reader.read(START, to, 2, 1));
    }
  }

  /** Bounds of damaged buckets may begin alike: what one of them was read as is not what another one is. */
  @Test
  void bucketsThatBeginAlike() {
    final byte[][] texts = words(32);
    final BlockCoding model = new BlockCoding(5, 3, ByteBuffer.allocate(0));
    final ByteBuffer block = encode(texts, model);
    final int to = block.capacity() - FrontCodedBucket.SLACK;
    final BlockBucket.Reader reader = new BlockBucket.Reader(block, model);
    for (int i = 0; i < 3; i++) {
      assertEquals(texts[30].length, reader.read(START, to, 32, 30));
      assertThrows(MalformedChunkException.class, () -> reader.read(START, to - 1, 32, 30));
      assertThrows(MalformedChunkException.class, () -> reader.read(START, to, 31, 30));
    }

    final ChainedBucket.Writer writer = new ChainedBucket.Writer();
    final int size = writer.encode(texts, lengths(texts), 32);
    final ByteBuffer bucket = ByteBuffer.allocateDirect(size + FrontCodedBucket.SLACK).put(0, writer.bytes(), 0, size);
    final ChainedBucket.Reader chained = new ChainedBucket.Reader(bucket.order(ByteOrder.LITTLE_ENDIAN));
    for (int i = 0; i < 3; i++) {
      assertEquals(texts[31].length, chained.read(0, size, 32, 31));
      assertThrows(MalformedChunkException.class, () -> chained.read(0, size - 1, 32, 31));
    }
  }

  @Test
  void damagedBlocks(RandomData random) {
    final byte[][] texts = words(32);
    final BlockCoding model = model(words(4096), 5);
    final ByteBuffer intact = encode(texts, model);
    final int to = intact.capacity() - FrontCodedBucket.SLACK;
    for (int i = 0; i < 20_000; i++) {
      final ByteBuffer bytes = ByteBuffer.allocate(intact.capacity()).order(ByteOrder.LITTLE_ENDIAN).put(0, intact, 0,
          intact.capacity());
      for (int change = 0; change <= i % 3; change++) {
        bytes.put(START + random.nextInt(to - START), (byte) random.nextInt(256));
      }
      final int end = i % 2 == 0 ? to : START + random.nextInt(to - START);
      final BlockBucket.Reader reader = new BlockBucket.Reader(bytes, model);
      try {
        for (int text = 0; text < texts.length; text++) {
          reader.read(START, end, texts.length, text);
        }
        reader.find(START, end, texts.length, texts[7], texts[7].length);
      } catch (MalformedChunkException e) {
        // As it should be.
        assertTrue(e.getMessage().length() > 0);
      }
    }
  }

  @Test
  void contradictions() {
    for (byte[] model : new byte[][] {{8, -128}, {-1, -128}, {3, -127}, {3, 0, 0, 0, 0, -1}}) {
      assertThrows(MalformedChunkException.class, () -> BlockCoding.read(ByteBuffer.wrap(model)));
    }
  }
}
