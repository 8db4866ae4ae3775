// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;

/**
 * Consecutive values of a column in one form. Thread-safe; a {@link Reader} is for one thread.
 *
 * <pre>
 * | bytes  | field                                                   |
 * |--------|---------------------------------------------------------|
 * | 1      | id of the {@link BlobForm}                              |
 * | 1 to 5 | numValues: number of values, including nulls (VByte)    |
 * | 1 to 5 | longest: length of the longest value in bytes (VByte)   |
 * | 1 to 5 | size: number of bytes of the content (VByte)            |
 * | size   | content, see the class of the form                      |
 * </pre>
 */
abstract class BlobSection {
  /** Greatest depth of sections within sections: distinct values in words, with distinct heads. */
  private static final int MAX_DEPTH = 3;

  private final BlobForm form;
  private final int numValues;
  private final int longest;
  private final int bytes;
  private final int depth;

  /**
   * Head of a section.
   *
   * @param depth number of sections around it; not stored
   */
  record Head(BlobForm form, int numValues, int longest, int bytes, int depth) {}

  BlobSection(Head head) {
    this.form = head.form;
    this.numValues = head.numValues;
    this.longest = head.longest;
    this.bytes = head.bytes;
    this.depth = head.depth;
  }

  /**
   * Reads a section of a column, and advances the buffer past it.
   *
   * @param in little-endian
   * @throws MalformedChunkException or another exception if the section is damaged
   */
  static BlobSection ofColumn(String column, ByteBuffer in) {
    return read(column, in, 0);
  }

  /** Reads a section that is a part of this one, and advances the buffer past it. */
  final BlobSection read(String column, ByteBuffer in) {
    return read(column, in, depth + 1);
  }

  private static BlobSection read(String column, ByteBuffer in, int depth) {
    final int offset = in.position();
    if (depth > MAX_DEPTH) {
      throw new MalformedChunkException(
          "the section at offset " + offset + " is in more than " + MAX_DEPTH + " others");
    }
    final int id = in.get();
    @Nullable final BlobForm form = BlobForm.byId(id);
    if (form == null) {
      throw MalformedChunkException.newer("the section at offset " + offset + " has form " + id + ", which is unknown");
    }
    final int numValues = Checks.readInt("numValues", in, 0, Integer.MAX_VALUE);
    final int longest = Checks.readInt("longest", in, 0, Integer.MAX_VALUE);
    final int size = Checks.readInt("size of a section", in, 0, in.remaining());
    final Head head = new Head(form, numValues, longest, size, depth);
    final ByteBuffer content = in.slice(in.position(), Math.min(size, in.remaining())).order(ByteOrder.LITTLE_ENDIAN);
    Sections.skip(in, size);
    return switch (form) {
      case CONSTANT -> new ConstantBlobs(head, content);
      case PLAIN -> new PlainBlobs(head, column, content);
      case DISTINCT -> new DistinctBlobs(head, column, content);
      case WORDS -> new WordBlobs(head, column, content);
      case LZ4, ZSTD -> new BlockBlobs(head, column, content);
    };
  }

  final BlobForm form() {
    return form;
  }

  /** Returns the number of values, including nulls. */
  final int numValues() {
    return numValues;
  }

  /** Returns the length of the longest value in bytes. */
  final int longest() {
    return longest;
  }

  /** Returns the size of the content in bytes. */
  final int sizeInBytes() {
    return bytes;
  }

  /** Returns a short description, for people. */
  String description() {
    return form.label();
  }

  /** Creates a reader. */
  abstract Reader reader();

  /** Reader of a section's values. */
  abstract class Reader {
    private byte[] shared = new byte[0];
    @Nullable
    private ByteBuffer sharedBuffer;

    /**
     * Returns a value, from the buffer's position to its limit; null if it is null.
     *
     * @param index  index of the value in the section, within its bounds
     * @param isKept whether the bytes must stay as they are when the next value is read
     */
    @Nullable
    abstract ByteBuffer get(int index, boolean isKept);

    /**
     * Adds the values that are null.
     *
     * @param firstRow row of the section's first value
     */
    abstract void addNulls(int firstRow, RowSet out);

    abstract void close();

    /**
     * Returns a buffer for a value: the array from 0 to the length, big-endian.
     *
     * @throws MalformedChunkException if the value is longer than the longest
     */
    final ByteBuffer buffer(long length, boolean isKept) {
      checkLength(length);
      if (isKept) {
        return ByteBuffer.wrap(new byte[(int) length]);
      }
      if (sharedBuffer == null || shared.length < length) {
        shared = new byte[(int) Math.min(longest, Math.max(length, 2L * shared.length))];
        sharedBuffer = ByteBuffer.wrap(shared);
      }
      // A strategy may have changed the order.
      return sharedBuffer.clear().limit((int) length).order(ByteOrder.BIG_ENDIAN);
    }

    /** Returns the length of a value, which must not be longer than the longest. */
    final long checkLength(long length) {
      if (length < 0 || length > longest) {
        throw new MalformedChunkException("a value has " + length + " bytes, expected at most " + longest);
      }
      return length;
    }

    /** Adds the rows whose code is 0, which is null. */
    final void addZeros(ShapeShiftingColumnarInts codes, int firstRow, RowSet out) {
      final int[] window = new int[RowSet.BLOCK];
      for (int start = 0; start < numValues; start += window.length) {
        final int count = Math.min(window.length, numValues - start);
        codes.get(window, start, count);
        for (int i = 0; i < count; i++) {
          if (window[i] == 0) {
            out.addRows(firstRow + start + i, firstRow + start + i + 1);
          }
        }
      }
    }
  }
}
