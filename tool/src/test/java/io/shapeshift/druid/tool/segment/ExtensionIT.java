// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.ToolProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.druid.java.util.common.StringUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool with and without the encoding of the project under {@code examples/}. */
class ExtensionIT {
  private static final int HOSTS = 40;
  private static final int TIMES = 820;
  private static final String EXAMPLE = System.getProperty("example.jar");

  @TempDir
  private Path folder;

  @Test
  void writesAndChecksWithTheJarAndNamesTheEncodingWithoutIt() throws IOException {
    final StringBuilder rows = new StringBuilder("time,host\n");
    for (int i = 0; i < HOSTS * TIMES; i++) {
      rows.append(StringUtils.format("%d,host-%02d%n", 1_767_225_600_000L + i / HOSTS, i % HOSTS));
    }
    final Path table = Files.writeString(folder.resolve("hosts.csv"), rows);
    final String segment = folder.resolve("segment").toString();
    final ToolProcess.Result built = ToolProcess.run(
        "build", "--extension", EXAMPLE, "--input", table.toString(), "--timestamp", "time", "--out", segment);
    assertEquals(0, built.exitCode(), built.err());

    final ToolProcess.Result checked = ToolProcess.run("verify", "--extension", EXAMPLE, segment);
    assertEquals(0, checked.exitCode(), checked.out());
    final ToolProcess.Result unchecked = ToolProcess.run("verify", segment);
    assertEquals(3, unchecked.exitCode(), unchecked.out());
    assertTrue(
        unchecked.out().contains("Column[host]: it is stored in encoding[example.periodic], which no extension of this"
            + " process has"),
        unchecked::out
    );
    final ToolProcess.Result inspected = ToolProcess.run("inspect", segment);
    assertEquals(0, inspected.exitCode(), inspected.err());
    assertTrue(inspected.out().contains("example.periodic"), inspected::out);
  }
}
