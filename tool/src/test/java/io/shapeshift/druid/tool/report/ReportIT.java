// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.tool.ToolProcess;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as users run it. */
final class ReportIT {
  private static final Analysis ANALYSIS = TestAnalysis.of(TestAnalysis.segment("/one", 3));

  @TempDir
  Path directory;

  @Test
  void makesThePageOfASavedAnalysis() throws IOException {
    final Path json = Files.writeString(directory.resolve("analysis.json"), OutputFormat.json(ANALYSIS));
    final Path out = directory.resolve("report.html");
    final ToolProcess.Result result =
        ToolProcess.run("report", "--from", json.toString(), "--out", out.toString(), "--title", "Size & speed");
    assertEquals(new ToolProcess.Result(ExitCode.OK, "", ""), result);
    assertEquals(ReportWriter.page(ANALYSIS, "Size & speed"), Files.readString(out), "also from the shaded jar");
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(Set.of(json, out), files.collect(Collectors.toSet()));
    }
  }
}
