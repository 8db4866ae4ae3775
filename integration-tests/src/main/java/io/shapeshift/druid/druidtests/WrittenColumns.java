// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnPartSerde;
import io.shapeshift.druid.segment.auto.WrittenAutoColumn;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import java.util.Collection;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;

/**
 * Counts the columns that this JVM writes, by kind; thread-safe. A kind consists of the column's owner, the type of its
 * values, and its parts. Strings of several values in a row are {@code strings}.
 *
 * <pre>
 * | kind                             | column                                                           |
 * |----------------------------------|------------------------------------------------------------------|
 * | ours string: ids dictionary      | of ours, with the parts that shape-shift                         |
 * | ours long: numbers hash          | of ours, with a hash index                                       |
 * | ours complex: values             | of ours, of a complex type                                       |
 * | ours auto long: ids longs        | of ours, of type auto, with the files that shape-shift           |
 * | ours auto complex<json>: nested  | of ours, of nested values                                        |
 * | druids auto complex<json>        | Druid's, of type auto, whose descriptor says complex in any case |
 * | druids long: NullColumnPartSerde | Druid's, with the classes of its parts                           |
 * | ours rows in memory              | no column, but an index of ours, off the heap                    |
 * </pre>
 */
final class WrittenColumns {
  private static final SortedMap<String, Long> COUNTS = new TreeMap<>();

  private WrittenColumns() {}

  /** Counts a column under its kind. */
  static void add(ColumnDescriptor column) {
    count(kind(column));
  }

  /** Counts an index of ours for rows in memory. */
  static void addRowsInMemory() {
    count("ours rows in memory");
  }

  private static void count(String kind) {
    synchronized (COUNTS) {
      COUNTS.merge(kind, 1L, Long::sum);
    }
  }

  private static String kind(ColumnDescriptor column) {
    final String type = word(column.getValueType()) + (column.isHasMultipleValues() ? "s" : "");
    final StringBuilder druids = new StringBuilder("druids " + type + ":");
    for (ColumnPartSerde part : column.getParts()) {
      if (part instanceof ShapeShiftStringColumnPartSerde strings) {
        return "ours " + type + ": " + words(strings.getParts());
      }
      if (part instanceof ShapeShiftComplexColumnPartSerde) {
        return "ours complex: values";
      }
      if (part instanceof ShapeShiftNestedColumnPartSerde) {
        return "ours auto complex<json>: nested";
      }
      if (part instanceof ShapeShiftNumberColumnPartSerde numbers) {
        return "ours " + type + ": numbers" + (numbers.hasHashIndex() ? " hash" : "");
      }
      if (part instanceof ShapeShiftAutoColumnPartSerde auto) {
        return "ours " + auto(WrittenAutoColumn.stock(auto)) + ": " + words(WrittenAutoColumn.files(auto));
      }
      if (part instanceof NestedCommonFormatColumnPartSerde auto) {
        return "druids " + auto(auto);
      }
      druids.append(' ').append(part.getClass().getSimpleName());
    }
    return druids.toString();
  }

  /** The detected type of a column of type {@code auto}. */
  private static String auto(NestedCommonFormatColumnPartSerde part) {
    return "auto " + (part.isVariantType() ? "mixed" : word(part.getLogicalType().asTypeString()));
  }

  private static String words(Collection<?> names) {
    return names.stream().map(WrittenColumns::word).collect(Collectors.joining(" "));
  }

  private static String word(Object name) {
    return name.toString().toLowerCase(Locale.ROOT);
  }

  /** Returns the counts by kind since the last call. */
  static SortedMap<String, Long> takeCounts() {
    synchronized (COUNTS) {
      final SortedMap<String, Long> counts = new TreeMap<>(COUNTS);
      COUNTS.clear();
      return counts;
    }
  }
}
