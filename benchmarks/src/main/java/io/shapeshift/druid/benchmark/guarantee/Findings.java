// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results of a run, and the promises that they break.
 *
 * @param columns under each target
 * @param times   of their reads
 */
record Findings(List<StoredColumn> columns, List<ReadTime> times) {
  private static final int MAX_WORST = 40;

  private long countSlow() {
    return times.stream().filter(ReadTime::isTooSlow).count();
  }

  private long countLarge() {
    return columns.stream().filter(StoredColumn::isTooLarge).count();
  }

  /** Returns 1 if any read is slower or any column is larger than promised. */
  int exitCode() {
    return countSlow() + countLarge() > 0 ? ExitCode.DIFFERENT : ExitCode.OK;
  }

  /** Table with a row for each read. */
  Table csv() {
    final Table table = new Table(
        "type", "shape", "target", "jvm", "read", "rows", "nanosPerRow", "druidNanosPerRow", "speed", "firstSpeed",
        "leastSpeed", "sizeInBytes", "druidBytes", "size", "greatestSize", "forms"
    );
    for (ReadTime time : times) {
      final StoredColumn column = time.column();
      table.add(
          Shape.name(column.type()), column.shape(), column.promise(), time.jvm(), time.read(), column.rows(),
          time.nanos(), time.druidNanos(), time.speed(), time.firstSpeed(), column.promise().leastSpeed(),
          column.sizeInBytes(), column.druidBytes(), column.size(), column.promise().greatestSize(), column.forms()
      );
    }
    return table;
  }

  /** Report for people: the worst columns by name, and means. */
  String text() {
    return "The slowest reads, by what is promised (speed: Druid's time / ours):" + System.lineSeparator()
        + worst().toText()
        + System.lineSeparator()
        + means().toText()
        + System.lineSeparator()
        + sizes().toText()
        + System.lineSeparator()
        + Numbers.count(times.size(), "read") + ", " + Numbers.text(countSlow()) + " slower than promised; "
        + Numbers.count(columns.size(), "column") + ", " + Numbers.text(countLarge()) + " larger"
        + System.lineSeparator();
  }

  private Table worst() {
    final Table table = new Table(
        "", "speed", "least", "type", "shape", "target", "jvm", "read", "ns/row", "Druid's", "size", "forms");
    times.stream()
        .sorted(Comparator.comparing(ReadTime::margin))
        .limit(MAX_WORST)
        .forEach(time -> {
          final StoredColumn column = time.column();
          table.add(
              time.isTooSlow() ? "slower" : "", time.speed(), column.promise().leastSpeed(),
              Shape.name(column.type()), column.shape(), column.promise(), time.jvm(), time.read(),
              time.nanos(), time.druidNanos(), column.size(), column.forms()
          );
        });
    return table;
  }

  private record Group(String type, Promise promise, JvmKind jvm, String read) {}

  private Table means() {
    final Map<Group, List<ReadTime>> groups = new LinkedHashMap<>();
    for (ReadTime time : times) {
      final StoredColumn column = time.column();
      groups
          .computeIfAbsent(
              new Group(Shape.name(column.type()), column.promise(), time.jvm(), time.read()),
              group -> new ArrayList<>()
          )
          .add(time);
    }
    final Table table = new Table(
        "type", "target", "jvm", "read", "columns", "geometric mean of speeds", "worst", "of", "slower than promised");
    groups.forEach((group, reads) -> {
      final ReadTime worst = reads.stream().min(Comparator.comparing(ReadTime::speed)).orElseThrow();
      table.add(
          group.type, group.promise, group.jvm, group.read, reads.size(),
          Math.exp(reads.stream().mapToDouble(time -> Math.log(time.speed())).average().orElseThrow()),
          worst.speed(), worst.column().shape(), reads.stream().filter(ReadTime::isTooSlow).count()
      );
    });
    return table;
  }

  /** Columns that are larger than promised, and the largest column under each target. */
  private Table sizes() {
    final Table table =
        new Table("", "size", "greatest", "type", "shape", "target", "bytes", "Druid's", "forms");
    for (Promise promise : Promise.values()) {
      columns.stream()
          .filter(column -> column.promise() == promise && column.counts())
          .sorted(Comparator.comparing(StoredColumn::size).reversed())
          .limit(Math.max(1, columns.stream().filter(each -> each.promise() == promise && each.isTooLarge()).count()))
          .forEach(column -> table.add(
              column.isTooLarge() ? "larger" : "", column.size(), promise.greatestSize(), Shape.name(column.type()),
              column.shape(), promise, column.sizeInBytes(), column.druidBytes(), column.forms()
          ));
    }
    return table;
  }
}
