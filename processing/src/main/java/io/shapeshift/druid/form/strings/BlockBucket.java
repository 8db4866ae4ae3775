// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Some texts that follow each other in a sorted dictionary, of each of which what it shares with the one before is left
 * out, compressed with zstd. To read one means to decompress all; they are kept then, so that the others take little.
 *
 * <pre>
 * | bytes  | field                                                                                        |
 * |--------|----------------------------------------------------------------------------------------------|
 * | 1 to 3 | size before compression, at most {@value #MAX_SIZE}; 0 if a {@link ChainedBucket} follows |
 * | any    | a compressed block of zstd, without its header                                               |
 * </pre>
 * It is the only block of a frame. The headers of the frame and of the block are left out, as they would be the same in
 * all buckets but for the size of the block, which is known. Before compression there are:
 *
 * <pre>
 * | bytes  | field                                                                                        |
 * |--------|----------------------------------------------------------------------------------------------|
 * |        | of each text in turn:                                                                        |
 * | 1 to 3 | prefix: how many bytes it begins with that the one before does as well; 0 of the first |
 * | 1 to 3 | length of what is behind the prefix                                                  |
 * | any    | what is behind the prefixes, of one text after another                                       |
 * </pre>
 * Numbers are of seven bits in each byte, the lowest first; the eighth says that there are more.
 */
final class BlockBucket {
  /** The largest block before compression, in bytes: zstd's largest. */
  static final int MAX_SIZE = 1 << 17;

  private static final int MAX_TEXTS = 1 << BlockModel.MAX_LOG_SIZE;
  private static final int MAX_NUMBER_BYTES = 3;
  private static final int BITS = 7;
  private static final int LOW_BITS = 0x7F;
  /** The magic number, no content size, no checksum, no dictionary's id, a window of {@link #MAX_SIZE}. */
  private static final byte[] FRAME_HEADER = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, 0x38};
  private static final int HEADER_BYTES = FRAME_HEADER.length + 3;
  /** The low bits of a block's header, below its size: the last block, and compressed. */
  private static final int BLOCK_KIND = 1 | 2 << 1;
  private static final int KIND_BITS = 3;
  private static final int LEVEL = 19;

  private BlockBucket() {}

  /** The header of a block of so many bytes. */
  private static int blockHeader(int size) {
    return size << KIND_BITS | BLOCK_KIND;
  }

  /** Puts a number, and gives the end of it. */
  private static int putNumber(int number, byte[] out, int start) {
    int at = start;
    int left = number;
    while (left > LOW_BITS) {
      out[at++] = (byte) (left | 1 << BITS);
      left >>>= BITS;
    }
    out[at++] = (byte) left;
    return at;
  }

  private static int readInt24(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
  }

  private static void writeInt24(byte[] bytes, int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >>> 8);
    bytes[at + 2] = (byte) (value >>> 16);
  }

  /** Puts texts together as they are before compression. For one thread. */
  static final class Plain {
    private final byte[] numbers = new byte[2 * MAX_NUMBER_BYTES * MAX_TEXTS];
    private final int[] prefixes = new int[MAX_TEXTS];
    private byte[] bytes = new byte[1 << 10];

    /** Puts texts together, and gives their bytes; 0 if there would be more than {@link #MAX_SIZE}. */
    int put(byte[][] texts, int[] lengths, int count) {
      long behind = 0;
      for (int i = 0; i < count; i++) {
        prefixes[i] = i == 0 ? 0 : Utf8.commonPrefix(texts[i - 1], lengths[i - 1], texts[i], lengths[i]);
        behind += lengths[i] - prefixes[i];
      }
      if (behind + numbers.length > MAX_SIZE) {
        return 0;
      }
      int at = 0;
      for (int i = 0; i < count; i++) {
        at = putNumber(prefixes[i], numbers, at);
        at = putNumber(lengths[i] - prefixes[i], numbers, at);
      }
      final int size = at + (int) behind;
      if (bytes.length < size) {
        bytes = new byte[Math.max(size, 2 * bytes.length)];
      }
      System.arraycopy(numbers, 0, bytes, 0, at);
      for (int i = 0; i < count; i++) {
        System.arraycopy(texts[i], prefixes[i], bytes, at, lengths[i] - prefixes[i]);
        at += lengths[i] - prefixes[i];
      }
      return size;
    }

    /** What was put together last. */
    byte[] bytes() {
      return bytes;
    }
  }

  /** Has native memory until it is closed. */
  static final class Writer implements BucketWriter {
    private final Plain plain = new Plain();
    private final ChainedBucket.Writer chained = new ChainedBucket.Writer();
    private final ZstdCompressCtx context = new ZstdCompressCtx();
    @Nullable
    private final ZstdDictCompress dictionary;
    private byte[] frame = new byte[1 << 10];
    private byte[] bytes = new byte[1 << 10];

    Writer(BlockModel model) {
      context.setLevel(LEVEL).setContentSize(false).setChecksum(false).setDictID(false);
      try {
        final byte[] found = model.dictionary();
        dictionary = found.length == 0 ? null : new ZstdDictCompress(found, LEVEL);
        if (dictionary != null) {
          context.loadDict(dictionary);
        }
      } catch (RuntimeException | Error e) {
        context.close();
        throw e;
      }
    }

    @Override
    public int encode(byte[][] texts, int[] lengths, int count) {
      final int plainSize = plain.put(texts, lengths, count);
      final int size = encode(plain.bytes(), plainSize);
      if (size > 0) {
        return size;
      }
      final int stored = chained.encode(texts, lengths, count);
      ensure(Math.addExact(1, stored));
      bytes[0] = 0;
      System.arraycopy(chained.bytes(), 0, bytes, 1, stored);
      return 1 + stored;
    }

    /** Encodes texts that were put together, and gives the bytes of the bucket; 0 if it would not be smaller. */
    int encode(byte[] in, int size) {
      final int compressed = size == 0 ? 0 : compress(in, size);
      if (compressed == 0) {
        return 0;
      }
      ensure(MAX_NUMBER_BYTES + compressed);
      final int at = putNumber(size, bytes, 0);
      System.arraycopy(frame, HEADER_BYTES, bytes, at, compressed);
      return at + compressed;
    }

    private void ensure(int size) {
      if (bytes.length < size) {
        bytes = new byte[Math.max(size, Math.min(2 * bytes.length, 1 << 20))];
      }
    }

    /** Makes a frame, and gives the bytes of its block; 0 if it is not a single one that is compressed and smaller. */
    private int compress(byte[] in, int size) {
      final int bound = Math.toIntExact(Zstd.compressBound(size));
      if (frame.length < bound) {
        frame = new byte[Math.max(bound, 2 * frame.length)];
      }
      final int length = context.compressByteArray(frame, 0, frame.length, in, 0, size) - HEADER_BYTES;
      final int window = FRAME_HEADER.length - 1;
      return length > 0
             && length < size
             && Arrays.equals(frame, 0, window, FRAME_HEADER, 0, window)
             && readInt24(frame, FRAME_HEADER.length) == blockHeader(length) ? length : 0;
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }

    @Override
    public void close() {
      context.close();
      if (dictionary != null) {
        dictionary.close();
      }
    }
  }

  /**
   * Keeps the blocks that were read last, so that those of a small dictionary are decompressed once, and so are those
   * that are read by turns: at most {@value #KEPT} of up to {@value #KEPT_BYTES} bytes each, and one of any size.
   */
  static final class Reader implements BucketReader {
    private static final int KEPT = 16;
    private static final int KEPT_BYTES = 1 << 12;

    private final ByteBuffer buffer;
    private final RawBytes in = new RawBytes();
    private final BlockModel model;
    private final ChainedBucket.Reader chained;
    private byte[] frame = Arrays.copyOf(FRAME_HEADER, 1 << 9);
    private final Block[] kept = new Block[KEPT];
    /** Where each of them is. Damaged ones may begin alike, and end elsewhere. */
    private final int[] keptFrom = new int[KEPT];
    private final int[] keptTo = new int[KEPT];
    private int numKept;
    private int nextKept;
    /** The block that was read last. */
    private Block block = Block.NONE;
    /** Where it is; -1 if there is none. */
    private int lastFrom = -1;
    private int lastTo;
    private int lastCount;
    /** The last text that was read of it; -1 if there is none. */
    private int lastIndex;
    private byte[] text = new byte[64];

    Reader(ByteBuffer buffer, BlockModel model) {
      this.buffer = buffer;
      this.in.wrap(buffer);
      this.model = model;
      this.chained = new ChainedBucket.Reader(buffer);
    }

    @Override
    public byte[] text() {
      return block == Block.NONE ? chained.text() : text;
    }

    @Override
    public int read(int from, int to, int count, int index) {
      load(from, to, count);
      if (block == Block.NONE) {
        return chained.read(from + 1, to, count, index);
      }
      final int known = index < lastIndex ? -1 : lastIndex;
      lastIndex = index;
      return block.read(index, known, text);
    }

    @Override
    public int find(int from, int to, int count, byte[] value, int valueLength) {
      load(from, to, count);
      return block == Block.NONE
             ? chained.find(from + 1, to, count, value, valueLength)
             : block.find(value, valueLength);
    }

    private void load(int from, int to, int count) {
      if (from == lastFrom && to == lastTo && count == lastCount) {
        return;
      }
      lastFrom = -1;
      Block found = kept(from, to, count);
      if (found == null) {
        found = decode(from, to, count);
        if (found.bytes.length <= KEPT_BYTES) {
          kept[nextKept] = found;
          keptFrom[nextKept] = from;
          keptTo[nextKept] = to;
          nextKept = (nextKept + 1) % KEPT;
          numKept = Math.min(numKept + 1, KEPT);
        }
      }
      block = found;
      if (text.length < block.bytes.length) {
        text = new byte[Math.max(block.bytes.length, 2 * text.length)];
      }
      lastIndex = -1;
      lastFrom = from;
      lastTo = to;
      lastCount = count;
    }

    @Nullable
    private Block kept(int from, int to, int count) {
      for (int i = 0; i < numKept; i++) {
        if (keptFrom[i] == from && keptTo[i] == to && (kept[i] == Block.NONE || kept[i].prefixes.length == count)) {
          return kept[i];
        }
      }
      return null;
    }

    private Block decode(int from, int to, int count) {
      int size = 0;
      int at = from;
      for (int shift = 0, more = 1; more != 0; shift += BITS) {
        if (at >= to || shift >= MAX_NUMBER_BYTES * BITS) {
          throw new MalformedChunkException("A block of " + (to - from) + " bytes ends within its size");
        }
        final int next = in.getByte(at++);
        size |= (next & LOW_BITS) << shift;
        more = next >>> BITS;
      }
      if (size == 0) {
        return Block.NONE;
      }
      final int compressed = to - at;
      if (size > MAX_SIZE || compressed > size) {
        throw new MalformedChunkException("A block of " + compressed + " bytes is said to have " + size
            + " before compression, expected from as many to " + MAX_SIZE);
      }
      if (frame.length < HEADER_BYTES + compressed) {
        frame = Arrays.copyOf(frame, HEADER_BYTES + Math.max(compressed, 2 * frame.length));
      }
      writeInt24(frame, FRAME_HEADER.length, blockHeader(compressed));
      buffer.get(at, frame, HEADER_BYTES, compressed);
      final byte[] bytes = new byte[size];
      model.decompress(frame, HEADER_BYTES + compressed, bytes);
      return new Block(bytes, count);
    }
  }

  /** Texts before compression, all of whose numbers are valid. */
  private static final class Block {
    /** Stands for buckets that are not compressed. */
    static final Block NONE = new Block(new byte[0], 0);

    private final byte[] bytes;
    private final int[] prefixes;
    private final int[] lengths;
    /** Where that which is behind the prefix of each text is. */
    private final int[] starts;
    private int numbersEnd;

    Block(byte[] bytes, int count) {
      this.bytes = bytes;
      this.prefixes = new int[count];
      this.lengths = new int[count];
      this.starts = new int[count];
      int before = 0;
      int start = 0;
      for (int i = 0; i < count; i++) {
        final int prefix = number();
        final int length = number();
        if (prefix > before || length > bytes.length - start) {
          throw new MalformedChunkException("Text " + i + " of a block has " + prefix + " bytes of one of " + before
              + ", and " + length + " of " + (bytes.length - start));
        }
        prefixes[i] = prefix;
        starts[i] = start;
        start += length;
        before = prefix + length;
        lengths[i] = before;
      }
      if (numbersEnd + start != bytes.length) {
        throw new MalformedChunkException(
            "A block of " + bytes.length + " bytes has " + numbersEnd + " of numbers, and texts of " + start);
      }
      for (int i = 0; i < count; i++) {
        starts[i] += numbersEnd;
      }
    }

    private int number() {
      int number = 0;
      for (int shift = 0; shift < MAX_NUMBER_BYTES * BITS && numbersEnd < bytes.length; shift += BITS) {
        final int next = bytes[numbersEnd++];
        number |= (next & LOW_BITS) << shift;
        if (next >= 0) {
          return number;
        }
      }
      throw new MalformedChunkException("A number of a block has no end");
    }

    /**
     * Reads a text, and gives its length.
     *
     * @param known index of the text that {@code out} has, not behind the wanted one; -1 if there is none
     * @param out   not shorter than the block, which no text is longer than
     */
    int read(int index, int known, byte[] out) {
      int needed = lengths[index];
      // From the wanted text on backwards, of each what those behind it do not have.
      for (int i = index; i > known && needed > 0; i--) {
        final int prefix = prefixes[i];
        if (prefix < needed) {
          System.arraycopy(bytes, starts[i], out, prefix, needed - prefix);
          needed = prefix;
        }
      }
      return lengths[index];
    }

    int find(byte[] value, int valueLength) {
      // How many bytes the value and the text before begin with alike.
      int known = 0;
      for (int i = 0; i < prefixes.length; i++) {
        if (prefixes[i] < known) {
          return -i - 1;
        }
        if (prefixes[i] == known) {
          final int end = starts[i] + lengths[i] - known;
          final int same = Arrays.mismatch(bytes, starts[i], end, value, known, valueLength);
          if (same < 0) {
            return i;
          }
          if (Utf8.compare(bytes, starts[i] + same, end, value, known + same, valueLength) > 0) {
            return -i - 1;
          }
          known += same;
        }
      }
      return -prefixes.length - 1;
    }
  }
}
