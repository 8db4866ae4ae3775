// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import java.io.IOException;
import org.apache.druid.segment.data.BitmapSerdeFactory;

/**
 * What an index of values tells: for each dictionary id the rows that have it, apart from how that is stored.
 *
 * @param numRows rows of the table
 * @param ends    for each id where its rows end in {@code rows}; they start where those of the id before end
 * @param rows    the rows of all ids, one id behind the other; those of an id ascend, each once
 * @param bitmaps the kind of bitmaps that queries get, and that Druid stores
 * @param owner   what Druid's writer of the column does
 */
@SuppressWarnings("ArrayRecordComponent") // They are handed on, never compared or changed.
public record IndexValues(int numRows, int[] ends, int[] rows, BitmapSerdeFactory bitmaps, Owner owner) {
  /** The kinds of columns, whose writers are not the same. */
  public enum Owner {
    /** Strings of a declared type, of which ids may answer in the place of lists. */
    STRINGS,
    /** Of type {@code auto} with values of one type, in which Druid has no bitmap for an id that no row has. */
    AUTO_SCALARS,
    /** Of type {@code auto} with values of several types, or arrays. */
    AUTO_VARIANTS
  }

  /** Takes the rows of one id. */
  @FunctionalInterface
  interface Sink {
    /** Takes the rows of the next id: those of {@link #rows} from one position to before another. */
    void accept(int from, int to) throws IOException;
  }

  /** How many ids there are. */
  public int size() {
    return ends.length;
  }

  /** Where in {@link #rows} those of an id start. */
  public int start(int id) {
    return id == 0 ? 0 : ends[id - 1];
  }

  /** Whether there is an id that no row has, as in projections that share a dictionary. */
  public boolean hasUnusedIds() {
    for (int id = 0; id < ends.length; id++) {
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
