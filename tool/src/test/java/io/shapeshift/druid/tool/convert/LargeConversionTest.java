// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.druid.segment.IndexSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conversion of columns that take 3 GiB in any encoding. Each takes minutes and some 25 GB of temporary files.
 */
@Tag("large")
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class LargeConversionTest {
  private static final EncodingStrategy OURS =
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(names = {"STRING", "AUTO", "SKETCHES"})
  void thereAndBack(LargeColumns.Kind kind) throws IOException {
    final Path stock = LargeColumns.write(kind, directory, TestSegments.STOCK, Version.V9).toPath();
    final Path there = convert(stock, "there", OURS);
    FileUtils.deleteDirectory(stock.toFile());
    assertIsIntact(kind, there);
    final Path back = convert(there, "back", EncodingStrategy.COMPRESSION);
    FileUtils.deleteDirectory(there.toFile());
    LargeColumns.assertHasAllRows(kind, back.toFile());
  }

  /** Druid stores the objects of a nested column in one file, of at most 2 GiB. */
  @ParameterizedTest
  @EnumSource(names = {"NESTED_TEXT", "NESTED_KEPT"})
  void whatDruidCannotStoreIsAnError(LargeColumns.Kind kind) throws IOException {
    final IndexSpec spec = TestSegments.shapeShiftAll(OptimizationTarget.FASTER, BlockSize.LARGE);
    final Path faster = LargeColumns.write(kind, directory, spec, Version.V9).toPath();
    final Path converted = convert(faster, "converted", OURS);
    FileUtils.deleteDirectory(faster.toFile());
    assertIsIntact(kind, converted);
    final Exception e =
        assertThrows(RuntimeException.class, () -> convert(converted, "back", EncodingStrategy.COMPRESSION));
    assertTrue(e.getMessage().contains("exceeds the maximum[2,147,483,647]"), e.getMessage());
    assertFalse(Files.exists(directory.resolve("back")));
  }

  private static void assertIsIntact(LargeColumns.Kind kind, Path path) throws IOException {
    LargeColumns.assertHasAllRows(kind, path.toFile());
    try (Segment segment = Segment.open(path)) {
      assertEquals(List.of(), SegmentVerifier.check(segment, column -> true).allProblems().toList());
    }
  }

  private Path convert(Path from, String to, EncodingStrategy strategy) {
    final Path out = directory.resolve(to);
    new Conversion(SeveralFilesTest.encodings(strategy), false).run(from, SegmentLocation.find(List.of(from)), out);
    return out;
  }
}
