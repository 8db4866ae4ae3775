// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.index.IdBitmaps;
import java.lang.ref.SoftReference;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;

/**
 * Index of a field whose ids follow from structures that have posting lists. The rows of an id are those of the
 * structures with the id, without all exceptions, and the exceptions with the id. For any number of threads.
 */
final class FollowedIndex implements Supplier<IdBitmaps> {
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
  /** Rows that are not exceptions. */
  private volatile SoftReference<ImmutableBitmap> followers = NO_BITMAP;

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
  public IdBitmaps get() {
    return new Bitmaps();
  }

  private ImmutableBitmap followers() {
    @Nullable ImmutableBitmap known = followers.get();
    if (known == null) {
      final RowSet listed = new RowSet(structures.numRows());
      final int[] rows = ids.get().exceptions().rows();
      listed.add(rows, 0, rows.length);
      known = factory.complement(listed.toBitmap(factory), structures.numRows());
      followers = new SoftReference<>(known);
    }
    return known;
  }

  private final class Bitmaps implements IdBitmaps {
    private final StructureIds structureIds = ids.get().structureIds();
    @Nullable
    private final PostingListsReader reader = exceptions == null ? null : exceptions.reader();

    @Override
    public int size() {
      return numIds;
    }

    @Override
    public ImmutableBitmap get(int id) {
      if (id > 0) {
        return read(id);
      }
      @Nullable ImmutableBitmap rows = first.get();
      if (rows == null) {
        rows = read(id);
        first = new SoftReference<>(rows);
      }
      return rows;
    }

    private ImmutableBitmap read(int id) {
      final BitSet wanted = structureIds.structuresOf(id);
      final RowSet rows = new RowSet(structures.numRows());
      if (reader == null) {
        structures.addRowsOf(wanted, rows);
        return rows.toBitmap(factory);
      }
      reader.read(id, id + 1, rows);
      final ImmutableBitmap listed = rows.toBitmap(factory);
      if (wanted.isEmpty()) {
        return listed;
      }
      final RowSet followed = new RowSet(structures.numRows());
      structures.addRowsOf(wanted, followed);
      return followed.toBitmap(factory).intersection(followers()).union(listed);
    }
  }
}
