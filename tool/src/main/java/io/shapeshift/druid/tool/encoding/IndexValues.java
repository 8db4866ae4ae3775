// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import java.io.IOException;
import org.apache.druid.segment.data.BitmapSerdeFactory;

/**
 * Contents of an index of values: the rows of each dictionary id, independent of their encoding.
 *
 * @param numRows number of rows of the table
 * @param ends    end of each id's rows in {@code rows}; they start at the end of the previous id's rows
 * @param rows    rows of all ids, id by id; the rows of an id strictly ascend
 * @param bitmaps type of the bitmaps that queries get, and that Druid stores
 * @param owner   kind of column, which determines Druid's writer
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are only passed on, never compared or modified.
public record IndexValues(int numRows, int[] ends, int[] rows, BitmapSerdeFactory bitmaps, Owner owner) {
  /** Kinds of columns with different writers. */
  public enum Owner {
    /** Strings of a declared type. A scan of ids may replace the lists. */
    STRINGS,
    /** {@code auto} columns with values of one type. Druid stores no bitmap for an id without rows. */
    AUTO_SCALARS,
    /** {@code auto} columns with values of several types, or with arrays. */
    AUTO_VARIANTS
  }

  /** Receiver of the rows of each id. */
  @FunctionalInterface
  interface Sink {
    /** Receives the rows of the next id: the positions in {@link #rows} from {@code from} to {@code to}, exclusive. */
    void accept(int from, int to) throws IOException;
  }

  /** Number of ids. */
  public int size() {
    return ends.length;
  }

  /** Start of an id's rows in {@link #rows}. */
  public int start(int id) {
    return id == 0 ? 0 : ends[id - 1];
  }

  /** Whether an id from {@code first} on has no rows, as in projections that share a dictionary. */
  public boolean hasUnusedIds(int first) {
    for (int id = first; id < ends.length; id++) {
      if (start(id) == ends[id]) {
        return true;
      }
    }
    return false;
  }

  void forEach(Sink sink) throws IOException {
    for (int id = 0; id < ends.length; id++) {
      sink.accept(start(id), ends[id]);
    }
  }
}
