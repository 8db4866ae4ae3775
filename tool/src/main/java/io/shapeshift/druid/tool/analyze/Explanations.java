// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import com.google.common.base.Ascii;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analysis.Explanation;
import io.shapeshift.druid.tool.analysis.Explanation.Candidate;
import io.shapeshift.druid.tool.analysis.Explanation.CodecComparison;
import io.shapeshift.druid.tool.analysis.Explanation.Decision;
import io.shapeshift.druid.tool.analysis.Explanation.FormExplanation;
import io.shapeshift.druid.tool.analysis.Explanation.Outcome;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** Formatter of the explanations of an analysis as tables. */
final class Explanations {
  /** Maximum number of candidates per decision in text for people. */
  private static final int MOST_CANDIDATES = 5;

  private final Analysis analysis;

  Explanations(Analysis analysis) {
    this.analysis = analysis;
  }

  /**
   * Formats explanations for people, without the forms that can store none of a column's values.
   *
   * @param withDecisions whether to list each decision and each chunk
   * @param target        target of the explanation
   * @param blockSize     block size of the chunks
   */
  String text(boolean withDecisions, OptimizationTarget target, BlockSize blockSize) {
    return String.format(
        Locale.ROOT,
        "%nWhy each form wins or loses under %s, in %s blocks. Weights are compared: bytes times factor, and perNumber "
            + "bytes for each number%nbesides; both count for slower reads. Of the forms that are read directly the "
            + "lightest wins a run of values; a codec wins all%nbuffered values where it is lighter than these "
            + "together, or Druid's own column would be smaller%n",
        target.name().toLowerCase(Locale.ROOT),
        blockSize.name().toLowerCase(Locale.ROOT)
    ) + forms(form -> form.possible() > 0 || form.factor() == null).toText()
        + (withDecisions
           ? "\nEach decision, in order; candidates with their weight and, where it differs, their bytes\n"
               + decisionsForPeople().toText() + "\nThe chunks that were made\n" + chunks().toText()
           : "");
  }

  /** Creates a row per column and form. */
  Table forms() {
    return forms(form -> true);
  }

  private Table forms(Predicate<FormExplanation> filter) {
    final Table table = table(List.of(
        "column", "form", "factor", "perNumber", "wonChunks", "wonBytes", "asked", "possible", "bytes", "weight",
        "weightOfBest", "reason"
    ));
    forEach((segment, column, explanation) -> explanation.forms().stream().filter(filter).forEach(form -> table.add(
        row(segment, column, Arrays.asList(
            form.form(),
            form.factor(),
            form.perNumber(),
            form.wonChunks(),
            form.wonBytes(),
            form.asked(),
            form.possible(),
            form.bytes(),
            Math.round(form.weight()),
            Math.round(form.weightOfBest()),
            form.reason()
        ))
    )));
    return table;
  }

  /** Creates a row per candidate of each decision. */
  Table decisions() {
    final Table table = table(List.of(
        "column", "part", "question", "firstValue", "numValues", "answer", "candidate", "outcome", "bytes", "weight",
        "limit", "thoroughBytes", "thoroughBasis", "allowed", "stockLimit", "stockBytes", "reason"
    ));
    forEach((segment, column, explanation) -> explanation.decisions().forEach(decision ->
        decision.candidates().forEach(candidate -> table.add(row(segment, column, cells(decision, candidate))))));
    return table;
  }

  private static List<Object> cells(Decision decision, Candidate candidate) {
    final List<Object> cells = new ArrayList<>(Arrays.asList(
        decision.part(),
        lowerCase(decision.question()),
        decision.firstValue(),
        decision.numValues(),
        decision.answer(),
        candidate.name(),
        lowerCase(candidate.outcome()),
        candidate.bytes(),
        candidate.weight()
    ));
    @Nullable final CodecComparison codec = candidate.codec();
    cells.addAll(codec == null ? Collections.nCopies(6, null) : Arrays.asList(
        codec.limit(),
        codec.thoroughBytes(),
        codec.thoroughBasis(),
        codec.allowed(),
        codec.stockLimit(),
        codec.stockBytes()
    ));
    cells.add(candidate.reason());
    return cells;
  }

  private static String lowerCase(Enum<?> constant) {
    return Ascii.toLowerCase(constant.name());
  }

  /** Creates a row per decision, with the lightest candidates first. */
  private Table decisionsForPeople() {
    final Table table =
        table(List.of("column", "part", "first", "values", "question", "answer", "candidates"));
    forEach((segment, column, explanation) -> explanation.decisions().forEach(decision -> table.add(
        row(segment, column, List.of(
            decision.part(),
            decision.firstValue(),
            decision.numValues(),
            lowerCase(decision.question()),
            decision.answer(),
            candidates(decision)
        ))
    )));
    return table;
  }

  private static String candidates(Decision decision) {
    final List<String> texts = decision.candidates().stream()
        .filter(candidate -> candidate.outcome() == Outcome.POSSIBLE)
        .sorted(Comparator.comparingDouble(Candidate::weight))
        .map(Explanations::weight)
        .collect(Collectors.toCollection(ArrayList::new));
    final int more = texts.size() - MOST_CANDIDATES;
    if (more > 0) {
      texts.subList(MOST_CANDIDATES, texts.size()).clear();
      texts.add(more + " heavier");
    }
    for (Outcome outcome : List.of(Outcome.SKIPPED, Outcome.NOT_ASKED, Outcome.NOT_USED)) {
      final Map<String, List<String>> byReason = decision.candidates().stream()
          .filter(candidate -> candidate.outcome() == outcome)
          .collect(Collectors.groupingBy(
              Candidate::reason, LinkedHashMap::new, Collectors.mapping(Candidate::name, Collectors.toList())));
      byReason.forEach((reason, names) -> texts.add(
          (names.size() > MOST_CANDIDATES ? names.size() + " others" : String.join(", ", names)) + " "
              + lowerCase(outcome).replace('_', ' ') + (reason.isEmpty() ? "" : ": " + reason)));
    }
    return String.join("; ", texts);
  }

  private static String weight(Candidate candidate) {
    final long weight = Math.round(candidate.weight());
    final List<String> notes = new ArrayList<>();
    if (candidate.bytes() != null && candidate.bytes() != weight) {
      notes.add(Numbers.count(candidate.bytes(), "byte"));
    }
    if (!candidate.reason().isEmpty()) {
      notes.add(candidate.reason());
    }
    return candidate.name() + " " + Numbers.text(weight)
        + (notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")");
  }

  private Table chunks() {
    final Table table = table(
        List.of("column", "part", "chunk", "first", "values", "min", "max", "runs", "form", "bytes"));
    forEach((segment, column, explanation) -> explanation.chunks().forEach(chunk -> table.add(
        row(segment, column, List.of(
            chunk.part(),
            chunk.number(),
            chunk.firstValue(),
            chunk.numValues(),
            chunk.min(),
            chunk.max(),
            chunk.runs(),
            chunk.form(),
            chunk.bytes()
        ))
    )));
    return table;
  }

  private interface Explained {
    void accept(SegmentAnalysis segment, ColumnAnalysis column, Explanation explanation);
  }

  private void forEach(Explained explained) {
    for (SegmentAnalysis segment : analysis.segments()) {
      for (ColumnAnalysis column : segment.columns()) {
        if (column.explanation() != null) {
          explained.accept(segment, column, column.explanation());
        }
      }
    }
  }

  /** Creates a table. It has a column for the segment only if there are several segments. */
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
