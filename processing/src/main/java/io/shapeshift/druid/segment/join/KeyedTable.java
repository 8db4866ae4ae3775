// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.shapeshift.druid.segment.index.KeyIndex;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.join.table.BroadcastSegmentIndexedTable;

/**
 * A table that others are joined with, which finds the rows of keys by hash indexes of the segment. Columns without one
 * have Druid's maps on the heap.
 */
final class KeyedTable extends BroadcastSegmentIndexedTable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Set<String> keyColumns;
  /** By the number of the column in the signature. */
  private final Map<Integer, KeyedTableIndex> indexes;
  /** Once: by {@link #close}, or when Druid has forgotten the table, as it does where not all segments are tables. */
  private final Cleaner.Cleanable closing;

  private KeyedTable(
      QueryableIndexSegment segment,
      Set<String> keyColumns,
      Map<String, KeyedTableIndex> indexes,
      String version,
      Runnable onClose
  ) {
    super(segment, Sets.difference(keyColumns, indexes.keySet()).immutableCopy(), version);
    this.keyColumns = keyColumns;
    this.indexes = Maps.newHashMap();
    indexes.forEach((column, index) -> this.indexes.put(rowSignature().indexOf(column), index));
    this.closing = CLEANER.register(this, new Closing(List.copyOf(indexes.values()), onClose));
  }

  /**
   * Makes a table.
   *
   * @param keyColumns columns that it can be joined by
   * @param version    of the segment
   * @param onClose    run once, when nobody has the table any more
   */
  static KeyedTable of(
      QueryableIndexSegment segment,
      Set<String> keyColumns,
      String version,
      Runnable onClose
  ) {
    final QueryableIndex index = segment.as(QueryableIndex.class);
    final Map<String, KeyedTableIndex> indexes = Maps.newHashMap();
    for (String column : keyColumns) {
      @Nullable final ColumnHolder holder = index.getColumnHolder(column);
      @Nullable final KeyIndex keys = holder == null ? null : holder.getIndexSupplier().as(KeyIndex.class);
      if (keys != null) {
        indexes.put(column, new KeyedTableIndex(holder, keys));
      }
    }
    return new KeyedTable(segment, keyColumns, indexes, version, onClose);
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
  public void close() {
    super.close();
    closing.clean();
  }

  /** What there is to close, without the table itself. */
  private record Closing(List<KeyedTableIndex> indexes, Runnable onClose) implements Runnable {
    @Override
    public void run() {
      indexes.forEach(KeyedTableIndex::close);
      onClose.run();
    }
  }
}
