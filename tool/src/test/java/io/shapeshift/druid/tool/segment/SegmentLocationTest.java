// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentLocationTest {
  @TempDir
  private Path folder;

  private static List<Path> find(Path... paths) {
    return SegmentLocation.find(List.of(paths)).stream().map(SegmentLocation::path).toList();
  }

  @Test
  void allBelowAFolderAreFoundInOrder() throws IOException {
    final Path zip = DruidArtifacts.nestedV3(folder.resolve("b/1"));
    final Path v10 = DruidArtifacts.emptyFieldName(folder.resolve("a/2"));
    final Path v9 = DruidArtifacts.fromV8(folder.resolve("a/1"));
    Files.writeString(folder.resolve("b/descriptor.json"), "{}");
    Files.writeString(folder.resolve("b/other.zip"), "");
    assertEquals(List.of(v9, v10, zip), find(folder));
    assertEquals(List.of(zip, v9, v10), find(zip, folder.resolve("a")));
    assertEquals(List.of(v9, v10, zip), find(v9, folder), "each once");
  }

  @Test
  void aFileOfASegmentStandsForIt() {
    final Path v10 = DruidArtifacts.emptyFieldName(folder.resolve("v10"));
    assertEquals(List.of(v10), find(v10.resolve("druid.segment")));
  }

  @Test
  void oneIsOne() {
    DruidArtifacts.fromV8(folder.resolve("a"));
    final Path b = DruidArtifacts.fromV8(folder.resolve("b"));
    assertEquals(b, SegmentLocation.one(b).path());
    final ToolException e = assertThrows(ToolException.class, () -> SegmentLocation.one(folder));
    assertEquals(
        folder + ": there are 2 segments below, such as " + folder.resolve("a") + " and " + b + ". Name one of them",
        e.getMessage()
    );
  }

  @Test
  void aZipFileIsUnpackedForAsLongAsItIsOpen() {
    final Path zip = DruidArtifacts.nestedV3(folder);
    final Path directory;
    try (Segment segment = SegmentLocation.one(zip).open()) {
      directory = segment.directory();
      assertTrue(Files.exists(directory.resolve("version.bin")));
      assertEquals(zip, segment.path());
      assertEquals(5, segment.numRows());
    }
    assertFalse(Files.exists(directory));
  }

  @Test
  void aZipFileWithoutASegmentIsSaid() throws IOException {
    final Path zip = folder.resolve("index.zip");
    try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("readme.txt"));
    }
    final ToolException e = assertThrows(ToolException.class, () -> SegmentLocation.one(zip).open());
    assertEquals(
        zip + ": there is no segment in this zip file. Name an index.zip as Druid pushes it to deep storage",
        e.getMessage()
    );
  }
}
