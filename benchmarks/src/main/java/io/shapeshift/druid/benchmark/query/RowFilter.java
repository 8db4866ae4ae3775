// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.ToolException;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
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
   * @throws ToolException if no values have about so many rows
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
    final BitSet rows = new BitSet(numRows);
    int selectedRows = 0;
    for (int id : drawIds(holder, numRows)) {
      final ImmutableBitmap rowsOfValue = index.getBitmap(id);
      // A row of several values may be selected already: then there is more room than it seems.
      if (selectedRows + rowsOfValue.size() <= TOLERANCE * wanted) {
        values.add(index.getValue(id));
        for (IntIterator row = rowsOfValue.iterator(); row.hasNext(); ) {
          rows.set(row.next());
        }
        selectedRows = rows.cardinality();
      }
      if (selectedRows >= wanted) {
        break;
      }
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

  /** Distinct dictionary ids, of rows that are drawn at random. */
  private static IntSet drawIds(ColumnHolder holder, int numRows) {
    final IntSet ids = new IntLinkedOpenHashSet();
    try (DictionaryEncodedColumn<?> column = (DictionaryEncodedColumn<?>) holder.getColumn()) {
      new Random(1).ints(MAX_DRAWS, 0, numRows).forEach(row -> {
        if (column.hasMultipleValues()) {
          final IndexedInts several = column.getMultiValueRow(row);
          for (int i = 0; i < several.size(); i++) {
            ids.add(several.get(i));
          }
        } else {
          ids.add(column.getSingleValueRow(row));
        }
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ids;
  }
}
