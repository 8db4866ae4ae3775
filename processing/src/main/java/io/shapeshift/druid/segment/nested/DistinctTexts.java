// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.column.ColumnFormatException;
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
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Distinct texts, numbered from 0 in the order in which they are added. They are kept in compressed blocks of a
 * temporary file, and found by a hash index over hashes of 64 bits. If two texts have the same hash, all are hashed
 * again with another key, so that the text of a hash need not be read. Keys are random, so that nobody can choose texts
 * that have the same hash.
 */
final class DistinctTexts implements Closeable {
  private static final int BLOCK_BYTES = 1 << 14;
  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

  /** A billion texts have two with the same hash in one of 37 tries. */
  private static final int MOST_TRIES = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final File directory;
  private final Supplier<HashFunction> hashes;
  private final Closer files = Closer.create();
  private final WriteOutBytes compressed;
  private final LongArrayList starts = new LongArrayList();
  private final IntArrayList lengths = new IntArrayList();
  private final IntArrayList firstTexts = new IntArrayList();
  private int size;
  /** The block that is filled, and then the one that was read last. */
  private byte[] block = new byte[2 * BLOCK_BYTES];
  private int blockLength;
  private int openBlock = -1;
  /** Offsets of each text in the open block, with its length before it. */
  private final IntArrayList offsets = new IntArrayList();
  @Nullable
  private HashFunction hash;
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
    this(column, medium, directory, () -> Hashing.sipHash24(RANDOM.nextLong(), RANDOM.nextLong()));
  }

  /** Creates an empty collection with other hashes for each try, for tests. */
  @VisibleForTesting
  DistinctTexts(String column, SegmentWriteOutMedium medium, File directory, Supplier<HashFunction> hashes)
      throws IOException {
    this.column = column;
    this.medium = medium;
    this.directory = directory;
    this.hashes = hashes;
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
    for (int tries = 1; !isIndexed(); tries++) {
      files.close();
      if (tries == MOST_TRIES) {
        throw DruidException.defensive("Column[%s]: no hash tells all %s texts apart", column, size);
      }
    }
  }

  /** Hashes all texts; returns false if it takes another hash. */
  private boolean isIndexed() throws IOException {
    hash = hashes.get();
    final LongsInFile keys = files.register(new LongsInFile(directory));
    final MappedFile file = files.register(new MappedFile(directory));
    try (SegmentWriteOutMedium own = medium.makeChildWriteOutMedium()) {
      final HashIndexSerializer written = new HashIndexSerializer(column, own, OptimizationTarget.FASTER);
      written.open();
      for (int i = 0; i < lengths.size(); i++) {
        open(i);
        for (int text = 0; text < offsets.size() - 1; text++) {
          final int start = start(text);
          final long key = hash.hashBytes(block, start, offsets.getInt(text + 1) - start).asLong();
          keys.add(key);
          written.add(key);
        }
      }
      keys.complete();
      if (!written.complete()) {
        return false;
      }
      written.writeUncounted(file.channel());
    }
    if (file.size() > Integer.MAX_VALUE) {
      throw ColumnFormatException.tooLarge(column, size + " distinct texts of all fields");
    }
    final HashIndex read = HashIndex.read(column, file.map(Integer.MAX_VALUE).get(0), size);
    index = read.reader(keys::get);
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
    offsets.clear();
    int at = 0;
    while (at < length) {
      offsets.add(at);
      at = start(offsets.size() - 1) + lengthAt(at);
    }
    offsets.add(length);
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
    int at = offsets.getInt(text);
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
    return new String(block, start, offsets.getInt(text + 1) - start, StandardCharsets.UTF_8);
  }

  /** Returns the number of a text, or -1 if it was not added. A text that was not added may be taken for another. */
  int indexOf(String text) {
    final byte[] utf8 = StringUtils.toUtf8(text);
    return index.findUnique(hash.hashBytes(utf8).asLong());
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
