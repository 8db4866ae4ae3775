// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.IntEncodingStrategy;
import io.shapeshift.druid.segment.ShapeShiftIndexSpec;
import io.shapeshift.druid.select.OptimizationTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;

/** The encodings of whole segments, by the names that results have for them. */
public final class SegmentEncoding {
  /** Druid's default. */
  public static final String DRUID_LZ4 = "druid-lz4";

  private static final Map<String, IndexSpec> SPECS = specs();

  private SegmentEncoding() {}

  private static Map<String, IndexSpec> specs() {
    final Map<String, IndexSpec> specs = new LinkedHashMap<>();
    for (CompressionStrategy compression : List.of(
        CompressionStrategy.LZ4, CompressionStrategy.ZSTD, CompressionStrategy.UNCOMPRESSED)) {
      specs.put("druid-" + compression, druid(compression, LongEncodingStrategy.LONGS));
    }
    for (CompressionStrategy compression : List.of(CompressionStrategy.LZ4, CompressionStrategy.ZSTD)) {
      specs.put("druid-auto-" + compression, druid(compression, LongEncodingStrategy.AUTO));
    }
    for (BlockSize blockSize : BlockSize.values()) {
      for (OptimizationTarget target : OptimizationTarget.values()) {
        specs.put(
            "shapeshift-" + lower(target) + (blockSize == BlockSize.LARGE ? "" : "-" + lower(blockSize)),
            ShapeShiftIndexSpec.of(IndexSpec.getDefault(), IntEncodingStrategy.shapeShift(target, blockSize))
        );
      }
    }
    return specs;
  }

  private static IndexSpec druid(CompressionStrategy compression, LongEncodingStrategy longs) {
    return ShapeShiftIndexSpec.of(
        IndexSpec.builder()
            .withDimensionCompression(compression)
            .withMetricCompression(compression)
            .withLongEncoding(longs)
            .build(),
        IntEncodingStrategy.COMPRESSION
    );
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** All names, Druid's first. */
  public static List<String> names() {
    return List.copyOf(SPECS.keySet());
  }

  /**
   * The {@code indexSpec} that asks for an encoding.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public static IndexSpec indexSpec(String name) {
    final IndexSpec spec = SPECS.get(name);
    if (spec == null) {
      throw new IllegalArgumentException(
          "There is no encoding '" + name + "' of segments. There are " + String.join(", ", names())
      );
    }
    return spec;
  }
}
