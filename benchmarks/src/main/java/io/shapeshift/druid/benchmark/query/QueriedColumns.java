// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.DictionaryEncodedColumn;

/**
 * The columns of a segment that are queried. They are chosen from the segment as it is given, so that they are the
 * same in all encodings.
 *
 * @param dimension what is grouped by
 * @param filtered  the dimension that the filter is on
 * @param value     one of the values that the dimension has, which may be null
 * @param sum       sums a metric; null if there is no number
 */
record QueriedColumns(
    String dimension,
    String filtered,
    @Nullable String value,
    @Nullable AggregatorFactory sum
) {
  static final String SUM = "sum";

  private static final Set<String> NUMBERS = Set.of("LONG", "FLOAT", "DOUBLE");
  /** Of groups: with fewer rows in each, making groups would take longer than reading rows. */
  private static final int MIN_ROWS_PER_GROUP = 10;
  /** Of filters: with thousands of values in one, to evaluate it would take longer than to read what it selects. */
  private static final int MIN_ROWS_PER_FILTERED_VALUE = 3;

  /**
   * Chooses the columns, of those of the base table. The filter is on the string column with most values that still
   * has three rows for each, or, if there is none but the one that is grouped by, on that one.
   *
   * @param dimension empty for the one that costs most to read: of the string columns with one value per row, of which
   *                  there are ten times as many rows as values, the one whose ids take most bytes
   * @param metric    empty for the first number that is not the time
   * @throws ToolException if there are no such columns
   */
  static QueriedColumns choose(Segment segment, String dimension, String metric) {
    final List<SegmentColumn> dimensions = columns(segment)
        .filter(column -> column.type().equals("STRING") && column.parts().isString())
        .sorted(Comparator.comparing(QueriedColumns::cardinality).reversed())
        .toList();
    final SegmentColumn grouped = dimension.isEmpty()
        ? dimensions.stream()
            .filter(column -> !column.parts().multiValue())
            .filter(column -> rowsPerValue(column) >= MIN_ROWS_PER_GROUP)
            .max(Comparator.comparing(column -> column.parts().rows().bytes().remaining()))
            .orElseThrow(() -> new ToolException(
                segment.path().toString(),
                "no string column of it has one value per row and ten times as many rows as values",
                "Name the column to group by: -p dimension=COLUMN"
            ))
        : named(segment, "dimension", dimension, dimensions);
    final SegmentColumn filtered = dimensions.stream()
        .filter(column -> column != grouped)
        .filter(column -> rowsPerValue(column) >= MIN_ROWS_PER_FILTERED_VALUE)
        .findFirst()
        .orElse(grouped);

    final List<SegmentColumn> numbers = columns(segment)
        .filter(column -> NUMBERS.contains(column.type()))
        .filter(column -> !column.name().equals(ColumnHolder.TIME_COLUMN_NAME))
        .toList();
    final Optional<SegmentColumn> summed = metric.isEmpty()
        ? numbers.stream().findFirst()
        : Optional.of(named(segment, "metric", metric, numbers));
    return new QueriedColumns(
        grouped.name(),
        filtered.name(),
        middleValue(grouped),
        summed.map(QueriedColumns::sum).orElse(null)
    );
  }

  private static Stream<SegmentColumn> columns(Segment segment) {
    return segment.columns().stream().filter(column -> column.projection() == null);
  }

  private static double rowsPerValue(SegmentColumn column) {
    return (double) column.numRows() / cardinality(column);
  }

  private static int cardinality(SegmentColumn column) {
    return Objects.requireNonNull(column.parts().cardinality());
  }

  @Nullable
  private static String middleValue(SegmentColumn column) {
    try (DictionaryEncodedColumn<?> values = (DictionaryEncodedColumn<?>) column.holder().getColumn()) {
      return (String) values.lookupName(cardinality(column) / 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AggregatorFactory sum(SegmentColumn column) {
    return column.type().equals("LONG")
           ? new LongSumAggregatorFactory(SUM, column.name())
           : new DoubleSumAggregatorFactory(SUM, column.name());
  }

  private static SegmentColumn named(Segment segment, String what, String name, List<SegmentColumn> columns) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst().orElseThrow(
        () -> new ToolException(
            segment.path().toString(),
            "there is no column " + name + " of the kind that " + what + " needs",
            "Name one of " + columns.stream().map(SegmentColumn::name).toList()
        )
    );
  }
}
