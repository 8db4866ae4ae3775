// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import com.google.common.collect.Iterables;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/**
 * Column of strings with its index in one encoding, in direct memory, as a Historical maps one. The dictionary is
 * Druid's own, the same for all encodings.
 *
 * @param rows       of the column
 * @param indexes    what filters ask
 * @param indexBytes size of the index
 * @param idBytes    size of the ids beside it
 */
record IndexedColumn(RowValues.Ids rows, ColumnIndexSupplier indexes, int indexBytes, int idBytes) {
  /** Makes the column. */
  static IndexedColumn of(IndexEncoding encoding, RowValues.Ids rows) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final ByteBuffer index = bytes(encoding.write(rows, medium));
      final ByteBuffer ids = bytes(encoding.writeIds(rows, medium));
      final Iterable<ByteBuffer> values = Iterables.transform(
          () -> IntStream.range(0, rows.cardinality()).iterator(),
          id -> StringUtils.toUtf8ByteBuffer(value(id, rows.cardinality()))
      );
      final GenericIndexed<ByteBuffer> dictionary = GenericIndexed.read(
          bytes(GenericIndexed.fromIterable(values, GenericIndexed.UTF8_STRATEGY)),
          GenericIndexed.UTF8_STRATEGY,
          null
      );
      final int indexBytes = index.remaining();
      final int idBytes = ids.remaining();
      return new IndexedColumn(rows, encoding.open(index, ids, dictionary), indexBytes, idBytes);
    }
  }

  private static ByteBuffer bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(serializer.getSerializedSize()));
    serializer.writeTo(Channels.newChannel(out), null);
    return ByteBuffer.allocateDirect(out.size()).put(out.toByteArray()).flip();
  }

  /** Returns the value of an id: the digits of the id, as many for every id, between words that all values share. */
  static String value(int id, int cardinality) {
    final String digits = Integer.toString(id);
    return "item " + "0".repeat(Integer.toString(cardinality - 1).length() - digits.length()) + digits + " of many";
  }
}
