// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.speed.Turns;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.druid.java.util.common.io.Closer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the constants of the cost model on this machine, and prints them beside those that are used. */
@Command(
    name = "costs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Measures what choices rest on: how long reads of each form take, and filters by lists, scans and hashes. It "
            + "prints all constants of the cost model: the value used, that measured here, and their ratio.",
        "Constants that do not depend on the processor are printed with the reason why they were chosen."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:all is measured",
        "2:the command line is wrong",
        "3:results cannot be written",
        "4:an error in this command"
    }
)
public final class CostsCommand implements Callable<Integer> {
  static final String RESULTS = "costs.csv";
  /** Time for which each read runs before it is measured, so that it is compiled. */
  private static final long WARM_UP_NANOS = 500_000_000;
  private static final int LEAST_ROWS = 1 << 12;

  @Option(
      names = "--rows",
      defaultValue = "2097152",
      paramLabel = "N",
      description = "rows of the columns that are filtered, which are to take more than the caches (default: "
          + "${DEFAULT-VALUE})"
  )
  private int rows;

  @Option(
      names = "--rounds",
      defaultValue = "51",
      paramLabel = "N",
      description = "rounds in which each read has its turn; times are medians (default: ${DEFAULT-VALUE})"
  )
  private int rounds;

  @Mixin
  private ResultsOption results;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    require("--rows", rows, LEAST_ROWS);
    require("--rounds", rounds, 1);
    final ResultFiles files = new ResultFiles(
        results.directory(),
        new RunInfo.Start("costs", command.commandLine().getParseResult().originalArgs())
    );
    final Map<String, Double> measured =
        measure(Limits.MAX_DIRECT_INTS, rows, new Turns(rounds, WARM_UP_NANOS));
    final double machine = machine(measured);
    final Table table = table(measured, machine);
    files.write(
        Map.of(RESULTS, table), RunInfo.Jvm.like(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    final PrintWriter out = command.commandLine().getOut();
    out.print(table.toText());
    out.printf(
        "Times here are %s times those used, in the geometric mean. Only their ratios matter: 'of machine' is by how%n"
            + "much a time differs beyond that.%n",
        Numbers.text(machine)
    );
    out.println("Results: " + results.directory());
    out.flush();
    return 0;
  }

  private void require(String option, int value, int least) {
    if (value < least) {
      throw new ParameterException(
          command.commandLine(), option + " is " + value + ": it must be " + least + " or more");
    }
  }

  /**
   * Measures all measured constants.
   *
   * @param chunkSize values of a chunk, a power of two
   * @param rows      of a column
   * @return by name
   */
  static Map<String, Double> measure(int chunkSize, int rows, Turns turns) {
    final Measurements measurements = new Measurements();
    FormCosts.add(measurements, chunkSize);
    Lz4Costs.add(measurements);
    try (Closer columns = Closer.create()) {
      columns.register(IndexCosts.add(measurements, rows));
      columns.register(ScanCosts.add(measurements, rows));
      return measurements.measure(turns);
    } catch (IOException e) {
      throw new ToolException("columns", "they cannot be written: " + e, "Make room for temporary files", e);
    }
  }

  /**
   * A row for each constant. Chosen constants have no measurement.
   *
   * @param mean of the machine: see {@link #machine}
   */
  static Table table(Map<String, Double> measured, double mean) {
    final Table table =
        new Table("constant", "unit", "used", "measured", "measured/used", "of machine", "basis");
    for (Constant constant : Constant.all()) {
      final Double ratio = constant.isMeasured() ? measured.get(constant.name()) / constant.number() : null;
      table.add(
          constant.name(),
          constant.unit(),
          constant.text(),
          constant.isMeasured() ? measured.get(constant.name()) : null,
          ratio,
          ratio == null ? null : ratio / (constant.isTime() ? mean : 1),
          constant.basis()
      );
    }
    return table;
  }

  /**
   * Returns how slow this machine is: the geometric mean of the ratios of the measured times to those of the cost
   * model.
   */
  static double machine(Map<String, Double> measured) {
    return Math.exp(Constant.all().stream()
        .filter(constant -> constant.isMeasured() && constant.isTime())
        .mapToDouble(constant -> Math.log(measured.get(constant.name()) / constant.number()))
        .average()
        .orElseThrow());
  }
}
