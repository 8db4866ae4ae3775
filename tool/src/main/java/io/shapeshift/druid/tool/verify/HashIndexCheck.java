// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Place;
import io.shapeshift.druid.tool.segment.RowPart;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.roaringbitmap.IntIterator;

/** Check that a hash index finds each row of a column by its own key and by no other key. */
final class HashIndexCheck {
  private final HashIndex index;
  private final HashIndexReader reader;
  private final RowPart part;
  private final RowValues.Numbers values;
  /** Null rows, and rows that were found. */
  private final BitSet done = new BitSet();

  private HashIndexCheck(HashIndex index, RowPart part, RowValues.Numbers values, @Nullable IntList nulls) {
    this.index = index;
    this.reader = index.reader(values::key);
    this.part = part;
    this.values = values;
    if (nulls != null) {
      nulls.forEach(done::set);
    }
  }

  /**
   * Checks an index.
   *
   * @param part   row part of the numbers, for messages
   * @param values number of each row
   * @param nulls  null rows, which the index does not have; null if there are none
   * @throws Damage if a row is not found by its key, or is found by another key
   */
  static void check(HashIndex index, RowPart part, RowValues.Numbers values, @Nullable IntList nulls) {
    new HashIndexCheck(index, part, values, nulls).run();
  }

  private void run() {
    final LongSet lookedUp = new LongOpenHashSet();
    for (int row = done.nextClearBit(0); row < values.rows(); row = done.nextClearBit(row + 1)) {
      // Other rows with a key that was looked up are already found, or are missing.
      if (lookedUp.add(values.key(row))) {
        lookUp(row);
      }
      if (!done.get(row)) {
        throw new Damage(
            "row " + row + place(row) + " is " + values.number(row) + ", but the hash index does not find it");
      }
    }
    if (lookedUp.size() != index.numKeys()) {
      throw new Damage("the hash index says that it has " + index.numKeys() + " keys, but there are "
          + lookedUp.size());
    }
  }

  /** Looks up the number of a row and checks the rows found. */
  private void lookUp(int first) {
    final long key = values.key(first);
    final RowSet found = new RowSet(values.rows());
    Damage.reading("the hash index of " + values.number(first), () -> {
      reader.find(key, found);
      return found;
    });
    for (IntIterator rows = found.toBitmap(RoaringBitmapFactory.INSTANCE).iterator(); rows.hasNext(); ) {
      final int row = rows.next();
      if (values.key(row) != key || done.get(row)) {
        throw new Damage("the hash index finds row " + row + place(row) + " for " + values.number(first)
            + ", which it is not");
      }
      done.set(row);
    }
  }

  private String place(int row) {
    return Place.of(part, row, row);
  }
}
