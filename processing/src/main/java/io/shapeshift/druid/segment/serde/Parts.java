// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Serializer that writes parts in order.
 *
 * @param parts serializers
 */
public record Parts(List<Serializer> parts) implements Serializer {
  /** Returns a serializer of the bytes of a buffer. */
  public static Serializer of(ByteBuffer bytes) {
    return new Bytes(bytes.asReadOnlyBuffer());
  }

  /** Returns a serializer of the bytes in a medium, all of them when it writes. */
  public static Serializer of(WriteOutBytes bytes) {
    return new Written(bytes);
  }

  @Override
  public long getSerializedSize() throws IOException {
    long size = 0;
    for (Serializer part : parts) {
      size += part.getSerializedSize();
    }
    return size;
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    for (Serializer part : parts) {
      part.writeTo(channel, fileBuilder);
    }
  }

  private record Bytes(ByteBuffer bytes) implements Serializer {
    @Override
    public long getSerializedSize() {
      return bytes.remaining();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
      Channels.writeFully(channel, bytes.duplicate());
    }
  }

  private record Written(WriteOutBytes bytes) implements Serializer {
    @Override
    public long getSerializedSize() {
      return bytes.size();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
      bytes.writeTo(channel);
    }
  }
}
