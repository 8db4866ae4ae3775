// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.base.CharMatcher;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/**
 * Schema of a table.
 *
 * @param table      the table
 * @param time       time column and its format, or null to use the row number
 * @param dimensions types by name, in the order of the columns
 * @param spec       metrics, rollup and projections
 */
record TableSchema(
    InputTable table,
    @Nullable TimestampSpec time,
    Map<String, FieldType> dimensions,
    SchemaSpec spec
) {
  /** Number of rows between two updates of the progress bar. */
  static final int PROGRESS_ROWS = 1024;
  /** Characters that meta.smoosh cannot store: it lists names separated by commas and lines, without quotes. */
  private static final CharMatcher SEPARATORS_OF_VERSION_9 = CharMatcher.anyOf(",\r\n");

  /** Whether the schema depends on all rows. */
  static boolean needsAllRows(InputTable table, SchemaSpec spec) {
    return spec.inferred() || table.format() == InputTable.Format.JSON;
  }

  /**
   * Determines the columns and their types.
   *
   * @param version version of the segment
   * @throws ToolException if the table cannot be read, has a column whose name that version cannot store, or lacks a
   *     column that an option names
   */
  static TableSchema of(
      InputTable table,
      @Nullable TimestampSpec time,
      SchemaSpec spec,
      int version,
      Progress progress
  ) {
    final Map<String, FieldType> types = new LinkedHashMap<>();
    try (RowReader rows = table.open()) {
      rows.columns().forEach(column -> requireStorable(rows, column, version));
      if (needsAllRows(table, spec)) {
        infer(rows, table, spec, version, progress)
            .forEach((column, inference) -> types.put(column, inference.type()));
      } else {
        rows.columns().forEach(column -> types.put(column, spec.declared().getOrDefault(column, FieldType.STRING)));
      }
    } catch (IOException e) {
      throw new ToolException(table.file().toString(), "it cannot be closed: " + e.getMessage(), "", e);
    }
    if (types.isEmpty()) {
      throw new ToolException(table.file().toString(), "the file is empty", "It needs at least one row");
    }
    final Map<String, FieldType> overrides = spec.overrides();
    overrides.keySet().forEach(column -> requireColumn(table, types.keySet(), column, "--type"));
    if (time != null) {
      requireColumn(table, types.keySet(), time.getTimestampColumn(), "--timestamp");
    }

    final Set<String> inputs = new HashSet<>();
    final Set<String> outputs = new HashSet<>(Set.of(ColumnHolder.TIME_COLUMN_NAME));
    for (AggregatorFactory metric : spec.metrics()) {
      inputs.addAll(metric.requiredFields());
      if (!outputs.add(metric.getName())) {
        throw twice(table, metric.getName());
      }
    }
    inputs.remove(ColumnHolder.TIME_COLUMN_NAME);
    inputs.forEach(column -> requireColumn(table, types.keySet(), column, "--metric"));
    if (time != null) {
      inputs.add(time.getTimestampColumn());
    }
    inputs.removeAll(overrides.keySet());
    types.keySet().removeAll(inputs);
    types.putAll(overrides);
    for (String column : types.keySet()) {
      if (!outputs.add(column)) {
        throw twice(table, column);
      }
    }
    return new TableSchema(table, time, types, spec);
  }

  private static Map<String, FieldType.Inference> infer(
      RowReader rows,
      InputTable table,
      SchemaSpec spec,
      int version,
      Progress progress
  ) {
    final boolean typed = table.format() == InputTable.Format.JSON;
    final NumberTexts.Memory memory = new NumberTexts.Memory(NumberTexts.Memory.MAX_NUMBERS);
    final Map<String, FieldType.Inference> columns = new LinkedHashMap<>();
    rows.columns().forEach(column -> columns.put(column, new FieldType.Inference(typed, memory)));
    long count = 0;
    for (Map<String, Object> row = rows.next(); row != null; row = rows.next()) {
      row.forEach((column, value) -> {
        final FieldType.Inference inference = columns.computeIfAbsent(column, c -> {
          requireStorable(rows, c, version);
          return new FieldType.Inference(typed, memory);
        });
        if (value != null && spec.inferred()) {
          inference.add(value);
        }
      });
      if (++count % PROGRESS_ROWS == 0) {
        progress.at(rows.bytesRead(), "reading types");
      }
    }
    return columns;
  }

  /** Whether a segment can have a column or projection with this name. */
  static boolean isStorable(String name, int version) {
    return version != 9 || SEPARATORS_OF_VERSION_9.matchesNoneOf(name);
  }

  private static void requireStorable(RowReader rows, String column, int version) {
    if (!isStorable(column, version)) {
      throw rows.malformed(
          "the name of the column '" + column.replaceAll("\\R", " ") + "' holds a comma or a line feed, which segments "
              + "of Druid's version 9 cannot store",
          "Rename it, or give --segment-version 10"
      );
    }
  }

  private static void requireColumn(InputTable table, Collection<String> columns, String column, String option) {
    if (!columns.contains(column)) {
      throw new ToolException(
          table.file().toString(),
          "there is no column '" + column + "', which " + option + " names",
          "There are " + String.join(", ", columns)
      );
    }
  }

  private static ToolException twice(InputTable table, String column) {
    return new ToolException(
        table.file().toString(),
        "the segment would have the column '" + column + "' twice",
        column.equals(ColumnHolder.TIME_COLUMN_NAME)
        ? "It is Druid's name for the time: name it with --timestamp, or rename it"
        : "Rename a metric; a column that a metric reads is no dimension unless --type names it"
    );
  }

  /** Converts to Druid's schema. */
  IncrementalIndexSchema toDruid(IndexSpec indexSpec) {
    return IncrementalIndexSchema.builder()
        .withMinTimestamp(JodaUtils.MIN_INSTANT)
        .withTimestampSpec(time)
        .withQueryGranularity(spec.queryGranularity())
        .withDimensionsSpec(new DimensionsSpec(
            dimensions.entrySet().stream()
                .map(column -> column.getValue().schema(column.getKey()).getEffectiveSchema(indexSpec))
                .toList()
        ))
        .withMetrics(spec.metrics().toArray(AggregatorFactory[]::new))
        .withRollup(spec.rollup())
        .withProjections(spec.projections())
        .build();
  }

  /** Names of the dimensions. */
  List<String> dimensionNames() {
    return List.copyOf(dimensions.keySet());
  }
}
