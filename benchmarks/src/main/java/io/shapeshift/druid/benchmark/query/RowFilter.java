// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.ToolException;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.roaringbitmap.IntIterator;

/**
 * A filter that lets a share of a segment's rows through.
 *
 * @param filter       null to let all through
 * @param selectedRows how many it lets through
 */
record RowFilter(@Nullable DimFilter filter, int selectedRows) {
  /** How much larger or smaller than asked for a share may be. */
  private static final int TOLERANCE = 2;
  private static final int MAX_DRAWS = 20_000;

  /**
   * Makes an {@code in} filter, of the values of rows that are drawn at random, the same at each call, until the
   * values' rows reach the share. So frequent values are likelier, as they are in queries, and there are few of them.
   *
   * @param column a string column with an index; its values that would make the share too large are left out
   * @param share  of the rows; 1 for no filter
   * @throws ToolException if no values have about that number of rows
   */
  static RowFilter of(QueryableIndex segment, String column, double share) {
    final int numRows = segment.getNumRows();
    if (share == 1) {
      return new RowFilter(null, numRows);
    }
    final ColumnHolder holder = segment.getColumnHolder(column);
    @Nullable final DictionaryEncodedStringValueIndex index =
        holder.getIndexSupplier() == null
        ? null
        : holder.getIndexSupplier().as(DictionaryEncodedStringValueIndex.class);
    if (index == null) {
      throw new ToolException("column " + column, "it has no index to filter by", "Select all rows: -p selected=1");
    }
    final double wanted = numRows * share;
    final Set<String> values = new HashSet<>();
    final IntSet tried = new IntOpenHashSet();
    final BitSet rows = new BitSet(numRows);
    int selectedRows = 0;
    final Random random = new Random(1);
    try (DictionaryEncodedColumn<?> ids = (DictionaryEncodedColumn<?>) holder.getColumn()) {
      for (int draws = 0; draws < MAX_DRAWS && selectedRows < wanted; draws++) {
        final int id = firstId(ids, random.nextInt(numRows));
        final ImmutableBitmap rowsOfValue = index.getBitmap(id);
        // A row of several values may be selected already: then there is more room than it seems.
        if (tried.add(id) && selectedRows + rowsOfValue.size() <= TOLERANCE * wanted) {
          values.add(index.getValue(id));
          for (IntIterator row = rowsOfValue.iterator(); row.hasNext(); ) {
            rows.set(row.next());
          }
          selectedRows = rows.cardinality();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (selectedRows == 0 || selectedRows * TOLERANCE < wanted) {
      throw new ToolException(
          "column " + column,
          "its values cannot select a share of " + share + " of " + numRows + " rows; those tried select "
              + selectedRows,
          "Leave this share out, or name another column to group by, so that the filter is on another one"
      );
    }
    return new RowFilter(new InDimFilter(column, values), selectedRows);
  }

  /** The first dictionary id of a row; that of the column's first value if the row has none. */
  private static int firstId(DictionaryEncodedColumn<?> column, int row) {
    if (!column.hasMultipleValues()) {
      return column.getSingleValueRow(row);
    }
    final IndexedInts several = column.getMultiValueRow(row);
    return several.size() == 0 ? 0 : several.get(0);
  }
}
