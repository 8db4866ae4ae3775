// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.segment.serde.NumberKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Time and metric columns of base tables and projections, for both mergers. Numbers and complex metrics shape-shift if
 * the indexSpec asks for it. The merger's superclass writes all other columns, one at a time to keep their order.
 */
@SuppressWarnings("rawtypes") // same as Druid's signature
final class NumberColumns {
  private NumberColumns() {}

  /** Superclass method that opens the writer of the time column. */
  @FunctionalInterface
  interface StockTimeSetup {
    GenericColumnSerializer open() throws IOException;
  }

  /** Superclass method that writes the time column. */
  @FunctionalInterface
  interface StockTimeMaker {
    void make() throws IOException;
  }

  /** Superclass method that opens writers of metrics. */
  @FunctionalInterface
  interface StockSetup {
    List<GenericColumnSerializer> open(List<String> metrics) throws IOException;
  }

  /** Superclass method that writes metric columns. */
  @FunctionalInterface
  interface StockMaker {
    void make(List<String> metrics, List<GenericColumnSerializer> writers) throws IOException;
  }

  /** Merger method that writes any column. */
  @FunctionalInterface
  interface ColumnMaker {
    void make(String file, ColumnDescriptor descriptor) throws IOException;
  }

  /** Opens the writer of the time column. */
  static GenericColumnSerializer setupTime(SegmentWriteOutMedium medium, IndexSpec indexSpec, StockTimeSetup stock)
      throws IOException {
    @Nullable final GenericColumnSerializer ours = ShapeShiftNumberColumnSerializer.openTime(medium, indexSpec);
    return ours == null ? stock.open() : ours;
  }

  /**
   * Writes the time column.
   *
   * @param file name of the column's file
   */
  static void makeTime(GenericColumnSerializer writer, String file, StockTimeMaker stock, ColumnMaker maker)
      throws IOException {
    if (writer instanceof ShapeShiftNumberColumnSerializer ours) {
      maker.make(file, ours.makeColumnDescriptor(file));
    } else {
      stock.make();
    }
  }

  /**
   * Opens a writer for each metric.
   *
   * @param prefix prefix of file names
   */
  static List<GenericColumnSerializer> setupMetrics(
      SegmentWriteOutMedium medium,
      List<String> metrics,
      Map<String, ColumnFormat> formats,
      IndexSpec indexSpec,
      String prefix,
      StockSetup stock
  ) throws IOException {
    final List<GenericColumnSerializer> writers = new ArrayList<>();
    for (String metric : metrics) {
      @Nullable final GenericColumnSerializer ours =
          open(metric, formats.get(metric).getLogicalType(), prefix + metric, medium, indexSpec);
      if (ours == null) {
        writers.addAll(stock.open(List.of(metric)));
      } else {
        writers.add(ours);
      }
    }
    return writers;
  }

  /** Opens the writer of a metric; null if the column is Druid's. */
  @Nullable
  private static GenericColumnSerializer open(
      String metric,
      TypeSignature<ValueType> type,
      String file,
      SegmentWriteOutMedium medium,
      IndexSpec indexSpec
  ) throws IOException {
    if (type.is(ValueType.COMPLEX)) {
      return ShapeShiftComplexColumnSerializer.open(type.getComplexTypeName(), metric, file, medium, indexSpec);
    }
    @Nullable final NumberKind kind = NumberKind.of(type);
    return kind == null ? null : ShapeShiftNumberColumnSerializer.open(kind, metric, file, medium, indexSpec);
  }

  /**
   * Writes the columns of all metrics.
   *
   * @param prefix prefix of file names
   */
  static void makeMetrics(
      List<String> metrics,
      List<GenericColumnSerializer> writers,
      String prefix,
      StockMaker stock,
      ColumnMaker maker
  ) throws IOException {
    for (int i = 0; i < metrics.size(); i++) {
      final String file = prefix + metrics.get(i);
      if (writers.get(i) instanceof ShapeShiftNumberColumnSerializer ours) {
        maker.make(file, ours.makeColumnDescriptor(file));
      } else if (writers.get(i) instanceof ShapeShiftComplexColumnSerializer complex) {
        maker.make(file, complex.makeColumnDescriptor());
      } else {
        stock.make(metrics.subList(i, i + 1), writers.subList(i, i + 1));
      }
    }
  }
}
