// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Patterns give the texts that they were found in, and have the bytes of the Javadoc. */
@ExtendWith(RandomData.Seeded.class)
class TextPatternTest {
  private static byte[][] bytes(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }

  private static int[] lengths(byte[][] texts) {
    return Arrays.stream(texts).mapToInt(text -> text.length).toArray();
  }

  private static TextPattern find(byte[][] texts) {
    final TextPattern.Finder finder = new TextPattern.Finder();
    for (byte[] text : texts) {
      finder.add(text, text.length);
    }
    return finder.pattern();
  }

  private static byte[] model(TextPattern pattern) {
    final ByteBuffer out = ByteBuffer.allocate(pattern.sizeInBytes());
    pattern.write(out);
    assertEquals(0, out.remaining());
    return out.array();
  }

  private static void check(byte[][] texts) {
    final TextPattern pattern = find(texts);
    final byte[] model = model(pattern);
    final TextPattern read = TextPattern.read(ByteBuffer.wrap(model));
    assertArrayEquals(model, model(read));
    final BucketWriter writer = new TextPattern.Writer(pattern);
    final int size = writer.encode(texts, lengths(texts), texts.length);
    assertEquals(pattern.bytes(texts.length), size);
    final ByteBuffer bucket = ByteBuffer.allocate(3 + size + FrontCodedBucket.SLACK).order(ByteOrder.LITTLE_ENDIAN);
    bucket.put(3, writer.bytes(), 0, size);
    final BucketReader reader = new TextPattern.Reader(bucket, read);
    for (int i = texts.length - 1; i >= 0; i--) {
      final int length = reader.read(3, 3 + size, texts.length, i);
      assertArrayEquals(texts[i], Arrays.copyOf(reader.text(), length));
    }
    assertThrows(MalformedChunkException.class, () -> reader.read(3, 3 + size, texts.length, texts.length + 8));
  }

  @Test
  void bytesOfAPattern() {
    final byte[][] texts = bytes("a0-7", "a1-7", "a2-8");
    final TextPattern pattern = find(texts);
    assertArrayEquals(
        new byte[] {3, 0, 1, 'a', 'a', 0, 1, '0', '2', 0, 1, '-', '-', 0, 1, '7', '8'}, model(pattern));
    final BucketWriter writer = new TextPattern.Writer(pattern);
    assertEquals(2, writer.encode(texts, lengths(texts), 3));
    assertArrayEquals(new byte[] {0x50, 0x01}, Arrays.copyOf(writer.bytes(), 2));
    check(texts);
  }

  @Test
  void anyPatterns(RandomData data) {
    final Random random = new Random(data.nextInt(Integer.MAX_VALUE));
    for (int length : new int[] {1, 2, 7, 8, 9, 16, 36, 100, TextPattern.MAX_LENGTH}) {
      for (int most : new int[] {2, 3, 10, 16, 26, 64, 128}) {
        final int[] counts = IntStream.range(0, length).map(i -> random.nextInt(3) == 0 ? 1 : most).toArray();
        counts[random.nextInt(length)] = most;
        final byte[][] texts = new byte[64][length];
        for (byte[] text : texts) {
          for (int i = 0; i < length; i++) {
            text[i] = (byte) (128 / most * random.nextInt(counts[i]));
          }
        }
        check(texts);
      }
    }
  }

  @Test
  void fewBitsForWhatIsOftenSeen() {
    final byte[][] digits = IntStream.range(0, 10)
        .mapToObj(i -> ("Customer#00" + Character.toString('0' + i).repeat(6)).getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
    assertEquals(20, find(digits).bytes(8));
    final byte[][] hashes = IntStream.range(0, 16)
        .mapToObj(i -> Integer.toHexString(i).repeat(32).getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
    assertEquals(16, find(hashes).bytes(1));
  }

  @Test
  void othersHaveNone() {
    assertNull(find(bytes()));
    assertNull(find(bytes("")));
    assertNull(find(bytes("a", "bc")));
    assertNull(find(bytes("ab", "c", "de")));
    assertNull(find(bytes("", "c")));
    assertNull(find(bytes("aé", "abc")));
    assertNull(find(bytes("a".repeat(TextPattern.MAX_LENGTH + 1))));
  }

  @Test
  void contradictions() {
    for (byte[] model : new byte[][] {
        {3, 4, 1, 'a', 'a'}, {3, 3, 0}, {3, 3, 65}, {3, 3, 1, 'b', 'a'}, {3, 3, 1, 'a', -1}, {3, 3, 1, -1, 'a'},
        {3, 3, 2, 'a', 'b', 'c', 'd'}, {3, 3, 2, 'c', 'd', 'a', 'a'}
    }) {
      assertThrows(MalformedChunkException.class, () -> TextPattern.read(ByteBuffer.wrap(model)));
    }
  }
}
