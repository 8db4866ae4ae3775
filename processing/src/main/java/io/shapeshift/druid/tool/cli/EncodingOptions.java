// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.EncodingStrategy;
import io.shapeshift.druid.select.OptimizationTarget;
import javax.annotation.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of all commands that write segments: the properties of an {@link EncodingStrategy}. */
public final class EncodingOptions {
  @Nullable
  @Option(
      names = "--strategy",
      paramLabel = "STRATEGY",
      description = "shapeshift, or compression for Druid's own columns (default: shapeshift)"
  )
  private EncodingStrategy.Strategy strategy;

  @Nullable
  @Option(
      names = "--target",
      paramLabel = "TARGET",
      description = "how much size a form that is read faster may cost: smaller, fastbutsmallish (default) or faster"
  )
  private OptimizationTarget target;

  @Nullable
  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description = "how many ids may share a form: large (default), middle or small, for 64, 32 or 16 KB of them"
  )
  private BlockSize blockSize;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Whether any of the options was given. */
  public boolean isGiven() {
    return strategy != null || target != null || blockSize != null;
  }

  /** The strategy that the options ask for. */
  public EncodingStrategy strategy() {
    if (strategy == EncodingStrategy.Strategy.COMPRESSION) {
      if (target != null || blockSize != null) {
        throw new ParameterException(
            command.commandLine(),
            "--target and --block-size have no effect with --strategy compression: leave them out"
        );
      }
      return EncodingStrategy.COMPRESSION;
    }
    return EncodingStrategy.shapeShift(
        target == null ? OptimizationTarget.FASTBUTSMALLISH : target,
        blockSize == null ? BlockSize.LARGE : blockSize
    );
  }
}
