// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of commands that advise. */
public final class AdviceOptions {
  /** Least saving of an order of dimensions that is worth a remark, as a share. */
  private static final double LEAST_SAVING = .02;
  /** Least number of rows of a segment whose size depends on its rows more than on its descriptors. */
  private static final int LEAST_ROWS = 1000;

  @Option(names = "--advise", description = "advise an indexSpec, with what it saves and costs")
  private boolean advise;

  @Nullable
  @Option(
      names = "--aim",
      paramLabel = "AIM",
      description = "aim of the advice: size, speed or balance (default: balance)"
  )
  private Aim aim;

  @Nullable
  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      description = "advise the fastest indexSpec with which all segments together take at most BYTES"
  )
  private Long budget;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Whether advice is requested. */
  public boolean isGiven() {
    return advise;
  }

  /**
   * Rejects options that contradict each other.
   *
   * @param speed whether read speed is measured
   */
  public void check(boolean speed) {
    if (!advise && (aim != null || budget != null)) {
      throw wrong("--aim and --budget have no effect without --advise");
    }
    if (aim != null && budget != null) {
      throw wrong("--budget is an aim of its own: give it, or --aim");
    }
    if (budget != null && budget < 1) {
      throw wrong("--budget is " + budget + ": it must be 1 or more");
    }
    if (advise && !speed && aim != Aim.SIZE) {
      throw wrong("--advise weighs read speed, except with --aim size: give that, or leave out --no-speed");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /**
   * Adds the advice to an analysis.
   *
   * @param locations segments of the analysis
   * @throws ToolException if no choice keeps the budget, or the temporary directory is full
   */
  public Analysis addTo(Analysis analysis, BlockSize blockSize, List<SegmentLocation> locations) {
    final Adviser adviser = new Adviser(analysis, blockSize);
    final Advice advice = budget == null ? adviser.serving(aim == null ? Aim.BALANCE : aim) : adviser.within(budget);
    final Optional<SegmentAnalysis> largest =
        analysis.segments().stream().filter(each -> each.rows() > 0)
            .max(Comparator.comparingInt(SegmentAnalysis::rows));
    if (largest.isEmpty()) {
      return analysis.with(advice);
    }
    final Path path = Path.of(largest.get().path());
    final SegmentLocation location =
        locations.stream().filter(each -> each.path().equals(path)).findFirst().orElseThrow();
    try (Segment segment = location.open()) {
      final List<String> notes = new ArrayList<>(orders(segment, spec(advice)));
      notes.add(RowsInMemory.note(segment));
      return analysis.with(advice.plus(notes));
    }
  }

  private static IndexSpec spec(Advice advice) {
    try {
      return Druid.json().treeToValue(Druid.json().valueToTree(advice.indexSpec()), IndexSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> orders(Segment segment, IndexSpec indexSpec) {
    if (segment.numRows() < LEAST_ROWS) {
      return List.of();
    }
    final DimensionOrders.Result tried;
    try {
      tried = DimensionOrders.of(segment, indexSpec);
    } catch (ToolException e) {
      return List.of("No other order of dimensions was tried: " + e.getMessage());
    }
    final List<String> better = Stream.of(tried.byTime(), tried.free())
        .distinct()
        .filter(order -> order.bytes() < (1 - LEAST_SAVING) * tried.present())
        .map(order -> String.format(
            Locale.ROOT,
            "Sorted by %s%s, a sample of %,d rows takes %,d bytes instead of %,d (%.3f).",
            String.join(", ", order.columns()),
            order.isByTime() ? "" : " (\"forceSegmentSortByTime\": false, which Druid calls experimental)",
            tried.rows(),
            order.bytes(),
            tried.present(),
            (double) order.bytes() / tried.present()
        ))
        .toList();
    return !better.isEmpty() || tried.orders() == 0
           ? better
           : List.of(String.format(
               Locale.ROOT,
               "The order of dimensions can stay: no other saves 2 %% of a sample of %,d rows (tried: %d).",
               tried.rows(),
               tried.orders()
           ));
  }
}
