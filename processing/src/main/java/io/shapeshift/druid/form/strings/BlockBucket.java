// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Bucket of neighbouring texts of a sorted dictionary, compressed with zstd. Reading one text decompresses the whole
 * bucket; the texts are kept, so that reading others is fast.
 *
 * <pre>
 * | bytes  | field                                                                                        |
 * |--------|----------------------------------------------------------------------------------------------|
 * | 1 to 3 | size before compression, at most {@value BlockTexts#MAX_SIZE}; 0 if a {@link ChainedBucket} follows |
 * | any    | a frame of zstd, without its header                                                          |
 * </pre>
 * Up to {@value #MAX_BLOCK} bytes before compression, the frame has a single, compressed block, and the header of this
 * block is left out as well: it is the same in all buckets, except for the block's size, which is known. The bytes
 * before compression are {@link BlockTexts}. The size has seven bits in each byte, the lowest first; the eighth bit is
 * set if another byte follows.
 */
final class BlockBucket {
  /** Largest block of zstd before compression, in bytes. */
  private static final int MAX_BLOCK = 1 << 17;
  /**
   * Frame header: the magic number, no content size, no checksum, no dictionary id, a window of {@link #MAX_BLOCK}.
   */
  private static final byte[] FRAME_HEADER = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, 0x38};
  /** Index of the window's size in the header. */
  private static final int WINDOW = FRAME_HEADER.length - 1;
  /** Window of a frame with several blocks, which covers {@link BlockTexts#MAX_SIZE} and the dictionary: 2 MB. */
  private static final byte LARGE_WINDOW = 0x58;
  private static final int BLOCK_HEADER_BYTES = 3;
  /** Low bits of a block header, below the block's size: last block, compressed. */
  private static final int BLOCK_KIND = 1 | 2 << 1;
  private static final int KIND_BITS = 3;

  private BlockBucket() {}

  /** Returns the header of a block of {@code size} bytes. */
  private static int blockHeader(int size) {
    return size << KIND_BITS | BLOCK_KIND;
  }

  /** Returns the bytes of headers that are not stored, for a size before compression. */
  private static int headerBytes(int size) {
    return FRAME_HEADER.length + (size > MAX_BLOCK ? 0 : BLOCK_HEADER_BYTES);
  }

  private static int readInt24(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
  }

  private static void writeInt24(byte[] bytes, int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >>> 8);
    bytes[at + 2] = (byte) (value >>> 16);
  }

  /** Writer of buckets. It has native memory until it is closed. */
  static final class Writer implements BucketWriter {
    private final BlockTexts.Writer plain = new BlockTexts.Writer();
    private final ChainedBucket.Writer chained = new ChainedBucket.Writer();
    private final ZstdCompressCtx context = new ZstdCompressCtx();
    @Nullable
    private final ZstdDictCompress dictionary;
    private byte[] frame = new byte[1 << 10];
    private byte[] bytes = new byte[1 << 10];

    Writer(BlockCoding coding) {
      context.setLevel(coding.level()).setContentSize(false).setChecksum(false).setDictID(false);
      try {
        final byte[] found = coding.dictionary();
        dictionary = found.length == 0 ? null : new ZstdDictCompress(found, coding.level());
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

    /** Compresses a block of texts and returns the size of the bucket; 0 if the bucket would not be smaller. */
    int encode(byte[] in, int size) {
      final int headers = headerBytes(size);
      final int compressed = size == 0 ? 0 : compress(in, size) - headers;
      if (compressed <= 0 || compressed >= size) {
        return 0;
      }
      ensure(BlockTexts.MAX_NUMBER_BYTES + compressed);
      final int at = Varint.put(size, bytes, 0);
      System.arraycopy(frame, headers, bytes, at, compressed);
      return at + compressed;
    }

    private void ensure(int size) {
      if (bytes.length < size) {
        bytes = new byte[Math.max(size, Math.min(2 * bytes.length, 1 << 20))];
      }
    }

    /** Compresses to a frame and returns its size; 0 if its headers differ from those that readers add. */
    private int compress(byte[] in, int size) {
      final int bound = Math.toIntExact(Zstd.compressBound(size));
      if (frame.length < bound) {
        frame = new byte[Math.max(bound, 2 * frame.length)];
      }
      final int length = context.compressByteArray(frame, 0, frame.length, in, 0, size);
      final boolean isAsExpected = Arrays.equals(frame, 0, WINDOW, FRAME_HEADER, 0, WINDOW)
          && (size > MAX_BLOCK || readInt24(frame, FRAME_HEADER.length) == blockHeader(length - headerBytes(size)));
      return isAsExpected ? length : 0;
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
   * Reader of buckets that caches decompressed blocks. A small dictionary is therefore decompressed once, and
   * alternating reads of a few buckets are fast. The cache has at most {@value #KEPT} blocks, of {@value #KEPT_BYTES}
   * bytes together, and the last block of any size.
   */
  static final class Reader implements BucketReader {
    private static final int KEPT = 16;
    private static final int KEPT_BYTES = 1 << 16;

    private final ByteBuffer buffer;
    private final RawBytes in = new RawBytes();
    private final BlockCoding coding;
    private final ChainedBucket.Reader chained;
    private byte[] frame = Arrays.copyOf(FRAME_HEADER, 1 << 9);
    private final BlockTexts[] kept = new BlockTexts[KEPT];
    /**
     * Position of each cached bucket. Damaged buckets may share a start but differ in their end, so both are compared.
     */
    private final int[] keptFrom = new int[KEPT];
    private final int[] keptTo = new int[KEPT];
    private int numKept;
    private int nextKept;
    private int keptBytes;
    /** The block read last. */
    private BlockTexts block = BlockTexts.NONE;
    /** Start of the bucket read last; -1 if there is none. */
    private int lastFrom = -1;
    private int lastTo;
    private int lastCount;
    /** Index of the text read last in its block; -1 if there is none. */
    private int lastIndex;
    private byte[] text = new byte[64];

    Reader(ByteBuffer buffer, BlockCoding coding) {
      this.buffer = buffer;
      this.in.wrap(buffer);
      this.coding = coding;
      this.chained = new ChainedBucket.Reader(buffer);
    }

    @Override
    public byte[] text() {
      return block == BlockTexts.NONE ? chained.text() : text;
    }

    @Override
    public int read(int from, int to, int count, int index) {
      load(from, to, count);
      if (block == BlockTexts.NONE) {
        return chained.read(from + 1, to, count, index);
      }
      final int known = index < lastIndex ? -1 : lastIndex;
      lastIndex = index;
      return block.read(index, known, text);
    }

    @Override
    public void readAll(int from, int to, int count, TextRun run) {
      load(from, to, count);
      if (block == BlockTexts.NONE) {
        chained.readAll(from + 1, to, count, run);
      } else {
        block.readAll(run);
      }
    }

    @Override
    public int find(int from, int to, int count, byte[] value, int valueLength) {
      load(from, to, count);
      return block == BlockTexts.NONE
             ? chained.find(from + 1, to, count, value, valueLength)
             : block.find(value, valueLength);
    }

    private void load(int from, int to, int count) {
      if (from == lastFrom && to == lastTo && count == lastCount) {
        return;
      }
      lastFrom = -1;
      BlockTexts found = kept(from, to, count);
      if (found == null) {
        found = decode(from, to, count);
        if (found.size() <= KEPT_BYTES) {
          keep(found, from, to);
        }
      }
      block = found;
      if (text.length < block.size()) {
        text = new byte[Math.max(block.size(), 2 * text.length)];
      }
      lastIndex = -1;
      lastFrom = from;
      lastTo = to;
      lastCount = count;
    }

    @Nullable
    private BlockTexts kept(int from, int to, int count) {
      for (int i = 0; i < KEPT; i++) {
        if (keptFrom[i] == from && keptTo[i] == to && kept[i] != null
            && (kept[i] == BlockTexts.NONE || kept[i].count() == count)) {
          return kept[i];
        }
      }
      return null;
    }

    /** Caches a block in place of the oldest ones. */
    private void keep(BlockTexts added, int from, int to) {
      while (numKept == KEPT || keptBytes + added.size() > KEPT_BYTES) {
        final int oldest = (nextKept + KEPT - numKept) % KEPT;
        keptBytes -= kept[oldest].size();
        kept[oldest] = null;
        numKept--;
      }
      kept[nextKept] = added;
      keptFrom[nextKept] = from;
      keptTo[nextKept] = to;
      keptBytes += added.size();
      nextKept = (nextKept + 1) % KEPT;
      numKept++;
    }

    private BlockTexts decode(int from, int to, int count) {
      int size = 0;
      int at = from;
      for (int shift = 0, more = 1; more != 0; shift += Varint.BITS) {
        if (at >= to || shift >= BlockTexts.MAX_NUMBER_BYTES * Varint.BITS) {
          throw new MalformedChunkException("A block of " + (to - from) + " bytes ends within its size");
        }
        final int next = in.getByte(at++);
        size |= (next & Varint.MASK) << shift;
        more = next >>> Varint.BITS;
      }
      if (size == 0) {
        return BlockTexts.NONE;
      }
      final int compressed = to - at;
      if (size > BlockTexts.MAX_SIZE || compressed > size) {
        throw new MalformedChunkException("A block of " + compressed + " bytes is said to have " + size
            + " before compression, expected from as many to " + BlockTexts.MAX_SIZE);
      }
      final int headers = headerBytes(size);
      if (frame.length < headers + compressed) {
        frame = Arrays.copyOf(frame, headers + Math.max(compressed, 2 * frame.length));
      }
      if (size > MAX_BLOCK) {
        frame[WINDOW] = LARGE_WINDOW;
      } else {
        frame[WINDOW] = FRAME_HEADER[WINDOW];
        writeInt24(frame, FRAME_HEADER.length, blockHeader(compressed));
      }
      buffer.get(at, frame, headers, compressed);
      final byte[] bytes = new byte[size];
      coding.decompress(frame, headers + compressed, bytes);
      return new BlockTexts(bytes, count);
    }
  }
}
