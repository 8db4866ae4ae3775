// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
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
 * Columns that take 3 GiB in any encoding, which shape-shifting parts of one file cannot hold. Each takes minutes and
 * some 20 GB of temporary files, for which {@code -Dtest.tmpdir=DIRECTORY} has to name a directory that is not in
 * memory.
 */
@Tag("large")
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class LargeColumnsTest {
  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource
  void areWrittenMergedAndQueried(LargeColumns.Kind kind) throws Exception {
    final IndexSpec spec = TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    final File merged = LargeColumns.write(kind, directory, spec, Version.V9);
    assertTrue(FileUtils.sizeOfDirectory(merged) > 3L << 30);
    LargeColumns.assertHasAllRows(kind, merged);

    // And once more from such a column.
    final File again =
        LargeColumns.merge(kind, List.of(merged), directory.resolve("again"), spec, Version.V10);
    FileUtils.deleteDirectory(merged);
    LargeColumns.assertHasAllRows(kind, again);
  }
}
