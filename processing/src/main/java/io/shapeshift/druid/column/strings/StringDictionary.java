// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import com.google.common.base.Supplier;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.ChainedCoding;
import io.shapeshift.druid.form.strings.FrontCoding;
import io.shapeshift.druid.form.strings.TextCoding;
import io.shapeshift.druid.form.strings.added.AddedCoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Dictionary of a string column in a segment. Thread-safe: each thread gets its own {@link StringDictionaryReader}, and
 * the coding's model is decoded once for all.
 *
 * <p>A cache of {@value #MAX_MODEL_BYTES} bytes keeps the most recently used codings with models of the process's
 * dictionaries. A reader keeps its coding as long as it is used.
 */
public final class StringDictionary implements Supplier<StringDictionaryReader> {
  private static final int MAX_MODEL_BYTES = 1 << 25;
  private static final Cache<StringDictionary, TextCoding> WITH_MODELS = CacheBuilder
      .newBuilder()
      .weakKeys()
      // Otherwise an entry may take only a part of the weight.
      .concurrencyLevel(1)
      .maximumWeight(MAX_MODEL_BYTES)
      .<StringDictionary, TextCoding>weigher((dictionary, coding) -> coding.memory())
      .build();

  private final String column;
  /** Description of the dictionary within the column, for messages. */
  private final String what;
  /** The bytes, little-endian. */
  private final ByteBuffer buffer;
  private final RawBytes bytes = new RawBytes();
  /** The coding; null if it has a model. */
  @Nullable
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
  /** Dictionary of the separators; null if the coding has none. */
  @Nullable
  private final StringDictionary separators;
  /** Index of the texts' trigrams; null if there is none. */
  @Nullable
  private final TextIndex textIndex;
  /** Size of each bucket in bytes, if no offsets are stored. */
  private final int bucketBytes;

  private StringDictionary(String column, String what, StringDictionaryHeader header, ByteBuffer buffer) {
    this.column = column;
    this.what = what;
    this.buffer = buffer;
    this.bytes.wrap(buffer);
    this.coding = header.coding().sizeInBytes() == 0 ? header.coding() : null;
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
    this.separators =
        header.coding().hasSeparators() ? readSeparators(separatorsOffset, header.separatorBytes()) : null;
    this.offsetsOffset = separatorsOffset + header.separatorBytes();
    this.dataOffset = Math.toIntExact(offsetsOffset + header.offsetBytes());
    this.bucketBytes = header.bucketBytes();
    this.textIndex = header.hasTextIndex()
        ? TextIndex.read(
            column, buffer.slice(Math.toIntExact(header.textIndexOffset()), header.textIndexBytes()), numTexts)
        : null;
  }

  private StringDictionary readSeparators(int offset, int size) {
    final ByteBuffer stored = buffer.slice(offset, size).order(ByteOrder.LITTLE_ENDIAN);
    final StringDictionaryHeader found = StringDictionaryHeader.read(column, stored);
    final int expected = Math.max(0, numBuckets - 1);
    final boolean isKnown = found.coding() == FrontCoding.PLAIN || found.coding() == ChainedCoding.INSTANCE;
    if (!isKnown || found.hasNull() || found.hasTextIndex() || found.numTexts() != expected) {
      throw ColumnFormatException.damaged(column, "the separators of its dictionary are " + found.numTexts()
          + " of coding " + found.coding().name() + ", expected " + expected + " of " + FrontCoding.PLAIN.name()
          + " or " + ChainedCoding.INSTANCE.name());
    }
    if (found.totalSize() != size) {
      throw ColumnFormatException.damaged(
          column, "the separators of its dictionary take " + found.totalSize() + " bytes, expected " + size);
    }
    return new StringDictionary(column, "the separators of its dictionary", found, stored);
  }

  /**
   * Reads a dictionary's header and advances the buffer past the dictionary.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @throws ColumnFormatException if the version is unknown, or the header contradicts itself or the buffer
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
    return reader(hasNull);
  }

  /** Returns a reader in which the first text has id 0, also if the dictionary has null. */
  public StringDictionaryReader texts() {
    return reader(false);
  }

  private StringDictionaryReader reader(boolean withNull) {
    return new StringDictionaryReader(this, buckets(), withNull);
  }

  private BucketReader buckets() {
    @Nullable final TextCoding known = coding != null ? coding : WITH_MODELS.getIfPresent(this);
    final TextCoding found = known != null ? known : coding();
    if (found instanceof AddedCoding added && !added.isInstalled()) {
      throw ColumnFormatException.missing(column, List.of(added.name()));
    }
    try {
      final BucketReader reader = found.reader(buffer);
      if (known == null) {
        WITH_MODELS.put(this, found);
      }
      return reader;
    } catch (MalformedChunkException e) {
      throw ColumnFormatException.damaged(column, "the model of " + what + ": " + e.getMessage(), e);
    }
  }

  /** Returns the name of the column, for messages. */
  String column() {
    return column;
  }

  /** Returns whether id 0 is null. */
  public boolean hasNull() {
    return hasNull;
  }

  /** Returns the number of values except null. */
  int numTexts() {
    return numTexts;
  }

  /** Returns the number of values, which is the number of dictionary ids. */
  public int size() {
    return numTexts + (hasNull ? 1 : 0);
  }

  /** Returns the size of the dictionary in bytes. */
  public long sizeInBytes() {
    return buffer.limit();
  }

  /** Returns the coding of the texts. */
  public TextCoding coding() {
    return coding != null ? coding : StringDictionaryHeader.read(column, buffer).coding();
  }

  /** Returns the length in bytes of the prefix that all texts share. */
  public int commonPrefix() {
    return commonPrefix;
  }

  /** Returns the number of symbols; 0 if the coding has none. */
  public int numSymbols() {
    return coding() instanceof FrontCoding front && front.symbols() != null ? front.symbols().size() : 0;
  }

  /** Returns the number of texts in each bucket except the last. */
  public int textsPerBucket() {
    return 1 << logSize;
  }

  /** Returns the size of the largest bucket in bytes. */
  int largestBucket() {
    return largestBucket;
  }

  int numBuckets() {
    return numBuckets;
  }

  /** Returns the number of texts in a bucket. */
  int sizeOf(int bucket) {
    return Math.min(1 << logSize, numTexts - (bucket << logSize));
  }

  /** Returns the base 2 logarithm of the number of texts in a bucket. */
  int logSize() {
    return logSize;
  }

  /** Returns the dictionary of the separators; null if the coding has none. */
  @Nullable
  StringDictionary separators() {
    return separators;
  }

  /** Returns the index of the texts' trigrams; null if there is none. */
  @Nullable
  public TextIndex textIndex() {
    return textIndex;
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

  /** Returns the index in the buffer of a bucket's first byte; for the number of buckets, the end of the last. */
  int start(int bucket) {
    if (bucket == numBuckets) {
      return dataOffset + dataBytes;
    }
    if (offsetWidth == 0) {
      return dataOffset + bucket * bucketBytes;
    }
    final long bit = (long) bucket * offsetWidth;
    final int start =
        (int) (bytes.getLong(offsetsOffset + (int) (bit >>> 3)) >>> (bit & 7)) & (int) ((1L << offsetWidth) - 1);
    if (start > dataBytes) {
      throw damaged(bucket, "it starts at byte " + start + ", of " + dataBytes);
    }
    return dataOffset + start;
  }

  /** Creates the exception for a row whose id is not in the dictionary. */
  ColumnFormatException missing(int id) {
    return ColumnFormatException.damaged(
        column, "id " + id + " is asked for, of a dictionary of " + size() + " values");
  }

  /** Creates the exception for a bucket whose place is damaged. */
  ColumnFormatException damaged(int bucket, String found) {
    return ColumnFormatException.damaged(column, "bucket " + bucket + " of " + what + ": " + found);
  }

  /** Creates the exception for a bucket that cannot be read. */
  ColumnFormatException damaged(int bucket, int offset, RuntimeException cause) {
    return ColumnFormatException.damaged(
        column, "bucket " + bucket + " at offset " + offset + " of " + what + ": " + cause.getMessage(), cause);
  }
}
