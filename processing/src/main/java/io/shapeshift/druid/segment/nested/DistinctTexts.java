// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHashFactory;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Distinct texts, numbered from 0 in the order in which they are added. They are kept in compressed blocks of a
 * temporary file, and found by a hash index over hashes of 64 bits. If two texts have the same hash, all are hashed
 * again with another seed, so that the text of a hash need not be read.
 */
final class DistinctTexts implements Closeable {
  private static final int BLOCK_BYTES = 1 << 14;
  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

  /** Hash of the UTF-8 of a text. */
  @FunctionalInterface
  interface Hash {
    long of(byte[] bytes, int offset, int length, int seed);
  }

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final File directory;
  private final Hash hash;
  private final WriteOutBytes compressed;
  private final LongArrayList starts = new LongArrayList();
  private final IntArrayList lengths = new IntArrayList();
  private final IntArrayList firstTexts = new IntArrayList();
  private int size;
  /** The block that is filled, and then the one that was read last. */
  private byte[] block = new byte[2 * BLOCK_BYTES];
  private int blockLength;
  private int openBlock = -1;
  /** Offsets of the length and the bytes of each text in the open block. */
  private final IntArrayList texts = new IntArrayList();
  private int seed;
  @Nullable
  private LongsInFile hashes;
  @Nullable
  private MappedFile indexFile;
  @Nullable
  private HashIndexReader index;

  /**
   * Creates an empty collection.
   *
   * @param column    name of the column, for messages
   * @param medium    keeps the texts
   * @param directory for files that are mapped
   */
  DistinctTexts(String column, SegmentWriteOutMedium medium, File directory) throws IOException {
    this(column, medium, directory, XXHashFactory.fastestInstance().hash64()::hash);
  }

  @VisibleForTesting
  DistinctTexts(String column, SegmentWriteOutMedium medium, File directory, Hash hash) throws IOException {
    this.column = column;
    this.medium = medium;
    this.directory = directory;
    this.hash = hash;
    this.compressed = medium.makeWriteOutBytes();
  }

  /** Adds a text that is not there yet; half a surrogate pair counts as a question mark. */
  void add(String text) throws IOException {
    final byte[] utf8 = StringUtils.toUtf8(text);
    final int most = blockLength + Integer.BYTES + 1 + utf8.length;
    if (most > block.length) {
      block = Arrays.copyOf(block, most);
    }
    if (blockLength == 0) {
      firstTexts.add(size);
    }
    blockLength = Varint.put(utf8.length, block, blockLength);
    System.arraycopy(utf8, 0, block, blockLength, utf8.length);
    blockLength += utf8.length;
    size = Math.incrementExact(size);
    if (blockLength >= BLOCK_BYTES) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (blockLength > 0) {
      starts.add(compressed.size());
      lengths.add(blockLength);
      final byte[] out = COMPRESSOR.compress(block, 0, blockLength);
      compressed.write(out, 0, out.length);
      blockLength = 0;
    }
  }

  /** Makes texts and their numbers readable. No texts can be added afterwards. */
  void complete() throws IOException {
    flush();
    starts.add(compressed.size());
    firstTexts.add(size);
    while (!isIndexed()) {
      close();
      seed++;
    }
  }

  /** Hashes all texts; returns false if it takes another seed. */
  private boolean isIndexed() throws IOException {
    hashes = new LongsInFile(directory);
    indexFile = new MappedFile(directory);
    try (SegmentWriteOutMedium own = medium.makeChildWriteOutMedium()) {
      final HashIndexSerializer written = new HashIndexSerializer(column, own, OptimizationTarget.FASTER);
      written.open();
      for (int i = 0; i < lengths.size(); i++) {
        open(i);
        for (int text = 0; text < texts.size() - 1; text++) {
          final int offset = start(text);
          final long key = hash.of(block, offset, texts.getInt(text + 1) - offset, seed);
          hashes.add(key);
          written.add(key);
        }
      }
      hashes.complete();
      if (!written.complete()) {
        return false;
      }
      written.writeTo(indexFile.channel(), null);
    }
    final HashIndex read = HashIndex.read(column, indexFile.map(0, Math.toIntExact(indexFile.size())), size);
    index = read.reader(hashes::get);
    return read.numKeys() == size;
  }

  /** Reads a block, unless it is open. */
  private void open(int number) throws IOException {
    if (number == openBlock) {
      return;
    }
    openBlock = -1;
    final byte[] in = new byte[(int) (starts.getLong(number + 1) - starts.getLong(number))];
    compressed.readFully(starts.getLong(number), ByteBuffer.wrap(in));
    final int length = lengths.getInt(number);
    if (block.length < length) {
      block = new byte[length];
    }
    DECOMPRESSOR.decompress(in, 0, in.length, block, 0);
    texts.clear();
    int at = 0;
    while (at < length) {
      texts.add(at);
      at = start(texts.size() - 1) + lengthAt(at);
    }
    texts.add(length);
    openBlock = number;
  }

  private int lengthAt(int offset) {
    int length = 0;
    int at = offset;
    for (int shift = 0; ; shift += Varint.BITS) {
      final int next = block[at++];
      length |= (next & Varint.MASK) << shift;
      if (next >= 0) {
        return length;
      }
    }
  }

  /** Returns the offset of the first byte of a text in the open block. */
  private int start(int text) {
    int at = texts.getInt(text);
    while (block[at] < 0) {
      at++;
    }
    return at + 1;
  }

  int size() {
    return size;
  }

  /** Returns a text by its number. Reading in the order of numbers is fast. */
  String get(int number) {
    final int found = Arrays.binarySearch(firstTexts.elements(), 0, lengths.size(), number);
    final int ofBlock = found < 0 ? -found - 2 : found;
    try {
      open(ofBlock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    final int text = number - firstTexts.getInt(ofBlock);
    final int start = start(text);
    return new String(block, start, texts.getInt(text + 1) - start, StandardCharsets.UTF_8);
  }

  /** Returns the number of a text, or -1 if it was not added. A text that was not added may be taken for another. */
  int indexOf(String text) {
    final byte[] utf8 = StringUtils.toUtf8(text);
    return index.findUnique(hash.of(utf8, 0, utf8.length, seed));
  }

  @Override
  public void close() throws IOException {
    if (hashes != null) {
      hashes.close();
      indexFile.close();
    }
  }
}
