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
 * The index of a column: its posting lists, or its ids where they answer as well. Serves any number of threads, and
 * gives each index object of Druid's bitmaps of its own.
 *
 * <p>How rows are found is decided by the estimated time. Reading lists takes a time for each byte of theirs, less
 * where they are so dense that they are bitmaps, and a time for each list that does not follow the one before. A scan
 * takes a time for each row of the segment, more if any set of ids is looked for than if a range is: see
 * {@link CostModel.Indexes}.
 */
public final class PostingIndex implements Supplier<ValueBitmaps> {
  /** One for all indexes: of the segments that are loaded, most are not asked. */
  private static final SoftReference<ImmutableBitmap> NO_BITMAP = new SoftReference<>(null);
  private static final SoftReference<InvertedIds> NOT_INVERTED = new SoftReference<>(null);

  private final PostingLists lists;
  @Nullable
  private final Supplier<? extends ColumnarInts> ids;
  private final BitmapFactory bitmapFactory;
  private final boolean isRoaring;
  /** The rows of the first id, which is that of null: columns of numbers ask for it each time that one is opened. */
  private volatile SoftReference<ImmutableBitmap> first = NO_BITMAP;
  /** The rows of all ids, while someone asks for one after another and there are no lists. */
  private volatile SoftReference<InvertedIds> inverted = NOT_INVERTED;
  private volatile int lastId = -1;
  private volatile int gets;

  /**
   * Makes an index.
   *
   * @param ids the ids of a column with one value per row; null if rows have several
   */
  public PostingIndex(
      PostingLists lists,
      @Nullable Supplier<? extends ColumnarInts> ids,
      BitmapFactory bitmapFactory
  ) {
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

  /** The rows of each value, for whoever may be asked what Druid's bitmaps answer, and nothing else. */
  @Override
  public ValueBitmaps get() {
    return bitmaps(QueriedRows.all(lists.numRows()), true);
  }

  /** The rows of each value that a query reads; if there are lists, all of them. */
  ValueBitmaps get(QueriedRows queried) {
    return bitmaps(queried, false);
  }

  /** Whether there are bitmaps by scans alone, of the rows that a query reads. */
  static boolean isScanned(Supplier<? extends ValueBitmaps> bitmaps) {
    return bitmaps instanceof PostingIndex index && !index.lists.hasLists();
  }

  private ValueBitmaps bitmaps(QueriedRows queried, boolean byStockRules) {
    return lists.hasLists() ? new ListBitmaps(byStockRules) : new ScannedBitmaps(queried, byStockRules);
  }

  /** Bitmaps by lists, or by a scan where that is cheaper. */
  private final class ListBitmaps extends Bitmaps {
    private final PostingListsReader reader = lists.reader();

    private ListBitmaps(boolean byStockRules) {
      super(QueriedRows.all(lists.numRows()), byStockRules);
    }

    @Override
    ImmutableBitmap read(int id) {
      @Nullable final ImmutableRoaringBitmap bitmap = isRoaring ? reader.bitmap(id) : null;
      if (bitmap != null) {
        return new WrappedImmutableRoaringBitmap(bitmap);
      }
      final RowSet rows = new RowSet(lists.numRows());
      reader.read(id, id + 1, rows);
      return rows.toBitmap(bitmapFactory);
    }

    @Override
    void add(int from, int to, RowSet rows) {
      if (ids != null && cost(from, to) > CostModel.Indexes.COMPARISON_NANOS * lists.numRows()) {
        scan().between(from, to, rows);
      } else {
        reader.read(from, to, rows);
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
        reader.read(wanted[first], wanted[i - 1] + 1, rows);
      }
    }

    private double cost(int from, int to) {
      final long bytes = reader.bytes(from, to);
      final boolean isDense = bytes / (to - from) > lists.numRows() / CostModel.Indexes.ROWS_PER_DENSE_BYTE;
      return bytes * (isDense ? CostModel.Indexes.DENSE_BYTE_NANOS : CostModel.Indexes.LIST_BYTE_NANOS);
    }
  }

  /** Bitmaps by scans. */
  private final class ScannedBitmaps extends Bitmaps {
    private final int numScanned;
    /** The rows that scans have looked at. */
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
        // Expressions ask for the ids that they match only, one by one.
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

  /** The rows of all ids, if it is likely that they will be asked for; else null. */
  @Nullable
  private InvertedIds inverted(int id) {
    // Of threads that ask at the same time some may not be counted, or invert the ids as well.
    gets = id == lastId + 1 ? gets + 1 : 1;
    lastId = id;
    @Nullable InvertedIds all = inverted.get();
    if (all == null && gets >= CostModel.Indexes.MANY_GETS) {
      all = InvertedIds.of(ids, lists);
      inverted = new SoftReference<>(all);
    }
    if (id == lists.size() - 1) {
      // Whoever asked for all is done.
      inverted = NOT_INVERTED;
    }
    return all;
  }

  /** What both kinds share. */
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
        // Once for a filter: an expression may look for one id after another.
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
      if (ids != null && to - from == size()) {
        // Each row has one of all ids.
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
