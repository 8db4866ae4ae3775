// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import com.opencsv.CSVReader;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TpchSegmentsTest {
  private static final double SCALE = 0.002;
  private static final OptionalInt ONE_SEGMENT = OptionalInt.empty();

  @TempDir
  private Path directory;

  @Test
  void lineitemHasTheRowsOfTheGenerator() throws IOException {
    final List<LineItem> rows = Streams.stream(TpchTable.LINE_ITEM.createGenerator(SCALE, 1, 1)).toList();
    try (Segment segment = Segment.open(write("lineitem"))) {
      assertEquals(rows.size(), segment.numRows());
      assertEquals(
          rows.stream().mapToLong(LineItem::getQuantity).sum(),
          LongStream.of(longs(segment, "l_quantity")).sum()
      );
      assertEquals(
          rows.stream().mapToLong(LineItem::getExtendedPriceInCents).sum(),
          DoubleStream.of(doubles(segment, "l_extendedprice")).mapToLong(price -> Math.round(price * 100)).sum()
      );
      long discounts = 0;
      for (float discount : floats(segment, "l_discount")) {
        discounts += Math.round(discount * 100);
      }
      assertEquals(rows.stream().mapToLong(LineItem::getDiscountPercent).sum(), discounts);
      assertEquals(
          rows.stream().map(LineItem::getComment).distinct().count(),
          (long) column(segment, "l_comment").parts().cardinality()
      );
      assertArrayEquals(
          rows.stream().mapToLong(row -> TimeUnit.DAYS.toMillis(row.getShipDate())).sorted().toArray(),
          longs(segment, ColumnHolder.TIME_COLUMN_NAME)
      );
    }
  }

  @Test
  void ordersHaveTheRowsOfTheGenerator() throws IOException {
    final List<Order> rows = Streams.stream(TpchTable.ORDERS.createGenerator(SCALE, 1, 1)).toList();
    try (Segment segment = Segment.open(write("orders"))) {
      assertEquals(rows.size(), segment.numRows());
      assertEquals(
          rows.stream().mapToLong(Order::getTotalPriceInCents).sum(),
          DoubleStream.of(doubles(segment, "o_totalprice")).mapToLong(price -> Math.round(price * 100)).sum()
      );
      assertArrayEquals(
          rows.stream().mapToLong(Order::getOrderKey).sorted().toArray(),
          Arrays.stream(longs(segment, "o_orderkey")).sorted().toArray()
      );
    }
  }

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.benchmark.data.TpchSegments#tables")
  void eachTableHasAllRowsAndNoNulls(String table) throws IOException {
    final int expected = Iterables.size(TpchTable.getTable(table).createGenerator(SCALE, 1, 1));
    try (QueryableIndex index = Druid.instance(IndexIO.class).loadIndex(write(table).toFile())) {
      assertEquals(expected, index.getNumRows());
      for (String column : index.getColumnNames()) {
        assertTrue(index.getColumnHolder(column).getCapabilities().hasNulls().isFalse(), column);
      }
    }
  }

  @Test
  void tablesWithoutDatesKeepTheirOrder() throws IOException {
    try (Segment segment = Segment.open(write("nation"))) {
      assertArrayEquals(LongStream.range(0, 25).toArray(), longs(segment, "n_nationkey"));
    }
  }

  private static Map<String, List<String>> namesByType(Segment segment) {
    return segment.columns().stream().collect(Collectors.groupingBy(
        SegmentColumn::type, TreeMap::new, Collectors.mapping(SegmentColumn::name, Collectors.toList())));
  }

  @Test
  void columnsHaveTheTypesThatAreSaid() throws IOException {
    try (Segment segment = Segment.open(write("lineitem"))) {
      assertEquals(
          Map.of(
              "LONG", List.of("__time", "l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity"),
              "FLOAT", List.of("l_discount", "l_tax"),
              "DOUBLE", List.of("l_extendedprice"),
              "STRING", List.of("l_returnflag", "l_linestatus", "l_commitdate", "l_receiptdate", "l_shipinstruct",
                  "l_shipmode", "l_comment")
          ),
          namesByType(segment)
      );
    }
  }

  @Test
  void allColumnsCanBeStrings() throws IOException {
    final List<LineItem> rows = Streams.stream(TpchTable.LINE_ITEM.createGenerator(SCALE, 1, 1)).toList();
    final Path path = Iterables.getOnlyElement(
        TpchSegments.of("lineitem", SCALE).withStrings().write(ONE_SEGMENT, directory.resolve("strings"))
    );
    try (Segment segment = Segment.open(path)) {
      assertEquals(
          Map.of(
              "LONG", List.of("__time", "quantity"),
              "FLOAT", List.of("discount", "tax"),
              "DOUBLE", List.of("extendedprice"),
              "STRING", List.of("l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity",
                  "l_extendedprice", "l_discount", "l_tax", "l_returnflag", "l_linestatus", "l_shipdate",
                  "l_commitdate", "l_receiptdate", "l_shipinstruct", "l_shipmode", "l_comment", "shipinstruct")
          ),
          namesByType(segment)
      );
      assertEquals(
          rows.stream().mapToLong(LineItem::getQuantity).sum(),
          LongStream.of(longs(segment, "quantity")).sum()
      );
    }
    // The columns as dbgen itself prints them.
    final Set<String> expected = rows.stream().map(row -> row.toLine().replaceFirst("\\|$", ""))
        .collect(Collectors.toSet());
    final List<String> names = TpchTable.LINE_ITEM.getColumns().stream().map(TpchColumn::getColumnName).toList();
    try (QueryableIndex index = Druid.instance(IndexIO.class).loadIndex(path.toFile());
         Closer closer = Closer.create()) {
      final List<DictionaryEncodedColumn<?>> columns = new ArrayList<>();
      for (String name : names) {
        columns.add((DictionaryEncodedColumn<?>) closer.register(index.getColumnHolder(name).getColumn()));
      }
      final DictionaryEncodedColumn<?> instructs = columns.get(names.indexOf("l_shipinstruct"));
      final DictionaryEncodedColumn<?> nulls =
          (DictionaryEncodedColumn<?>) closer.register(index.getColumnHolder("shipinstruct").getColumn());
      for (int row = 0; row < index.getNumRows(); row++) {
        final int at = row;
        final String line = columns.stream()
            .map(column -> (String) column.lookupName(column.getSingleValueRow(at)))
            .collect(Collectors.joining("|"));
        assertTrue(expected.contains(line), line);
        final String instruct = (String) instructs.lookupName(instructs.getSingleValueRow(row));
        assertEquals(instruct.equals("NONE") ? null : instruct, nulls.lookupName(nulls.getSingleValueRow(row)));
      }
      assertEquals(rows.size(), index.getNumRows());
    }
  }

  @Test
  void theSameScaleMakesTheSameBytes() throws IOException {
    final Path first = write("lineitem");
    final Path second = directory.resolve("again");
    TpchSegments.of("lineitem", SCALE)
                .write(ONE_SEGMENT, second);
    assertEquals(files(first), files(second));
    for (Path file : files(first)) {
      assertEquals(-1, Files.mismatch(first.resolve(file), second.resolve(file)), file.toString());
    }
  }

  @Test
  void segmentsFollowEachOtherInTimeAndHaveAllRows() throws IOException {
    final int maxRows = 5_000;
    final List<Path> paths = TpchSegments.of("lineitem", SCALE)
        .write(OptionalInt.of(maxRows), directory.resolve("several"));
    assertEquals(List.of("0", "1", "2"), paths.stream().map(path -> path.getFileName().toString()).toList());
    final List<Long> times = new ArrayList<>();
    for (Path path : paths) {
      try (Segment segment = Segment.open(path)) {
        assertTrue(segment.numRows() <= maxRows, String.valueOf(segment.numRows()));
        final long[] own = longs(segment, ColumnHolder.TIME_COLUMN_NAME);
        assertTrue(times.isEmpty() || times.get(times.size() - 1) < own[0]);
        times.addAll(Arrays.stream(own).boxed().toList());
      }
    }
    assertEquals(Iterables.size(TpchTable.LINE_ITEM.createGenerator(SCALE, 1, 1)), times.size());
  }

  @Test
  void aTableThatThereIsNotIsRefused() {
    assertEquals(
        "TPC-H has no table 'lineitems'. There are customer, orders, lineitem, part, partsupp, supplier, nation, "
            + "region",
        assertThrows(IllegalArgumentException.class, () -> TpchSegments.of("lineitems", 1)).getMessage()
    );
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void aScaleThatThereIsNotIsRefused(double scale) {
    assertEquals(
        "The scale is " + scale + ": it must be a number greater than 0",
        assertThrows(IllegalArgumentException.class, () -> TpchSegments.of("orders", scale)).getMessage()
    );
  }

  @Test
  void aScaleTooSmallForARowIsRefused() {
    final Path out = directory.resolve("none");
    final TpchSegments<?> segments = TpchSegments.of("supplier", 0.00001);
    assertEquals(
        out + ": at scale 1.0E-5 the table supplier has no rows. Druid has no segments without rows: take a greater "
            + "scale",
        assertThrows(
            ToolException.class,
            () -> segments.write(ONE_SEGMENT, out)
        ).getMessage()
    );
    assertFalse(Files.exists(out));
  }

  // ---- the command

  @Test
  void theCommandMakesASegmentOfEachTable() {
    final Path out = directory.resolve("out");
    final StringWriter printed = new StringWriter();
    assertEquals(ExitCode.OK, run(printed, "--scale", "0.001", "--tables", "nation,orders", "--out", out.toString()));
    try (Segment nation = Segment.open(out.resolve("nation")); Segment orders = Segment.open(out.resolve("orders"))) {
      assertEquals(25, nation.numRows());
      assertEquals(1500, orders.numRows());
    }
    assertTrue(printed.toString().contains("1,500"), printed.toString());
  }

  @Test
  void theCommandMakesStrings() {
    final Path out = directory.resolve("out");
    assertEquals(ExitCode.OK, run(
        new StringWriter(), "--scale", "0.001", "--tables", "orders", "--strings", "--out", out.toString()
    ));
    try (Segment orders = Segment.open(out.resolve("orders"))) {
      assertEquals(List.of("totalprice"), namesByType(orders).get("DOUBLE"));
      assertEquals(9, namesByType(orders).get("STRING").size());
    }
  }

  @Test
  void theCommandWritesTheSameRowsAsCsv() throws IOException {
    final Path out = directory.resolve("out");
    final String[] args = {"--scale", "0.001", "--tables", "lineitem", "--strings", "--csv", "--out", out.toString()};
    assertEquals(ExitCode.OK, run(new StringWriter(), args));
    final List<String[]> lines;
    try (CSVReader csv = new CSVReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(out.resolve("lineitem.csv.gz"))), StandardCharsets.UTF_8))) {
      lines = csv.readAll();
    }
    final List<String> names = List.of(lines.get(0));
    final List<Map<String, String>> rows = lines.subList(1, lines.size()).stream()
        .map(line -> IntStream.range(0, line.length).boxed().collect(Collectors.toMap(names::get, i -> line[i])))
        .toList();
    try (Segment segment = Segment.open(out.resolve("lineitem"))) {
      assertEquals(
          segment.columns().stream().map(SegmentColumn::name).sorted().toList(),
          names.stream().sorted().toList()
      );
      for (String number : List.of(ColumnHolder.TIME_COLUMN_NAME, "quantity")) {
        assertArrayEquals(
            LongStream.of(longs(segment, number)).sorted().toArray(),
            rows.stream().mapToLong(row -> Long.parseLong(row.get(number))).sorted().toArray()
        );
      }
      assertEquals(
          rows.stream().map(row -> row.get("l_comment")).distinct().count(),
          (long) column(segment, "l_comment").parts().cardinality()
      );
    }
    for (Map<String, String> row : rows) {
      final String instruct = row.get("l_shipinstruct");
      assertEquals(instruct.equals("NONE") ? "" : instruct, row.get("shipinstruct"));
      assertEquals(Double.parseDouble(row.get("l_tax")), Double.parseDouble(row.get("tax")));
    }

    // A file that is there already is refused before anything is written.
    FileUtils.deleteDirectory(out.resolve("lineitem").toFile());
    assertNotEquals(ExitCode.OK, run(new StringWriter(), args));
    assertFalse(Files.exists(out.resolve("lineitem")));
  }

  @ParameterizedTest
  @CsvSource({"--scale, 0", "--tables, lineitems", "--rows-per-segment, 0"})
  void theCommandRefusesWhatThereIsNot(String option, String value) {
    final Path out = directory.resolve("out");
    final List<String> args = new ArrayList<>(List.of("--out", out.toString(), option, value));
    if (!option.equals("--scale")) {
      args.addAll(List.of("--scale", "0.001"));
    }
    final StringWriter printed = new StringWriter();
    assertEquals(ExitCode.USAGE, run(printed, args.toArray(String[]::new)));
    assertTrue(printed.toString().contains(value), printed.toString());
    assertFalse(Files.exists(out));
  }

  private static int run(StringWriter printed, String... args) {
    final PrintWriter writer = new PrintWriter(printed);
    return new CommandLine(new TpchCommand()).setOut(writer).setErr(writer).execute(args);
  }

  // ---- segments

  private Path write(String table) {
    return Iterables.getOnlyElement(
        TpchSegments.of(table, SCALE)
            .write(ONE_SEGMENT, directory.resolve(table))
    );
  }

  private static SegmentColumn column(Segment segment, String name) {
    return segment.columns().stream().filter(column -> column.name().equals(name)).findFirst().orElseThrow();
  }

  private static RowValues values(Segment segment, String column) {
    return column(segment, column).parts().rows().read(segment.numRows());
  }

  private static long[] longs(Segment segment, String column) {
    return ((RowValues.Longs) values(segment, column)).values();
  }

  private static float[] floats(Segment segment, String column) {
    return ((RowValues.Floats) values(segment, column)).values();
  }

  private static double[] doubles(Segment segment, String column) {
    return ((RowValues.Doubles) values(segment, column)).values();
  }

  private static List<Path> files(Path segment) throws IOException {
    try (Stream<Path> files = Files.list(segment)) {
      return files.map(Path::getFileName).sorted().toList();
    }
  }
}
