// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.strings.ChainedCoding;
import io.shapeshift.druid.form.strings.FrontCoding;
import io.shapeshift.druid.form.strings.TextCoding;
import io.shapeshift.druid.form.strings.TextCodings;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.VByte;

/**
 * Header of a string column's dictionary. All bytes are little-endian, in segments of either byte order.
 *
 * <pre>
 * | bytes  | field                                                                         |
 * |--------|-------------------------------------------------------------------------------|
 * | 1      | version, 1                                                                    |
 * | 1      | id of the {@link TextCoding}                                                  |
 * | 1      | flags, the sum of: 1, the first value, id 0, is null; 2, there is a text      |
 * |        | index                                                                         |
 * | 1 to 5 | numTexts: number of values except null (VByte)                                |
 * | 1 to 5 | dataBytes: bytes of all buckets (VByte)                                       |
 * | 1 to 5 | largestBucket: size of the largest bucket (VByte); readers reject larger ones |
 * | 1 to 5 | commonPrefix: length of the prefix that all texts share (VByte)               |
 * | any    | model of the coding, if it has one                                            |
 * | 1 to 5 | separatorBytes, if the coding has separators (VByte)                          |
 * | 1 to 5 | textIndexBytes, if there is a text index (VByte)                              |
 * </pre>
 * The following parts come next, without gaps:
 * <ul>
 * <li>the keys, if the coding has any: for every 64th text, from the first, the eight bytes after the common prefix as
 *     a number, as {@link io.shapeshift.druid.form.strings.Utf8#key} makes it;
 * <li>the separators, if the coding has any, as a dictionary of their own with coding {@link FrontCoding#PLAIN} or
 *     {@link ChainedCoding}: for each bucket except the first, the shortest prefix of its first text that is
 *     greater than the last text of the bucket before;
 * <li>the offsets, unless all buckets have the same size: the start of each bucket, relative to the first bucket,
 *     bit-packed in the width of dataBytes, the first number in the lowest bits of the first byte, padded to whole
 *     bytes;
 * <li>the buckets, each with the coding's number of texts except the last;
 * <li>{@value #SLACK} zero bytes, because readers touch them;
 * <li>the {@link TextIndex}, if there is one.
 * </ul>
 *
 * @param coding         coding of the texts
 * @param hasNull        whether id 0 is null
 * @param numTexts       number of values except null
 * @param dataBytes      bytes of all buckets
 * @param largestBucket  bytes of the largest bucket
 * @param commonPrefix   length in bytes of the prefix that all texts share
 * @param separatorBytes bytes of the separators; 0 if the coding has none
 * @param textIndexBytes bytes of the text index; 0 if there is none
 */
