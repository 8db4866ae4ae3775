// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Chunks are kept until all segments are inspected only if they are printed then. */
class InspectCommandTest {
  @TempDir
  private Path folder;
  private Path segment;

  @BeforeEach
  void makeSegment() {
    segment = DruidArtifacts.fromV8(folder.resolve("segment"));
  }

  private List<PartInspection> parts(String... options) {
    final InspectCommand command = new InspectCommand();
    final CommandLine line = new CommandLine(command);
    line.parseArgs(options);
    return command.inspect(SegmentLocation.one(segment)).columns().stream()
        .flatMap(column -> column.parts().stream())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--chunks", "--columns=dim0", "--json", "--csv"})
  void areKeptToBePrinted(String option) {
    final List<PartInspection> parts = parts(option, segment.toString());
    assertFalse(parts.isEmpty());
    for (PartInspection part : parts) {
      assertFalse(part.chunks().isEmpty(), part.name());
      assertEquals(part.chunks().size(), part.numChunks(), part.name());
    }
  }

  @Test
  void areNotKeptForTheTextWithoutThem() {
    final List<PartInspection> parts = parts(segment.toString());
    final List<PartInspection> all = parts("--chunks", segment.toString());
    assertEquals(all.size(), parts.size());
    for (int i = 0; i < all.size(); i++) {
      assertTrue(parts.get(i).chunks().isEmpty(), all.get(i).name());
      assertEquals(all.get(i).name(), parts.get(i).name());
      assertEquals(all.get(i).header(), parts.get(i).header());
      assertEquals(all.get(i).forms(), parts.get(i).forms());
      assertEquals(all.get(i).numChunks(), parts.get(i).numChunks());
    }
  }
}
