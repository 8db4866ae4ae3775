// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.join.table.IndexedTable;
import org.apache.druid.timeline.SegmentId;

/**
 * The segment of a {@link KeyedTable}. Queries that join with the table hold the table, but not the segment, which
 * Druid closes when it drops it; keys are looked up in the segment's files, though. So these stay mapped until the
 * segment and all tables are closed.
 */
final class KeyedSegment extends QueryableIndexSegment {
  private final Set<String> keyColumns;
  private final String version;
  private boolean isClosed;
  /** Tables that somebody may use. */
  private int tables;

  KeyedSegment(QueryableIndex index, SegmentId id, Set<String> keyColumns, String version) {
    super(index, id);
    this.keyColumns = keyColumns;
    this.version = version;
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return clazz.equals(IndexedTable.class) ? clazz.cast(table()) : super.as(clazz);
  }

  private synchronized IndexedTable table() {
    if (isClosed) {
      throw new ISE("Segment[%s] is closed", getId());
    }
    final KeyedTable table = KeyedTable.of(this, keyColumns, version, this::closeTable);
    tables++;
    return table;
  }

  private synchronized void closeTable() {
    tables--;
    closeIfUnused();
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      closeIfUnused();
    }
  }

  private void closeIfUnused() {
    if (isClosed && tables == 0) {
      super.close();
    }
  }
}
