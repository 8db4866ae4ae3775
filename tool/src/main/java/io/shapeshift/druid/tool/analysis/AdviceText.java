// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.tool.analysis.Advice.Alternative;
import io.shapeshift.druid.tool.analysis.Advice.ColumnAdvice;
import io.shapeshift.druid.tool.analysis.Advice.Total;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.List;

/** Formatter of advice, as text for people and as one CSV table. */
public final class AdviceText {
  private static final double NANOS_PER_MICRO = 1000;

  private AdviceText() {}

  /** Formats advice: what it saves, the columns with a choice of their own, remarks, and the indexSpec. */
  public static String text(Advice advice) {
    final StringBuilder text = new StringBuilder();
    text.append(advice.budget() == null
                ? "Aim " + advice.aim()
                : "Budget of " + Numbers.text(advice.budget()) + " bytes")
        .append(", ").append(Numbers.count(advice.rows(), "row")).append("; today ")
        .append(Numbers.text(advice.bytesToday())).append(" bytes\n\n");
    final Total table = advice.tables().get(advice.table());
    final boolean isMeasured = advice.tables().values().stream().anyMatch(total -> total.nanos() > 0);
    final Table totals = isMeasured
        ? new Table("", "bytes", "ratio", "read time, \u00b5s", "ratio")
        : new Table("", "bytes", "ratio");
    advice.tables().forEach((choice, total) -> add(totals, "all columns " + choice, total, table));
    add(totals, "as advised", new Total(advice.bytes(), advice.nanos()), table);
    text.append(totals.toText()).append('\n');
    if (!advice.columns().isEmpty()) {
      final Table columns =
          new Table("column", "advised", "bytes", "instead of", "ratio", "read time, \u00b5s", "instead of", "ratio");
      for (ColumnAdvice column : advice.columns()) {
        columns.add(
            column.column(),
            column.choice(),
            column.bytes(),
            column.tableBytes(),
            ratio(column.bytes(), column.tableBytes()),
            column.nanos() == null ? null : micros(column.nanos()),
            column.tableNanos() == null ? null : micros(column.tableNanos()),
            column.nanos() == null ? null : ratio(column.nanos(), column.tableNanos())
        );
      }
      text.append(columns.toText()).append('\n');
    }
    advice.notes().forEach(note -> text.append("- ").append(note).append('\n'));
    return text.append(advice.notes().isEmpty() ? "" : "\n")
        .append("The indexSpec, also for convert --index-spec and build --index-spec:\n\n")
        .append(OutputFormat.json(advice.indexSpec())).append('\n').toString();
  }

  private static void add(Table totals, String what, Total total, Total table) {
    final List<Object> row = new ArrayList<>(List.of(what, total.bytes(), ratio(total.bytes(), table.bytes())));
    if (table.nanos() > 0) {
      row.addAll(List.of(micros(total.nanos()), ratio(total.nanos(), table.nanos())));
    }
    totals.add(row.toArray());
  }

  private static Numbers.Rough micros(double nanos) {
    return new Numbers.Rough(nanos / NANOS_PER_MICRO);
  }

  private static double ratio(Number some, Number of) {
    return some.doubleValue() / of.doubleValue();
  }

  /** Creates a row per column and choice. */
  public static Table csv(Advice advice) {
    final Table table = new Table("column", "choice", "advised", "bytes", "readNs");
    for (Alternative each : advice.alternatives()) {
      table.add(
          each.column(), each.choice(), each.advised(), each.bytes(),
          each.nanos());
    }
    return table;
  }
}
