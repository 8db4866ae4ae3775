// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.cli.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "analyze", mixinStandardHelpOptions = true)
public final class AnalyzeCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return ExitCode.BROKEN;
  }
}
