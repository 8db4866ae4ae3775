// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import com.google.common.collect.Lists;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.ingest.SegmentWriter;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.FloatSumAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/**
 * Trial of the order of dimensions, by which Druid sorts rows: segments of a sample are built with some orders, and
 * their sizes compared. The sample has the columns of strings and numbers of a segment's base table.
 */
final class DimensionOrders {
  /** Maximum number of rows of the sample. */
  private static final int MAX_ROWS = 50_000;
  /** Maximum number of values of the sample, which are in memory. */
  private static final int MAX_VALUES = 1_000_000;
  /** Maximum number of characters of the sample. */
  private static final long MAX_CHARACTERS = 1 << 25;
  /** Number of rows by which the characters of a row are estimated. */
  private static final int PROBED_ROWS = 500;
  /** Number of stretches of adjacent rows of which the sample consists. */
  private static final int STRETCHES = 10;
  /** Number of columns, the largest ones, with each of which as the first one an order is tried. */
  private static final int LEADING = 4;

  private static final String TIME = ColumnHolder.TIME_COLUMN_NAME;

  private final IndexSpec indexSpec;
  private final List<String> present;
  private final Map<String, SegmentColumn> columns = new LinkedHashMap<>();
  private final Map<String, Object[]> values = new HashMap<>();
  private final int rows;

  /**
   * Result of a trial.
   *
   * @param rows    number of rows of the sample
   * @param orders  number of other orders that were tried
   * @param present size of the sample in the present order
   * @param byTime  best order with the time first
   * @param free    best order of all
   */
  record Result(int rows, int orders, long present, Order byTime, Order free) {}

  /**
   * Order of columns.
   *
   * @param columns names of columns, among them {@code __time}
   * @param bytes   size of the sample in this order
   */
  record Order(List<String> columns, long bytes) {
    boolean isByTime() {
      return columns.get(0).equals(TIME);
    }
  }

  private DimensionOrders(Segment segment, IndexSpec indexSpec) {
    this.indexSpec = indexSpec;
    for (SegmentColumn column : segment.columns()) {
      if (column.projection() == null && dimension(column) != null) {
        columns.put(column.name(), column);
      }
    }
    this.present = segment.ordering().stream().filter(columns::containsKey).toList();
    final int most = Math.min(segment.numRows(), Math.min(MAX_ROWS, MAX_VALUES / Math.max(1, columns.size())));
    final int[] probe = sample(Math.min(PROBED_ROWS, most), segment.numRows());
    final long characters = columns.values().stream().mapToLong(column -> characters(read(column, probe))).sum();
    this.rows = (int) Math.min(most, Math.max(1, MAX_CHARACTERS * probe.length / Math.max(1, characters)));
    final int[] sample = sample(rows, segment.numRows());
    columns.forEach((name, column) -> values.put(name, read(column, sample)));
  }

  private static long characters(Object[] values) {
    return Arrays.stream(values).mapToLong(value -> String.valueOf(value).length()).sum();
  }

  /** Positions of the sampled rows: evenly distributed stretches. */
  private static int[] sample(int rows, int numRows) {
    final int[] sample = new int[rows];
    final int length = Math.max(1, (rows + STRETCHES - 1) / STRETCHES);
    for (int i = 0; i < rows; i++) {
      final long start = (long) (i / length) * length * numRows / Math.max(1, rows);
      sample[i] = (int) start + i % length;
    }
    return sample;
  }

  /**
   * Tries orders.
   *
   * @throws ToolException if a column cannot be read, or the temporary directory is full
   */
  static Result of(Segment segment, IndexSpec indexSpec) {
    return new DimensionOrders(segment, indexSpec).run();
  }

  private Result run() {
    final long bytes = build(present);
    final List<Order> orders = new ArrayList<>(List.of(new Order(present, bytes)));
    candidates().forEach(order -> orders.add(new Order(order, build(order))));
    final Comparator<Order> bySize = Comparator.comparingLong(Order::bytes);
    return new Result(
        rows,
        orders.size() - 1,
        bytes,
        orders.stream().filter(Order::isByTime).min(bySize).orElse(orders.get(0)),
        orders.stream().min(bySize).orElseThrow()
    );
  }

