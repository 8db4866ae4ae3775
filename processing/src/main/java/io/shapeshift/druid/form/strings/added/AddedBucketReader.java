// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings.added;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.TextReader;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.strings.BucketReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reader of buckets in an encoding of another jar. It checks what the encoding returns, and reports whatever it throws.
 */
final class AddedBucketReader implements BucketReader {
  private final String name;
  private final TextReader reader;
  private ByteBuffer buffer;
  /** Bucket that is open; -1 if none is. */
  private int openFrom = -1;
  private int openTo;
  private int openCount;
  private byte[] text = new byte[0];

  AddedBucketReader(String name, ByteBuffer buffer, TextReader reader) {
    this.name = name;
    this.reader = reader;
    this.buffer = buffer;
  }

  /** Reads buckets of another buffer from now on. */
  void wrap(ByteBuffer other) {
    buffer = other;
    openFrom = -1;
  }

  private void open(int from, int to, int count) {
    if (from == openFrom && to == openTo && count == openCount) {
      return;
    }
    openFrom = -1;
    reader.open(buffer.slice(from, to - from).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN), count);
    openFrom = from;
    openTo = to;
    openCount = count;
  }

  @Override
  public int read(int from, int to, int count, int index) {
    try {
      open(from, to, count);
      final int length = reader.read(index);
      text = AddedForm.required(reader.text(), "text");
      if (length < 0 || length > text.length) {
        throw new DamagedChunkException(
            "text " + index + " has " + length + " bytes, of " + text.length + " that were read");
      }
      return length;
    } catch (Throwable e) {
      openFrom = -1;
      throw AddedForm.notRead(name, e);
    }
  }

  @Override
  public int compareHead(int from, int to, int count, byte[] value, int length) {
    try {
      open(from, to, count);
      return reader.compareFirst(value, length);
    } catch (Throwable e) {
      openFrom = -1;
      throw AddedForm.notRead(name, e);
    }
  }

  @Override
  public int find(int from, int to, int count, byte[] value, int length) {
    try {
      open(from, to, count);
      final int found = reader.find(count, value, length);
      if (found >= count || found < -count - 1) {
        throw new DamagedChunkException("a value is at " + found + " of " + count + " texts");
      }
      return found;
    } catch (Throwable e) {
      openFrom = -1;
      throw AddedForm.notRead(name, e);
    }
  }

  @Override
  public byte[] text() {
    return text;
  }
}
