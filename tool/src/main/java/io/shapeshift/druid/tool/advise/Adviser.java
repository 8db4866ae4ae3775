// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.advise.ColumnChoices.Cost;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Advice.Alternative;
import io.shapeshift.druid.tool.analysis.Advice.ColumnAdvice;
import io.shapeshift.druid.tool.analysis.Advice.Total;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.ToolException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * Adviser about an indexSpec. It chooses the best single choice for the table, and another one for a column where that
 * pays.
 */
public final class Adviser {
  /** Least gain that pays for an entry of a column, as a share: less is not worth a line in a configuration. */
  private static final double LEAST_GAIN = .01;

  private final Analysis analysis;
  private final BlockSize blockSize;
  private final List<ColumnChoices> columns;
  /** Bytes of all files that do not depend on choices. */
  private final long otherBytes;
  private final Map<ColumnChoices, Choice> chosen = new LinkedHashMap<>();

  /** Creates an adviser for the columns of an analysis. */
  public Adviser(Analysis analysis, BlockSize blockSize) {
    this.analysis = analysis;
    this.blockSize = blockSize;
    this.columns = ColumnChoices.of(analysis);
    this.otherBytes =
        analysis.totals().bytes() - columns.stream().mapToLong(ColumnChoices::bytesToday).sum();
  }

  /** Advice that serves an aim. */
  public Advice serving(Aim aim) {
    final boolean isMeasured = aim.ofNanos == 0 || columns.stream().anyMatch(ColumnChoices::isMeasured);
    final Choice table = isMeasured
        ? Choice.OF_TABLES.stream().min(Comparator.comparingDouble(choice -> weight(total(choice), aim))).orElseThrow()
        : Choice.DEFAULT;
    columns.forEach(column -> chosen.put(column, column.inTable(table)));
    // No choice twice: steps that ignore differences within the noise could go round in circles.
    final Set<List<Object>> done = new HashSet<>();
    for (Step step = bestStep(aim, done); step != null; step = bestStep(aim, done)) {
      chosen.put(step.column, step.choice);
      done.add(List.of(step.column, step.choice));
    }
    return advice(aim.json(), null, table);
  }

  /** Weight of a total: less is better. */
  private static double weight(Cost total, Aim aim) {
    return aim.ofBytes * Math.log(Math.max(1, (double) total.bytes()))
        + aim.ofNanos * Math.log(Math.max(1, total.nanos()));
  }

  /**
   * Step that lowers the weight most; null if none lowers it enough.
   *
   * @param done columns and choices of earlier steps
   */
  @Nullable
  private Step bestStep(Aim aim, Set<List<Object>> done) {
    final Cost total = total();
    @Nullable Step best = null;
    for (ColumnChoices column : columns) {
      // Without its read time, a column is stored as the others are.
      if (aim.ofNanos > 0 && !column.isMeasured()) {
        continue;
      }
      final Choice now = chosen.get(column);
      Choice own = now;
      for (Choice choice : column.choices().toList()) {
        // Of choices within the noise, the first, so that the next measurement advises the same.
        if (gain(total, column, own, choice, aim) > 0 && !done.contains(List.<Object>of(column, choice))) {
          own = choice;
        }
      }
      final double gain = gain(total, column, now, own, aim);
      if (gain >= LEAST_GAIN && (best == null || gain > best.gain)) {
        best = new Step(column, own, column.cost(own).bytes() - column.cost(now).bytes(), gain);
      }
    }
    return best;
  }

  /** Gain of another choice for a column: by how much it lowers the weight of the total. */
  private static double gain(Cost total, ColumnChoices column, Choice from, Choice to, Aim aim) {
    return weight(total, aim) - weight(total.plus(column.cost(to).minus(column.cost(from))), aim);
  }

  /**
   * Advice that keeps a budget: from the smallest choice of each column on, the choice that saves most nanoseconds per
   * byte, as long as there is one that fits.
   *
   * @throws ToolException if the smallest choices need more bytes
   */
  public Advice within(long budget) {
    for (ColumnChoices column : columns) {
      chosen.put(column, column.choices().min(Comparator.<Choice>comparingLong(choice -> column.cost(choice).bytes())
          .thenComparingDouble(choice -> column.cost(choice).nanos())).orElseThrow());
    }
    long left = budget - total().bytes();
    if (left < 0) {
      throw new ToolException(
          "--budget " + budget,
          "with the smallest choice of each column, the segments take " + Numbers.text(total().bytes()) + " bytes",
          "Give at least as many"
      );
    }
    for (Step step = bestStep(left); step != null; step = bestStep(left)) {
      chosen.put(step.column, step.choice);
      left -= step.bytes;
    }
    final Choice table = withFewestEntries(left);
    return advice(null, budget, table);
  }

  /**
   * Finds the table's choice with which fewest columns need an entry, and lets columns have it.
   *
   * @param left bytes that are left of the budget
   */
  private Choice withFewestEntries(long left) {
    final Map<ColumnChoices, Choice> own = new LinkedHashMap<>(chosen);
    Choice best = Choice.DEFAULT;
    long fewest = Long.MAX_VALUE;
    for (Choice table : Choice.OF_TABLES) {
      chosen.putAll(own);
      final long entries = numEntries(table, left);
      if (entries < fewest) {
        best = table;
        fewest = entries;
      }
    }
    chosen.putAll(own);
    numEntries(best, left);
    return best;
  }

