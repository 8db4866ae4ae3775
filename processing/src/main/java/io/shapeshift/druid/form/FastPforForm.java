// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import me.lemire.integercompression.IntWrapper;
import org.apache.druid.collections.ResourceHolder;

/**
 * FastPFOR: patched frames of 256 values, each bit-packed to the width that suits most of them, with the higher bits
 * of the others stored aside; what remains of the chunk in variable bytes. Decoded whole.
 *
 * <pre>
 * | bytes        | content                                                                         |
 * |--------------|---------------------------------------------------------------------------------|
 * | 1            | form id, 6                                                                      |
 * | numWords * 4 | the words, as JavaFastPFOR's SkippableComposition(FastPFOR, VariableByte) makes |
 * |              | them without a head: see docs/format.md                                         |
 * </pre>
 * Example, little-endian: 1 300 2 is {@code 06 00 00 00 00 81 2c 82 82}: no frame of 256, then variable bytes.
 *
 * @see <a href="https://arxiv.org/abs/1209.2137">Lemire and Boytsov, Decoding billions of integers per second through
 *     vectorization</a>
 */
final class FastPforForm implements IntForm {
  static final byte ID = 6;
  private static final int BLOCK_SIZE = 256;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "fastpfor";
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return Estimate.TRY;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    try (ResourceHolder<Pools.FastPfor> holder = Pools.takeFastPfor()) {
      final Pools.FastPfor fastPfor = holder.get();
      final IntWrapper end = new IntWrapper(0);
      fastPfor.codec.headlessCompress(chunk.values(), new IntWrapper(0), chunk.size(), fastPfor.words, end);
      out.put(ID);
      out.asIntBuffer().put(fastPfor.words, 0, end.get());
      out.position(out.position() + end.get() * Integer.BYTES);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Layouts.checkLengthAtLeast(this, length, 1 + Integer.BYTES);
    final int numWords = (length - 1) / Integer.BYTES;
    Layouts.checkLength(this, length, 1 + numWords * Integer.BYTES);
    try (ResourceHolder<Pools.FastPfor> holder = Pools.takeFastPfor()) {
      final Pools.FastPfor fastPfor = holder.get();
      if (numWords > fastPfor.words.length) {
        throw new MalformedChunkException(
            "fastpfor has " + numWords + " words, more than any chunk: " + fastPfor.words.length);
      }
      chunk.limit(offset + length).position(offset + 1);
      chunk.asIntBuffer().get(fastPfor.words, 0, numWords);
      checkFrames(fastPfor.words, numWords, reader.numValues());
      final IntWrapper consumed = new IntWrapper(0);
      try {
        fastPfor.codec.headlessUncompress(
            fastPfor.words, consumed, numWords, reader.decodedValues(), new IntWrapper(0), reader.numValues());
      } catch (IndexOutOfBoundsException | java.nio.BufferUnderflowException | java.nio.BufferOverflowException e) {
        throw new MalformedChunkException("fastpfor cannot be decoded: " + e.getMessage(), e);
      }
      if (consumed.get() != numWords) {
        throw new MalformedChunkException(
            "fastpfor has " + numWords + " words, of which " + consumed.get() + " make " + reader.numValues()
                + " values");
      }
      reader.readDecoded();
    }
  }

  /**
   * Checks the sizes that JavaFastPFOR believes, and would allocate arrays for: where the frames' description stands
   * and how many exceptions there are of each width.
   */
  private static void checkFrames(int[] words, int numWords, int numValues) {
    if (numValues < BLOCK_SIZE) {
      return;
    }
    long position = words[0];
    check(position >= 1 && position < numWords, "the description of frames starts", position, numWords);
    final int descriptionBytes = words[(int) position];
    check(descriptionBytes >= 0, "the description of frames has a size of", descriptionBytes, numWords);
    position += 1 + (descriptionBytes + 3L) / 4;
    check(position < numWords, "the widths of exceptions stand", position, numWords);
    final int widths = words[(int) position++];
    for (int width = 2; width <= Integer.SIZE; width++) {
      if ((widths & (1 << (width - 1))) != 0) {
        check(position < numWords, "the number of exceptions stands", position, numWords);
        final int exceptions = words[(int) position++];
        check(exceptions > 0 && exceptions <= numValues, "the number of exceptions is", exceptions, numWords);
        position += ((long) exceptions * width + 31) / 32;
        check(position <= numWords, "the exceptions end", position, numWords);
      }
    }
  }

  private static void check(boolean holds, String what, long found, int numWords) {
    if (!holds) {
      throw new MalformedChunkException("fastpfor: " + what + " at " + found + " of " + numWords + " words");
    }
  }
}
