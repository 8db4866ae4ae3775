// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import com.google.common.base.Splitter;
import com.google.common.collect.Maps;
import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.results.BenchmarkName;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.FormEncodings;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Replaces patterns of encodings in a suite, such as {@code form-*} for all forms or {@code form-*-lz4} for LZ4 in
 * every frame, by the registered forms that can store all rows of a benchmark. So a new form is measured without a
 * change of any suite.
 */
final class SuiteForms {
  private static final String DISTRIBUTION = "distribution";
  private static final String ROWS = "rows";
  /** Parameters that determine the rows. */
  private static final List<String> SOURCE = List.of(DISTRIBUTION, ROWS, SuiteSegments.SEGMENT, SuiteSegments.COLUMN);
  private static final char ANY = '*';

  /**
   * Cache: benchmarks that encode and benchmarks that read need the same answers, each of which takes many encodings.
   */
  private final Map<Question, List<String>> answers = new HashMap<>();

  /**
   * Key of the cache.
   *
   * @param source    values of the parameters that say which rows there are
   * @param encodings names and patterns
   */
  private record Question(EncodedType type, Map<String, String> source, List<String> encodings) {}

  /**
   * Replaces the patterns by names.
   *
   * @throws ToolException if a pattern is like the name of no form, or it is not known which rows it is for
   */
  Suite resolve(Suite suite) {
    final List<Grid> grids = new ArrayList<>();
    for (Grid grid : suite.grids()) {
      if (grid.params().get(Grid.ENCODING).stream().noneMatch(SuiteForms::isPattern)) {
        grids.add(grid);
        continue;
      }
      for (Grid piece : grid.by(SOURCE.stream().filter(grid.params()::containsKey).toList())) {
        grids.add(piece.with(Grid.ENCODING, answers.computeIfAbsent(question(piece), SuiteForms::encodings)));
      }
    }
    return suite.with(grids);
  }

  private static boolean isPattern(String encoding) {
    return encoding.indexOf(ANY) >= 0;
  }

  private static Question question(Grid piece) {
    final EncodedType type = BenchmarkName.of(piece.benchmarks().get(0)).map(BenchmarkName::type).orElseThrow(() ->
        new ToolException(piece.toString(), "it is no benchmark of columns, but has patterns of encodings", ""));
    final Map<String, List<String>> source = Maps.filterKeys(piece.params(), SOURCE::contains);
    return new Question(
        type,
        Map.copyOf(Maps.transformValues(source, values -> values.get(0))),
        piece.params().get(Grid.ENCODING)
    );
  }

  private static List<String> encodings(Question question) {
    final RowValues values = values(question);
    final Set<String> names = new LinkedHashSet<>();
    for (String encoding : question.encodings) {
      if (isPattern(encoding)) {
        for (RowEncoding form : matching(encoding, values)) {
          if (!names.contains(form.name()) && canStore(form, values)) {
            names.add(form.name());
          }
        }
      } else {
        names.add(encoding);
      }
    }
    return List.copyOf(names);
  }

  private static RowValues values(Question question) {
    final Map<String, String> source = question.source;
    if (source.keySet().containsAll(List.of(SuiteSegments.SEGMENT, SuiteSegments.COLUMN))) {
      return SegmentColumns.read(
          source.get(SuiteSegments.SEGMENT), source.get(SuiteSegments.COLUMN), question.type);
    }
    if (!source.keySet().containsAll(List.of(DISTRIBUTION, ROWS))) {
      throw new ToolException(
          String.join(", ", question.encodings),
          "a pattern of encodings needs rows to tell which forms can store them",
          "Name " + String.join(", ", SOURCE) + ", whichever the benchmark has"
      );
    }
    try {
      return Distributions.of(question.type, source.get(DISTRIBUTION), Integer.parseInt(source.get(ROWS)));
    } catch (IllegalArgumentException e) {
      throw new ToolException(source.toString(), e.getMessage(), "", e);
    }
  }

  private static List<RowEncoding> matching(String pattern, RowValues values) {
    final Pattern names = Pattern.compile(
        Splitter.on(ANY).splitToStream(pattern).map(Pattern::quote).collect(Collectors.joining(".*")));
    final List<RowEncoding> forms = FormEncodings.of(values);
    final List<RowEncoding> matching = forms.stream().filter(form -> names.matcher(form.name()).matches()).toList();
    if (matching.isEmpty()) {
      throw new ToolException(
          pattern,
          "no form is called like this",
          "There are " + forms.stream().map(RowEncoding::name).collect(Collectors.joining(", "))
      );
    }
    return matching;
  }

  private static boolean canStore(RowEncoding form, RowValues values) {
    try {
      return FormEncodings.canStore(form, values);
    } catch (IOException e) {
      throw new ToolException(form.name(), "it cannot be tried: " + e, "", e);
    }
  }
}
