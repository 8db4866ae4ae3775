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

/** Looks every key of a column up in its hash index: each row has to be found by its own key, and by no other. */
final class HashIndexCheck {
  private final HashIndex index;
  private final HashIndexReader reader;
  private final RowPart part;
  private final RowValues.Numbers values;
  /** The rows that are null, and those that were found. */
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
   * @param part   the numbers, for messages
   * @param values the number of each row
   * @param nulls  the rows that are null, which the index does not have; null if there are none
   * @throws Damage if a row is not found by its key, or is found by another one
   */
  static void check(HashIndex index, RowPart part, RowValues.Numbers values, @Nullable IntList nulls) {
    new HashIndexCheck(index, part, values, nulls).run();
  }

  private void run() {
    final LongSet lookedUp = new LongOpenHashSet();
    for (int row = done.nextClearBit(0); row < values.rows(); row = done.nextClearBit(row + 1)) {
      // Another row of a key that was looked up is found already, or never.
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

  /** Finds the rows that have the number of a row. */
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
