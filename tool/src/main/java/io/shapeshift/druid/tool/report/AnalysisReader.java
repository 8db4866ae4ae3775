// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.JsonFile;
import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.file.Path;

/** Reader of the output of {@code analyze --json}, of this or a later release. */
final class AnalysisReader {
  private AnalysisReader() {}

  /**
   * Reads an analysis.
   *
   * @throws ToolException if the file cannot be read, or is not an analysis
   */
  static Analysis read(Path file) {
    return JsonFile.read(file, Analysis.class, "analysis", "Name a file that holds what 'analyze --json' printed");
  }
}
