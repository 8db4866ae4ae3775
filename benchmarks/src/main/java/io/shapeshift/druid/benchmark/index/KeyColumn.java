// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.select.FormSelector;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/**
 * Column of longs with a hash index, in memory.
 *
 * @param numbers    the column
 * @param index      its hash index
 * @param indexBytes size of the index
 */
public record KeyColumn(ShapeShiftingColumnarLongsSupplier numbers, HashIndex index, int indexBytes) {
  private static final String NAME = "id";

  /** Makes a column in the forms that the selector chooses, with temporary files in a directory. */
  public static KeyColumn write(long[] keys, FormSelector<NumberChunk> selector, File directory) throws IOException {
    try (SegmentWriteOutMedium medium = medium(directory)) {
      final ShapeShiftingColumnarLongsSerializer numbers = new ShapeShiftingColumnarLongsSerializer(
          NAME, medium, BlockSize.LARGE, selector, ByteOrder.nativeOrder());
      numbers.open();
      for (long key : keys) {
        numbers.add(key);
      }
      final ByteBuffer index = bytes(index(keys, medium));
      final int indexBytes = index.remaining();
      return new KeyColumn(
          ShapeShiftingColumnarLongsSupplier.read(NAME, bytes(numbers)),
          HashIndex.read(NAME, index, keys.length),
          indexBytes
      );
    }
  }

  static SegmentWriteOutMedium medium(File directory) throws IOException {
    return TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory);
  }

  /** An index that has been given all keys, and is not written yet. */
  static HashIndexSerializer index(long[] keys, SegmentWriteOutMedium medium) throws IOException {
    final HashIndexSerializer index = new HashIndexSerializer(NAME, medium, OptimizationTarget.FASTBUTSMALLISH);
    index.open();
    for (long key : keys) {
      index.add(key);
    }
    return index;
  }

  private static ByteBuffer bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream((int) serializer.getSerializedSize());
    serializer.writeTo(Channels.newChannel(out), null);
    return ByteBuffer.allocateDirect(out.size()).put(out.toByteArray()).flip().order(ByteOrder.nativeOrder());
  }
}
