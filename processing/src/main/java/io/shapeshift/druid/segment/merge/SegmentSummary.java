// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.serde.ColumnPartSerde;

/** What a segment was written of, for one line in the log. For one thread, as a merger writes a segment. */
final class SegmentSummary {
  private static final ThreadLocal<SegmentSummary> CURRENT = ThreadLocal.withInitial(SegmentSummary::new);

  private final Map<String, Columns> kinds = new TreeMap<>();

  /** The columns of a kind: how many, and their bytes. */
  private record Columns(int count, long bytes) {
    Columns and(Columns others) {
      return new Columns(count + others.count, bytes + others.bytes);
    }
  }

  /** Starts that of another segment, which this thread writes. */
  static SegmentSummary start() {
    final SegmentSummary summary = new SegmentSummary();
    CURRENT.set(summary);
    return summary;
  }

  /** Adds a column to that of the segment that this thread writes, of a projection as well. */
  static void add(ColumnDescriptor column) throws IOException {
    CURRENT.get().kinds.merge(kind(column), new Columns(1, column.getSerializedSize()), Columns::and);
  }

  /** Such as {@code string(ids, indexes)}, or Druid's own. */
  private static String kind(ColumnDescriptor column) {
    final String type = StringUtils.toLowerCase(column.getValueType().name());
    for (ColumnPartSerde part : column.getParts()) {
      if (part instanceof ShapeShiftStringColumnPartSerde strings) {
        return type + strings.getParts().stream().map(StringColumnPart::name).map(StringUtils::toLowerCase)
            .collect(Collectors.joining(", ", "(", ")"));
      }
      if (part instanceof ShapeShiftNumberColumnPartSerde numbers) {
        return type + (numbers.hasHashIndex() ? "(rows, hash index)" : "(rows)");
      }
      if (part instanceof ShapeShiftAutoColumnPartSerde) {
        return "auto";
      }
    }
    return "Druid's own";
  }

  /** All kinds with their numbers of columns and bytes, which are without those of further files. */
  @Override
  public String toString() {
    final List<String> texts = new ArrayList<>();
    kinds.forEach((kind, columns) ->
        texts.add(StringUtils.format("%s: %,d columns, %,d bytes", kind, columns.count, columns.bytes)));
    return String.join("; ", texts);
  }
}
