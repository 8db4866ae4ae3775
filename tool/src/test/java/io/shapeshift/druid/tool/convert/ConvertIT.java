// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.SmallDisk;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.ToolProcess;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.segment.IndexIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process: what it writes, what it says, and what it exits with. */
@ExtendWith(RandomData.Seeded.class)
class ConvertIT {
  @TempDir
  private static Path folder;
  private static Path stock;

  @BeforeAll
  static void writeSegment() {
    stock = TestSegments.persist(
        EveryColumn.inMemory(1, 1_000), folder.resolve("stock").toFile(), TestSegments.STOCK, Version.V10).toPath();
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void thereAndBack() throws IOException {
    final ToolProcess.Result there = ToolProcess.run("convert", stock.toString(), "--out", path("there"), "--json");
    assertEquals(0, there.exitCode(), there.err());
    assertEquals("", there.err());
    final JsonNode segment = new ObjectMapper().readTree(there.out()).path(0);
    assertEquals(stock.toString(), segment.path("from").asText());
    assertEquals(path("there"), segment.path("to").asText());
    assertEquals(Files.size(stock.resolve(IndexIO.V10_FILE_NAME)), segment.path("bytesBefore").asLong());
    final Path converted = folder.resolve("there");
    assertEquals(
        Files.size(converted.resolve(IndexIO.V10_FILE_NAME)) + Files.size(converted.resolve(SegmentChecksums.FILE)),
        segment.path("bytesAfter").asLong()
    );
    for (JsonNode column : segment.path("columns")) {
      // Druid's default does not compress complex metrics.
      final boolean isComplex = column.path("type").asText().startsWith("COMPLEX");
      assertEquals(isComplex ? "druid" : "lz4", column.path("from").asText());
      assertEquals("shapeshift", column.path("to").asText());
      // Those of nested columns are in their fields.
      assertEquals(
          column.path("type").asText().equals("COMPLEX<json>"), column.path("forms").isEmpty(), column::toString);
    }

    final ToolProcess.Result back =
        ToolProcess.run("convert", path("there"), "--out", path("back"), "--strategy", "compression");
    assertEquals(0, back.exitCode(), back.err());
    assertTrue(back.out().startsWith(path("there") + " -> " + path("back") + "\ncolumn"), back.out());
    assertArrayEquals(
        Files.readAllBytes(stock.resolve(IndexIO.V10_FILE_NAME)),
        Files.readAllBytes(folder.resolve("back").resolve(IndexIO.V10_FILE_NAME))
    );
    FileUtils.deleteDirectory(folder.resolve("there").toFile());
    FileUtils.deleteDirectory(folder.resolve("back").toFile());
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    final ToolProcess.Result result = ToolProcess.run("convert", stock.toString(), "--out", stock.toString());
    assertEquals(3, result.exitCode());
    assertEquals("", result.out());
    assertEquals(
        "shapeshift: " + stock + ": it exists already. Name one that does not, or an empty directory\n", result.err());
    assertEquals(List.of(stock), left());
  }

  /** Waits until a conversion writes beside what it is to become, or has ended. */
  private static void awaitBegin(ToolProcess tool, List<Path> before) throws IOException, InterruptedException {
    while (unfinished(before).isEmpty() && tool.process().isAlive()) {
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  /** What conversions that have not ended, or never will, have written that was not there before. */
  private static List<Path> unfinished(List<Path> before) throws IOException {
    return left().stream()
        .filter(path -> path.getFileName().toString().startsWith(TemporaryDirectory.PREFIX) && !before.contains(path))
        .toList();
  }

  /**
   * Killed at any time while it converts, as by the kernel that is out of memory: there is the whole segment or none,
   * the source is what it was, and a further run is not in the way of what the killed one left.
   */
  @Test
  void killedAtAnyTime(RandomData random) throws IOException, InterruptedException {
    final byte[] source = Files.readAllBytes(stock.resolve(IndexIO.V10_FILE_NAME));
    final Path out = folder.resolve("killed");
    long millis;
    try (ToolProcess tool = ToolProcess.start("convert", stock.toString(), "--out", out.toString())) {
      awaitBegin(tool, left());
      final long begin = System.nanoTime();
      assertEquals(0, tool.await().exitCode());
      millis = (System.nanoTime() - begin) / 1_000_000;
    }
    FileUtils.deleteDirectory(out.toFile());
    int unfinished = 0;
    final int tries = Tier.pick(2, 60);
    for (int i = 0; i < tries || (unfinished == 0 && i < 2 * tries); i++) {
      final List<Path> before = left();
      try (ToolProcess tool = ToolProcess.start("convert", stock.toString(), "--out", out.toString())) {
        awaitBegin(tool, before);
        final long begin = System.nanoTime();
        if (tool.process().waitFor(random.nextInt((int) millis + 1), TimeUnit.MILLISECONDS)) {
          assertEquals(0, tool.process().exitValue());
          assertTrue(Files.exists(out), "it has ended, and there is nothing");
          // It is faster than the first one.
          millis = Math.min(millis, (System.nanoTime() - begin) / 1_000_000);
        } else {
          tool.process().destroyForcibly().waitFor();
        }
      }
      unfinished += !Files.exists(out) && !unfinished(before).isEmpty() ? 1 : 0;
      assertArrayEquals(source, Files.readAllBytes(stock.resolve(IndexIO.V10_FILE_NAME)));
      if (Files.exists(out)) {
        final ToolProcess.Result verified = ToolProcess.run("verify", out.toString());
        assertEquals(0, verified.exitCode(), verified.err());
        FileUtils.deleteDirectory(out.toFile());
      }
    }
    System.out.println("Of " + tries + " conversions or more, of " + millis + " ms with what ends them, " + unfinished
        + " were killed before they ended");
    assertTrue(unfinished > 0, "no conversion is killed before it ends");
    final ToolProcess.Result result = ToolProcess.run("convert", stock.toString(), "--out", out.toString());
    assertEquals(0, result.exitCode(), result.err());
    for (Path left : left()) {
      if (!left.equals(stock)) {
        FileUtils.deleteDirectory(left.toFile());
      }
    }
  }

  /** No file may be longer than a quarter of the segment, so that writing fails as it does when the disk is full. */
  @Test
  void whereThereIsNoRoomNothingIsLeft() throws IOException, InterruptedException {
    final long kilobytes = Files.size(stock.resolve(IndexIO.V10_FILE_NAME)) / 4096;
    final Path launcher = Path.of(System.getProperty("distribution"), "bin", "shapeshift");
    final ProcessBuilder builder = new ProcessBuilder(
        "bash", "-c", "ulimit -f " + kilobytes + "; exec \"$@\"", "bash",
        launcher.toString(), "convert", stock.toString(), "--out", path("out")
    );
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put(ToolProcess.JAVA_OPTIONS, ToolProcess.javaOptions());
    final Process process = builder.redirectErrorStream(true).start();
    final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertEquals(3, process.exitValue(), said);
    assertEquals(
        "shapeshift: " + path("out") + ": it cannot be written: File too large. Nothing is left of it\n", said);
    assertEquals(List.of(stock), left());
  }

  /**
   * A disk that is really full, at any moment from the first file to the last: it is said once, what was there before
   * is all that is there, and with room for it the same command succeeds.
   */
  @Test
  void onAFullDiskNothingIsLeft() throws IOException {
    final byte[] source = Files.readAllBytes(stock.resolve(IndexIO.V10_FILE_NAME));
    final Path mounted = folder.resolve("disk");
    int full = 0;
    try (SmallDisk disk = SmallDisk.mountOrSkip(mounted, source.length)) {
      final Path before = Files.write(disk.directory().resolve("before"), new byte[100]);
      final Path out = disk.directory().resolve("out");
      final int steps = Tier.pick(2, 40);
      for (int i = 1; !Files.exists(out); i++) {
        disk.leave((long) source.length * i / steps);
        final ToolProcess.Result result = ToolProcess.run("convert", stock.toString(), "--out", out.toString());
        assertArrayEquals(source, Files.readAllBytes(stock.resolve(IndexIO.V10_FILE_NAME)));
        if (result.exitCode() == 0) {
          assertTrue(full > 0, "the disk is never full");
          final ToolProcess.Result verified = ToolProcess.run("verify", stock.toString(), out.toString());
          assertEquals(0, verified.exitCode(), verified.err());
        } else {
          full++;
          assertEquals(3, result.exitCode(), result.err());
          assertEquals(
              "shapeshift: " + out + ": it cannot be written: No space left on device. Nothing is left of it\n",
              result.err()
          );
          try (Stream<Path> left = Files.list(disk.directory())) {
            assertEquals(List.of(before), left.toList());
          }
        }
      }
    }
    Files.delete(mounted);
  }
}
