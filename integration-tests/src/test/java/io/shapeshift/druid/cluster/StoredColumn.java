// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.segment.StoredSegment;
import io.shapeshift.druid.segment.StoredSegment.Column;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnHead;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.apache.druid.segment.IndexIO;

/**
 * Column of strings or longs in a segment that a service of Druid has written, with our ids, indexes and dictionary, or
 * without.
 *
 * @param chunks of its ids or numbers; 0 where the column is Druid's own, or nested
 */
record StoredColumn(String name, boolean isString, boolean isMultiValue, boolean isShapeShifting, int chunks) {
  /** Columns of the base table, except those without values, which Druid does not store. */
  static List<StoredColumn> of(File segment) throws IOException {
    try (StoredSegment stored = StoredSegment.open(segment)) {
      return stored.columns().stream()
          // Files of projections begin with the projection's name.
          .filter(column -> column.file().equals(column.name()) || column.file().equals("__base/" + column.name()))
          .filter(column -> !column.partType().equals("null"))
          .map(column -> new StoredColumn(
              column.name(),
              column.type().equals("STRING"),
              column.descriptor().path("hasMultipleValues").asBoolean(),
              column.partType().startsWith("shapeshift."),
              pieces(column).mapToInt(piece -> piece.header().numChunks()).sum()
          ))
          .toList();
    }
  }

  /** Columns of strings of the base table. */
  static List<StoredColumn> strings(File segment) throws IOException {
    return of(segment).stream().filter(StoredColumn::isString).toList();
  }

  /** Druid's descriptor of a column; the name of a projection's column is {@code projection/column}. */
  static JsonNode descriptor(File segment, String file) throws IOException {
    try (StoredSegment stored = StoredSegment.open(segment)) {
      return stored.column(file).descriptor();
    }
  }

  /** Shape-shifting parts that hold the ids or numbers of a column. */
  private static Stream<ColumnData<?>> pieces(Column column) {
    ByteBuffer body = column.body();
    return switch (column.partType()) {
      case ShapeShiftStringColumnPartSerde.TYPE -> {
        boolean isMultiValue = StringColumnHead.read(body).isMultiValue();
        StringDictionary.read(column.name(), body);
        body.order(IndexIO.BYTE_ORDER);
        if (!isMultiValue) {
          yield Stream.of(ShapeShiftingColumnarIntsSupplier.read(column.name(), body).data());
        }
        ShapeShiftingColumnarMultiIntsSupplier ids = ShapeShiftingColumnarMultiIntsSupplier.read(column.name(), body);
        yield Stream.of(ids.offsets().data(), ids.values().data());
      }
      case ShapeShiftNumberColumnPartSerde.Longs.TYPE -> {
        // The data follows its size.
        body.position(Integer.BYTES).order(IndexIO.BYTE_ORDER);
        yield Stream.of(ShapeShiftingColumnarLongsSupplier.read(column.name(), body).data());
      }
      default -> Stream.of();
    };
  }
}
