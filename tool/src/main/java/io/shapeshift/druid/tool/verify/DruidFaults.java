// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.RowReader;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.ArrayList;
import java.util.BitSet;
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
  private final Supplier<BitSet> idsAmongSeveral = Suppliers.memoize(this::readIdsAmongSeveral);
  private int extraRows;
  private int lackedNulls;
  /** Whether a bitmap that was added has rows. */
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
  boolean allowsExtraRow(int id) {
    final boolean isAllowed =
        mayIndexSeveralValues && (idsAmongSeveral.get() == null || idsAmongSeveral.get().get(id));
    if (isAllowed) {
      extraRows++;
    }
    return isAllowed;
  }

  /** The ids that rows with several values of the base table have; null if that cannot be read, or has no column. */
  @Nullable
  private BitSet readIdsAmongSeveral() {
    @Nullable final SegmentColumn parent = column.parent();
    try {
      return parent != null
          && RowReader.read(parent.parts().rows(), parent.knownRows()) instanceof RowValues.MultiIds ids
             ? amongSeveral(ids)
             : null;
    } catch (Damage e) {
      // The parent has a message of its own.
      return null;
    }
  }

  private static BitSet amongSeveral(RowValues.MultiIds ids) {
    final BitSet among = new BitSet();
    for (int row = 0; row < ids.rows(); row++) {
      final int start = ids.offsets()[row];
      final int end = ids.offsets()[row + 1];
      for (int i = start; end - start > 1 && i < end; i++) {
        among.set(ids.ids()[i]);
      }
    }
    return among;
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
          "Druid 37 stores only the first value of a row with several in a projection, but its index has all of them,"
              + " here %,d more: queries that use the projection find and count other rows than those of the table"
              + (column.parent() == null ? " (in a virtual column this cannot be told apart from damage)" : ""),
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
    final String again = "Ingest or compact the segment again";
    final String otherIndex = " with an indexEncodingStrategy of shapeshift";
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    final boolean canHaveLists = !mayIndexSeveralValues && (dictionary == null || dictionary.canShapeShift());
    if (column.projection() == null) {
      return again + (canHaveLists ? otherIndex : "");
    }
    return again + " without projection " + column.projection().name() + (canHaveLists ? ", or" + otherIndex : "");
  }
}
