// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.build;

import io.shapeshift.druid.tool.cli.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "build", mixinStandardHelpOptions = true)
public final class BuildCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return ExitCode.BROKEN;
  }
}
