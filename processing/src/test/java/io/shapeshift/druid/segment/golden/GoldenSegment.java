// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.golden;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.testing.sketches.SketchSerde;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/**
 * Segment among the golden files.
 *
 * @param table   its rows
 * @param target  the target, each with another size of blocks
 * @param version version of the segment
 */
public record GoldenSegment(Table table, OptimizationTarget target, Version version) {
  static {
    SketchSerde.register();
  }

  /** Rows of a segment. */
  public enum Table {
    /** Few rows with columns of all kinds, and a projection. */
    WIDE {
      @Override
      IncrementalIndexSchema schema() {
        return GoldenRows.schema();
      }

      @Override
      List<Map<String, Object>> makeRows() {
        return GoldenRows.rows();
      }

      @Nullable
      @Override
      Object show(String column, Map<String, Object> row) {
        return GoldenRows.shown(column, row);
      }
    },
    /** As many rows as make full chunks and long lists, in few columns. */
    TALL {
      @Override
      IncrementalIndexSchema schema() {
        return GoldenTallRows.schema();
      }

      @Override
      List<Map<String, Object>> makeRows() {
        return GoldenTallRows.rows();
      }

      @Nullable
      @Override
      Object show(String column, Map<String, Object> row) {
        return row.get(column);
      }
    };

    // Tests ask again and again, and sketches take their time.
    private final Supplier<List<Map<String, Object>>> rows = Suppliers.memoize(this::makeRows);
    private final Supplier<IncrementalIndex> inMemory =
        Suppliers.memoize(() -> TestSegments.rowsInMemory(schema(), rows()));
    private final Map<String, List<Object>> shown = new ConcurrentHashMap<>();

    abstract IncrementalIndexSchema schema();

    abstract List<Map<String, Object>> makeRows();

    /** What a query sees of a row in a column but that of the time. */
    @Nullable
    abstract Object show(String column, Map<String, Object> row);

    /** All values of all rows, in the order of time. */
    public List<Map<String, Object>> rows() {
      return rows.get();
    }

    /** The rows in memory. */
    public IncrementalIndex inMemory() {
      return inMemory.get();
    }

    /** What a query sees of a column but that of the time. */
    List<Object> shown(String column) {
      return shown.computeIfAbsent(column, name -> rows().stream().map(row -> show(name, row)).toList());
    }
  }

  /** Segment of the {@link Table#WIDE} table. */
  public GoldenSegment(OptimizationTarget target, Version version) {
    this(Table.WIDE, target, version);
  }

  /** All of them: a version suffices for tall ones. */
  public static List<GoldenSegment> all() {
    return Arrays.stream(OptimizationTarget.values())
        .flatMap(target -> Stream.of(
            new GoldenSegment(target, Version.V9),
            new GoldenSegment(target, Version.V10),
            new GoldenSegment(Table.TALL, target, Version.V9)))
        .toList();
  }

  /** The name of its file among the resources. */
  public String resource() {
    return "/golden/segments/" + this + ".zip";
  }

  IndexSpec indexSpec() {
    final BlockSize blockSize = switch (target) {
      case SMALLER -> BlockSize.LARGE;
      case FASTBUTSMALLISH -> BlockSize.SMALL;
      case FASTER -> BlockSize.MIDDLE;
    };
    final Map<String, ColumnOptions> options = new HashMap<>();
    final TypeStrategies inherited = new TypeStrategies(null, Map.of());
    GoldenRows.KEYS.forEach(column -> options.put(column, new ColumnOptions(inherited, true, null)));
    GoldenTallRows.TEXTS.forEach(column -> options.put(column, new ColumnOptions(inherited, null, true)));
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(EncodingStrategy.shapeShift(target, blockSize), Map.of()).withColumns(options)
    );
  }

  @Override
  public String toString() {
    final String name = table == Table.TALL ? target + "-tall" : target.toString();
    return (name + "-" + version).toLowerCase(Locale.ROOT);
  }
}
