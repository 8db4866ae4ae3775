// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.benchmark.data.ColumnEncodings;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.encoding.FormEncodings;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.ColumnRead;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Bytes and scan time of columns whose forms are added one technique after the other, and of columns without one of
 * them: what each technique brings.
 */
final class FormsPart implements EvaluationPart {
  private final int rows;
  private final List<Encoding> encodings = new ArrayList<>();
  private final SpeedTest speedTest;
  private final Table table =
      new Table("table", "column", "type", "rows", "encoding", "set", "bytes", "nanosPerRow", "forms");

  /**
   * Encoding that is measured.
   *
   * @param base name of the encoding that has these and other forms
   * @param set  name of the set of forms; empty for Druid's
   */
  private record Encoding(String base, String set, RowEncoding encoding) {
    String name() {
      return encoding.name();
    }
  }

  /**
   * Creates it, and warms the JVM up.
   *
   * @param rows   rows that are read of a column, at most
   * @param rounds rounds in which each encoding has its turn
   */
  FormsPart(int rows, int rounds, List<OptimizationTarget> targets) {
    this.rows = rows;
    this.encodings.add(new Encoding(RowEncodings.DRUID_LZ4.name(), "", RowEncodings.DRUID_LZ4));
    targets.forEach(target -> FormStep.sets().forEach((set, keeps) -> {
      final String name = RowEncodings.shapeShiftName(target);
      encodings.add(new Encoding(name, set, FormEncodings.among(name + ", " + set, target, keeps)));
    }));
    this.speedTest = new SpeedTest(rounds);
  }

  @Override
  public void measure(EvaluatedColumn column) {
    final RowValues values = column.values(rows);
    try (ColumnEncodings encoded = new ColumnEncodings(column.toString(), values)) {
      encodings.forEach(each -> encoded.encode(each.encoding()));
      final Map<String, Double> nanos = encoded
          .measure(
              each -> speedTest.measure(each, List.of(ColumnRead.of(ColumnRead.SCAN, values.rows()))),
              encodings.stream().map(Encoding::name).toList()
          )
          .get(ColumnRead.SCAN);
      encodings.forEach(each -> table.add(
          column.table(),
          column.name(),
          column.typeName(),
          values.rows(),
          each.base,
          each.set,
          encoded.in(each.name()).sizeInBytes(),
          nanos.get(each.name()),
          encoded.forms(each.name())
      ));
    }
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public void close() {
    speedTest.close();
  }
}
