// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.Pool;
import io.shapeshift.druid.form.ints.DecodedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import me.lemire.integercompression.FastPFOR;
import me.lemire.integercompression.IntWrapper;
import me.lemire.integercompression.SkippableComposition;
import me.lemire.integercompression.VariableByte;
import org.apache.druid.collections.ResourceHolder;

/**
 * FastPFOR: patched frames of 256 values. Each frame is bit-packed to the width that suits most of its values, and the
 * higher bits of the others are stored separately. The rest of the chunk is in variable-length bytes. Decoded
 * completely before reads.
 *
 * <pre>
 * | bytes        | content                                                                       |
 * |--------------|-------------------------------------------------------------------------------|
 * | 1            | form id, 6                                                                    |
 * | numWords * 4 | words of JavaFastPFOR's SkippableComposition(FastPFOR, VariableByte), without |
 * |              | its header: see docs/format.md                                                |
 * </pre>
 * Example, little-endian: 1 300 2 is {@code 06 00 00 00 00 81 2c 82 82}: no frame of 256, then variable bytes.
 *
 * @see <a href="https://arxiv.org/abs/1209.2137">Lemire and Boytsov, Decoding billions of integers per second through
 *     vectorization</a>
 */
public final class FastPforForm implements IntForm {
  static final byte ID = 6;
  private static final int BLOCK_SIZE = 256;

