// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import com.google.common.base.Ascii;
import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.data.Shapes;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Column to measure.
 *
 * @param name   of the shape; of a segment's column, its path and name
 * @param values makes or reads the rows
 */
record Shape(EncodedType type, String name, Supplier<RowValues> values) {
  /** All generated columns of a type. */
  static List<Shape> generated(EncodedType type, int rows) {
    final List<Shape> shapes = new ArrayList<>();
    for (String name : Distributions.names(type)) {
      shapes.add(new Shape(type, name, () -> Distributions.of(type, name, rows)));
    }
    for (String name : Shapes.names(type)) {
      shapes.add(new Shape(type, name, () -> Shapes.of(type, name, rows)));
    }
    return shapes;
  }

  /** The columns of a segment, of a type. */
  static List<Shape> ofSegment(EncodedType type, Path segment) {
    return SegmentColumns.names(segment.toString(), type).stream()
        .map(name -> new Shape(
            type,
            segment.getFileName() + "/" + name,
            () -> SegmentColumns.read(segment.toString(), name, type)
        ))
        .toList();
  }

  /** Name of a type in options and results. */
  static String name(EncodedType type) {
    return Ascii.toLowerCase(type.name());
  }

  @Override
  public String toString() {
    return name(type) + " " + name;
  }
}
