// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.Arrays;

/** Strictly ascending rows of each dictionary id. */
final class RowsById {
  private final int[] starts;
  private final int[] ends;
  private final int[] rows;

  /**
   * Sorts rows by their ids.
   *
   * @param values ids, all within the dictionary
   */
  RowsById(RowValues values) {
    final RowValues.MultiIds multi = values instanceof RowValues.MultiIds m ? m : null;
    final int[] ids = multi == null ? ((RowValues.Ids) values).ids() : multi.ids();
    final int cardinality = multi == null ? ((RowValues.Ids) values).cardinality() : multi.cardinality();
    starts = new int[cardinality + 1];
    for (int id : ids) {
      starts[id + 1]++;
    }
    Arrays.parallelPrefix(starts, Integer::sum);
    ends = Arrays.copyOf(starts, cardinality);
    rows = new int[ids.length];
    for (int row = 0; row < values.rows(); row++) {
      final int from = multi == null ? row : multi.offsets()[row];
      final int to = multi == null ? row + 1 : multi.offsets()[row + 1];
      for (int i = from; i < to; i++) {
        final int id = ids[i];
        if (ends[id] == starts[id] || rows[ends[id] - 1] != row) {
          rows[ends[id]++] = row;
        }
      }
    }
  }

  /** Number of ids. */
  int cardinality() {
    return ends.length;
  }

  /** Position of the first row with an id. */
  int start(int id) {
    return starts[id];
  }

  /** Position behind the last row with an id. */
  int end(int id) {
    return ends[id];
  }

  /** Row at a position. */
  int row(int position) {
    return rows[position];
  }
}
