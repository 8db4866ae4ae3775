// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.pool;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexCursorFactory;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;
import org.apache.druid.segment.vector.VectorCursor;
import org.apache.druid.segment.vector.VectorValueSelector;

/** Segment whose columns of numbers, and of strings with one value per row, are read side by side. */
final class ReadSegment implements Closeable {
  /** Reads the values of a vector and returns a number that depends on them. */
  private interface VectorRead {
    long read();
  }

  private final QueryableIndex index;

  ReadSegment(Path directory) {
    try {
      this.index = Druid.instance(IndexIO.class).loadIndex(directory.toFile());
    } catch (IOException e) {
      throw new ToolException(directory.toString(), "it cannot be read: " + e, "Name the directory of a segment", e);
    }
  }

  /** Query of all columns, with what they borrow. */
  final class OpenQuery implements Closeable {
    private final CursorHolder holder;
    private final VectorCursor cursor;
    private final List<VectorRead> columns;
    private long sum;

    private OpenQuery() {
      this.holder = new QueryableIndexCursorFactory(index).makeCursorHolder(CursorBuildSpec.FULL_SCAN);
      this.cursor = holder.asVectorCursor();
      final VectorColumnSelectorFactory selectors = cursor.getColumnSelectorFactory();
      this.columns = Stream.concat(Stream.of("__time"), index.getColumnNames().stream())
          .flatMap(column -> read(column, selectors))
          .toList();
    }

    private void readVector() {
      for (VectorRead column : columns) {
        sum += column.read();
      }
    }

    /** Reads all rows, and returns a number that depends on them. */
    long readAll() {
      for (; !cursor.isDone(); cursor.advance()) {
        readVector();
      }
      return sum;
    }

    @Override
    public void close() {
      holder.close();
    }
  }

  private Stream<VectorRead> read(String column, VectorColumnSelectorFactory selectors) {
    final ColumnType type = index.getColumnCapabilities(column).toColumnType();
    if (type.isNumeric()) {
      final VectorValueSelector values = selectors.makeValueSelector(column);
      return Stream.of(type.is(ValueType.LONG)
                       ? () -> values.getLongVector()[0]
                       : () -> (long) values.getDoubleVector()[0]);
    }
    if (index.getColumnCapabilities(column).hasMultipleValues().isFalse()) {
      final SingleValueDimensionVectorSelector ids =
          selectors.makeSingleValueDimensionSelector(DefaultDimensionSpec.of(column));
      return Stream.of(() -> ids.getRowVector()[0]);
    }
    return Stream.of();
  }

  OpenQuery open() {
    return new OpenQuery();
  }

  /** Reads all rows by a query that is closed then. */
  long query() {
    try (OpenQuery query = open()) {
      return query.readAll();
    }
  }

  @Override
  public void close() {
    index.close();
  }
}
