// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
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

  /** What a process writes now, or left when it was killed; who names it means it. */
  @Test
  void whatIsNotPublishedYetIsNotFound() {
    final Path published = DruidArtifacts.fromV8(folder.resolve("a"));
    final Path staged = folder.resolve(TemporaryDirectory.PREFIX + "123");
    final Path within = DruidArtifacts.fromV8(staged.resolve("out/a"));
    assertEquals(List.of(published), find(folder));
    assertEquals(List.of(within), find(staged));
  }

  @Test
  void aLinkToASegmentHasItsSize() throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("a"));
    final Path link = Files.createSymbolicLink(folder.resolve("b"), segment);
    try (Segment first = SegmentLocation.one(segment).open(); Segment second = SegmentLocation.one(link).open()) {
      assertTrue(first.sizeInBytes() > 0);
      assertEquals(first.sizeInBytes(), second.sizeInBytes());
    }
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

  /** Whoever unpacks one beside it has it once; but a segment in another's directory is one more. */
  @Test
  void aZipFileInASegmentsDirectoryIsAFileOfIt() {
    final Path outer = DruidArtifacts.fromV8(folder.resolve("a"));
    DruidArtifacts.nestedV3(outer);
    final Path inner = DruidArtifacts.fromV8(outer.resolve("b"));
    final Path zip = DruidArtifacts.nestedV3(outer.resolve("c"));
    assertEquals(List.of(outer, inner, zip), find(folder));
  }

  @Test
  void placesAreThoseOfUnpackedSegments() throws IOException {
    final Path zip = DruidArtifacts.nestedV3(folder.resolve("a"));
    assertEquals(Path.of("a"), new SegmentLocation(zip).placeBelow(folder));
    assertEquals(Path.of(""), new SegmentLocation(zip).placeBelow(zip.getParent()));
    final Path other = Files.move(zip, zip.resolveSibling("0_index.zip"));
    assertEquals(Path.of("a/0_index"), new SegmentLocation(other).placeBelow(folder));
    final Path directory = DruidArtifacts.fromV8(folder.resolve("b.zip"));
    assertEquals(Path.of("b.zip"), new SegmentLocation(directory).placeBelow(folder));
  }

  /** Its path is too long for Java, though not for a shell that goes there step by step. */
  @Test
  void aFolderThatCannotBeListedIsNotLeftOut() throws IOException, InterruptedException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("a"));
    final String name = "n".repeat(250);
    shell("for i in $(seq 20); do mkdir " + name + " && cd " + name + " || exit 1; done");
    try {
      final ToolException e = assertThrows(ToolException.class, () -> find(folder));
      assertTrue(e.getMessage().startsWith(folder.resolve(name).toString()), e.getMessage());
      assertTrue(
          e.getMessage().endsWith("File name too long. Allow it to be read, or name a folder that it is not below"),
          e.getMessage()
      );
      assertEquals(List.of(segment), find(segment));
    } finally {
      shell("rm -r " + name);
    }
  }

  private void shell(String script) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("bash", "-c", script).directory(folder.toFile()).start().waitFor());
  }

  @Test
  void aFolderThatALinkLeadsBackToIsListedOnce() throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("a"));
    Files.createSymbolicLink(folder.resolve("b"), folder);
    assertEquals(List.of(segment), find(folder));
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
