// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.index.KeyIndex;
import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.join.table.IndexedTable;
import org.roaringbitmap.IntIterator;

/**
 * Key look-up in one column, for any number of threads. Each look-up borrows a reader from a pool, which grows to the
 * maximum number of concurrent look-ups. Each reader has a hold on the segment.
 */
final class KeyedTableIndex implements IndexedTable.Index {
  private final ColumnHolder holder;
  private final KeyIndex keys;
  private final ColumnType type;
  private final int numNulls;
  /** Null rows, computed at the first request. */
  private final Supplier<IntSortedSet> nulls;
  private final boolean hasUniqueLongs;
  private final Supplier<KeyedSegment.Hold> segment;
  private final Queue<HeldReader> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean isClosed;

  /** Reader with its hold on the segment. */
  private record HeldReader(KeyIndex.Reader keys, KeyedSegment.Hold hold) {
    void close() {
      keys.close();
      hold.close();
    }
  }

  /**
   * Creates the index of a column.
   *
   * @param segment acquires a hold on the segment, and fails if its files are unmapped
   */
  KeyedTableIndex(ColumnHolder holder, KeyIndex keys, Supplier<KeyedSegment.Hold> segment) {
    this.holder = holder;
    this.keys = keys;
    this.segment = segment;
    this.type = holder.getCapabilities().toColumnType();
    this.numNulls = nullBitmap().size();
    this.nulls = Suppliers.memoize(() -> {
      final KeyedSegment.Hold hold = segment.get();
      try {
        return rows(nullBitmap());
      } finally {
        hold.close();
      }
    });
    this.hasUniqueLongs = keys.type() == NumberType.LONG && areKeysUnique(false);
  }

  private ImmutableBitmap nullBitmap() {
    return holder
        .getIndexSupplier()
        .as(NullValueIndex.class)
        .get()
        .computeBitmapResult(new DefaultBitmapResultFactory(RoaringBitmapFactory.INSTANCE), false);
  }

  private static IntSortedSet rows(ImmutableBitmap bitmap) {
    final IntIterator rows = bitmap.iterator();
    if (!rows.hasNext()) {
      return IntSortedSets.EMPTY_SET;
    }
    final int first = rows.next();
    if (!rows.hasNext()) {
      return IntSortedSets.singleton(first);
    }
    final IntSortedSet set = new IntAVLTreeSet();
    set.add(first);
    while (rows.hasNext()) {
      set.add(rows.next());
    }
    return IntSortedSets.unmodifiable(set);
  }

  @Override
  public ColumnType keyType() {
    return type;
  }

  @Override
  public boolean areKeysUnique(boolean includeNull) {
    final HashIndex hashes = keys.hashes();
    return hashes.numKeys() == hashes.numRows() - numNulls && (!includeNull || numNulls < 2);
  }

  @Override
  public IntSortedSet find(@Nullable Object key) {
    if (key == null) {
      return nulls.get();
    }
    // A key that is not a number matches nothing, not even null.
    @Nullable final Number number = (Number) DimensionHandlerUtils.convertObjectToType(key, type);
    return number == null ? IntSortedSets.EMPTY_SET : rows(lookUp(keyOf(number)));
  }

  private long keyOf(Number number) {
    return keys.type() == NumberType.LONG ? number.longValue() : keys.type().sortableOf(number.doubleValue());
  }

  @Override
  public int findUniqueLong(long key) {
    if (!hasUniqueLongs) {
      throw new UnsupportedOperationException("Keys are not unique longs");
    }
    final HeldReader reader = borrow();
    try {
      final int row = reader.keys.findUnique(key);
      return row < 0 ? NOT_FOUND : row;
    } finally {
      giveBack(reader);
    }
  }

  private ImmutableBitmap lookUp(long key) {
    final RowSet found = new RowSet(keys.hashes().numRows());
    final HeldReader reader = borrow();
    try {
      reader.keys.find(key, found);
    } finally {
      giveBack(reader);
    }
    return found.toBitmap(RoaringBitmapFactory.INSTANCE);
  }

  private HeldReader borrow() {
    @Nullable final HeldReader reader = idle.poll();
    if (reader != null) {
      return reader;
    }
    final KeyedSegment.Hold hold = segment.get();
    try {
      return new HeldReader(keys.open(), hold);
    } catch (RuntimeException | Error e) {
      hold.close();
      throw e;
    }
  }

  private void giveBack(HeldReader reader) {
    idle.add(reader);
    if (isClosed) {
      close();
    }
  }

  /** Closes the holds of the pooled readers. */
  void close() {
    isClosed = true;
    for (@Nullable HeldReader reader = idle.poll(); reader != null; reader = idle.poll()) {
      reader.close();
    }
  }
}
