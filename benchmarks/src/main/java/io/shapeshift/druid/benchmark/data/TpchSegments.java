// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import com.google.common.collect.Iterables;
import com.opencsv.CSVWriter;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.ingest.SegmentWriter;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/**
 * Makes segments of a table of TPC-H, whose rows are those of dbgen.
 *
 * <p>The first date of a table, such as {@code l_shipdate}, is {@code __time}, by which rows are ordered. In tables
 * without a date it counts the rows, in milliseconds. All other columns are dimensions of their names in TPC-H:
 *
 * <ul>
 *   <li>{@code LONG}: keys, counts, sizes, and {@code l_quantity}, which is a whole number;
 *   <li>{@code FLOAT}: {@code l_discount} and {@code l_tax}, which have two digits;
 *   <li>{@code DOUBLE}: prices and balances;
 *   <li>{@code STRING}: texts, and the other dates, as in {@code 1996-03-13}.
 * </ul>
 *
 * <p>Under {@link #withStrings} all columns of TPC-H are {@code STRING}, the date that is the time among them, and
 * what has digits after the point in TPC-H is there once more as the number above, under its name without the table's
 * prefix: {@code quantity} beside {@code l_quantity}. So there is something to sum beside as many dictionary ids as the
 * table has columns. TPC-H has no nulls; so that a column has some, {@code shipinstruct} stands beside
 * {@code l_shipinstruct}, and is null where that says {@code NONE}, in a quarter of the rows.
 *
 * <p>The same table at the same scale makes the same bytes.
 */
public final class TpchSegments<E extends TpchEntity> {
  private static final IndexSpec SPEC = IndexSpec.getDefault();
  private static final Set<String> WHOLE_NUMBERS = Set.of("l_quantity");
  private static final Set<String> FLOATS = Set.of("l_discount", "l_tax");
  private static final int DECIMALS = 2;
  /** The value that means "none", for each string column that has such a value. */
  private static final Map<String, String> NONE = Map.of("l_shipinstruct", "NONE");

  private final TpchTable<E> table;
  private final double scale;
  @Nullable
  private final TpchColumn<E> time;
  private final List<Dimension<E>> dimensions;
  private final List<String> names;

  private TpchSegments(TpchTable<E> table, double scale, boolean strings) {
    this.table = table;
    this.scale = scale;
    this.time = table.getColumns().stream()
        .filter(column -> column.getType().getBase() == TpchColumnType.Base.DATE)
        .findFirst()
        .orElse(null);
    final List<TpchColumn<E>> columns = table.getColumns();
    this.dimensions = strings
        ? Stream.of(
            columns.stream().map(Dimension::string),
            columns.stream().filter(column -> column.getType().getBase() == TpchColumnType.Base.DOUBLE)
                .map(Dimension::number),
            columns.stream().filter(column -> NONE.containsKey(column.getColumnName())).map(Dimension::withNulls)
        ).flatMap(Function.identity()).toList()
        : columns.stream().filter(column -> column != time).map(Dimension::of).toList();
    this.names = dimensions.stream().map(dimension -> dimension.schema.getName()).toList();
  }

  /**
   * Column of TPC-H in a segment. A column of numbers can be turned into strings.
   *
   * @param none the value that becomes null; null if there is none
   */
  private record Dimension<E extends TpchEntity>(DimensionSchema schema, TpchColumn<E> column, @Nullable String none) {
    static <E extends TpchEntity> Dimension<E> of(TpchColumn<E> column) {
      return new Dimension<>(schema(column.getColumnName(), column), column, null);
    }

    static <E extends TpchEntity> Dimension<E> string(TpchColumn<E> column) {
      return new Dimension<>(new StringDimensionSchema(column.getColumnName()), column, null);
    }

    static <E extends TpchEntity> Dimension<E> number(TpchColumn<E> column) {
      return new Dimension<>(schema(withoutPrefix(column), column), column, null);
    }

    static <E extends TpchEntity> Dimension<E> withNulls(TpchColumn<E> column) {
      return new Dimension<>(schema(withoutPrefix(column), column), column, NONE.get(column.getColumnName()));
    }

    private static String withoutPrefix(TpchColumn<?> column) {
      final String name = column.getColumnName();
      return name.substring(name.indexOf('_') + 1);
    }

