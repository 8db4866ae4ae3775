// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option {@code --results} of commands that write {@link ResultFiles}. */
public final class ResultsOption {
  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "where the results go; it must not exist, or be empty (default: benchmark-results/TIME)"
  )
  private Path directory = Path.of(
      "benchmark-results",
      LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT))
  );

  /** Directory of the results. */
  public Path directory() {
    return directory;
  }
}
