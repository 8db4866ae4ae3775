// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.testing.sketches.Sketch;
import io.shapeshift.druid.testing.sketches.SketchStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes of the sketches of two million events, which it prints, relative to Druid's default. Takes a minute. */
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class SketchSizesTest {
  /** Bytes per value that Druid's default adds: an offset and a marker of null. */
  private static final int STOCK_BYTES_PER_VALUE = 8;

  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource({
      "THETA, true, .36", "HLL_4, true, .47", "KLL, true, .25", "QUANTILES, true, .25",
      "THETA, false, .90", "HLL_4, false, .90", "KLL, false, .90", "QUANTILES, false, .90"
  })
  void areSmallerThanDruids(Sketch kind, boolean repeats, double most) throws IOException {
    final List<byte[]> sketches = SketchStream.large(repeats).sketches(kind);
    final double stock =
        (double) STOCK_BYTES_PER_VALUE * sketches.size() + sketches.stream().mapToLong(each -> each.length).sum();
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final double size = size(sketches, target) / stock;
      System.out.printf(Locale.ROOT, "%s %s repeats, %s: %.3f of %d sketches%n",
          kind, repeats ? "with" : "without", target, size, sketches.size());
      assertTrue(target == OptimizationTarget.FASTER || size <= most, () -> target + ": " + size);
    }
  }

  private long size(List<byte[]> sketches, OptimizationTarget target) throws IOException {
    try (SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.toFile())) {
      final BlobsSerializer serializer = new BlobsSerializer("c", medium, target);
      for (byte[] sketch : sketches) {
        serializer.add(sketch);
      }
      return serializer.getSerializedSize();
    }
  }
}
