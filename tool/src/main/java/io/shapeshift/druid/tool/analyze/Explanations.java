// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.tool.analyze.Analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analyze.Explanation.ChunkExplanation;
import io.shapeshift.druid.tool.analyze.Explanation.FormExplanation;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** The explanations of an analysis, as tables. */
final class Explanations {
  private final Analysis analysis;

  Explanations(Analysis analysis) {
    this.analysis = analysis;
  }

  /**
   * For people, without the forms that can store none of a column's chunks.
   *
   * @param target    the target that is explained
   * @param blockSize of the chunks
   */
  String text(boolean withChunks, OptimizationTarget target, BlockSize blockSize) {
    return String.format(
        Locale.ROOT,
        "%nWhy each form wins or loses under %s, in %s blocks: of those that are read directly, the one with the "
            + "least bytes%ntimes cost wins a chunk, where cost is above 1 for forms that read slower; "
            + "a codec wins where it saves enough over them%n",
        target.name().toLowerCase(Locale.ROOT),
        blockSize.name().toLowerCase(Locale.ROOT)
    ) + forms(form -> form.chunks() > 0 || form.cost() == null).toText()
        + (withChunks ? "\nBytes of each chunk in each form that can store it\n" + chunks().toText() : "");
  }

  /** A row for each column and form. */
  Table forms() {
    return forms(form -> true);
  }

  private Table forms(Predicate<FormExplanation> filter) {
    final Table table = table(
        List.of("column", "form", "cost", "wonChunks", "wonBytes", "chunks", "bytes", "bytesOfWinners", "reason")
    );
    for (SegmentAnalysis segment : analysis.segments()) {
      for (ColumnAnalysis column : segment.columns()) {
        if (column.explanation() != null) {
          column.explanation().forms().stream()
              .filter(filter)
              .forEach(form -> table.add(row(segment, column, cells(form))));
        }
      }
    }
    return table;
  }

  private static List<Object> cells(FormExplanation form) {
    final List<Object> cells = new ArrayList<>();
    cells.add(form.form());
    cells.add(form.cost());
    cells.add(form.wonChunks());
    cells.add(form.wonBytes());
    cells.add(form.chunks());
    cells.add(form.bytes());
    cells.add(form.bytesOfWinners());
    cells.add(form.reason());
    return cells;
  }

  /** A row for each chunk. */
  Table chunks() {
    final List<String> header =
        new ArrayList<>(List.of("column", "part", "chunk", "firstValue", "numValues", "min", "max", "runs", "winner"));
    final Set<String> forms = formNames();
    header.addAll(forms);
    final Table table = table(header);
    for (SegmentAnalysis segment : analysis.segments()) {
      for (ColumnAnalysis column : segment.columns()) {
        if (column.explanation() != null) {
          column.explanation().chunks().forEach(chunk -> table.add(row(segment, column, cells(chunk, forms))));
        }
      }
    }
    return table;
  }

  private static List<Object> cells(ChunkExplanation chunk, Set<String> forms) {
    final List<Object> cells = new ArrayList<>(List.of(
        chunk.part(),
        chunk.number(),
        chunk.firstValue(),
        chunk.numValues(),
        chunk.min(),
        chunk.max(),
        chunk.runs(),
        chunk.winner()
    ));
    forms.forEach(form -> cells.add(chunk.bytes().get(form)));
    return cells;
  }

  /** The forms that can store any of the chunks, by type in the order in which they are asked. */
  private Set<String> formNames() {
    final Set<String> names = new LinkedHashSet<>();
    analysis.segments().stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(column -> column.explanation() != null)
        .flatMap(column -> column.explanation().forms().stream())
        .filter(form -> form.chunks() > 0)
        .forEach(form -> names.add(form.form()));
    return names;
  }

  /** The segment is a column only where there are several. */
  private Table table(List<String> header) {
    final List<String> all = new ArrayList<>(header);
    if (analysis.segments().size() > 1) {
      all.add(0, "segment");
    }
    return new Table(all.toArray(String[]::new));
  }

  private Object[] row(SegmentAnalysis segment, ColumnAnalysis column, List<Object> cells) {
    final List<Object> row = new ArrayList<>();
    if (analysis.segments().size() > 1) {
      row.add(segment.path());
    }
    row.add(column.displayName());
    row.addAll(cells);
    return row.toArray();
  }
}
