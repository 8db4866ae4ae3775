// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Section of values one after the other: {@link Slices}, the bytes of all values, and {@value Sections#SLACK} zero
 * bytes.
 */
final class PlainBlobs extends BlobSection {
  private final Slices slices;
  private final ByteBuffer bytes;
  /** Whether all values have the length of the longest, so that their positions follow. */
  private final boolean isFixed;

  PlainBlobs(Head head, String column, ByteBuffer content) {
    super(head);
    this.slices = new Slices(column, content, head.numValues());
    final int size = content.remaining() - Sections.SLACK;
    if (size < 0) {
      throw new MalformedChunkException("its values have " + size + " bytes");
    }
    this.bytes = content.slice(content.position(), size).asReadOnlyBuffer();
    this.isFixed = head.longest() > 0 && size == (long) head.longest() * head.numValues();
  }

  @Override
  Reader reader() {
    return new PlainReader();
  }

  private final class PlainReader extends Reader {
    private final Slices.Reader positions = slices.reader(bytes.limit());
    private final ByteBuffer shared = bytes.duplicate();

    @Nullable
    @Override
    ByteBuffer get(int index, boolean isKept) {
      if (isFixed) {
        return slice(index * longest(), longest(), isKept);
      }
      final int inBlock = positions.seek(index);
      final int length = positions.length(inBlock);
      if (length == BlobSpill.NULL) {
        return null;
      }
      // Positions in a block lie between bases that are within the bytes, or their check fails.
      return slice((int) positions.start(inBlock), length, isKept);
    }

    private ByteBuffer slice(int start, int length, boolean isKept) {
      // A strategy may have changed the order of a shared buffer.
      return (isKept ? bytes.duplicate() : shared).order(ByteOrder.BIG_ENDIAN).limit(start + length).position(start);
    }

    @Override
    void addNulls(int firstRow, RowSet out) {
      addZeros(positions.codes(), firstRow, out);
    }

    @Override
    void close() {
      positions.close();
    }
  }

  /** Encodes values, which are read again when the section is written. */
  static EncodedBlobs encode(String column, BlobSpill values, SegmentWriteOutMedium medium, OptimizationTarget target)
      throws IOException {
    final Slices.Writer slices = new Slices.Writer(column, medium, target);
    try (BlobSpill.Values each = values.values()) {
      while (each.next()) {
        slices.add(each.length());
      }
    }
    return new EncodedBlobs(BlobForm.PLAIN, values.size(), values.longest()) {
      @Override
      long contentSize() throws IOException {
        return slices.size() + values.numBytes() + Sections.SLACK;
      }

      @Override
      void writeContentTo(WritableByteChannel channel) throws IOException {
        slices.writeTo(channel);
        values.writeBytesTo(channel);
        Channels.writeFully(channel, Sections.slack());
      }
    };
  }
}
