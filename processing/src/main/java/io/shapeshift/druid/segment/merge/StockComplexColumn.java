// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.column.blobs.BlobsSerializer;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import java.io.IOException;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.ObjectColumnSelector;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.serde.CompressedComplexColumnSerializer;
import org.apache.druid.segment.serde.LargeColumnSupportedComplexColumnSerializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Druid's own columns of the bytes of a complex type: their sizes, and their serializer. */
final class StockComplexColumn {
  /** Head of a generic column in bytes: version, a flag, the size and the number of values. */
  private static final int HEAD = 2 * Byte.BYTES + 2 * Integer.BYTES;
  /** Bytes per value of a generic column: an offset and a null marker. */
  private static final int BYTES_PER_VALUE = 2 * Integer.BYTES;
  /** Head of compressed blocks in bytes: version, codec, their size and number. */
  private static final int BLOCKS_HEAD = 2 * Byte.BYTES + 2 * Integer.BYTES;

  private final BlobsSerializer values;

  StockComplexColumn(BlobsSerializer values) {
    this.values = values;
  }

  /** Returns the size of the column without compression, which is Druid's default, in bytes. */
  long bytes() {
    return HEAD + (long) BYTES_PER_VALUE * values.size() + values.numBytes();
  }

  /** Returns whether the column under LZ4 is proven to have at least a number of bytes. */
  boolean hasLz4Bytes(long bytes) throws IOException {
    try (ResourceHolder<CompressionBuffers> ofValues = CompressionBuffers.POOL.take();
         ResourceHolder<CompressionBuffers> ofOffsets = CompressionBuffers.POOL.take()) {
      final Lz4Size size = new Lz4Size(ofValues.get(), ofOffsets.get(), bytes);
      values.forEach(size);
      size.finish();
      return size.isEnough();
    }
  }

  /** Size of the compressed column, as far as it is needed. */
  private static final class Lz4Size implements BlobsSerializer.Consumer {
    private final CompressionBuffers values;
    private final CompressionBuffers offsets;
    private final long wanted;
    private long size = 2 * BLOCKS_HEAD;
    private long offset;

    private Lz4Size(CompressionBuffers values, CompressionBuffers offsets, long wanted) {
      this.values = values;
      this.offsets = offsets;
      this.wanted = wanted;
      this.values.payload.clear();
      this.offsets.payload.clear().order(ByteOrder.nativeOrder());
    }

    private boolean isEnough() {
      return size >= wanted;
    }

    @Override
    public boolean accept(@Nullable byte[] bytes) {
      final int length = bytes == null ? 0 : bytes.length;
      for (int done = 0; done < length && !isEnough(); ) {
        final int count = Math.min(length - done, values.payload.remaining());
        values.payload.put(bytes, done, count);
        done += count;
        compressIfFull(values);
      }
      offset += length;
      offsets.payload.putLong(offset);
      compressIfFull(offsets);
      return !isEnough();
    }

    private void compressIfFull(CompressionBuffers buffers) {
      if (!buffers.payload.hasRemaining()) {
        compress(buffers);
      }
    }

    private void compress(CompressionBuffers buffers) {
      Codec.LZ4.compress(buffers.payload.flip(), buffers.compressed.clear(), Codec.Effort.STOCK);
      size += Integer.BYTES + buffers.compressed.position();
      buffers.payload.clear();
    }

    private void finish() {
      if (!isEnough() && values.payload.position() > 0) {
        compress(values);
      }
      if (!isEnough() && offsets.payload.position() > 0) {
        compress(offsets);
      }
    }
  }

  /** Creates Druid's serializer, and passes all values to it. */
  GenericColumnSerializer<byte[]> serializer(String column, SegmentWriteOutMedium medium, boolean isCompressed)
      throws IOException {
    final GenericColumnSerializer<byte[]> serializer = create(column, medium, isCompressed);
    serializer.open();
    final Row row = new Row();
    values.forEach(value -> {
      row.value = value;
      serializer.serialize(row);
      return true;
    });
    return serializer;
  }

  @SuppressWarnings("unchecked") // Druid's method returns a raw type.
  private static GenericColumnSerializer<byte[]> create(
      String column,
      SegmentWriteOutMedium medium,
      boolean isCompressed
  ) {
    if (isCompressed) {
      final IndexSpec lz4 =
          IndexSpec.builder().withComplexMetricCompression(CompressionStrategy.LZ4).build().getEffectiveSpec();
      return CompressedComplexColumnSerializer.create(medium, column, lz4, ObjectBytes.STRATEGY);
    }
    return LargeColumnSupportedComplexColumnSerializer.create(medium, column, ObjectBytes.STRATEGY);
  }

  /** Row with the bytes of an object. */
  private static final class Row extends ObjectColumnSelector<byte[]> {
    @Nullable
    private byte[] value;

    @Nullable
    @Override
    public byte[] getObject() {
      return value;
    }

    @Override
    public Class<byte[]> classOfObject() {
      return byte[].class;
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
  }
}