  /**
   * Orders that are tried: few different values first, with and without the time in front; and each of the largest
   * columns before these.
   */
  private Set<List<String>> candidates() {
    final Map<String, Integer> cardinalities = new HashMap<>();
    present.forEach(name -> cardinalities.put(name, new HashSet<>(Arrays.asList(values.get(name))).size()));
    final List<String> ascending =
        present.stream().sorted(Comparator.<String>comparingInt(cardinalities::get)).toList();
    final List<List<String>> tried = new ArrayList<>(List.of(ascending));
    present.stream()
        .filter(name -> !name.equals(TIME) && cardinalities.get(name) > 1)
        .sorted(Comparator.<String>comparingLong(name -> columns.get(name).sizeInBytes()).reversed())
        .limit(LEADING)
        .forEach(name -> tried.add(inFront(name, ascending)));
    final Set<List<String>> orders = new LinkedHashSet<>(tried);
    // If each row has a time of its own, what stands behind it decides nothing.
    if (cardinalities.getOrDefault(TIME, 0) < rows) {
      tried.forEach(order -> orders.add(inFront(TIME, order)));
    }
    orders.remove(present);
    return orders;
  }

  private static List<String> inFront(String name, List<String> order) {
    return Stream.concat(Stream.of(name), order.stream().filter(each -> !each.equals(name))).toList();
  }

  /** Schema of a column as a dimension; null if it is not in the sample. */
  private static DimensionSchema dimension(SegmentColumn column) {
    final String name = column.name();
    final DimensionSchema schema = switch (column.type()) {
      case "STRING" -> new StringDimensionSchema(name, MultiValueHandling.ARRAY, true);
      case "LONG" -> new LongDimensionSchema(name);
      case "DOUBLE" -> new DoubleDimensionSchema(name);
      case "FLOAT" -> new FloatDimensionSchema(name);
      default -> null;
    };
    return schema != null && column.isAuto() ? AutoTypeColumnSchema.of(name) : schema;
  }

  /** Aggregator that keeps a number of a row. */
  private static AggregatorFactory metric(SegmentColumn column) {
    final String name = column.name();
    return switch (column.type()) {
      case "LONG" -> new LongSumAggregatorFactory(name, name);
      case "DOUBLE" -> new DoubleSumAggregatorFactory(name, name);
      default -> new FloatSumAggregatorFactory(name, name);
    };
  }

  private static Object[] read(SegmentColumn column, int[] sample) {
    final Object[] values = new Object[sample.length];
    final Position position = new Position();
    try (BaseColumn opened = column.holder().getColumn()) {
      final ColumnValueSelector<?> selector = opened.makeColumnValueSelector(position);
      for (int i = 0; i < sample.length; i++) {
        position.row = sample[i];
        values[i] = selector.getObject();
      }
      return values;
    } catch (IOException | RuntimeException e) {
      throw column.damaged("it cannot be read: " + e.getMessage(), e);
    }
  }

  /** Row that a selector reads. */
  private static final class Position implements ReadableOffset {
    private int row;

    @Override
    public int getOffset() {
      return row;
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
  }

  /** Builds a segment of the sample, and returns its size in bytes. */
  private long build(List<String> order) {
    final boolean isByTime = order.get(0).equals(TIME);
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(DimensionsSpec.builder()
            .setDimensions(Lists.newArrayList(order.stream().filter(name -> !isByTime || !name.equals(TIME))
                .map(name -> dimension(columns.get(name))).toList()))
            .setForceSegmentSortByTime(isByTime)
            .build())
        .withMetrics(columns.keySet().stream().filter(name -> !order.contains(name))
            .map(name -> metric(columns.get(name))).toArray(AggregatorFactory[]::new))
        .withRollup(false)
        .build();
    try (TemporaryDirectory work = TemporaryDirectory.create("shapeshift-orders")) {
      final Path segment = work.path().resolve("segment");
      final Path spills = Files.createDirectory(work.path().resolve("spills"));
      try (SegmentWriter writer =
               new SegmentWriter(schema, indexSpec, SegmentWriter.VERSION, SegmentWriter.MAX_ROWS_IN_MEMORY, spills)) {
        final List<String> dimensions = order.stream().filter(name -> !name.equals(TIME)).toList();
        for (int i = 0; i < rows; i++) {
          final Map<String, Object> row = new HashMap<>();
          for (Map.Entry<String, Object[]> each : values.entrySet()) {
            row.put(each.getKey(), each.getValue()[i]);
          }
          writer.add(new MapBasedInputRow((Long) values.get(TIME)[i], dimensions, row));
        }
        writer.finish(segment);
      }
      return FileUtils.sizeOfDirectory(segment.toFile());
    } catch (IOException e) {
      throw new ToolException(
          "the sample in another order of dimensions",
          "it cannot be written to " + System.getProperty("java.io.tmpdir") + ": " + e.getMessage(),
          "Make room there",
          e
      );
    }
  }
}
