// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command prints, and what it exits with. */
class VerifyOutputTest {
  @TempDir
  private Path folder;

  private Path segment(String name) {
    return TestSegments.persist(
        EveryColumn.inMemory(1, 500), folder.resolve(name).toFile(), TestSegments.SHAPE_SHIFT, Version.V9).toPath();
  }

  /** Segments of one table may have different columns. */
  @Test
  void aColumnThatSomeSegmentsHave() {
    segment("segments/every");
    DruidArtifacts.fromV8(folder.resolve("segments/old"));
    final String segments = folder.resolve("segments").toString();
    final ToolProcess.Result found = ToolInJvm.run("verify", segments, "--columns", "auto");
    assertEquals(0, found.exitCode(), found.err());
    final ToolProcess.Result missing = ToolInJvm.run("verify", segments, "--columns", "auto,nowhere");
    assertEquals(3, missing.exitCode());
    assertTrue(
        missing.err().startsWith("shapeshift: " + segments + ": there is no column nowhere. There are __time, "),
        missing.err()
    );
  }

  @Test
  void aNameWithACommaIsQuoted() throws IOException {
    final Path table = Files.writeString(folder.resolve("table.csv"), "\"a,b\",c\n1,2\n");
    final Path built = folder.resolve("built");
    assertEquals(0, ToolInJvm.run(
        "build", "--input", table.toString(), "--no-timestamp", "--segment-version", "10", "--out", built.toString()
    ).exitCode());
    final ToolProcess.Result result = ToolInJvm.run("verify", built.toString(), "--columns", "\"a,b\"");
    assertEquals("", result.err());
    assertTrue(result.out().endsWith("all fine: 1 column of 1 segment\n"), result.out());
  }

  @Test
  void damage() throws IOException {
    final Path fine = segment("segments/fine");
    final Path damaged = segment("segments/damaged");
    final Path file = damaged.resolve("00000.smoosh");
    final byte[] bytes = Files.readAllBytes(file);
    bytes[Bytes.indexOf(bytes, "p100".getBytes(StandardCharsets.UTF_8))] = 'z';
    Files.write(file, bytes);
    Files.write(fine.resolve("version.bin"), new byte[]{0, 0, 0, 7});
    // They would tell that files are others, before what is wrong with them is looked for.
    Files.delete(fine.resolve(SegmentChecksums.FILE));
    Files.delete(damaged.resolve(SegmentChecksums.FILE));
    final ToolProcess.Result unopened = ToolInJvm.run("verify", fine.toString());
    assertEquals(3, unopened.exitCode());
    assertEquals("", unopened.out());
    assertEquals(
        "shapeshift: " + fine + ": its version is 7, which this tool cannot read. Segments of version 9 and 10 "
            + "can be read; ingest older ones again with a Druid of today\n",
        unopened.err()
    );

    // Of a folder all are checked.
    final ToolProcess.Result both = ToolInJvm.run("verify", folder.resolve("segments").toString());
    assertEquals(3, both.exitCode());
    assertTrue(
        both.out().contains(
            fine + "\nits version is 7, which this tool cannot read\n1 segment could not be checked\n"),
        both.out()
    );
    assertTrue(both.out().contains("behind \"z100\"\n"), both.out());
    assertTrue(both.out().endsWith("\n\n1 segment could not be checked; damaged: 2 problems\n"), both.out());
  }
}
