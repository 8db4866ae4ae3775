// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.SmallDisk;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Segments with every kind of column are persisted and merged onto a disk that gets full at each of many moments, from
 * the first file to the last: the error says so, what is left is no segment, and no buffer, file or mapping is held.
 */
class FullDiskTest {
  private static final int ROWS = Tier.pick(1_500, 3_000);
  private static final Set<String> INDEX_OR_METADATA = Set.of("makeIndexBinary", "makeMetadataBinary");
  /** Druid's own table of contents of a segment's files, and of the dictionaries of columns of type auto. */
  private static final String STOCK_CONTENTS = "/meta.smoosh";

  @TempDir
  private static Path folder;
  private static SmallDisk disk;

  @BeforeAll
  static void mount() throws IOException {
    disk = SmallDisk.mountOrSkip(folder.resolve("disk"), 1 << 20);
  }

  @AfterAll
  static void unmount() {
    if (disk != null) {
      disk.close();
    }
  }

  /** Writes a segment into a directory. */
  private interface Writer {
    File write(File directory) throws IOException;
  }

  private static IndexSpec spec(OptimizationTarget target) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        TestSegments.withHashIndexes(
            EncodingStrategy.shapeShift(target, BlockSize.SMALL), Set.of("number", "real"))
    );
  }

  /** Each version with one of two targets, or with both. */
  static List<Arguments> persisted() {
    return versionsWith(OptimizationTarget.FASTBUTSMALLISH, OptimizationTarget.SMALLER);
  }

  /** Each version with the target that it is not persisted with, or with both. */
  static List<Arguments> merged() {
    return versionsWith(OptimizationTarget.SMALLER, OptimizationTarget.FASTBUTSMALLISH);
  }

  private static List<Arguments> versionsWith(OptimizationTarget ofV9, OptimizationTarget ofV10) {
    return Tier.oneIn(2, Stream.of(
        Arguments.of(Version.V9, ofV9),
        Arguments.of(Version.V9, ofV10),
        Arguments.of(Version.V10, ofV10),
        Arguments.of(Version.V10, ofV9)
    ));
  }

  @ParameterizedTest
  @MethodSource("persisted")
  void persisting(Version version, OptimizationTarget target) throws IOException {
    try (IncrementalIndex rows = EveryColumn.inMemory(1, ROWS)) {
      fill(directory -> TestSegments.persist(rows, directory, spec(target), version));
    }
  }

  @ParameterizedTest
  @MethodSource("merged")
  void merging(Version version, OptimizationTarget target) throws IOException {
    final List<QueryableIndex> persisted = new ArrayList<>();
    try {
      for (int hour = 1; hour <= 3; hour++) {
        try (IncrementalIndex rows = EveryColumn.inMemory(hour, ROWS / 3)) {
          final File part = folder.resolve("part-" + version + target + hour).toFile();
          persisted.add(TestSegments.open(TestSegments.persist(rows, part, spec(target), version)));
        }
      }
      fill(directory -> TestSegments.merger(version).mergeQueryableIndex(
          persisted,
          false,
          EveryColumn.METRICS.toArray(new AggregatorFactory[0]),
          null,
          directory,
          spec(target),
          spec(target),
          new BaseProgressIndicator(),
          null,
          IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
      ));
    } finally {
      persisted.forEach(QueryableIndex::close);
    }
  }

  /** Tries with more and more room until there is enough. */
  private static void fill(Writer writer) throws IOException {
    final Path whole = folder.resolve("whole");
    writer.write(whole.toFile());
    final long steps = Tier.pick(20, 200);
    final long step = FileUtils.sizeOfDirectory(whole.toFile()) * 5 / steps;
    final File small = disk.directory().resolve("segment").toFile();
    int full = 0;
    boolean written = false;
    for (int i = 1; !written; i++) {
      assertTrue(i <= steps, "there is never room enough");
      disk.leave(i * step);
      final long borrowed = BorrowedBuffers.count();
      // Druid keeps a file of version 10 mapped that it could not open, until the garbage is collected.
      final List<String> heldBefore = held();
      try {
        writer.write(small);
        written = true;
      } catch (IOException | RuntimeException e) {
        full++;
        assertSaysSo(e);
        assertEquals(borrowed, BorrowedBuffers.count());
        final List<String> held = held();
        assertTrue(heldBefore.containsAll(held), held::toString);
        if (small.exists()) {
          assertThrows(Exception.class, () -> TestSegments.open(small).close(), "what is left is a segment");
        }
        FileUtils.deleteDirectory(small);
      }
    }
    assertTrue(full > 3, "the disk is hardly ever full");
    SegmentAssertions.assertSameContent(whole.toFile(), small, List.of(EveryColumn.PROJECTION));
    FileUtils.deleteDirectory(small);
    FileUtils.deleteDirectory(whole.toFile());
  }

  private static void assertSaysSo(Throwable error) {
    final Throwable root = rootOf(error);
    // The files that have no column Druid writes by itself, and does not notice when a write was not whole.
    if (Stream.of(root.getStackTrace()).noneMatch(frame -> INDEX_OR_METADATA.contains(frame.getMethodName()))) {
      assertEquals("No space left on device", root.getMessage(), error::toString);
    }
  }

  private static Throwable rootOf(Throwable error) {
    return error.getCause() == null ? error : rootOf(error.getCause());
  }

  /** Files and mappings of the small disk that this process has, but for those that Druid leaves, in stock as well. */
  private static List<String> held() throws IOException {
    final List<String> held = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.toList()) {
        try {
          held.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // Closed since the list was made: by the stream that made it, or by another thread of this process.
        }
      }
    }
    held.addAll(Files.readAllLines(Path.of("/proc/self/maps")));
    held.removeIf(file -> !file.contains(disk.directory().toString()) || file.contains(STOCK_CONTENTS));
    return held;
  }
}
