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
 * Errors that Druid 37 itself makes when it writes bitmap indexes, mainly those of projections. Every copy of the
 * segment has them, so they are not damage:
 *
 * <ul>
 * <li>A projection stores only the first value of a multi-value row, but indexes all of them.
 * <li>If one of the merged parts has no value in a projection's dimension, the nulls of that part are not indexed. A
 * projection stores empty arrays as null, but does not index them.
 * <li>The bitmap of a value without rows is empty. Druid's reader fails on it if it has read another bitmap before.
 * </ul>
 */
final class DruidFaults {
  private final SegmentColumn column;
  private final boolean mayIndexSeveralValues;
  private final boolean mayLackNulls;
  private final Supplier<BitSet> idsAmongSeveral = Suppliers.memoize(this::readIdsAmongSeveral);
  private int extraRows;
  private int lackedNulls;
  /** Whether an added bitmap had rows. */
  private boolean hasRows;
  private int emptyBitmaps;

  private DruidFaults(SegmentColumn column, boolean mayIndexSeveralValues, boolean mayLackNulls) {
    this.column = column;
    this.mayIndexSeveralValues = mayIndexSeveralValues;
    this.mayLackNulls = mayLackNulls;
  }

  /**
   * Errors that an index of values can have. None if the index is a posting index or the column is multi-value.
   *
   * @param values      ids of the rows
   * @param isNullFirst whether the first id is null
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

  /** Whether a row may be in the bitmap of an id that it does not have. Counts the row if so. */
  boolean allowsExtraRow(int id) {
    final boolean isAllowed =
        mayIndexSeveralValues && (idsAmongSeveral.get() == null || idsAmongSeveral.get().get(id));
    if (isAllowed) {
      extraRows++;
    }
    return isAllowed;
  }

  /**
   * Ids in multi-value rows of the base table; null if the base table does not have the column, or it cannot be read.
   */
  @Nullable
  private BitSet readIdsAmongSeveral() {
    @Nullable final SegmentColumn parent = column.parent();
    try {
      return parent != null
          && RowReader.read(parent.parts().rows(), parent.knownRows()) instanceof RowValues.MultiIds ids
             ? amongSeveral(ids)
             : null;
    } catch (Damage e) {
      // The failure of the base table's column is reported separately.
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

  /** Whether a row may be missing in the bitmap of its id. Counts the row if so. */
  boolean allowsLackingRow(int id) {
    final boolean isAllowed = mayLackNulls && id == 0;
    if (isAllowed) {
      lackedNulls++;
    }
    return isAllowed;
  }

  /** Adds the next bitmap. Druid's reader of string bitmaps fails on an empty bitmap after a non-empty one. */
  void addBitmap(boolean isEmpty) {
    if (isEmpty && hasRows && column.type().equals("STRING") && column.parts().index().lists() == null) {
      emptyBitmaps++;
    }
    hasRows |= !isEmpty;
  }

  /** Describes the errors found and what to do; null if there are none. */
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

  /**
   * Advice to the user. Posting lists are built from the rows, unless the rows have fewer values than must be indexed,
   * or the column has a spatial index.
   */
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
