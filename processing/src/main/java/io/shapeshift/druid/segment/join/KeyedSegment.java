// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.join.table.IndexedTable;
import org.apache.druid.timeline.SegmentId;

/**
 * Segment of a {@link KeyedTable}. A join query holds a reference to the table but not to the segment, and Druid may
 * close the segment while the query looks up keys in its files. Druid also reads columns before it acquires a reference
 * to the table. So the files stay mapped until the segment is closed and no {@link Hold} is left.
 */
final class KeyedSegment extends QueryableIndexSegment {
  private final Set<String> keyColumns;
  private final String version;
  private boolean isClosed;
  /** Number of open holds, by tables and their readers. */
  private int holds;

  /** Keeps the files mapped until it is closed. */
  interface Hold extends Closeable {
    @Override
    void close();
  }

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

  private IndexedTable table() {
    final Hold hold = hold();
    try {
      return KeyedTable.of(this, keyColumns, version, hold);
    } catch (RuntimeException | Error e) {
      hold.close();
      throw e;
    }
  }

  /**
   * Acquires a hold. Closing the hold twice is harmless.
   *
   * @throws ISE if the segment was dropped and its files are unmapped
   */
  synchronized Hold hold() {
    if (isClosed && holds == 0) {
      throw new ISE("Segment[%s] is closed", getId());
    }
    holds++;
    final AtomicBoolean isHeld = new AtomicBoolean(true);
    return () -> {
      if (isHeld.getAndSet(false)) {
        release();
      }
    };
  }

  private synchronized void release() {
    holds--;
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
    if (isClosed && holds == 0) {
      super.close();
    }
  }
}
