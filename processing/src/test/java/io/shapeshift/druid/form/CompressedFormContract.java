// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** What all codecs share. */
abstract class CompressedFormContract extends FormContract {
  /** Decompresses with nothing but the codec's library. */
  abstract byte[] decompress(byte[] compressed);

  @Override
  final Estimate.Kind expectedEstimate(int[] values) {
    return Estimate.Kind.TRY;
  }

  @Override
  final int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final byte innerId = chunk.get();
    final byte numBytes = chunk.get();
    final byte[] compressed = new byte[chunk.remaining()];
    chunk.get(compressed);
    return Reference.compressible(innerId, ByteBuffer.wrap(decompress(compressed)).order(chunk.order()), numBytes);
  }

  @Override
  final boolean tellsNumValues() {
    return true;
  }

  @Test
  void compressesTheInnerFormThatComesOutSmaller(RandomData random) {
    assertEquals(BytePackForm.ID, innerForm(random.phrases(4096, 7, 3, 30)), "phrases");
    assertEquals(RunLengthForm.ID, innerForm(random.runs(4096, 20, 30, 40, 50)), "runs");
  }

  private byte innerForm(int[] values) {
    return new Sample("inner form", values).encode(form(), ByteOrder.nativeOrder()).get(1);
  }

  @Test
  void hasRoomForDataThatGrows(RandomData random) {
    final Sample incompressible = new Sample("incompressible", random.uniform(Forms.MAX_INTS_PER_CHUNK, 31));
    final int bytes = incompressible.encode(form(), ByteOrder.nativeOrder()).limit();
    // A quarter of each value's high byte, at most, is all that there is to gain.
    assertTrue(bytes > Forms.MAX_PAYLOAD_BYTES * 31 / 32, () -> bytes + " bytes");
    final Sample bytesOnly = new Sample("all bytes", random.uniform(Forms.MAX_INTS_PER_CHUNK, 8));
    final int grown = bytesOnly.encode(form(), ByteOrder.nativeOrder()).limit();
    assertTrue(grown > 3 + Forms.MAX_INTS_PER_CHUNK, () -> grown + " bytes");
  }

  @Test
  void refusesInnerFormsThatCannotBeCompressed() {
    final ByteBuffer chunk = new Sample("few", 1, 300, 2).encode(form(), ByteOrder.nativeOrder());
    final IntChunkReader reader = new IntChunkReader();
    reader.startChunk(3);
    for (byte inner : new byte[] {-1, 0, 1, 2, 5, 6, 7, 8, 99}) {
      chunk.put(1, inner);
      final MalformedChunkException e = assertThrows(
          MalformedChunkException.class, () -> form().transform(chunk, 0, chunk.capacity(), reader));
      assertEquals(form().name() + " holds form " + inner + ", which cannot be compressed", e.getMessage());
    }
    reader.close();
  }
}
