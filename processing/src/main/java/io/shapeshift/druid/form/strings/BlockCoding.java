// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.segment.data.VByte;

/**
 * Coding in {@link BlockBucket}s, the smallest for long texts and natural language, and the slowest. The model is the
 * number of texts in a bucket, and the zstd dictionary that all buckets share.
 *
 * <pre>
 * | bytes  | field                                                                                            |
 * |--------|--------------------------------------------------------------------------------------------------|
 * | 1      | logSize: log2 of the number of texts in each bucket except the last, 0 to {@value #MAX_LOG_SIZE} |
 * | 1 to 3 | size of the dictionary, 0 to {@value #MAX_DICTIONARY} (VByte)                                    |
 * | size   | the dictionary, in zstd's format                                                                 |
 * </pre>
 * The first read decodes the dictionary to native memory: its size plus about 30 KB. The process keeps
 * {@value #MAX_DECODED_BYTES} bytes of decoded dictionaries, and frees the others when their last decompression ends; a
 * coding whose dictionary was freed decodes it again. Decompression also needs a context of about 100 KB of native
 * memory, which a reader borrows from a pool for each decompression.
 */
public final class BlockCoding implements TextCoding {
  static final byte ID = 4;

  /** Base 2 logarithm of the most texts in a bucket. */
  static final int MAX_LOG_SIZE = 7;
  /** Largest dictionary, in bytes. */
  static final int MAX_DICTIONARY = 1 << 16;

  /** Native memory in bytes of the decoded dictionaries that the process keeps. */
  static final int MAX_DECODED_BYTES = 1 << 25;

  /** Compression level of codings from segments, whose blocks are written only by tests. */
  private static final int READ_LEVEL = 19;

  /** Approximate heap memory of a coding in bytes. */
  private static final int HEAP_BYTES = 200;

  private static final DecodedDictionary.Cache DECODED = new DecodedDictionary.Cache(MAX_DECODED_BYTES);
  private static final Pool<BlockContext> CONTEXTS =
      Pools.ofProcess().direct("zstd contexts", BlockContext.BYTES, BlockContext::new, BlockContext::close);

  private final int logSize;
  /** Compression level of writers; not stored. */
  private final int level;
  private final ByteBuffer dictionary;
  /** The dictionary decoded last, whose memory may be freed already; null before the first read. */
  @Nullable
  private volatile DecodedDictionary decoded;

  /**
   * Creates a coding.
   *
   * @param level      compression level of writers
   * @param dictionary the bytes from its position to its limit
   */
  BlockCoding(int logSize, int level, ByteBuffer dictionary) {
    this.logSize = logSize;
    this.level = level;
    this.dictionary = dictionary.slice();
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "blocks";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Texts.BLOCKS_COST;
  }

  @Override
  public boolean hasKeys() {
    return false;
  }

  @Override
  public boolean hasSeparators() {
    return true;
  }

  @Override
  public BucketWriter writer() {
    return new BlockBucket.Writer(this);
  }

  @Override
  public BucketReader reader(ByteBuffer buffer) {
    return new BlockBucket.Reader(buffer, this);
  }

  @Override
  public int logSize() {
    return logSize;
  }

  /** Returns the compression level of writers. */
  int level() {
    return level;
  }

  /** Returns the dictionary; empty if there is none. */
  byte[] dictionary() {
    final byte[] bytes = new byte[dictionary.limit()];
    dictionary.get(0, bytes);
    return bytes;
  }

  @Override
  public int sizeInBytes() {
    return 1 + VByte.computeIntSize(dictionary.limit()) + dictionary.limit();
  }

  @Override
  public int memory() {
    return HEAP_BYTES;
  }

  @Override
  public void write(ByteBuffer out) {
    out.put((byte) logSize);
    VByte.writeInt(out, dictionary.limit());
    out.put(dictionary.duplicate());
  }

  /**
   * Reads a model and advances the buffer past it. The coding keeps a reference to the dictionary's bytes.
   *
   * @throws MalformedChunkException if a field is out of its range, or the buffer ends within the dictionary
   * @throws java.nio.BufferUnderflowException if the buffer ends before the dictionary
   */
  public static BlockCoding read(ByteBuffer in) {
    final int logSize = in.get();
    final int size = VByte.readInt(in);
    if (logSize < 0 || logSize > MAX_LOG_SIZE || size < 0 || size > Math.min(MAX_DICTIONARY, in.remaining())) {
      throw new MalformedChunkException("Blocks have 1 << " + logSize + " texts and a dictionary of " + size
          + " bytes, expected at most 1 << " + MAX_LOG_SIZE + " and " + Math.min(MAX_DICTIONARY, in.remaining()));
    }
    final BlockCoding coding = new BlockCoding(logSize, READ_LEVEL, in.slice(in.position(), size));
    in.position(in.position() + size);
    return coding;
  }

  /**
   * Decompresses a zstd frame.
   *
   * @param out receives the bytes, and must have their exact size
   * @throws MalformedChunkException if the size differs, or the frame is damaged
   */
  void decompress(byte[] frame, int length, byte[] out) {
    // Decode first: if memory for the dictionary runs out, the frame must not be reported as damaged.
    final DecodedDictionary used = acquire();
    final int found;
    try (ResourceHolder<BlockContext> context = CONTEXTS.take()) {
      found = context.get().decompress(used.get(), frame, length, out);
    } finally {
      used.release();
    }
    if (found != out.length) {
      throw new MalformedChunkException("A block decompresses to " + found + " bytes, expected " + out.length);
    }
  }

  /**
   * Returns the decoded dictionary, which the caller must release. An empty dictionary is decoded too, because a
   * context keeps its dictionary until it gets another.
   */
  private DecodedDictionary acquire() {
    @Nullable final DecodedDictionary last = decoded;
    if (last != null && last.acquire()) {
      return last;
    }
    synchronized (this) {
      DecodedDictionary found = decoded;
      if (found == null || !found.acquire()) {
        found = DECODED.decode(dictionary());
        decoded = found;
      }
      return found;
    }
  }
}
