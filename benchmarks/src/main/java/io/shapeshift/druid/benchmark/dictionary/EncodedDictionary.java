// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.function.Supplier;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/**
 * Dictionary in one encoding, in direct memory, as a Historical maps one.
 *
 * @param readers     a reader for each thread
 * @param sizeInBytes of all
 */
record EncodedDictionary(Supplier<DictionaryEncoding.Reader> readers, int sizeInBytes) {
  /** Encodes sorted values. */
  static EncodedDictionary of(DictionaryEncoding encoding, Iterable<String> values) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final Serializer serializer = encoding.write(values, medium);
      final ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(serializer.getSerializedSize()));
      serializer.writeTo(Channels.newChannel(out), null);
      final ByteBuffer bytes = ByteBuffer.allocateDirect(out.size()).put(out.toByteArray()).flip();
      return new EncodedDictionary(encoding.open(bytes), out.size());
    }
  }
}
