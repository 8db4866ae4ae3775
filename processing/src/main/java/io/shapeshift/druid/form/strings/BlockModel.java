// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.VByte;

/**
 * How many texts {@link BlockBucket}s have, and the dictionary with which all of them were compressed.
 *
 * <pre>
 * | bytes  | field                                                                                  |
 * |--------|----------------------------------------------------------------------------------------|
 * | 1      | logSize: the logarithm of the number of texts in each bucket but the last, 0 to {@value #MAX_LOG_SIZE} |
 * | 1 to 3 | size of the dictionary, 0 to {@value #MAX_DICTIONARY} (VByte)                                    |
 * | size   | the dictionary, in zstd's format                                                       |
 * </pre>
 * The first read decodes the dictionary, to native memory: its own size and some 30 KB for each segment and column that
 * is read, which are freed when the model is collected. To decompress takes a context of some 100 KB of native memory
 * besides; contexts belong to no reader, but to whoever decompresses at the moment. As many as the machine has
 * processors are kept for the next one, with the dictionary that each used last, and others are freed at once.
 */
final class BlockModel implements TextModel {
  /** The most texts a bucket has, as a logarithm. */
  static final int MAX_LOG_SIZE = 7;
  /** The largest dictionary, in bytes. */
  static final int MAX_DICTIONARY = 1 << 16;

  /** What zstd takes for a decoded dictionary, beside its own size. */
  private static final int DECODED_BYTES = 30_000;

  private static final BlockingQueue<ZstdDecompressCtx> CONTEXTS =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  private final int logSize;
  private final ByteBuffer dictionary;
  /** Null before the first read. */
  @Nullable
  private volatile ZstdDictDecompress decoded;

  /**
   * Makes a model.
   *
   * @param dictionary from its position to its limit
   */
  BlockModel(int logSize, ByteBuffer dictionary) {
    this.logSize = logSize;
    this.dictionary = dictionary.slice();
  }

  /** Logarithm of the number of texts in a bucket. */
  int logSize() {
    return logSize;
  }

  /** The dictionary; of no bytes if there is none. */
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
    return DECODED_BYTES + dictionary.limit();
  }

  @Override
  public void write(ByteBuffer out) {
    out.put((byte) logSize);
    VByte.writeInt(out, dictionary.limit());
    out.put(dictionary.duplicate());
  }

  /**
   * Takes a model from the buffer, whose position moves behind it, and of which the model keeps the dictionary.
   *
   * @throws MalformedChunkException if a field is out of its range, or the buffer ends within the dictionary
   * @throws java.nio.BufferUnderflowException if the buffer ends before
   */
  static BlockModel read(ByteBuffer in) {
    final int logSize = in.get();
    final int size = VByte.readInt(in);
    if (logSize < 0 || logSize > MAX_LOG_SIZE || size < 0 || size > Math.min(MAX_DICTIONARY, in.remaining())) {
      throw new MalformedChunkException("Blocks have 1 << " + logSize + " texts and a dictionary of " + size
          + " bytes, expected at most 1 << " + MAX_LOG_SIZE + " and " + Math.min(MAX_DICTIONARY, in.remaining()));
    }
    final BlockModel model = new BlockModel(logSize, in.slice(in.position(), size));
    in.position(in.position() + size);
    return model;
  }

  /**
   * Decompresses a frame of zstd.
   *
   * @param out gets all bytes
   * @throws MalformedChunkException if it has another size, or anything is damaged
   */
  void decompress(byte[] frame, int length, byte[] out) {
    // Without memory for these nothing is said of the frame.
    final ZstdDictDecompress used = decoded();
    @Nullable final ZstdDecompressCtx kept = CONTEXTS.poll();
    final ZstdDecompressCtx context = kept == null ? new ZstdDecompressCtx() : kept;
    final int found;
    boolean isUsable = false;
    try {
      context.loadDict(used);
      found = context.decompressByteArray(out, 0, out.length, frame, 0, length);
      isUsable = true;
    } catch (RuntimeException e) {
      throw new MalformedChunkException("A block does not decompress: " + e.getMessage(), e);
    } finally {
      if (!isUsable || !CONTEXTS.offer(context)) {
        context.close();
      }
    }
    if (found != out.length) {
      throw new MalformedChunkException("A block decompresses to " + found + " bytes, expected " + out.length);
    }
  }

  /** Also made of no bytes: a context that had a dictionary once keeps it until it gets another. */
  private ZstdDictDecompress decoded() {
    ZstdDictDecompress found = decoded;
    if (found == null) {
      synchronized (this) {
        found = decoded;
        if (found == null) {
          found = new ZstdDictDecompress(dictionary());
          decoded = found;
        }
      }
    }
    return found;
  }
}
