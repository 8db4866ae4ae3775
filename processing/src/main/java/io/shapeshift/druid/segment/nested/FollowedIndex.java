// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.index.QueriedBitmaps;
import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.segment.index.ValueBitmaps;
import java.lang.ref.SoftReference;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;

/**
 * Index of a field whose ids follow from structures that have posting lists. The rows of some ids are those of the
 * structures with the ids, without all exceptions, and the exceptions with the ids. For any number of threads.
 */
final class FollowedIndex implements QueriedBitmaps {
  private static final SoftReference<ImmutableBitmap> NO_BITMAP = new SoftReference<>(null);

  private final int numIds;
  private final Structures structures;
  private final Supplier<FollowedIds> ids;
  /** Rows of each id that are exceptions; null if there are none. */
  @Nullable
  private final PostingLists exceptions;
  private final BitmapFactory factory;
  /** Rows of the first id, which is that of null. Number columns request them each time one is opened. */
  private volatile SoftReference<ImmutableBitmap> first = NO_BITMAP;

  /**
   * Creates an index.
   *
   * @param exceptions rows of each id that are exceptions; null if there are none
   */
  FollowedIndex(
      int numIds,
      Structures structures,
      Supplier<FollowedIds> ids,
      @Nullable PostingLists exceptions,
      BitmapFactory factory
  ) {
    this.numIds = numIds;
    this.structures = structures;
    this.ids = ids;
    this.exceptions = exceptions;
    this.factory = factory;
  }

  @Override
  public ValueBitmaps get() {
    return new Bitmaps(Double.POSITIVE_INFINITY);
  }

  @Override
  public ValueBitmaps get(QueriedRows queried) {
    return new Bitmaps(CostModel.Indexes.COMPARISON_NANOS * structures.numRows());
  }

  private final class Bitmaps implements ValueBitmaps {
    private final QueriedRows queried = QueriedRows.all(structures.numRows());
    private final double nanosToScan;
    private final FollowedIds followed = ids.get();
    @Nullable
    private final PostingListsReader reader = exceptions == null ? null : exceptions.reader();

    private Bitmaps(double nanosToScan) {
      this.nanosToScan = nanosToScan;
    }

    @Override
    public int size() {
      return numIds;
    }

    @Override
    public ImmutableBitmap get(int id) {
      if (id > 0) {
        return read(new int[]{id}, 1);
      }
      @Nullable ImmutableBitmap rows = first.get();
      if (rows == null) {
        rows = read(new int[]{id}, 1);
        first = new SoftReference<>(rows);
      }
      return rows;
    }

    @Override
    public ImmutableBitmap union(int from, int to) {
      if (to == from + 1) {
        return get(from);
      }
      final BitSet wanted = new BitSet();
      if (from < to) {
        followed.structureIds().addStructuresOf(from, to, wanted);
      }
      final RowSet rows = followers(wanted);
      if (reader != null && from < to) {
        reader.read(from, to, rows);
      }
      return rows.toBitmap(factory);
    }

    @Override
    public ImmutableBitmap union(int[] wanted, int length) {
      return length == 1 ? get(wanted[0]) : read(wanted, length);
    }

    private ImmutableBitmap read(int[] wanted, int length) {
      final BitSet found = new BitSet();
      for (int i = 0; i < length; i++) {
        followed.structureIds().addStructuresOf(wanted[i], wanted[i] + 1, found);
      }
      final RowSet rows = followers(found);
      for (int i = 0; reader != null && i < length; i++) {
        reader.read(wanted[i], wanted[i] + 1, rows);
      }
      return rows.toBitmap(factory);
    }

    /** Returns the rows of structures, without all exceptions. */
    private RowSet followers(BitSet wanted) {
      final RowSet rows = new RowSet(structures.numRows());
      if (!wanted.isEmpty()) {
        structures.addRowsOf(wanted, rows);
        if (followed.exceptions() != null) {
          rows.removeAll(followed.exceptions().rows());
        }
      }
      return rows;
    }

    @Override
    public QueriedRows queried() {
      return queried;
    }

    @Override
    public boolean followStockRules() {
      return true;
    }

    @Override
    public double nanosToScan() {
      return nanosToScan;
    }

    @Override
    public BitmapFactory bitmapFactory() {
      return factory;
    }
  }
}
