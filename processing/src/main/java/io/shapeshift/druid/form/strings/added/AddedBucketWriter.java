// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings.added;

import io.shapeshift.druid.api.TextReader;
import io.shapeshift.druid.api.TextWriter;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.strings.BucketWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writer of buckets in an encoding of another jar. It reads back each bucket, because nobody could repair a segment
 * that an encoding wrote wrongly.
 */
final class AddedBucketWriter implements BucketWriter {
  private final String name;
  private final TextWriter writer;
  private final AddedBucketReader reader;
  private byte[] bytes = new byte[0];

  AddedBucketWriter(String name, TextWriter writer, TextReader reader) {
    this.name = name;
    this.writer = writer;
    this.reader = new AddedBucketReader(name, ByteBuffer.allocate(0), reader);
  }

  @Override
  public int encode(byte[][] texts, int[] lengths, int count) {
    final byte[][] copies = new byte[count][];
    for (int i = 0; i < count; i++) {
      copies[i] = Arrays.copyOf(texts[i], lengths[i]);
    }
    try {
      bytes = AddedForm.required(writer.encode(copies), "encode");
      check(texts, lengths, count);
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to encode", count, e);
    }
    return bytes.length;
  }

  private void check(byte[][] texts, int[] lengths, int count) {
    reader.wrap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    for (int i = 0; i < count; i++) {
      final int length = reader.read(0, bytes.length, count, i);
      if (!Arrays.equals(texts[i], 0, lengths[i], reader.text(), 0, length)) {
        throw new IllegalStateException("it reads another text " + i + " of " + length + " bytes than it wrote, of "
            + lengths[i]);
      }
    }
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to close a writer of", 0, e);
    }
  }
}
