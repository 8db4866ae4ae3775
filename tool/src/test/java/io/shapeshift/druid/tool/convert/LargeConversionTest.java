// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.LargeColumns;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conversion, there and back, of columns that take 3 GiB in any encoding. Each takes minutes and some 25 GB of
 * temporary files.
 */
@Tag("large")
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class LargeConversionTest {
  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource
  void thereAndBack(LargeColumns.Kind kind) throws IOException {
    final Path stock = LargeColumns.write(kind, directory, TestSegments.STOCK, Version.V9).toPath();
    final Path there =
        convert(stock, "there", EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE));
    FileUtils.deleteDirectory(stock.toFile());
    LargeColumns.assertHasAllRows(kind, there.toFile());
    try (Segment segment = Segment.open(there)) {
      assertEquals(List.of(), SegmentVerifier.check(segment, column -> true).allProblems().toList());
    }
    final Path back = convert(there, "back", EncodingStrategy.COMPRESSION);
    FileUtils.deleteDirectory(there.toFile());
    LargeColumns.assertHasAllRows(kind, back.toFile());
  }

  private Path convert(Path from, String to, EncodingStrategy strategy) {
    final Path out = directory.resolve(to);
    new Conversion(SeveralFilesTest.encodings(strategy), false).run(from, SegmentLocation.find(List.of(from)), out);
    return out;
  }
}
