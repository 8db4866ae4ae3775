// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.TextPart;
import io.shapeshift.druid.form.strings.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.IndexedIterable;

/**
 * Reader of a string column's dictionary: values as UTF-8 or as strings, in the order of Java strings. Not thread-safe.
 * All methods throw {@link ColumnFormatException} if they read damaged bytes.
 */
public final class StringDictionaryReader implements Indexed<ByteBuffer> {
  private final StringDictionary dictionary;
  private final BucketReader reader;
  private final int logSize;
  private final int firstText;
  /** Reader of the separators; null if the coding has none. */
  @Nullable
  private final StringDictionaryReader separators;
  private final int size;
  /** Prefix that all texts share. */
  @Nullable
  private byte[] commonPrefix;
  private byte[] wanted = new byte[64];
  /** Bucket read last, or -1; its bytes and its number of texts. */
  private int soughtBucket = -1;
  private int from;
  private int to;
  private int count;

  /**
   * Creates a reader.
   *
   * @param hasNull whether null has id 0; otherwise the first text has it
   */
  StringDictionaryReader(StringDictionary dictionary, BucketReader reader, boolean hasNull) {
    this.dictionary = dictionary;
    this.reader = reader;
    this.logSize = dictionary.logSize();
    this.separators = dictionary.separators() == null ? null : dictionary.separators().get();
    this.firstText = hasNull ? 1 : 0;
    this.size = dictionary.numTexts() + firstText;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isSorted() {
    return true;
  }

  /** Returns whether id 0 is null. */
  public boolean hasNull() {
    return firstText > 0;
  }

  /** Returns whether texts are compressed in blocks, so that reading the next text is much faster than any other. */
  public boolean isInBlocks() {
    return separators != null;
  }

  /** Returns a value as UTF-8, in a new buffer; null if the value is null. */
  @Nullable
  @Override
  public ByteBuffer get(int id) {
    if (isNull(id)) {
      return null;
    }
    final int length = read(id - firstText);
    return ByteBuffer.wrap(Arrays.copyOf(reader.text(), length));
  }

  /** Returns a value; null if it is null. */
  @Nullable
  public String getString(int id) {
    if (isNull(id)) {
      return null;
    }
    return string(read(id - firstText));
  }

  /** Returns the text read last. */
  @SuppressWarnings("deprecation")
  private String string(int length) {
    // The deprecated constructor is the only one that does not inspect the bytes, which would take longer than the
    // copy.
    return reader.isAscii()
           ? new String(reader.text(), 0, 0, length)
           : new String(reader.text(), 0, length, StandardCharsets.UTF_8);
  }

  private boolean isNull(int id) {
    if (id < 0 || id >= size) {
      throw dictionary.missing(id);
    }
    return id < firstText;
  }

  /** Reads a text into the reader's array, and returns its length. */
  private int read(int text) {
    return read(text >>> logSize, text & (1 << logSize) - 1);
  }

  /** Reads a text of a bucket into the reader's array, and returns its length. */
  int read(int bucket, int index) {
    seek(bucket);
    try {
      return reader.read(from, to, count, index);
    } catch (RuntimeException e) {
      throw dictionary.damaged(bucket, from, e);
    }
  }

  /**
   * Finds the texts that contain all of some parts, and others that may contain them. Texts are searched for one of the
   * parts, and the text index excludes those without any of the other parts.
   *
   * @param parts   at least one
   * @param isExact whether only the ids of the texts that contain the only part are wanted; otherwise each text is
   *                passed on with its bytes, and texts are not searched where most would be found
   * @param found   gets these texts in ascending order of their ids
   */
  public void find(List<TextPart> parts, boolean isExact, FoundText found) {
    new TextSearch(dictionary, this, reader, parts, isExact, found).run();
  }

  /** Locates a bucket. */
  void seek(int bucket) {
    if (bucket == soughtBucket) {
      return;
    }
    soughtBucket = -1;
    from = dictionary.start(bucket);
    to = dictionary.start(bucket + 1);
    count = dictionary.sizeOf(bucket);
    if (to < from) {
      throw dictionary.damaged(bucket, "it ends " + (from - to) + " bytes before it starts");
    }
    if (to - from > dictionary.largestBucket()) {
      throw dictionary.damaged(
          bucket, "it has " + (to - from) + " bytes, expected at most " + dictionary.largestBucket());
    }
    soughtBucket = bucket;
  }

  /** Returns where the located bucket starts. */
  int from() {
    return from;
  }

  /** Returns where the located bucket ends, exclusive. */
  int to() {
    return to;
  }

  /** Returns the number of texts in the located bucket. */
  int count() {
    return count;
  }

  /** Returns the id of a text. */
  int id(int text) {
    return firstText + text;
  }

  @Override
  public int indexOf(@Nullable ByteBuffer value) {
    if (value == null) {
      return firstText == 1 ? 0 : -1;
    }
    final int length = value.remaining();
    if (wanted.length - Utf8.SLACK < length) {
      wanted = new byte[Math.max(Math.addExact(length, Utf8.SLACK), Math.min(2 * wanted.length, 1 << 30))];
    }
    value.get(value.position(), wanted, 0, length);
    final int text = find(wanted, length);
    return text < 0 ? text - firstText : text + firstText;
  }

  /** Returns the number of a text, or -(n + 1) if it would be inserted at number n. */
  private int find(byte[] value, int length) {
    if (dictionary.numTexts() == 0) {
      return -1;
    }
    if (separators != null) {
      final int separator = separators.find(value, length);
      return find(separator < 0 ? -separator - 1 : separator + 1, value, length);
    }
    final byte[] prefix = commonPrefix();
    final int toPrefix =
        Utf8.compare(value, 0, Math.min(length, prefix.length), prefix, 0, prefix.length);
    if (toPrefix != 0) {
      return toPrefix < 0 ? -1 : -dictionary.numTexts() - 1;
    }
    int least = 0;
    int most = dictionary.numBuckets() - 1;
    if (dictionary.numKeys() > 0) {
      final long key = Utf8.key(value, prefix.length, length);
      final int first = firstKey(key);
      final int end = isKey(first, key) ? firstBehind(key) : first;
      least = Math.max(0, first - 1) * dictionary.bucketsPerKey();
      most = Math.min(most, end * dictionary.bucketsPerKey() - 1);
    }
    // Find the last bucket whose head is not greater than the value.
    while (least <= most) {
      final int bucket = (least + most) >>> 1;
      final int compared = compareHead(bucket, value, length);
      if (compared == 0) {
        return bucket << logSize;
      }
      if (compared < 0) {
        least = bucket + 1;
      } else {
        most = bucket - 1;
      }
    }
    return most < 0 ? -1 : find(most, value, length);
  }

  /** Returns whether the key at an index equals a key. */
  private boolean isKey(int index, long key) {
    return index < dictionary.numKeys() && dictionary.key(index) == key;
  }

  /** Returns the index of the first key that is not less than a key. */
  private int firstKey(long key) {
    int before = 0;
    int left = dictionary.numKeys();
    while (left > 0) {
      final int half = (left + 1) >>> 1;
      before = dictionary.key(before + half - 1) < key ? before + half : before;
      left -= half;
    }
    return before;
  }

  private int firstBehind(long key) {
    return key == Long.MAX_VALUE ? dictionary.numKeys() : firstKey(key + 1);
  }

  /** Compares the head of a bucket with the value; negative if the head is less. */
  private int compareHead(int bucket, byte[] value, int length) {
    seek(bucket);
    try {
      return reader.compareHead(from, to, count, value, length);
    } catch (RuntimeException e) {
      throw dictionary.damaged(bucket, from, e);
    }
  }

  /** Searches a bucket. */
  private int find(int bucket, byte[] value, int length) {
    seek(bucket);
    final int found;
    try {
      found = reader.find(from, to, count, value, length);
    } catch (RuntimeException e) {
      throw dictionary.damaged(bucket, from, e);
    }
    return found < 0 ? found - (bucket << logSize) : found + (bucket << logSize);
  }

  private byte[] commonPrefix() {
    if (commonPrefix == null) {
      final int length = dictionary.commonPrefix();
      final int found = length == 0 ? 0 : read(0);
      if (found < length) {
        throw dictionary.damaged(0, "its head has " + found + " bytes, and all texts begin with " + length);
      }
      commonPrefix = Arrays.copyOf(reader.text(), length);
    }
    return commonPrefix;
  }

  /** Returns the values as strings; this view and the reader must be used by the same thread. */
  public Indexed<String> strings() {
    return new Strings();
  }

  /** Returns an iterator over all values; other reads in between are allowed. */
  @Override
  public Iterator<ByteBuffer> iterator() {
    return IndexedIterable.create(this).iterator();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("reader", reader);
  }

  private final class Strings implements Indexed<String> {
    @Override
    public int size() {
      return size;
    }

    @Override
    public boolean isSorted() {
      return true;
    }

    @Nullable
    @Override
    public String get(int id) {
      return getString(id);
    }

    @Override
    public int indexOf(@Nullable String value) {
      return StringDictionaryReader.this.indexOf(StringUtils.toUtf8ByteBuffer(value));
    }

    @Override
    public Iterator<String> iterator() {
      return new Iterator<>() {
        private int id;

        @Override
        public boolean hasNext() {
          return id < size;
        }

        @Nullable
        @Override
        public String next() {
          if (id >= size) {
            throw new NoSuchElementException();
          }
          return getString(id++);
        }
      };
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
      inspector.visit("reader", reader);
    }
  }
}
