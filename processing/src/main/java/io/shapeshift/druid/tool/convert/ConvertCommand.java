// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.tool.cli.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "convert", mixinStandardHelpOptions = true)
public final class ConvertCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return ExitCode.BROKEN;
  }
}
