// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.numbers.NumberDictionarySerializer;
import io.shapeshift.druid.form.numbers.NumberType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.column.TypeStrategy;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FixedIndexedWriter;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/** Encoding of the distinct longs and doubles of {@code auto} columns, stock or shape-shifting. */
public final class NumberDictionaryEncoding {
  private NumberDictionaryEncoding() {}

  /**
   * Encodes numbers.
   *
   * @param type   type, long or double
   * @param values sorted numbers of this type
   */
  @SuppressWarnings("unchecked")
  public static ByteBuffer encode(NumberType type, FixedIndexed<?> values, boolean asOurs) {
    try {
      final ByteBuffer stock = type == NumberType.LONG
                               ? stock((FixedIndexed<Long>) values, TypeStrategies.LONG, type.bytes())
                               : stock((FixedIndexed<Double>) values, TypeStrategies.DOUBLE, type.bytes());
      if (!asOurs) {
        return stock;
      }
      return bytes(type == NumberType.LONG
                   ? NumberDictionarySerializer.ofLongs(stock, IndexIO.BYTE_ORDER)
                   : NumberDictionarySerializer.ofDoubles(stock, IndexIO.BYTE_ORDER));
    } catch (IOException e) {
      // Everything is on the heap, so no I/O can fail.
      throw new UncheckedIOException(e);
    }
  }

  private static <T> ByteBuffer stock(FixedIndexed<T> values, TypeStrategy<T> strategy, int width) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final FixedIndexedWriter<T> writer = new FixedIndexedWriter<>(medium, strategy, IndexIO.BYTE_ORDER, width, true);
      writer.open();
      for (T value : values) {
        writer.write(value);
      }
      return bytes(writer);
    }
  }

  private static ByteBuffer bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(serializer.getSerializedSize()));
    serializer.writeTo(Channels.newChannel(out), null);
    return ByteBuffer.wrap(out.toByteArray());
  }
}