    private static DimensionSchema schema(String name, TpchColumn<?> column) {
      return switch (column.getType().getBase()) {
        case INTEGER, IDENTIFIER -> new LongDimensionSchema(name);
        case DATE, VARCHAR -> new StringDimensionSchema(name);
        case DOUBLE -> isWholeNumber(column) ? new LongDimensionSchema(name)
                       : FLOATS.contains(column.getColumnName()) ? new FloatDimensionSchema(name)
                       : new DoubleDimensionSchema(name);
      };
    }

    private static boolean isWholeNumber(TpchColumn<?> column) {
      return WHOLE_NUMBERS.contains(column.getColumnName());
    }

    @Nullable
    Object value(E row) {
      final Object value = valueOrNone(row);
      return value.equals(none) ? null : value;
    }

    private Object valueOrNone(E row) {
      return switch (column.getType().getBase()) {
        case INTEGER -> (long) column.getInteger(row);
        case IDENTIFIER -> column.getIdentifier(row);
        case DATE -> GenerateUtils.formatDate(column.getDate(row));
        case DOUBLE -> schema instanceof StringDimensionSchema ? digits(row) : column.getDouble(row);
        case VARCHAR -> column.getString(row);
      };
    }

    /** Returns the value as text: a double with its digits after the point, a long without. */
    @Nullable
    String text(E row) {
      @Nullable final Object value = value(row);
      return value instanceof Double ? digits(row) : value == null ? null : value.toString();
    }

    /** The value as dbgen prints it. */
    private String digits(E row) {
      return BigDecimal.valueOf(column.getDouble(row))
          .setScale(isWholeNumber(column) ? 0 : DECIMALS, RoundingMode.UNNECESSARY)
          .toPlainString();
    }
  }

  /** Names of the tables. */
  public static List<String> tables() {
    return TpchTable.getTables().stream().map(TpchTable::getTableName).toList();
  }