  /** Lets columns have the table's choice as far as that fits, and returns the number of the others. */
  private long numEntries(Choice table, long left) {
    long rest = left;
    for (ColumnChoices column : columns) {
      rest -= toTable(column, column.inTable(table), rest);
    }
    return columns.stream().filter(column -> chosen.get(column) != table).count();
  }

  /**
   * Another choice for a column.
   *
   * @param bytes bytes that it takes more
   * @param gain  gain, by which steps are compared
   */
  private record Step(ColumnChoices column, Choice choice, long bytes, double gain) {}

  /** Step that saves most nanoseconds per byte and fits into the bytes that are left; null if there is none. */
  @Nullable
  private Step bestStep(long left) {
    @Nullable Step best = null;
    for (ColumnChoices column : columns) {
      final Cost now = column.cost(chosen.get(column));
      for (Choice choice : column.choices().toList()) {
        final Cost more = column.cost(choice).minus(now);
        final double perByte = -more.nanos() / Math.max(1, more.bytes());
        if (more.nanos() < 0 && more.bytes() <= left && (best == null || perByte > best.gain)) {
          best = new Step(column, choice, more.bytes(), perByte);
        }
      }
    }
    return best;
  }

  /**
   * Lets a column have the table's choice if that fits, and it was not measured or the gain does not pay for an entry.
   *
   * @return bytes that the table's choice takes more
   */
  private long toTable(ColumnChoices column, Choice ofTable, long left) {
    final Cost more = column.cost(ofTable).minus(column.cost(chosen.get(column)));
    if (more.bytes() > left || more.nanos() > LEAST_GAIN * total().nanos()) {
      return 0;
    }
    chosen.put(column, ofTable);
    return more.bytes();
  }

  private Cost total(Choice table) {
    return columns.stream().map(column -> column.cost(column.inTable(table)))
        .reduce(new Cost(otherBytes, 0), Cost::plus);
  }

  private Cost total() {
    return columns.stream().map(column -> column.cost(chosen.get(column)))
        .reduce(new Cost(otherBytes, 0), Cost::plus);
  }

  private Advice advice(@Nullable String aim, @Nullable Long budget, Choice table) {
    final Cost total = total();
    final Map<String, Total> tables = new LinkedHashMap<>();
    for (Choice each : Choice.OF_TABLES) {
      tables.put(each.label(), new Total(total(each).bytes(), Numbers.rounded(total(each).nanos())));
    }
    final List<ColumnAdvice> different = new ArrayList<>();
    final List<Alternative> alternatives = new ArrayList<>();
    for (ColumnChoices column : columns) {
      final Choice choice = chosen.get(column);
      column.choices().forEach(each -> alternatives.add(new Alternative(
          column.name(), each.label(), each == choice, column.cost(each).bytes(), nanos(column, each))));
      if (choice != table) {
        different.add(new ColumnAdvice(
            column.name(),
            choice.label(),
            column.cost(choice).bytes(),
            column.cost(column.inTable(table)).bytes(),
            nanos(column, choice),
            nanos(column, column.inTable(table))
        ));
      }
    }
    different.sort(
        Comparator.<ColumnAdvice>comparingLong(each -> Math.abs(each.bytes() - each.tableBytes())).reversed());
    return new Advice(
        aim,
        budget,
        analysis.segments().stream().mapToLong(SegmentAnalysis::rows).sum(),
        analysis.totals().bytes(),
        table.label(),
        tables,
        total.bytes(),
        Numbers.rounded(total.nanos()),
        different,
        alternatives,
        new AdviceNotes(analysis, chosen, total.bytes()).notes(),
        indexSpec(table)
    );
  }

  @Nullable
  private static Double nanos(ColumnChoices column, Choice choice) {
    return column.isMeasured() ? Numbers.rounded(column.cost(choice).nanos()) : null;
  }

  private Map<String, Object> indexSpec(Choice table) {
    final Map<String, Object> entries = new LinkedHashMap<>();
    chosen.forEach((column, choice) -> {
      final Map<String, Object> entry = new LinkedHashMap<>();
      if (!choice.strategy(blockSize).equals(table.strategy(blockSize))) {
        entry.put("encodingStrategy", choice.strategy(blockSize));
      }
      if (choice.ofIndex() != null) {
        entry.put("indexEncodingStrategy", choice.ofIndex());
      }
      if (choice.hasHashIndex() || column.hasHashIndex()) {
        entry.put("hashIndex", true);
      }
      if (column.hasTextIndex()) {
        entry.put("textIndex", true);
      }
      if (!entry.isEmpty()) {
        entries.put(column.name(), entry);
      }
    });
    final Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("encodingStrategy", table.strategy(blockSize));
    if (!entries.isEmpty()) {
      spec.put("columns", entries);
    }
    return spec;
  }
}
