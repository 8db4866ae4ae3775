// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.shapeshift.druid.segment.index.KeyIndex;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.join.table.BroadcastSegmentIndexedTable;
import org.apache.druid.utils.CloseableUtils;

/**
 * Broadcast table for joins that looks up keys in the hash indexes of its segment. Key columns without a hash index
 * have Druid's maps on the heap.
 */
final class KeyedTable extends BroadcastSegmentIndexedTable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final KeyedSegment segment;
  private final Set<String> keyColumns;
  /** Indexes by column number in the table's signature. */
  private final Map<Integer, KeyedTableIndex> indexes;
  /**
   * Closes readers and hold once: by {@link #close}, or when the table becomes unreachable. Druid drops the table
   * without closing it if not all segments of a join are tables.
   */
  private final Cleaner.Cleanable closing;

  private KeyedTable(
      KeyedSegment segment,
      Set<String> keyColumns,
      Map<String, KeyedTableIndex> indexes,
      String version,
      KeyedSegment.Hold hold
  ) {
    super(segment, Sets.difference(keyColumns, indexes.keySet()).immutableCopy(), version);
    this.segment = segment;
    this.keyColumns = keyColumns;
    this.indexes = Maps.newHashMap();
    indexes.forEach((column, index) -> this.indexes.put(rowSignature().indexOf(column), index));
    this.closing = CLEANER.register(this, new Closing(List.copyOf(indexes.values()), hold));
  }

  /**
   * Creates a table.
   *
   * @param keyColumns columns by which the table can be joined
   * @param version    version of the segment
   * @param hold       hold on the segment, closed when the table is closed or unreachable
   */
  static KeyedTable of(KeyedSegment segment, Set<String> keyColumns, String version, KeyedSegment.Hold hold) {
    final QueryableIndex index = segment.as(QueryableIndex.class);
    final Map<String, KeyedTableIndex> indexes = Maps.newHashMap();
    for (String column : keyColumns) {
      @Nullable final ColumnHolder holder = index.getColumnHolder(column);
      @Nullable final KeyIndex keys = holder == null ? null : holder.getIndexSupplier().as(KeyIndex.class);
      if (keys != null) {
        indexes.put(column, new KeyedTableIndex(holder, keys, segment::hold));
      }
    }
    return new KeyedTable(segment, keyColumns, indexes, version, hold);
  }

  @Override
  public Set<String> keyColumns() {
    return keyColumns;
  }

  @Override
  public Index columnIndex(int column) {
    @Nullable final KeyedTableIndex index = indexes.get(column);
    return index == null ? super.columnIndex(column) : index;
  }

  @Override
  public Reader columnReader(int column) {
    final KeyedSegment.Hold hold = segment.hold();
    try {
      return new HeldReader(super.columnReader(column), hold);
    } catch (RuntimeException | Error e) {
      hold.close();
      throw e;
    }
  }

  @Override
  public void close() {
    super.close();
    closing.clean();
  }

  /**
   * Reader with its own hold on the segment, because Druid reads values while it prepares a join, before it acquires a
   * reference to the table.
   */
  private record HeldReader(Reader reader, KeyedSegment.Hold hold) implements Reader {
    @Nullable
    @Override
    public Object read(int row) {
      return reader.read(row);
    }

    @Override
    public void close() throws IOException {
      CloseableUtils.closeAll(reader, hold);
    }
  }

  /** Resources of a table to close. Has no reference to the table itself, as a {@link Cleaner} requires. */
  private record Closing(List<KeyedTableIndex> indexes, KeyedSegment.Hold hold) implements Runnable {
    @Override
    public void run() {
      indexes.forEach(KeyedTableIndex::close);
      hold.close();
    }
  }
}
