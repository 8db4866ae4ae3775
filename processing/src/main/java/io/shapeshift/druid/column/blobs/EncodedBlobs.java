// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.cost.DecodeCost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.writeout.WriteOutBytes;

/** Section that is encoded, and ready to be written. */
abstract class EncodedBlobs {
  private final BlobForm form;
  private final int numValues;
  private final int longest;

  EncodedBlobs(BlobForm form, int numValues, int longest) {
    this.form = form;
    this.numValues = numValues;
    this.longest = longest;
  }

  /** Returns the number of values, including nulls. */
  final int numValues() {
    return numValues;
  }

  /** Returns the size of the content in bytes. */
  abstract long contentSize() throws IOException;

  /** Writes the content. */
  abstract void writeContentTo(WritableByteChannel channel) throws IOException;

  /** Returns the name of the form, for metrics. */
  String label() {
    return form.label();
  }

  /** Returns the cost of reading. */
  DecodeCost cost() {
    return form.cost();
  }

  /** Returns the size of the section with its head, in bytes. */
  final long size() throws IOException {
    final long content = contentSize();
    return 1L + VByte.computeIntSize(numValues) + VByte.computeIntSize(longest)
        + VByte.computeIntSize((int) Math.min(content, Integer.MAX_VALUE)) + content;
  }

  /** Returns the same section, whose content is kept elsewhere. */
  final EncodedBlobs copyTo(WriteOutBytes content) throws IOException {
    writeContentTo(content);
    final String label = label();
    return new EncodedBlobs(form, numValues, longest) {
      @Override
      String label() {
        return label;
      }

      @Override
      long contentSize() {
        return content.size();
      }

      @Override
      void writeContentTo(WritableByteChannel channel) throws IOException {
        content.writeTo(channel);
      }
    };
  }

  /** Writes the section; it must have less than 2 GiB. */
  final void writeTo(WritableByteChannel channel) throws IOException {
    final int content = Math.toIntExact(contentSize());
    final ByteBuffer head = ByteBuffer.allocate(1 + 3 * 5);
    head.put(form.id());
    VByte.writeInt(head, numValues);
    VByte.writeInt(head, longest);
    VByte.writeInt(head, content);
    Channels.writeFully(channel, head.flip());
    writeContentTo(channel);
  }
}
