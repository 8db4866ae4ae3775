// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.benchmark.data.ColumnEncodings;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Column in the encodings of some targets, and in Druid's encodings that these are compared with. */
final class EncodedShape implements Closeable {
  private final Shape shape;
  private final ColumnEncodings column;

  /**
   * Encodes a column.
   *
   * @throws ToolException if there is no room for temporary files
   */
  EncodedShape(Shape shape, Collection<Promise> promises) {
    this.shape = shape;
    this.column = new ColumnEncodings(shape.name(), shape.values().get());
    for (Promise promise : promises) {
      column.encode(RowEncodings.parse(promise.baseline()));
      column.encode(RowEncodings.parse(promise.encoding()));
    }
  }

  RowValues values() {
    return column.values();
  }

  StoredColumn stored(Promise promise) {
    return new StoredColumn(
        shape.type(),
        shape.name(),
        promise,
        values().rows(),
        column.in(promise.encoding()).sizeInBytes(),
        column.in(promise.baseline()).sizeInBytes(),
        column.forms(promise.encoding())
    );
  }

  /** Measures rows in some encodings: see {@link ColumnEncodings#measure}. */
  Map<String, Map<String, Double>> measure(
      Function<Map<String, EncodedRows>, Map<String, Map<String, Double>>> nanos,
      Set<String> names
  ) {
    return column.measure(nanos, names);
  }

  @Override
  public void close() {
    column.close();
  }
}
