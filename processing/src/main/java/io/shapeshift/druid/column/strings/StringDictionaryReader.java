// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.Indexed;

/**
 * Reads the dictionary of a column of strings: the values as UTF-8, or as strings, sorted as Java sorts strings. For
 * one thread. All methods throw {@link ColumnFormatException} if what they read is damaged.
 */
public final class StringDictionaryReader implements Indexed<ByteBuffer> {
  private final StringDictionary dictionary;
  private final BucketReader reader;
  private final int logSize;
  private final int firstText;
  /** Of what is between buckets; null if the coding has no separators. */
  @Nullable
  private final StringDictionaryReader separators;
  /** What all texts begin with. */
  @Nullable
  private byte[] commonPrefix;
  private byte[] wanted = new byte[64];

  StringDictionaryReader(StringDictionary dictionary, BucketReader reader) {
    this.dictionary = dictionary;
    this.reader = reader;
    this.logSize = dictionary.logSize();
    this.separators = dictionary.separators() == null ? null : dictionary.separators().get();
    this.firstText = dictionary.hasNull() ? 1 : 0;
  }

  @Override
  public int size() {
    return dictionary.size();
  }

  @Override
  public boolean isSorted() {
    return true;
  }

  /** A value as UTF-8, in a buffer of its own; null where the value is. */
  @Nullable
  @Override
  public ByteBuffer get(int id) {
    if (isNull(id)) {
      return null;
    }
    final int length = read(id - firstText);
    return ByteBuffer.wrap(Arrays.copyOf(reader.text(), length));
  }

  /** A value; null where the value is. */
  @Nullable
  public String getString(int id) {
    if (isNull(id)) {
      return null;
    }
    final int length = read(id - firstText);
    return new String(reader.text(), 0, length, StandardCharsets.UTF_8);
  }

  private boolean isNull(int id) {
    if (id < 0 || id >= dictionary.size()) {
      Indexed.checkIndex(id, dictionary.size());
    }
    return id < firstText;
  }

  /** Reads a text into the reader's array, and gives its length. */
  private int read(int text) {
    return read(text >>> logSize, text & (1 << logSize) - 1);
  }

  private int read(int bucket, int index) {
    final int from = dictionary.start(bucket);
    final int to = end(bucket, from);
    try {
      return reader.read(from, to, dictionary.sizeOf(bucket), index);
    } catch (RuntimeException e) {
      throw dictionary.damaged(bucket, e.getMessage(), e);
    }
  }

  @Override
  public int indexOf(@Nullable ByteBuffer value) {
    if (value == null) {
      return firstText == 1 ? 0 : -1;
    }
    final int length = value.remaining();
    if (wanted.length < length) {
      wanted = new byte[Math.max(length, 2 * wanted.length)];
    }
    value.get(value.position(), wanted, 0, length);
    final int text = find(wanted, length);
    return text < 0 ? text - firstText : text + firstText;
  }

  /** The number of a text, or -(n + 1) if it would be number n. */
  private int find(byte[] value, int length) {
    if (dictionary.numTexts() == 0) {
      return -1;
    }
    if (separators != null) {
      final int separator = separators.find(value, length);
      return findInBucket(separator < 0 ? -separator - 1 : separator + 1, value, length);
    }
    final byte[] prefix = commonPrefix();
    final int toPrefix =
        Utf8.compare(value, 0, Math.min(length, prefix.length), prefix, 0, prefix.length);
    if (toPrefix != 0) {
      return toPrefix < 0 ? -1 : -dictionary.numTexts() - 1;
    }
    int least = 0;
    int most = dictionary.numBuckets() - 1;
    if (dictionary.coding().hasKeys()) {
      final long key = Utf8.key(value, prefix.length, length);
      final int from = Math.max(0, search(key, 0, false) - 1);
      least = from * dictionary.bucketsPerKey();
      most = Math.min(most, search(key, from, true) * dictionary.bucketsPerKey() - 1);
    }
    // The last bucket whose head is not behind the value.
    while (least <= most) {
      final int bucket = (least + most) >>> 1;
      final int compared = compare(bucket, 0, value, length);
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

  /** The first key that is not before the given one, or the first that is behind it. */
  private int search(long key, int from, boolean behind) {
    int least = from;
    int end = dictionary.numKeys();
    while (least < end) {
      final int mid = (least + end) >>> 1;
      final long found = dictionary.key(mid);
      if (found < key || (behind && found == key)) {
        least = mid + 1;
      } else {
        end = mid;
      }
    }
    return least;
  }

  /** Looks in the only bucket that may have the value. */
  private int findInBucket(int bucket, byte[] value, int length) {
    final int from = dictionary.start(bucket);
    final int to = end(bucket, from);
    final int found;
    try {
      found = reader.find(from, to, dictionary.sizeOf(bucket), value, length);
    } catch (RuntimeException e) {
      throw dictionary.damaged(bucket, e.getMessage(), e);
    }
    final int first = bucket << logSize;
    return found < 0 ? found - first : found + first;
  }

  private int end(int bucket, int from) {
    final int to = dictionary.start(bucket + 1);
    if (to < from) {
      throw dictionary.damaged(bucket, "it ends " + (from - to) + " bytes before it starts", null);
    }
    return to;
  }

  /** Looks in a bucket, whose head is before the value. */
  private int find(int bucket, byte[] value, int length) {
    int least = 1;
    int most = dictionary.sizeOf(bucket) - 1;
    while (least <= most) {
      final int index = (least + most) >>> 1;
      final int compared = compare(bucket, index, value, length);
      if (compared == 0) {
        return (bucket << logSize) + index;
      }
      if (compared < 0) {
        least = index + 1;
      } else {
        most = index - 1;
      }
    }
    return -((bucket << logSize) + least) - 1;
  }

  /** Negative if the text is before the value. */
  private int compare(int bucket, int index, byte[] value, int length) {
    final int found = read(bucket, index);
    return Utf8.compare(reader.text(), 0, found, value, 0, length);
  }

  private byte[] commonPrefix() {
    if (commonPrefix == null) {
      final int length = dictionary.commonPrefix();
      final int found = length == 0 ? 0 : read(0);
      if (found < length) {
        throw dictionary.damaged(0, "its head has " + found + " bytes, and all texts begin with " + length, null);
      }
      commonPrefix = Arrays.copyOf(reader.text(), length);
    }
    return commonPrefix;
  }

  /** All values in turn; asking for others between does no harm. */
  @Override
  public Iterator<ByteBuffer> iterator() {
    return new Iterator<>() {
      private int id;

      @Override
      public boolean hasNext() {
        return id < size();
      }

      @Nullable
      @Override
      public ByteBuffer next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return get(id++);
      }
    };
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("reader", reader);
  }
}
