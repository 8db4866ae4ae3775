// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import io.shapeshift.druid.bits.Matches;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.rows.RowSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.druid.segment.data.ColumnarInts;

/** Scan for the rows of ids in a column with one value per row. For one thread. */
final class IdScan {
  private final Supplier<? extends ColumnarInts> column;
  private final QueriedRows queried;
  private final int[] ids = new int[Matches.LENGTH];
  private final Matches matches = new Matches();

  /**
   * Creates a scan.
   *
   * @param column  supplier of a column object for each scan
   * @param queried rows to search; the result may contain matching rows outside of them
   */
  IdScan(Supplier<? extends ColumnarInts> column, QueriedRows queried) {
    this.column = column;
    this.queried = queried;
  }

  /** Comparison of the {@value Matches#LENGTH} ids in {@link #ids}. */
  private interface Comparison {
    void compare(int[] ids, long[] bits, int at);
  }

  /** Adds the rows with an id from {@code from} to {@code to}, exclusive. */
  void between(int from, int to, RowSet out) {
    try (ColumnarInts values = column.get()) {
      if (values instanceof ShapeShiftingColumnarInts ours) {
        ours.find(from, to - 1, queried.from(), queried.to(), out);
        return;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (to == from + 1) {
      scan((values, bits, at) -> matches.equal(values, from, bits, at), out);
    } else {
      scan((values, bits, at) -> matches.between(values, from, to, bits, at), out);
    }
  }

  /**
   * Adds the rows with one of several ids.
   *
   * @param wanted ids, of which the first {@code length} ascend and are not negative
   */
  void in(int[] wanted, int length, RowSet out) {
    final long[] set = new long[(wanted[length - 1] >>> 6) + 1];
    for (int i = 0; i < length; i++) {
      set[wanted[i] >>> 6] |= 1L << wanted[i];
    }
    scan((values, bits, at) -> lookUp(values, set, bits, at), out);
  }

  private static void lookUp(int[] ids, long[] set, long[] bits, int at) {
    for (int word = 0; word < Matches.LENGTH / Long.SIZE; word++) {
      long found = 0;
      for (int i = 0; i < Long.SIZE; i++) {
        final int id = ids[word * Long.SIZE + i];
        found |= id >>> 6 < set.length ? (set[id >>> 6] >>> id & 1) << i : 0;
      }
      bits[at + word] = found;
    }
  }

  private void scan(Comparison comparison, RowSet out) {
    final long[] bits = out.bits();
    final long[] found = new long[Matches.LENGTH / Long.SIZE];
    final int numRows = queried.to();
    try (ColumnarInts values = column.get()) {
      // Starts at a word boundary of the result.
      int row = queried.from() & -Long.SIZE;
      for (; row <= numRows - Matches.LENGTH; row += Matches.LENGTH) {
        values.get(ids, row, Matches.LENGTH);
        comparison.compare(ids, found, 0);
        for (int i = 0; i < found.length; i++) {
          bits[(row >>> 6) + i] |= found[i];
        }
      }
      if (row < numRows) {
        values.get(ids, row, numRows - row);
        comparison.compare(ids, found, 0);
        // The last vector may be incomplete; the rest of it has ids of earlier rows.
        for (int i = 0; row + Long.SIZE * i < numRows; i++) {
          final int left = numRows - row - Long.SIZE * i;
          bits[(row >>> 6) + i] |= left < Long.SIZE ? found[i] & (-1L >>> -left) : found[i];
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
