// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import com.google.common.base.Supplier;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.strings.SymbolTable;
import io.shapeshift.druid.form.strings.TextCoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;

/**
 * The dictionary of a column of strings in a segment. Serves any number of threads, and gives each a
 * {@link StringDictionaryReader} of its own; what all of them need, the model of the coding, is decoded once.
 */
public final class StringDictionary implements Supplier<StringDictionaryReader> {
  private final String column;
  private final StringDictionaryHeader header;
  /** In little-endian order. */
  private final ByteBuffer buffer;
  private final RawBytes bytes = new RawBytes();
  private final int keysOffset;
  private final int offsetsOffset;
  private final int dataOffset;
  private final int logSize;
  /** What is between buckets; null if the coding has no separators. */
  @Nullable
  private final StringDictionary separators;
  /** Bytes of each bucket, if where they start is not stored. */
  private final int bucketBytes;

  private StringDictionary(String column, StringDictionaryHeader header, ByteBuffer buffer) {
    this.column = column;
    this.header = header;
    this.buffer = buffer;
    this.bytes.wrap(buffer);
    this.keysOffset = header.size();
    final int separatorsOffset = keysOffset + Long.BYTES * header.numKeys();
    this.separators = header.coding().hasSeparators() ? readSeparators(separatorsOffset) : null;
    this.offsetsOffset = separatorsOffset + header.separatorBytes();
    this.dataOffset = Math.toIntExact(offsetsOffset + header.offsetBytes());
    this.bucketBytes = header.bucketBytes();
    this.logSize = header.logSize();
  }

  private StringDictionary readSeparators(int offset) {
    final ByteBuffer stored = buffer.slice(offset, header.separatorBytes()).order(ByteOrder.LITTLE_ENDIAN);
    final StringDictionaryHeader found = StringDictionaryHeader.read(column, stored);
    final int expected = Math.max(0, header.numBuckets() - 1);
    if (found.coding() != TextCoding.RAW || found.hasNull() || found.numTexts() != expected) {
      throw ColumnFormatException.damaged(column, "the separators of its dictionary are " + found.numTexts()
          + " of coding " + found.coding() + ", expected " + expected + " of " + TextCoding.RAW);
    }
    return new StringDictionary(column, found, stored);
  }

  /**
   * Takes the dictionary of a column from the buffer, whose position moves behind it.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @throws ColumnFormatException if the version is not known, or the header contradicts itself or the buffer
   */
  public static StringDictionary read(String column, ByteBuffer buffer) {
    final ByteBuffer bytes = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    final StringDictionaryHeader header = StringDictionaryHeader.read(column, bytes);
    final int size = Math.toIntExact(header.totalSize());
    buffer.position(buffer.position() + size);
    return new StringDictionary(column, header, bytes.slice(0, size).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public StringDictionaryReader get() {
    return new StringDictionaryReader(this, header.coding().reader(buffer, header.model()));
  }

  /** Name of the column, for messages. */
  String column() {
    return column;
  }

  /** Whether id 0 is null. */
  public boolean hasNull() {
    return header.hasNull();
  }

  /** Values other than null. */
  int numTexts() {
    return header.numTexts();
  }

  /** How many values there are: the dictionary ids of the column. */
  public int size() {
    return header.numTexts() + (header.hasNull() ? 1 : 0);
  }

  /** Bytes of all. */
  public long sizeInBytes() {
    return header.totalSize();
  }

  /** How texts are stored. */
  public TextCoding coding() {
    return header.coding();
  }

  /** Bytes that all texts begin with alike. */
  public int commonPrefix() {
    return header.commonPrefix();
  }

  /** Symbols that codes stand for; 0 if it has none. */
  public int numSymbols() {
    return header.model() instanceof SymbolTable symbols ? symbols.size() : 0;
  }

  /** Texts in each bucket but the last. */
  public int textsPerBucket() {
    return 1 << logSize;
  }

  int numBuckets() {
    return header.numBuckets();
  }

  /** Texts in a bucket. */
  int sizeOf(int bucket) {
    return Math.min(1 << logSize, header.numTexts() - (bucket << logSize));
  }

  /** The logarithm of the number of texts in a bucket. */
  int logSize() {
    return logSize;
  }

  /** What is between buckets; null if the coding has no separators. */
  @Nullable
  StringDictionary separators() {
    return separators;
  }

  int bucketsPerKey() {
    return header.bucketsPerKey();
  }

  int numKeys() {
    return header.numKeys();
  }

  long key(int index) {
    return bytes.getLong(keysOffset + Long.BYTES * index);
  }

  /** Index in the buffer of a bucket's first byte, or for the number of buckets of the end of the last. */
  int start(int bucket) {
    if (bucket == header.numBuckets()) {
      return dataOffset + header.dataBytes();
    }
    if (!header.coding().hasOffsets()) {
      return dataOffset + bucket * bucketBytes;
    }
    final int width = header.offsetWidth();
    final long bit = (long) bucket * width;
    final int start =
        (int) (bytes.getLong(offsetsOffset + (int) (bit >>> 3)) >>> (bit & 7)) & (int) ((1L << width) - 1);
    if (start > header.dataBytes()) {
      throw damaged(bucket, "it starts at byte " + start + ", of " + header.dataBytes(), null);
    }
    return dataOffset + start;
  }

  ColumnFormatException damaged(int bucket, String found, Throwable cause) {
    return ColumnFormatException.damaged(column, "bucket " + bucket + " of its dictionary: " + found, cause);
  }
}
