// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.rows.RowSet;
import java.lang.ref.SoftReference;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.collections.bitmap.WrappedImmutableRoaringBitmap;
import org.apache.druid.segment.data.ColumnarInts;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * Index of a column: its posting lists, or a scan of its ids. For any number of threads; each of Druid's index objects
 * gets a {@link ValueBitmaps} of its own.
 *
 * <p>The faster way is chosen by estimated time. Reading lists costs a time per byte, less for dense lists, which are
 * bitmaps, and a time per list that does not follow the previous one. A scan costs a time per row, more for a set of
 * ids than for a range. See {@link CostModel.Indexes}.
 */
public final class PostingIndex implements QueriedBitmaps {
  /** Shared, because most loaded segments are never queried by bitmap. */
  private static final SoftReference<ImmutableBitmap> NO_BITMAP = new SoftReference<>(null);
  private static final SoftReference<InvertedIds> NOT_INVERTED = new SoftReference<>(null);

  private final PostingLists lists;
  @Nullable
  private final Supplier<? extends ColumnarInts> ids;
  private final BitmapFactory bitmapFactory;
  private final boolean isRoaring;
  /** Whether the list of id 0 is empty, and its rows are those that are in no other list. */
  private final boolean isFirstImplied;
  /** Rows of the first id, which is that of null. Number columns request them each time one is opened. */
  private volatile SoftReference<ImmutableBitmap> first = NO_BITMAP;
  /** Rows of every id, for a column without posting lists. Kept while a caller iterates over the ids. */
  private volatile SoftReference<InvertedIds> inverted = NOT_INVERTED;
  private volatile int lastId = -1;
  private volatile int gets;

  /**
   * Creates an index.
   *
   * @param ids ids of a single-value column; null for a multi-value column
   */
  public PostingIndex(
      PostingLists lists,
      @Nullable Supplier<? extends ColumnarInts> ids,
      BitmapFactory bitmapFactory
  ) {
    this(lists, ids, bitmapFactory, false);
  }

  /**
   * Creates an index.
   *
   * @param ids            ids of a single-value column; null for a multi-value column, or if the lists tell all ids
   * @param isFirstImplied whether the list of id 0 is empty, and its rows are those that are in no other list
   */
  public PostingIndex(
      PostingLists lists,
      @Nullable Supplier<? extends ColumnarInts> ids,
      BitmapFactory bitmapFactory,
      boolean isFirstImplied
  ) {
    this.isFirstImplied = isFirstImplied;
    this.lists = lists;
    this.ids = ids;
    this.bitmapFactory = bitmapFactory;
    this.isRoaring = bitmapFactory instanceof RoaringBitmapFactory;
    if (!lists.hasLists() && ids == null) {
      throw lists.withoutIds();
    }
  }

  /** The posting lists. */
  public PostingLists lists() {
    return lists;
  }

  @Override
  public ValueBitmaps get() {
    return bitmaps(QueriedRows.all(lists.numRows()), true);
  }

  @Override
  public ValueBitmaps get(QueriedRows queried) {
    return bitmaps(queried, false);
  }

  /** Whether bitmaps are computed by scans only, over the rows that a query reads. */
  static boolean isScanned(Supplier<? extends ValueBitmaps> bitmaps) {
    return bitmaps instanceof PostingIndex index && !index.lists.hasLists();
  }

  private ValueBitmaps bitmaps(QueriedRows queried, boolean byStockRules) {
    return lists.hasLists() ? new ListBitmaps(byStockRules) : new ScannedBitmaps(queried, byStockRules);
  }

  /** Bitmaps from posting lists, or from a scan if that is cheaper. */
  private final class ListBitmaps extends Bitmaps {
    private final PostingListsReader reader = lists.reader();

    private ListBitmaps(boolean byStockRules) {
      super(QueriedRows.all(lists.numRows()), byStockRules);
    }

    @Override
    ImmutableBitmap read(int id) {
      final boolean isStored = id > 0 || !isFirstImplied;
      @Nullable final ImmutableRoaringBitmap bitmap = isRoaring && isStored ? reader.bitmap(id) : null;
      if (bitmap != null) {
        return new WrappedImmutableRoaringBitmap(bitmap);
      }
      final RowSet rows = new RowSet(lists.numRows());
      readLists(id, id + 1, rows);
      return rows.toBitmap(bitmapFactory);
    }

    private void readLists(int from, int to, RowSet rows) {
      if (from > 0 || !isFirstImplied) {
        reader.read(from, to, rows);
      } else if (ids == null) {
        final RowSet others = new RowSet(lists.numRows());
        reader.read(to, size(), others);
        rows.addAllBut(others);
      } else {
        scan().between(0, 1, rows);
        reader.read(1, to, rows);
      }
    }

    @Override
    void add(int from, int to, RowSet rows) {
      if (ids != null && cost(from, to) > CostModel.Indexes.COMPARISON_NANOS * lists.numRows()) {
        scan().between(from, to, rows);
      } else {
        readLists(from, to, rows);
      }
    }

