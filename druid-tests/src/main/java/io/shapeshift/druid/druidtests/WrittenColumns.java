// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.serde.ColumnPartSerde;

/** How many columns of each kind this JVM has written; for many threads. */
final class WrittenColumns {
  private static final SortedMap<String, Long> COUNTS = new TreeMap<>();

  private WrittenColumns() {}

  /** Counts a column under the type of its values and the classes of its parts. */
  static void add(ColumnDescriptor column) {
    final StringBuilder kind = new StringBuilder(column.getValueType().name());
    for (ColumnPartSerde part : column.getParts()) {
      kind.append(' ').append(part.getClass().getName().replaceFirst("^.*\\.", ""));
    }
    synchronized (COUNTS) {
      COUNTS.merge(kind.toString(), 1L, Long::sum);
    }
  }

  /** The kinds and their counts so far. */
  static SortedMap<String, Long> counts() {
    synchronized (COUNTS) {
      return new TreeMap<>(COUNTS);
    }
  }
}