record StringDictionaryHeader(
    TextCoding coding,
    boolean hasNull,
    int numTexts,
    int dataBytes,
    int largestBucket,
    int commonPrefix,
    int separatorBytes,
    int textIndexBytes
) {
  /** Never 2, with which {@link SeveralFiles} start. */
  static final byte VERSION = 1;
  /** Zero bytes after the last bucket. */
  static final int SLACK = 8;

  /** Number of texts per key. */
  static final int TEXTS_PER_KEY = 1 << 6;

  private static final int WITH_NULL = 1;
  private static final int WITH_TEXT_INDEX = 1 << 1;
  private static final int FIXED_BYTES = 3;

  int size() {
    return FIXED_BYTES
        + VByte.computeIntSize(numTexts)
        + VByte.computeIntSize(dataBytes)
        + VByte.computeIntSize(largestBucket)
        + VByte.computeIntSize(commonPrefix)
        + coding.sizeInBytes()
        + (coding.hasSeparators() ? VByte.computeIntSize(separatorBytes) : 0)
        + (hasTextIndex() ? VByte.computeIntSize(textIndexBytes) : 0);
  }

  boolean hasTextIndex() {
    return textIndexBytes > 0;
  }

  /** Returns the header of the same dictionary with a text index. */
  StringDictionaryHeader withTextIndex(int bytes) {
    return new StringDictionaryHeader(
        coding, hasNull, numTexts, dataBytes, largestBucket, commonPrefix, separatorBytes, bytes);
  }

  /** Returns the base 2 logarithm of the number of texts in a bucket. */
  int logSize() {
    return coding.logSize();
  }

  int numBuckets() {
    return (int) (((long) numTexts + (1 << logSize()) - 1) >>> logSize());
  }

  int bucketsPerKey() {
    return TEXTS_PER_KEY >>> logSize();
  }

  int numKeys() {
    return coding.hasKeys() ? (numBuckets() + bucketsPerKey() - 1) / bucketsPerKey() : 0;
  }

  int offsetWidth() {
    return coding.hasOffsets() ? InterleavedPacking.width(dataBytes) : 0;
  }

  /** Returns the size of each bucket except the last, if offsets are not stored. */
  int bucketBytes() {
    return coding.hasOffsets() ? 0 : Math.toIntExact(coding.bytes(1 << logSize()));
  }

  long offsetBytes() {
    return ((long) numBuckets() * offsetWidth() + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Returns the offset of the text index, which is the last part. */
  long textIndexOffset() {
    return size() + (long) Long.BYTES * numKeys() + separatorBytes + offsetBytes() + dataBytes + SLACK;
  }

  /** Returns the size of the dictionary in bytes. */
  long totalSize() {
    return textIndexOffset() + textIndexBytes;
  }

  ByteBuffer toBytes() {
    final ByteBuffer out = ByteBuffer.allocate(size());
    out.put(VERSION).put(coding.id());
    out.put((byte) ((hasNull ? WITH_NULL : 0) | (hasTextIndex() ? WITH_TEXT_INDEX : 0)));
    VByte.writeInt(out, numTexts);
    VByte.writeInt(out, dataBytes);
    VByte.writeInt(out, largestBucket);
    VByte.writeInt(out, commonPrefix);
    coding.write(out);
    if (coding.hasSeparators()) {
      VByte.writeInt(out, separatorBytes);
    }
    if (hasTextIndex()) {
      VByte.writeInt(out, textIndexBytes);
    }
    return out.flip();
  }

  /**
   * Reads the header of a dictionary at index 0 of the buffer.
   *
   * @throws ColumnFormatException if the version is unknown, or the fields contradict each other or the buffer
   */
  static StringDictionaryHeader read(String column, ByteBuffer in) {
    try {
      final ByteBuffer fields = in.duplicate().position(0);
      final StringDictionaryHeader header = readFields(column, fields);
      if (fields.position() != header.size()) {
        throw ColumnFormatException.damaged(column, "the head of its dictionary takes " + fields.position()
            + " bytes, expected " + header.size());
      }
      if (header.totalSize() > in.limit()) {
        throw ColumnFormatException.damaged(column, "the " + header.totalSize()
            + " bytes of its dictionary do not fit into the " + in.limit() + " there are");
      }
      return header;
    } catch (BufferUnderflowException e) {
      throw ColumnFormatException.damaged(
          column, "there are " + in.limit() + " bytes of its dictionary, fewer than those of its head", e);
    } catch (MalformedChunkException e) {
      throw ColumnFormatException.damaged(column, "the header of its dictionary: " + e.getMessage(), e);
    }
  }

  private static StringDictionaryHeader readFields(String column, ByteBuffer fields) {
    final byte version = fields.get();
    if (version != VERSION) {
      throw ColumnFormatException.newer(
          column,
          "the version at offset 0 of its dictionary is " + version + ", this druid-shapeshift knows " + VERSION
      );
    }
    final byte id = fields.get();
    @Nullable final Function<ByteBuffer, TextCoding> reader = TextCodings.reader(id);
    if (reader == null) {
      throw ColumnFormatException.newer(
          column,
          "the coding at offset 1 of its dictionary is " + id + ", which is not known"
      );
    }
    final int flags = check(column, "flags", 2, fields.get(), 0, WITH_NULL | WITH_TEXT_INDEX);
    final int numTexts = readInt(column, "numTexts", fields, 0, Integer.MAX_VALUE - (flags & WITH_NULL));
    final int dataBytes = readInt(column, "dataBytes", fields, 0, Integer.MAX_VALUE);
    final int largestBucket = readInt(column, "largestBucket", fields, 0, dataBytes);
    final int commonPrefix = readInt(column, "commonPrefix", fields, 0, Integer.MAX_VALUE);
    final TextCoding coding = reader.apply(fields);
    if (!coding.hasOffsets() && dataBytes != coding.bytes(numTexts)) {
      throw ColumnFormatException.damaged(column, "the texts of its dictionary have " + dataBytes + " bytes, expected "
          + coding.bytes(numTexts));
    }
    final int separatorBytes =
        coding.hasSeparators() ? readInt(column, "separatorBytes", fields, 0, Integer.MAX_VALUE) : 0;
    final int textIndexBytes =
        (flags & WITH_TEXT_INDEX) != 0 ? readInt(column, "textIndexBytes", fields, 1, Integer.MAX_VALUE) : 0;
    return new StringDictionaryHeader(
        coding,
        (flags & WITH_NULL) != 0,
        numTexts,
        dataBytes,
        largestBucket,
        commonPrefix,
        separatorBytes,
        textIndexBytes
    );
  }

  private static int readInt(String column, String field, ByteBuffer fields, int least, int most) {
    final int offset = fields.position();
    return check(column, field, offset, VByte.readInt(fields), least, most);
  }

  private static int check(String column, String field, int offset, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset + " of its dictionary is " + found
          + ", expected " + least + " to " + most);
    }
    return found;
  }
}