    @Override
    void add(int[] wanted, int length, RowSet rows) {
      final int from = wanted[0];
      final int to = wanted[length - 1] + 1;
      final double cost = cost(from, to) * length / ((double) to - from) + CostModel.Indexes.LIST_NANOS * length;
      if (ids != null && cost > CostModel.Indexes.LOOKUP_NANOS * lists.numRows()) {
        scan().in(wanted, length, rows);
        return;
      }
      for (int i = 0; i < length; ) {
        final int first = i++;
        while (i < length && wanted[i] == wanted[i - 1] + 1) {
          i++;
        }
        readLists(wanted[first], wanted[i - 1] + 1, rows);
      }
    }

    private double cost(int from, int to) {
      final long bytes = reader.bytes(from, to);
      final boolean isDense = bytes / (to - from) > lists.numRows() / CostModel.Indexes.ROWS_PER_DENSE_BYTE;
      return bytes * (isDense ? CostModel.Indexes.DENSE_BYTE_NANOS : CostModel.Indexes.LIST_BYTE_NANOS);
    }
  }

  /** Bitmaps from scans only. */
  private final class ScannedBitmaps extends Bitmaps {
    private final int numScanned;
    /** Total number of scanned rows. */
    private long scanned;
    @Nullable
    private InvertedIds all;

    private ScannedBitmaps(QueriedRows queried, boolean byStockRules) {
      super(queried, byStockRules);
      this.numScanned = queried.count();
    }

    @Override
    ImmutableBitmap read(int id) {
      if (all == null) {
        // Expressions request only the ids that they match, one at a time.
        all = scanned < (long) CostModel.Indexes.MANY_GETS * lists.numRows()
              ? inverted(id)
              : InvertedIds.of(ids, lists);
      }
      final RowSet rows = new RowSet(lists.numRows());
      if (all == null) {
        scan().between(id, id + 1, rows);
        scanned += numScanned;
      } else {
        all.add(id, rows);
      }
      return rows.toBitmap(bitmapFactory);
    }

    @Override
    void add(int from, int to, RowSet rows) {
      scan().between(from, to, rows);
    }

    @Override
    void add(int[] wanted, int length, RowSet rows) {
      scan().in(wanted, length, rows);
    }
  }

  /** Inverts the column if the caller is likely to request all ids; otherwise returns null. */
  @Nullable
  private InvertedIds inverted(int id) {
    // Not synchronized: calls of concurrent threads may go uncounted, or may invert the ids twice.
    gets = id == lastId + 1 ? gets + 1 : 1;
    lastId = id;
    @Nullable InvertedIds all = inverted.get();
    if (all == null && gets >= CostModel.Indexes.MANY_GETS) {
      all = InvertedIds.of(ids, lists);
      inverted = new SoftReference<>(all);
    }
    if (id == lists.size() - 1) {
      // A caller that iterates over all ids is done at the last one.
      inverted = NOT_INVERTED;
    }
    return all;
  }

  /** Base class of both kinds of bitmaps. */
  private abstract class Bitmaps implements ValueBitmaps {
    private final QueriedRows queried;
    private final boolean byStockRules;
    @Nullable
    private IdScan scan;

    private Bitmaps(QueriedRows queried, boolean byStockRules) {
      this.queried = queried;
      this.byStockRules = byStockRules;
    }

    IdScan scan() {
      if (scan == null) {
        // Counted once per filter: an expression may look up one id after another.
        queried.budget().scanned();
        scan = new IdScan(ids, queried);
      }
      return scan;
    }

    abstract ImmutableBitmap read(int id);

    abstract void add(int from, int to, RowSet rows);

    abstract void add(int[] wanted, int length, RowSet rows);

    @Override
    public int size() {
      return lists.size();
    }

    @Override
    public ImmutableBitmap get(int id) {
      if (id != 0 || queried.count() < lists.numRows()) {
        return read(id);
      }
      @Nullable ImmutableBitmap rows = first.get();
      if (rows == null) {
        rows = read(id);
        first = new SoftReference<>(rows);
      }
      return rows;
    }

    @Override
    public ImmutableBitmap union(int from, int to) {
      if (to <= from) {
        return bitmapFactory.makeEmptyImmutableBitmap();
      }
      if (to == from + 1) {
        return get(from);
      }
      final RowSet rows = new RowSet(lists.numRows());
      if ((ids != null || isFirstImplied) && to - from == size()) {
        // Every row has one of the ids.
        rows.addRun(0, lists.numRows());
      } else {
        add(from, to, rows);
      }
      return rows.toBitmap(bitmapFactory);
    }

    @Override
    public ImmutableBitmap union(int[] wanted, int length) {
      if (length == 0) {
        return bitmapFactory.makeEmptyImmutableBitmap();
      }
      if (wanted[length - 1] - wanted[0] == length - 1) {
        return union(wanted[0], wanted[length - 1] + 1);
      }
      final RowSet rows = new RowSet(lists.numRows());
      add(wanted, length, rows);
      return rows.toBitmap(bitmapFactory);
    }

    @Override
    public QueriedRows queried() {
      return queried;
    }

    @Override
    public boolean followStockRules() {
      return byStockRules || lists.hasLists();
    }

    @Override
    public double nanosToScan() {
      return ids == null || byStockRules
             ? Double.POSITIVE_INFINITY
             : CostModel.Indexes.COMPARISON_NANOS * queried.scanned(lists.numRows());
    }

    @Override
    public BitmapFactory bitmapFactory() {
      return bitmapFactory;
    }
  }
}
