// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.CompressionStrategy;

/**
 * Head of a V10 segment's file, which precedes the containers.
 *
 * @param metadata metadata of the segment
 * @param size     size of the head in bytes; the first container follows
 */
record V10Head(ObjectNode metadata, long size) {
  private static final int MAX_METADATA = 1 << 28;

  /** Reads the head of a file. */
  static V10Head read(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.skipBytes(1);
      @Nullable final CompressionStrategy compression = CompressionStrategy.forId(in.readByte());
      if (compression == null) {
        throw new IOException("the compression at offset 1 is unknown");
      }
      final byte[] json = metadata(in, compression);
      return new V10Head((ObjectNode) Druid.json().readTree(json), in.getFilePointer());
    }
  }

  private static byte[] metadata(RandomAccessFile in, CompressionStrategy compression) throws IOException {
    final byte[] json = new byte[boundedLength(in)];
    if (compression == CompressionStrategy.NONE) {
      in.readFully(json);
      return json;
    }
    final byte[] compressed = new byte[boundedLength(in)];
    in.readFully(compressed);
    compression.getDecompressor().decompress(
        ByteBuffer.wrap(compressed).order(ByteOrder.LITTLE_ENDIAN),
        compressed.length,
        ByteBuffer.wrap(json).order(ByteOrder.LITTLE_ENDIAN)
    );
    return json;
  }

  private static int boundedLength(RandomAccessFile in) throws IOException {
    final int length = Integer.reverseBytes(in.readInt());
    // LZ4 compresses by a factor of at most 255, and metadata is not repetitive enough to reach that with any codec.
    if (length < 0 || length > Math.min(MAX_METADATA, 255 * in.length())) {
      throw new IOException("the metadata before offset " + in.getFilePointer() + " is said to have " + length
          + " bytes");
    }
    return length;
  }
}