  /**
   * Prepares to make segments.
   *
   * @param table one of {@link #tables}
   * @param scale the scale factor: at 1, lineitem has six million rows
   * @throws IllegalArgumentException if there is no such table, or no such scale
   */
  public static TpchSegments<?> of(String table, double scale) {
    if (!tables().contains(table)) {
      throw new IllegalArgumentException(
          "TPC-H has no table '" + table + "'. There are " + String.join(", ", tables())
      );
    }
    if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("The scale is " + scale + ": it must be a number greater than 0");
    }
    return of(TpchTable.getTable(table), scale);
  }

  private static <E extends TpchEntity> TpchSegments<E> of(TpchTable<E> table, double scale) {
    return new TpchSegments<>(table, scale, false);
  }

  /** The same rows with all columns of TPC-H as strings, and numbers to sum beside them. */
  public TpchSegments<E> withStrings() {
    return new TpchSegments<>(table, scale, true);
  }

  /**
   * Makes the segments, in Druid's own columns.
   *
   * @param rowsPerSegment rows of a segment, at most, in the order of their times; more where as many have the same
   *                       time. Segments are {@code out/0}, {@code out/1} and so on; if it is empty, {@code out} is
   *                       the only one.
   * @param out            does not exist, or is an empty directory
   * @return the directories of the segments
   * @throws ToolException if they cannot be written, or the table has no rows at its scale; nothing is left then
   */
  public List<Path> write(OptionalInt rowsPerSegment, Path out) {
    if (Iterables.isEmpty(rows())) {
      throw new ToolException(
          out.toString(),
          "at scale " + scale + " the table " + table.getTableName() + " has no rows",
          "Druid has no segments without rows: take a greater scale"
      );
    }
    try (TemporaryDirectory work = TemporaryDirectory.beside(out)) {
      final Path segments = work.path().resolve("segments");
      final List<String> written = new ArrayList<>();
      if (rowsPerSegment.isEmpty()) {
        write(new Times(JodaUtils.MIN_INSTANT, JodaUtils.MAX_INSTANT), work.path(), segments);
        written.add("");
      } else {
        for (Times times : cut(rowsPerSegment.getAsInt())) {
          final String name = String.valueOf(written.size());
          write(times, work.path(), segments.resolve(name));
          written.add(name);
        }
      }
      work.publish(segments, out);
      return written.stream().map(out::resolve).toList();
    } catch (IOException e) {
      throw new ToolException(
          out.toString(),
          "the segment cannot be written: " + e.getMessage(),
          "Nothing of it is left; make room in " + out.toAbsolutePath().getParent(),
          e
      );
    }
  }

  /** First and last time of a segment's rows. */
  private record Times(long first, long last) {}

  /** Splits the times into parts that have at most the given number of rows. */
  private List<Times> cut(int maxRows) {
    final TreeMap<Long, Integer> rowsByTime = new TreeMap<>();
    rows().forEach(row -> rowsByTime.merge(time(row), 1, Integer::sum));
    final List<Times> parts = new ArrayList<>();
    long first = rowsByTime.firstKey();
    long last = first;
    long rows = 0;
    for (Map.Entry<Long, Integer> time : rowsByTime.entrySet()) {
      if (rows > 0 && rows + time.getValue() > maxRows) {
        parts.add(new Times(first, last));
        first = time.getKey();
        rows = 0;
      }
      last = time.getKey();
      rows += time.getValue();
    }
    parts.add(new Times(first, last));
    return parts;
  }

  /**
   * Writes the same rows as CSV, gzipped, for other programs to read: {@code __time}, in milliseconds, and the
   * dimensions, in the order of dbgen. Null is nothing between two commas.
   *
   * @param file does not exist
   * @throws ToolException if it cannot be written; nothing is left then
   */
  public void writeCsv(Path file) {
    try (TemporaryDirectory work = TemporaryDirectory.beside(file)) {
      final Path written = work.path().resolve("csv.gz");
      try (CSVWriter csv = new CSVWriter(new OutputStreamWriter(
          new GZIPOutputStream(Files.newOutputStream(written)), StandardCharsets.UTF_8))) {
        csv.writeNext(header(), false);
        for (E row : rows()) {
          csv.writeNext(texts(row), false);
        }
        if (csv.checkError()) {
          throw new IOException("a row could not be written");
        }
      }
      work.publish(written, file);
    } catch (IOException e) {
      throw new ToolException(
          file.toString(),
          "it cannot be written: " + e.getMessage(),
          "Nothing of it is left; make room in " + file.toAbsolutePath().getParent(),
          e
      );
    }
  }

  private String[] header() {
    return Stream.concat(Stream.of(ColumnHolder.TIME_COLUMN_NAME), names.stream()).toArray(String[]::new);
  }

  private String[] texts(E row) {
    final String[] texts = new String[1 + dimensions.size()];
    texts[0] = String.valueOf(time(row));
    for (int i = 0; i < dimensions.size(); i++) {
      texts[1 + i] = dimensions.get(i).text(row);
    }
    return texts;
  }

  /** Generates all rows again for each segment, which is quick and needs no memory. */
  private void write(Times times, Path work, Path directory) throws IOException {
    final Path spills = Files.createTempDirectory(work, "spills");
    try (SegmentWriter writer = new SegmentWriter(
        schema(), SPEC, SegmentWriter.VERSION, SegmentWriter.MAX_ROWS_IN_MEMORY, spills)) {
      for (E row : rows()) {
        final long time = time(row);
        if (times.first <= time && time <= times.last) {
          writer.add(new MapBasedInputRow(time, names, values(row)));
        }
      }
      writer.finish(directory);
    }
  }

  private Iterable<E> rows() {
    return table.createGenerator(scale, 1, 1);
  }

  private long time(E row) {
    return time == null ? row.getRowNumber() : TimeUnit.DAYS.toMillis(time.getDate(row));
  }

  private Map<String, Object> values(E row) {
    final Map<String, Object> values = new HashMap<>();
    for (Dimension<E> dimension : dimensions) {
      values.put(dimension.schema.getName(), dimension.value(row));
    }
    return values;
  }

  private IncrementalIndexSchema schema() {
    return IncrementalIndexSchema.builder()
        .withMinTimestamp(JodaUtils.MIN_INSTANT)
        .withDimensionsSpec(new DimensionsSpec(
            dimensions.stream().map(dimension -> dimension.schema.getEffectiveSchema(SPEC)).toList()
        ))
        .withRollup(false)
        .build();
  }
}
