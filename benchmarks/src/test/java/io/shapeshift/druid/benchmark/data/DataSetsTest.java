// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSetsTest {
  private static final double SCALE = 0.001;

  @TempDir
  private Path cache;

  @Test
  void wikitickerHasTheRowsAndNumbersOfTheSample() {
    try (Segment segment = Segment.open(DataSets.wikiticker(cache))) {
      assertEquals(39_244, segment.numRows());
      assertEquals(
          List.of("__time", "added", "deleted", "delta", "metroCode"),
          segment.columns().stream().filter(column -> column.type().equals("LONG")).map(SegmentColumn::name).sorted()
                 .toList()
      );
      assertTrue(segment.columns().stream().noneMatch(SegmentColumn::isShapeShifting));
    }
  }

  @Test
  void aSegmentIsMadeOnce() throws IOException {
    final Path segment = DataSets.tpch("orders", SCALE, cache);
    final FileTime made = Files.getLastModifiedTime(segment.resolve("meta.smoosh"));
    final Object file = Files.readAttributes(segment, "unix:ino");
    assertEquals(segment, DataSets.tpch("orders", SCALE, cache));
    assertEquals(made, Files.getLastModifiedTime(segment.resolve("meta.smoosh")));
    assertEquals(file, Files.readAttributes(segment, "unix:ino"));
    assertEquals(List.of("tpch-orders-0.001"), names());
  }

  @Test
  void eachTableAndScaleHasItsOwn() throws IOException {
    DataSets.tpch("nation", SCALE, cache);
    DataSets.tpch("nation", 1, cache);
    DataSets.tpch("region", 0.00001, cache);
    assertEquals(List.of("tpch-nation-0.001", "tpch-nation-1", "tpch-region-0.00001"), names());
  }

  @Test
  void whatAnEndedProcessLeftIsNotTakenForASegment() throws IOException {
    // A process that is killed leaves its working directory, and may leave an empty directory of the final name.
    final Path left = Files.createDirectories(cache.resolve(".tpch-orders-0.001-1234567890/segments"));
    Files.writeString(left.resolve("version.bin"), "half");
    Files.createDirectory(cache.resolve("tpch-orders-0.001"));
    try (Segment segment = Segment.open(DataSets.tpch("orders", SCALE, cache))) {
      assertEquals(1500, segment.numRows());
    }
  }

  @Test
  void whatCannotBeMadeLeavesNothing() throws IOException {
    assertThrows(IllegalArgumentException.class, () -> DataSets.tpch("lineitems", SCALE, cache));
    assertThrows(IllegalArgumentException.class, () -> DataSets.tpch("lineitem", 0, cache));
    assertEquals(List.of(), names());
    assertFalse(Files.exists(cache.resolve("tpch-lineitem-0")));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
