// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormEncodings;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Selection from samples: a form is chosen by storing a sample of a block in each form, and then stores all of the
 * block. It is compared with the best form, found by storing all of the block in each, and with selection as it is,
 * which looks at all values.
 */
final class SamplesPart implements EvaluationPart {
  /** Values of a block: as many as a column collects before it chooses forms. */
  static final int BLOCK = 1 << 16;
  /** A form is as good as the best if it has no more than this share of its weight. */
  private static final double NEAR = 1.02;
  /** Name of selection as it is. */
  private static final String ALL = "all values";

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int blocks;
  private final List<OptimizationTarget> targets;
  private final Table table = new Table("table", "column", "type", "encoding", "selection", "values", "blocks", "near",
      "bytes", "bestBytes", "selectNanos", "encodeNanos");

  /**
   * Creates it.
   *
   * @param blocks blocks of a column that are looked at, at most; they are at equal distances
   */
  SamplesPart(int blocks, List<OptimizationTarget> targets) {
    this.blocks = blocks;
    this.targets = targets;
  }

  /**
   * Form that a target uses.
   *
   * @param weight of its bytes under the target
   */
  private record Used(RowEncoding encoding, DecodeCost.Weight weight, boolean countsNumbers) {
    double weight(int bytes, int values) {
      return bytes * weight.factor() + (countsNumbers ? values * weight.perNumber() : 0);
    }
  }

  /**
   * Values in a form.
   *
   * @param nanos processor time to choose nothing else and store them
   */
  private record Stored(int bytes, double weight, long nanos) {}

  /** Sums over the blocks of a column. */
  private static final class Sums {
    private int blocks;
    private long values;
    private int near;
    private long bytes;
    private long bestBytes;
    private long selectNanos;
    private long encodeNanos;

    /** Adds a block that is stored in a form, after a time to choose it. */
    void add(Stored chosen, Stored best, int looked, long nanos) {
      blocks++;
      near += chosen.weight <= NEAR * best.weight ? 1 : 0;
      bytes += chosen.bytes;
      bestBytes += best.bytes;
      values += looked;
      selectNanos += nanos;
      encodeNanos += chosen.nanos;
    }
  }

  @Override
  public void measure(EvaluatedColumn column) {
    final RowValues values = column.values(Integer.MAX_VALUE);
    if (values instanceof RowValues.MultiIds) {
      return;
    }
    for (OptimizationTarget target : targets) {
      // Times count from the second time on, when the compiler has seen the column's forms.
      measure(column, values, target);
      measure(column, values, target).forEach((selection, sums) ->
          table.add(column.table(), column.name(), column.typeName(), RowEncodings.shapeShiftName(target), selection,
              sums.values, sums.blocks, sums.near, sums.bytes, sums.bestBytes, sums.selectNanos, sums.encodeNanos));
    }
  }

  /** Measures some blocks; returns the sums by name of the selection. */
  private Map<String, Sums> measure(EvaluatedColumn column, RowValues values, OptimizationTarget target) {
    final List<Used> forms = used(values, target);
    final Map<String, Sums> all = new LinkedHashMap<>();
    final int count = Math.max(1, Math.min(blocks, values.rows() / BLOCK));
    for (int i = 0; i < count; i++) {
      final int start = (int) ((long) i * Math.max(0, values.rows() - BLOCK) / Math.max(1, count - 1));
      final int[] rows = IntStream.range(start, Math.min(values.rows(), start + BLOCK)).toArray();
      measure(column.toString(), Sample.pick(values, rows), forms, target, all);
    }
    return all;
  }

  private static void measure(
      String column,
      RowValues block,
      List<Used> forms,
      OptimizationTarget target,
      Map<String, Sums> all
  ) {
    final Map<Used, Stored> stored = store(column, block, forms);
    final Stored best = stored.values().stream().min(Comparator.comparing(Stored::weight)).orElseThrow();
    final long start = now();
    final int bytes = bytes(column, block, FormEncodings.ofAnySpeed(target));
    final long nanos = now() - start;
    // The weight of chunks in several forms is not known; their bytes are compared with those of the best form.
    final Stored selected = new Stored(bytes, best.weight * bytes / best.bytes, best.nanos);
    all.computeIfAbsent(ALL, name -> new Sums()).add(selected, best, block.rows(), Math.max(0, nanos - best.nanos));
    for (Sample sample : Sample.all(BLOCK)) {
      final RowValues some = sample.of(block);
      final long before = now();
      final List<Used> ranking = new ArrayList<>();
      store(column, some, forms).entrySet().stream()
          .sorted(Map.Entry.comparingByValue(Comparator.comparing(Stored::weight)))
          .forEach(each -> ranking.add(each.getKey()));
      final long took = now() - before;
      final Stored chosen = ranking.stream().filter(stored::containsKey).findFirst().map(stored::get).orElseThrow();
      all.computeIfAbsent(sample.name(), name -> new Sums()).add(chosen, best, some.rows(), took);
    }
  }

  private static List<Used> used(RowValues values, OptimizationTarget target) {
    final boolean isNumbers = values instanceof RowValues.Numbers;
    final List<? extends Form<?, ?>> forms = values instanceof RowValues.Numbers numbers
                                             ? NumberForms.of(numbers.type())
                                             : IntForms.of(IntForm.Use.IDS);
    final List<Used> used = new ArrayList<>();
    for (Form<?, ?> form : forms) {
      final DecodeCost.Weight weight = form.cost().under(target);
      if (weight.factor() != DecodeCost.NEVER) {
        used.add(new Used(RowEncodings.parse(FormEncodings.name(form.name())), weight, isNumbers));
      }
    }
    return used;
  }

  /** Stores values in each of the forms that can store them. */
  private static Map<Used, Stored> store(String column, RowValues values, List<Used> forms) {
    final Map<Used, Stored> stored = new LinkedHashMap<>();
    for (Used form : forms) {
      final long start = now();
      try {
        final Optional<EncodedRows> encoded = FormEncodings.encode(form.encoding, column, values);
        final long nanos = now() - start;
        encoded.ifPresent(rows -> {
          stored.put(form, new Stored(rows.sizeInBytes(), form.weight(rows.sizeInBytes(), values.rows()), nanos));
          rows.close();
        });
      } catch (IOException e) {
        throw cannotBeWritten(column, e);
      }
    }
    return stored;
  }

  private static int bytes(String column, RowValues values, RowEncoding encoding) {
    try (EncodedRows rows = encoding.encode(column, values)) {
      return rows.sizeInBytes();
    } catch (IOException e) {
      throw cannotBeWritten(column, e);
    }
  }

  private static ToolException cannotBeWritten(String column, IOException e) {
    return new ToolException(column, "it cannot be written: " + e, "Make room for temporary files", e);
  }

  private static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public void close() {}
}
