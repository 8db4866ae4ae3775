// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.blobs.BlobsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.merge.ShapeShiftComplexColumnSerializer;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.serde.ColumnPartSerde;

/**
 * Sizes of the objects of a complex type in Druid's encodings and in ours, from the serializers of an ingestion.
 *
 * @param stock bytes of Druid's columns, by compression: its default, {@code uncompressed}, and {@code lz4}, which it
 *     has up to 2 GiB
 * @param ours  columns of ours, by target
 */
public record EncodedObjects(Map<String, Long> stock, Map<OptimizationTarget, Ours> ours) {
  /** Druid's default, with which all others are compared. */
  public static final String UNCOMPRESSED = CompressionStrategy.UNCOMPRESSED.toString();

  /**
   * Column of ours, or Druid's, where that is smaller.
   *
   * @param bytes size in bytes
   * @param forms usage of each form by name; empty if the column is Druid's
   */
  public record Ours(long bytes, Map<String, FormUsage> forms) {}

  /** Bytes of the objects of all rows, in order. */
  @FunctionalInterface
  public interface Values {
    /** Passes all of them to a consumer. */
    void forEach(BlobsSerializer.Consumer consumer) throws IOException;
  }

  /**
   * Encodes objects.
   *
   * @param file     name of the column's file
   * @param typeName name of the type, which has no column of its own
   * @param bitmaps  type of the segment's bitmaps
   * @throws IOException if the system's temporary directory is full
   */
  public static EncodedObjects encode(String file, String typeName, BitmapSerdeFactory bitmaps, Values values)
      throws IOException {
    final Map<String, Long> stock = new LinkedHashMap<>();
    final Map<OptimizationTarget, Ours> ours = new LinkedHashMap<>();
    for (OptimizationTarget target : OptimizationTarget.values()) {
      try (LazyMedium medium = new LazyMedium()) {
        final ShapeShiftComplexColumnSerializer serializer =
            ShapeShiftComplexColumnSerializer.ofBytes(typeName, file, medium, shapeShiftingSpec(bitmaps, target));
        values.forEach(value -> {
          serializer.add(value);
          return true;
        });
        if (stock.isEmpty()) {
          final long bytes = WrittenBytes.of(serializer.stock(false));
          stock.put(UNCOMPRESSED, bytes);
          if (bytes <= Integer.MAX_VALUE) {
            stock.put(CompressionStrategy.LZ4.toString(), WrittenBytes.of(serializer.stock(true)));
          }
        }
        final ColumnPartSerde part = serializer.makeColumnDescriptor().getParts().get(0);
        ours.put(target, new Ours(
            WrittenBytes.of(part.getSerializer()),
            part instanceof ShapeShiftComplexColumnPartSerde ? FormUsage.ofSections(serializer.sections()) : Map.of()
        ));
      }
    }
    return new EncodedObjects(stock, ours);
  }

  /** IndexSpec under which complex metrics shape-shift. */
  public static IndexSpec shapeShiftingSpec(BitmapSerdeFactory bitmaps, OptimizationTarget target) {
    final EncodingStrategy strategy = EncodingStrategy.shapeShift(target, BlockSize.LARGE);
    return ShapeShiftIndexSpec
        .of(
            IndexSpec.builder().withBitmapSerdeFactory(bitmaps).build(),
            new EncodingStrategies(null, Map.of(EncodedType.COMPLEX, strategy))
        )
        .getEffectiveSpec();
  }
}
