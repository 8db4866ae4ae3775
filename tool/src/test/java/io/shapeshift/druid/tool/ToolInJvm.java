// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Runs the tool in this JVM: its command lines, messages and exit codes, of which no process has to start. */
public final class ToolInJvm {
  private ToolInJvm() {}

  /** Runs the tool to its end. */
  public static ToolProcess.Result run(String... args) {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final int exitCode = Shapeshift.run(out, err, args);
    return new ToolProcess.Result(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
