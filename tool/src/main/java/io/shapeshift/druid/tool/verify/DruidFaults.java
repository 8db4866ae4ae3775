// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.annotation.Nullable;

/**
 * Faults that Druid 37 itself makes when it writes bitmap indexes, above all those of projections. They are in each
 * copy of the segment, so they are no damage:
 *
 * <ul>
 * <li>A projection keeps the first of several values of a row, and indexes all of them.
 * <li>A merge of parts, of which one has no value of a projection's dimension at all, indexes no null of that part; nor
 *     does a projection index empty arrays, which are null in it.
 * <li>The bitmap of a value that no row has is empty. Druid's reader fails there, if it read another bitmap before.
 * </ul>
 */
final class DruidFaults {
  private final SegmentColumn column;
  private final boolean mayIndexSeveralValues;
  private final boolean mayLackNulls;
  private int extraRows;
  private int lackedNulls;
  /** Whether a bitmap has. */
  private boolean hasRows;
  private int emptyBitmaps;

  private DruidFaults(SegmentColumn column, boolean mayIndexSeveralValues, boolean mayLackNulls) {
    this.column = column;
    this.mayIndexSeveralValues = mayIndexSeveralValues;
    this.mayLackNulls = mayLackNulls;
  }

  /**
   * The faults that an index of values can have; none if it is ours, or the rows have several values.
   *
   * @param values      the ids of the rows
   * @param isNullFirst whether the first id is that of null
   */
  static DruidFaults of(SegmentColumn column, RowValues values, boolean isNullFirst) {
    final boolean isProjections = column.projection() != null
        && column.parts().isString()
        && column.parts().index().lists() == null
        && values instanceof RowValues.Ids;
    @Nullable final SegmentColumn parent = column.parent();
    return new DruidFaults(
        column,
        isProjections && (parent == null || parent.parts().multiValue()),
        isProjections && parent != null && isNullFirst
    );
  }

  /** Whether a row may be in the bitmap of an id that it does not have; if so, it is counted. */
  boolean allowsExtraRow() {
    if (mayIndexSeveralValues) {
      extraRows++;
    }
    return mayIndexSeveralValues;
  }

  /** Whether a row may lack in the bitmap of its id; if so, it is counted. */
  boolean allowsLackingRow(int id) {
    final boolean isAllowed = mayLackNulls && id == 0;
    if (isAllowed) {
      lackedNulls++;
    }
    return isAllowed;
  }

  /** Takes the next bitmap. Druid's reader of strings' bitmaps fails at an empty one behind one that is not. */
  void addBitmap(boolean isEmpty) {
    if (isEmpty && hasRows && column.type().equals("STRING") && column.parts().index().lists() == null) {
      emptyBitmaps++;
    }
    hasRows |= !isEmpty;
  }

  /** What to say of the faults that were found, and what to do; null if there are none. */
  @Nullable
  String note() {
    final List<String> notes = new ArrayList<>();
    if (extraRows > 0) {
      notes.add(String.format(
          Locale.ROOT,
          "Druid 37 keeps the first of a row's values in a projection only, and indexes all, here %,d more: queries"
              + " that use it find and count other rows than those of the table",
          extraRows
      ));
    }
    if (lackedNulls > 0) {
      notes.add(String.format(
          Locale.ROOT,
          "Druid 37 left %,d nulls out of the index of the projection, as it does with empty arrays, and with parts"
              + " that have no value of the column when it merges them: filters on null miss them in queries that use"
              + " it",
          lackedNulls
      ));
    }
    if (emptyBitmaps > 0) {
      notes.add(String.format(
          Locale.ROOT,
          "Druid 37 fails at empty bitmaps, here %,d, of values that no row has (IndexOutOfBoundsException), if a"
              + " filter asks for other values as well",
          emptyBitmaps
      ));
    }
    return notes.isEmpty() ? null : String.join("; ", notes) + ". " + advice();
  }

  /** Posting lists are made of the rows, unless these have less than is to be indexed, or there is a spatial index. */
  private String advice() {
    final String again = "Write the segment again";
    final String otherIndex = " with an indexEncodingStrategy of shapeshift";
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    final boolean canHaveLists = !mayIndexSeveralValues && (dictionary == null || dictionary.canShapeShift());
    if (column.projection() == null) {
      return again + (canHaveLists ? otherIndex : "");
    }
    return again + " without projection " + column.projection().name() + (canHaveLists ? ", or" + otherIndex : "");
  }
}
