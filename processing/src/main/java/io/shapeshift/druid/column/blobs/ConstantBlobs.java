// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;

/**
 * Section of equal values.
 *
 * <pre>
 * | bytes | field                      |
 * |-------|----------------------------|
 * | 1     | 0 for null, 1 for a value  |
 * | rest  | bytes of the value         |
 * </pre>
 */
final class ConstantBlobs extends BlobSection {
  private final boolean isNull;
  private final ByteBuffer content;

  ConstantBlobs(Head head, ByteBuffer content) {
    super(head);
    final int state = content.get();
    if (state < 0 || state > 1 || content.remaining() != head.longest()) {
      throw new MalformedChunkException("a constant of state " + state + " has " + content.remaining() + " bytes, and "
          + head.longest() + " are said");
    }
    this.isNull = state == 0;
    this.content = content.slice().asReadOnlyBuffer();
  }

  @Override
  Reader reader() {
    return new Reader() {
      @Nullable
      @Override
      ByteBuffer get(int index, boolean isKept) {
        return isNull ? null : content.duplicate();
      }

      @Override
      void addNulls(int firstRow, RowSet out) {
        if (isNull && numValues() > 0) {
          out.addRows(firstRow, firstRow + numValues());
        }
      }

      @Override
      void close() {}
    };
  }

  /** Returns the section of values that are all equal. */
  static EncodedBlobs encode(BlobSpill values) {
    @Nullable final byte[] value = values.first();
    final int length = value == null ? 0 : value.length;
    return new EncodedBlobs(BlobForm.CONSTANT, values.size(), length) {
      @Override
      long contentSize() {
        return 1L + length;
      }

      @Override
      void writeContentTo(WritableByteChannel channel) throws java.io.IOException {
        Channels.writeFully(channel, ByteBuffer.wrap(new byte[]{(byte) (value == null ? 0 : 1)}));
        if (value != null) {
          Channels.writeFully(channel, ByteBuffer.wrap(value));
        }
      }
    };
  }
}