  /** Pool of FastPFOR codecs with their arrays, with 1.2 MB of heap each. */
  private static final Pool<FastPfor> POOL = Pool.forThreads("FastPFOR", FastPfor::new);

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "fastpfor";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Codecs.FASTPFOR_COST;
  }

  @Override
  public Set<Use> uses() {
    // For numbers, other forms are faster and as small.
    return EnumSet.of(Use.IDS);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return chunk.size() > Limits.MAX_DIRECT_INTS ? Estimate.SKIP : Estimate.TRY;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    try (ResourceHolder<FastPfor> holder = POOL.take()) {
      final FastPfor fastPfor = holder.get();
      final IntWrapper end = new IntWrapper(0);
      fastPfor.codec.headlessCompress(chunk.values(), new IntWrapper(0), chunk.size(), fastPfor.words, end);
      clearUnusedBits(fastPfor.words, chunk.size());
      out.put(ID);
      out.asIntBuffer().put(fastPfor.words, 0, end.get());
      out.position(out.position() + end.get() * Integer.BYTES);
    }
  }

  /**
   * Zeroes the bits after the exceptions of each width, where JavaFastPFOR leaves bits of an earlier chunk. The same
   * chunk must always give the same bytes.
   */
  private static void clearUnusedBits(int[] words, int numValues) {
    if (numValues < BLOCK_SIZE) {
      return;
    }
    int position = words[0];
    position += 1 + (words[position] + 3) / 4;
    final int widths = words[position++];
    for (int width = 2; width <= Integer.SIZE; width++) {
      if ((widths & (1 << (width - 1))) != 0) {
        final int bits = words[position++] * width;
        position += (bits + 31) / 32;
        if (bits % 32 != 0) {
          words[position - 1] &= -1 >>> (32 - bits % 32);
        }
      }
    }
  }

  @Override
  public boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    return true;
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkNumValues(this, reader.numValues());
    Checks.checkLengthAtLeast(this, length, 1 + Integer.BYTES);
    final int numWords = (length - 1) / Integer.BYTES;
    Checks.checkLength(this, length, 1 + numWords * Integer.BYTES);
    reader.countDecodedWhole();
    final int numValues = reader.numValues();
    final DecodedInts decoded = reader.shape(DecodedInts.class, scratch -> new DecodedInts());
    try (ResourceHolder<FastPfor> holder = POOL.take()) {
      final FastPfor fastPfor = holder.get();
      if (numWords > fastPfor.words.length) {
        throw new MalformedChunkException(
            "fastpfor has " + numWords + " words, more than any chunk: " + fastPfor.words.length);
      }
      chunk.limit(offset + length).position(offset + 1);
      chunk.asIntBuffer().get(fastPfor.words, 0, numWords);
      checkFrames(fastPfor.words, numWords, numValues);
      final IntWrapper consumed = new IntWrapper(0);
      try {
        fastPfor.codec.headlessUncompress(
            fastPfor.words, consumed, numWords, decoded.start(numValues), new IntWrapper(0), numValues);
      } catch (RuntimeException e) {
        // Any unchecked exception that damaged words cause in JavaFastPFOR, such as NullPointerException.
        throw new MalformedChunkException("fastpfor cannot be decoded: " + e.getMessage(), e);
      }
      if (consumed.get() != numWords) {
        throw new MalformedChunkException(
            "fastpfor has " + numWords + " words, but its " + numValues + " values use " + consumed.get());
      }
      reader.transformTo(decoded);
    }
  }

  /**
   * Checks everything that JavaFastPFOR relies on: the position of the frames' description, the number of exceptions of
   * each width, and that the description has the same numbers. JavaFastPFOR would allocate arrays of these sizes, and
   * would read data of an earlier chunk if the numbers contradict each other.
   */
  private static void checkFrames(int[] words, int numWords, int numValues) {
    if (numValues < BLOCK_SIZE) {
      return;
    }
    long position = words[0];
    check(position >= 1 && position < numWords, "the description of frames starts at", position, numWords);
    final int descriptionBytes = words[(int) position];
    check(descriptionBytes >= 0, "the description of frames has a size of", descriptionBytes, numWords);
    position += 1 + (descriptionBytes + 3L) / 4;
    check(position < numWords, "the widths of exceptions stand at", position, numWords);
    final int widths = words[(int) position++];
    final int[] exceptionsOfWidth = new int[Integer.SIZE + 1];
    for (int width = 2; width <= Integer.SIZE; width++) {
      if ((widths & (1 << (width - 1))) != 0) {
        check(position < numWords, "the number of exceptions stands at", position, numWords);
        final int exceptions = words[(int) position++];
        check(exceptions > 0 && exceptions <= numValues, "the number of exceptions is", exceptions, numWords);
        exceptionsOfWidth[width] = exceptions;
        position += ((long) exceptions * width + 31) / 32;
        check(position <= numWords, "the exceptions end at", position, numWords);
      }
    }
    checkDescription(words, numWords, numValues / BLOCK_SIZE, descriptionBytes, exceptionsOfWidth);
  }

  /** Checks that the description has the right number of frames, and the stored number of exceptions of each width. */
  private static void checkDescription(
      int[] words,
      int numWords,
      int numFrames,
      int descriptionBytes,
      int[] exceptionsOfWidth
  ) {
    final int start = 4 * (words[0] + 1);
    int packedWords = 0;
    int at = 0;
    for (int frame = 0; frame < numFrames; frame++) {
      check(at + 2 <= descriptionBytes, "the description of frames ends in frame", frame, numWords);
      final int width = byteAt(words, start + at);
      final int exceptions = byteAt(words, start + at + 1);
      check(width <= Integer.SIZE, "the width of a frame is", width, numWords);
      packedWords += width * BLOCK_SIZE / Integer.SIZE;
      at += 2;
      if (exceptions > 0) {
        check(at + 1 + exceptions <= descriptionBytes, "the description of frames ends in frame", frame, numWords);
        final int widest = byteAt(words, start + at);
        check(widest > width && widest <= Integer.SIZE, "the width of exceptions is", widest, numWords);
        exceptionsOfWidth[widest - width] -= exceptions;
        at += 1 + exceptions;
      }
    }
    check(at == descriptionBytes, "the description of all frames ends at byte", at, numWords);
    check(packedWords + 1 == words[0], "the packed values end at", packedWords + 1, numWords);
    for (int width = 2; width <= Integer.SIZE; width++) {
      // Exceptions that are one bit wider need no stored bits.
      check(exceptionsOfWidth[width] == 0, "exceptions are missing or left over of width", width, numWords);
    }
  }

  /** Returns one of the bytes that are stored four to a word, the first in the lowest bits. */
  private static int byteAt(int[] words, int index) {
    return (words[index / 4] >>> (8 * (index % 4))) & 0xFF;
  }

  private static void check(boolean holds, String what, long found, int numWords) {
    if (!holds) {
      throw new MalformedChunkException("fastpfor: " + what + " " + found + ", in " + numWords + " words");
    }
  }

  /** JavaFastPFOR's codec, which is stateful and large, with an array for the words of an encoded chunk. */
  private static final class FastPfor {
    /** JavaFastPFOR needs 1024 spare ints in its output. */
    private final int[] words = new int[Limits.MAX_DIRECT_INTS + 2 * 1024];
    // Heap buffers, because both codecs would allocate direct buffers, which are freed slowly; VariableByte even per
    // chunk.
    private final SkippableComposition codec = new SkippableComposition(
        new FastPFOR() {
          @Override
          protected ByteBuffer makeBuffer(int sizeInBytes) {
            return ByteBuffer.allocate(sizeInBytes);
          }
        },
        new VariableByte() {
          @Override
          protected ByteBuffer makeBuffer(int sizeInBytes) {
            return ByteBuffer.allocate(sizeInBytes);
          }
        }
    );
  }
}
