// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a parser that decompresses the block as the format's description says. */
@ExtendWith(RandomData.Seeded.class)
class Lz4SequencesTest {
  private static final int LEVELS = 17;

  /** The quick compressor, and all levels of the thorough one, native and in Java. */
  private static List<LZ4Compressor> compressors() {
    final List<LZ4Compressor> compressors = new ArrayList<>();
    for (LZ4Factory factory : List.of(LZ4Factory.nativeInstance(), LZ4Factory.safeInstance())) {
      compressors.add(factory.fastCompressor());
      for (int level = 1; level <= LEVELS; level++) {
        compressors.add(factory.highCompressor(level));
      }
    }
    return compressors;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 12, 13, 14, 19, 100, 270, 285, 600, 5000, 65_536})
  void countsTheSequencesOfAllCompressors(int length, RandomData random) {
    for (byte[] payload : payloads(length, random)) {
      final List<LZ4Compressor> compressors = compressors();
      // The levels that look longest take most of the time.
      final int step = length > 5000 ? Tier.pick(5, 1) : 1;
      for (int i = random.nextInt(step); i < compressors.size(); i += step) {
        final byte[] compressed = compressors.get(i).compress(payload);
        final int offset = random.nextInt(9);
        final int behind = random.nextInt(9);
        final ByteBuffer block = random.nextInt(2) == 0
                                 ? ByteBuffer.allocate(offset + compressed.length + behind)
                                 : ByteBuffer.allocateDirect(offset + compressed.length + behind);
        block.put(random.bytes(offset)).put(compressed).put(random.bytes(behind));
        block.limit(offset + compressed.length).position(offset);
        assertEquals(sequences(compressed, payload), Lz4Sequences.of(block));
        assertEquals(offset, block.position());
        assertEquals(offset + compressed.length, block.limit());
      }
    }
  }

  private static List<byte[]> payloads(int length, RandomData random) {
    final List<byte[]> payloads = new ArrayList<>();
    payloads.add(random.bytes(length));
    payloads.add(new byte[length]);
    for (int period : new int[] {1, 2, 3, 7, 8, 11, 15, 16, 100, 300, 3000}) {
      final byte[] phrase = random.bytes(period);
      payloads.add(filled(length, i -> phrase[i % period]));
    }
    // Phrases between bytes that match nothing: both lengths reach those that go on in more bytes.
    for (int most : new int[] {14, 15, 16, 269, 270, 271, 600}) {
      final byte[] phrase = random.bytes(most);
      final byte[] payload = random.bytes(length);
      for (int start = 0; start < length; start += random.between(most, 2 * most)) {
        System.arraycopy(phrase, 0, payload, start, Math.min(random.between(1, most), length - start));
      }
      payloads.add(payload);
    }
    payloads.add(filled(length, i -> (byte) random.nextInt(3)));
    return payloads;
  }

  private interface ByteAt {
    byte at(int index);
  }

  private static byte[] filled(int length, ByteAt bytes) {
    final byte[] payload = new byte[length];
    for (int i = 0; i < length; i++) {
      payload[i] = bytes.at(i);
    }
    return payload;
  }

  @ParameterizedTest
  @CsvSource({
    "'00', 0, 0, 0", "'50 01 02 03 04 05', 0, 0, 0", "'10 07 01 00 50 07 07 07 07 07', 1, 0, 0",
    // 15 literals; a match of 19, and one of 274
    "'f0 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f', 0, 0, 0",
    "'1f 07 01 00 00 50 07 07 07 07 07', 1, 0, 0", "'1f 07 01 00 ff 00 50 07 07 07 07 07', 1, 0, 0",
    // matches of 8, 9 and 20 that start 8 before: the first ends where it would go on into itself
    "'84 01 02 03 04 05 06 07 08 08 00 50 01 02 03 04 05', 1, 0, 0",
    "'85 01 02 03 04 05 06 07 08 08 00 50 02 03 04 05 06', 0, 1, 9",
    "'8f 01 02 03 04 05 06 07 08 08 00 01 50 05 06 07 08 01', 0, 1, 20"
  })
  void countsByHand(String hex, int far, int near, int nearBytes) {
    assertEquals(
        new Lz4Sequences(far, near, nearBytes),
        Lz4Sequences.of(ByteBuffer.wrap(HexFormat.ofDelimiter(" ").parseHex(hex))));
  }

  /** The sequences of a block, whose payload has to come out of it. */
  private static Lz4Sequences sequences(byte[] block, byte[] payload) {
    final ByteBuffer in = ByteBuffer.wrap(block);
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    int far = 0;
    int near = 0;
    int nearBytes = 0;
    while (in.hasRemaining()) {
      final int token = in.get() & 0xFF;
      final byte[] literals = new byte[length(token >> 4, in)];
      in.get(literals);
      out.writeBytes(literals);
      if (in.hasRemaining()) {
        final int low = in.get() & 0xFF;
        final int back = low | (in.get() & 0xFF) << 8;
        final int count = length(token & 0xF, in) + 4;
        final byte[] before = out.toByteArray();
        final byte[] match = Arrays.copyOf(Arrays.copyOfRange(before, before.length - back, before.length), count);
        for (int i = back; i < count; i++) {
          match[i] = match[i - back];
        }
        out.writeBytes(match);
        final boolean isNear = back >= 8 && back < 16 && count > back;
        far += isNear ? 0 : 1;
        near += isNear ? 1 : 0;
        nearBytes += isNear ? count : 0;
      }
    }
    assertArrayEquals(payload, out.toByteArray());
    return new Lz4Sequences(far, near, nearBytes);
  }

  private static int length(int first, ByteBuffer in) {
    int length = first;
    int next = first == 15 ? 255 : 0;
    while (next == 255) {
      next = in.get() & 0xFF;
      length += next;
    }
    return length;
  }
}
