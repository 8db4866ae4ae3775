// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import com.google.common.base.Supplier;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.strings.SymbolTable;
import io.shapeshift.druid.form.strings.TextCoding;
import io.shapeshift.druid.form.strings.TextModel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;

/**
 * The dictionary of a column of strings in a segment. Serves any number of threads, and gives each a
 * {@link StringDictionaryReader} of its own; what all of them need, the model of the coding, is decoded once.
 *
 * <p>Models of all dictionaries of the process share {@value #MAX_MODEL_BYTES} bytes, in which those are kept that were
 * asked for last; a reader keeps its own as long as it is used.
 */
public final class StringDictionary implements Supplier<StringDictionaryReader> {
  private static final int MAX_MODEL_BYTES = 1 << 25;
  private static final Cache<StringDictionary, TextModel> MODELS = CacheBuilder
      .newBuilder()
      .weakKeys()
      .maximumWeight(MAX_MODEL_BYTES)
      .<StringDictionary, TextModel>weigher((dictionary, model) -> model.memory())
      .build();

  private final String column;
  /** What it is of the column, for messages. */
  private final String what;
  /** In little-endian order. */
  private final ByteBuffer buffer;
  private final RawBytes bytes = new RawBytes();
  private final TextCoding coding;
  private final boolean hasNull;
  private final int numTexts;
  private final int commonPrefix;
  private final int dataBytes;
  private final int largestBucket;
  private final int logSize;
  private final int numBuckets;
  private final int numKeys;
  private final int offsetWidth;
  private final int keysOffset;
  private final int offsetsOffset;
  private final int dataOffset;
  /** What is between buckets; null if the coding has no separators. */
  @Nullable
  private final StringDictionary separators;
  /** Bytes of each bucket, if where they start is not stored. */
  private final int bucketBytes;

  private StringDictionary(String column, String what, StringDictionaryHeader header, ByteBuffer buffer) {
    this.column = column;
    this.what = what;
    this.buffer = buffer;
    this.bytes.wrap(buffer);
    this.coding = header.coding();
    this.hasNull = header.hasNull();
    this.numTexts = header.numTexts();
    this.commonPrefix = header.commonPrefix();
    this.dataBytes = header.dataBytes();
    this.largestBucket = header.largestBucket();
    this.logSize = header.logSize();
    this.numBuckets = header.numBuckets();
    this.numKeys = header.numKeys();
    this.offsetWidth = header.offsetWidth();
    this.keysOffset = header.size();
    final int separatorsOffset = keysOffset + Long.BYTES * numKeys;
    this.separators = coding.hasSeparators() ? readSeparators(separatorsOffset, header.separatorBytes()) : null;
    this.offsetsOffset = separatorsOffset + header.separatorBytes();
    this.dataOffset = Math.toIntExact(offsetsOffset + header.offsetBytes());
    this.bucketBytes = header.bucketBytes();
  }

  private StringDictionary readSeparators(int offset, int size) {
    final ByteBuffer stored = buffer.slice(offset, size).order(ByteOrder.LITTLE_ENDIAN);
    final StringDictionaryHeader found = StringDictionaryHeader.read(column, stored);
    final int expected = Math.max(0, numBuckets - 1);
    if (found.coding() != TextCoding.FRONT || found.hasNull() || found.numTexts() != expected) {
      throw ColumnFormatException.damaged(column, "the separators of its dictionary are " + found.numTexts()
          + " of coding " + found.coding() + ", expected " + expected + " of " + TextCoding.FRONT);
    }
    if (found.totalSize() != size) {
      throw ColumnFormatException.damaged(
          column, "the separators of its dictionary take " + found.totalSize() + " bytes, expected " + size);
    }
    return new StringDictionary(column, "the separators of its dictionary", found, stored);
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
    return new StringDictionary(column, "its dictionary", header, bytes.slice(0, size).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public StringDictionaryReader get() {
    return new StringDictionaryReader(this, coding.reader(buffer, model()));
  }

  /** What the coding knows of all texts; null if it knows nothing. */
  @Nullable
  private TextModel model() {
    if (!coding.hasModel()) {
      return null;
    }
    TextModel model = MODELS.getIfPresent(this);
    if (model == null) {
      model = StringDictionaryHeader.read(column, buffer).model();
      MODELS.put(this, model);
    }
    return model;
  }

  /** Name of the column, for messages. */
  String column() {
    return column;
  }

  /** Whether id 0 is null. */
  public boolean hasNull() {
    return hasNull;
  }

  /** Values other than null. */
  int numTexts() {
    return numTexts;
  }

  /** How many values there are: the dictionary ids of the column. */
  public int size() {
    return numTexts + (hasNull ? 1 : 0);
  }

  /** Bytes of all. */
  public long sizeInBytes() {
    return buffer.limit();
  }

  /** How texts are stored. */
  public TextCoding coding() {
    return coding;
  }

  /** Bytes that all texts begin with alike. */
  public int commonPrefix() {
    return commonPrefix;
  }

  /** Symbols that codes stand for; 0 if it has none. */
  public int numSymbols() {
    return model() instanceof SymbolTable symbols ? symbols.size() : 0;
  }

  /** Texts in each bucket but the last. */
  public int textsPerBucket() {
    return 1 << logSize;
  }

  /** Bytes of the largest bucket. */
  int largestBucket() {
    return largestBucket;
  }

  int numBuckets() {
    return numBuckets;
  }

  /** Texts in a bucket. */
  int sizeOf(int bucket) {
    return Math.min(1 << logSize, numTexts - (bucket << logSize));
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
    return StringDictionaryHeader.TEXTS_PER_KEY >>> logSize;
  }

  int numKeys() {
    return numKeys;
  }

  long key(int index) {
    return bytes.getLong(keysOffset + Long.BYTES * index);
  }

  /** Index in the buffer of a bucket's first byte, or for the number of buckets of the end of the last. */
  int start(int bucket) {
    if (bucket == numBuckets) {
      return dataOffset + dataBytes;
    }
    if (!coding.hasOffsets()) {
      return dataOffset + bucket * bucketBytes;
    }
    final long bit = (long) bucket * offsetWidth;
    final int start =
        (int) (bytes.getLong(offsetsOffset + (int) (bit >>> 3)) >>> (bit & 7)) & (int) ((1L << offsetWidth) - 1);
    if (start > dataBytes) {
      throw damaged(bucket, "it starts at byte " + start + ", of " + dataBytes, null);
    }
    return dataOffset + start;
  }

  /** The exception to throw where the rows have an id that the dictionary does not. */
  ColumnFormatException missing(int id) {
    return ColumnFormatException.damaged(
        column, "id " + id + " is asked for, of a dictionary of " + size() + " values");
  }

  ColumnFormatException damaged(int bucket, String found, Throwable cause) {
    return ColumnFormatException.damaged(column, "bucket " + bucket + " of " + what + ": " + found, cause);
  }
}
