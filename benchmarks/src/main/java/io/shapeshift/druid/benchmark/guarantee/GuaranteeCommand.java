// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.speed.ColumnRead;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Tests the promises of every column: it is read no slower than Druid's own, and is no larger. */
@Command(
    name = "guarantee",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Tests what the targets promise of every column: each read at least as fast as of Druid's own columns, but for "
            + "noise, and no more bytes. It stores columns of many shapes under all targets, and reads all rows or "
            + "shares of them in vectors, and all from the last to the first, each fifth and each fiftieth row by row, "
            + "in turns with Druid's: default and faster must reach .95 of the speed of druid-lz4 with "
            + "1.00 and 1.10 of its bytes, smaller .7 of the speed of druid-zstd with 1.02 of its bytes.",
        "What is slower is measured three times more, and counts only if the median of these is slower too."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:all is as promised",
        "1:a read is slower, or a column larger",
        "2:the command line is wrong",
        "3:a segment cannot be read, or results not be written",
        "4:an error in this command"
    }
)
public final class GuaranteeCommand implements Callable<Integer> {
  private static final String RESULTS = "guarantee.csv";
  private static final String TWINS = "guarantee-twice.csv";
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(10);

  @Option(
      names = "--segment",
      paramLabel = "PATH",
      description = "measure the columns of a segment, a directory or an index.zip, in place of generated ones; can be "
          + "given several times"
  )
  private final List<Path> segments = new ArrayList<>();

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "only shapes, or columns, in whose name this is found, such as '^runs'"
  )
  private Pattern only = Pattern.compile("");

  @Option(
      names = "--types",
      split = ",",
      converter = TypeConverter.class,
      defaultValue = "int,long,float,double",
      paramLabel = "TYPE",
      description = "only these types; int is for dictionary ids (default: ${DEFAULT-VALUE})"
  )
  private Set<EncodedType> types;

  @Option(
      names = "--targets",
      split = ",",
      defaultValue = "default,smaller,faster",
      paramLabel = "TARGET",
      description = "only these targets (default: ${DEFAULT-VALUE})"
  )
  private Set<Promise> promises;

  @Option(
      names = "--jvm",
      defaultValue = "both",
      paramLabel = "KIND",
      description = "polluted, which has read columns of all types, widths and forms; fresh, one for each column and "
          + "encoding, which reads nothing else; or both (default: ${DEFAULT-VALUE})"
  )
  private JvmKind.Choice jvms;

  @Option(
      names = "--rows",
      defaultValue = "65536",
      paramLabel = "N",
      description = "rows of generated columns (default: ${DEFAULT-VALUE})"
  )
  private int rows;

  @Option(
      names = "--rounds",
      defaultValue = "11",
      paramLabel = "N",
      description = "rounds in which each read of each encoding has its turn; times are medians (default: "
          + "${DEFAULT-VALUE})"
  )
  private int rounds;

  @Option(
      names = "--twice",
      description = "check the measurement in place of the promise: store each encoding twice, and measure both copies "
          + "in turns in the polluted JVM. 1 is the exit code if the mean times of two copies differ by more than 3 %%"
  )
  private boolean twice;

  @Mixin
  private ResultsOption results;

  @Spec
  private CommandSpec command;

  private static final class TypeConverter implements ITypeConverter<EncodedType> {
    @Override
    public EncodedType convert(String name) {
      return EncodedType.OF_ROWS.stream()
          .filter(type -> Shape.name(type).equals(name))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("there is no type '" + name + "'; there are "
              + EncodedType.OF_ROWS.stream().map(Shape::name).collect(Collectors.joining(", "))));
    }
  }

  @Override
  public Integer call() {
    require(rows > 0, "--rows", rows);
    require(rounds > 0, "--rounds", rounds);
    final List<Shape> shapes = shapes();
    if (shapes.isEmpty()) {
      throw new ToolException("--only " + only, "there is no such column", "Choose others, or other types");
    }
    final ResultFiles files = new ResultFiles(
        results.directory(),
        new RunInfo.Start("guarantee", command.commandLine().getParseResult().originalArgs())
    );
    if (twice) {
      final Twins twins = new Twins(EnumSet.copyOf(promises));
      try (SpeedTest speedTest = new SpeedTest(rounds)) {
        shapes.forEach(shape -> twins.measure(shape, speedTest));
      }
      files.write(Map.of(TWINS, twins.csv()), jvm());
      print(twins.text());
      return twins.exitCode();
    }
    final Findings findings = new Findings(new ArrayList<>(), new ArrayList<>());
    measure(shapes, findings, files);
    print(findings.text());
    return findings.exitCode();
  }

  private void print(String text) {
    final PrintWriter out = command.commandLine().getOut();
    out.print(text);
    out.println("Results: " + results.directory());
    out.flush();
  }

  private void require(boolean isRight, String option, int value) {
    if (!isRight) {
      throw new ParameterException(command.commandLine(), option + " is " + value + ": it must be 1 or more");
    }
  }

  private List<Shape> shapes() {
    final List<Shape> shapes = new ArrayList<>();
    for (EncodedType type : EncodedType.OF_ROWS) {
      if (types.contains(type)) {
        if (segments.isEmpty()) {
          shapes.addAll(Shape.generated(type, rows));
        }
        segments.forEach(segment -> shapes.addAll(Shape.ofSegment(type, segment)));
      }
    }
    return shapes.stream().filter(shape -> only.matcher(shape.name()).find()).toList();
  }

  private void measure(List<Shape> shapes, Findings findings, ResultFiles files) {
    final boolean isPolluted = jvms.kinds().contains(JvmKind.POLLUTED);
    final PrintWriter err = command.commandLine().getErr();
    final Instant start = Instant.now();
    Instant reported = start;
    int done = 0;
    try (SpeedTest speedTest = isPolluted ? new SpeedTest(rounds) : null; FreshJvms fresh = new FreshJvms(rounds)) {
      for (Shape shape : shapes) {
        try (EncodedShape encoded = new EncodedShape(shape, EnumSet.copyOf(promises))) {
          measure(encoded, speedTest, fresh, findings);
        }
        done++;
        if (done == shapes.size() || Duration.between(reported, Instant.now()).compareTo(BETWEEN_REPORTS) > 0) {
          reported = Instant.now();
          files.write(Map.of(RESULTS, findings.csv()), jvm());
          final Duration left = Duration.between(start, reported).multipliedBy(shapes.size() - done).dividedBy(done);
          err.printf("%d of %d columns done, %d s left: %s%n", done, shapes.size(), left.toSeconds(), shape);
          err.flush();
        }
      }
    }
  }

  private void measure(
      EncodedShape shape,
      @Nullable SpeedTest speedTest,
      FreshJvms fresh,
      Findings findings
  ) {
    final List<StoredColumn> columns = promises.stream().sorted().map(shape::stored).toList();
    findings.columns().addAll(columns);
    final int numRows = shape.values().rows();
    for (JvmKind kind : jvms.kinds()) {
      final Trial.Stopwatch stopwatch = kind == JvmKind.POLLUTED
          ? (encodings, reads) -> shape.measure(
              rows -> speedTest.measure(rows, reads.stream().map(read -> ColumnRead.of(read, numRows)).toList()),
              encodings)
          : (encodings, reads) -> shape.measure(rows -> fresh.measure(rows, shape.values(), reads), encodings);
      findings.times().addAll(new Trial(kind, stopwatch).run(columns));
    }
  }

  /** This JVM; the fresh ones have the options of all benchmarks. */
  private static RunInfo.Jvm jvm() {
    return RunInfo.Jvm.like(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }
}
