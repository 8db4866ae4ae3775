// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.Closeable;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.SimpleSettableOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ComplexColumn;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.UnknownTypeComplexColumn;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.serde.CompressedComplexColumn;

/** Reader of a column of any type by row, as the objects that a query sees: arrays, nested data, complex metrics. */
final class ObjectReader implements Closeable {
  private final BaseColumn column;
  private final SimpleSettableOffset offset = new SimpleAscendingOffset(Integer.MAX_VALUE);
  private final ColumnValueSelector<?> selector;

  /** Creates a reader of an opened column. Closing the reader closes the column. */
  ObjectReader(BaseColumn column) {
    this.column = column;
    this.selector = column.makeColumnValueSelector(offset);
  }

  /**
   * Opens a column.
   *
   * @throws Damage if it cannot be opened
   */
  static ObjectReader open(SegmentColumn column) {
    return Damage.reading("the column", () -> new ObjectReader(column.holder().getColumn()));
  }

  /** Whether the type belongs to an extension that is not loaded, so that nothing can be read. */
  boolean isUnknown() {
    return column instanceof UnknownTypeComplexColumn;
  }

  /** Number of rows, or -1 if the column does not know it: the length of some complex columns is a number of bytes. */
  int length() {
    if (column instanceof DictionaryEncodedColumn<?> ids) {
      return ids.length();
    }
    return column instanceof NestedDataComplexColumn || column instanceof CompressedComplexColumn
           ? ((ComplexColumn) column).getLength()
           : -1;
  }

  /**
   * Object of a row.
   *
   * @throws Damage if the object cannot be read
   */
  @Nullable
  Object get(int row) {
    return Damage.reading("row " + row, () -> {
      offset.setCurrentOffset(row);
      return selector.getObject();
    });
  }

  /** The column, if it has nested data whose fields have columns of their own; otherwise null. */
  @Nullable
  NestedDataComplexColumn nested() {
    return column instanceof NestedDataComplexColumn nested ? nested : null;
  }

  @Override
  public void close() throws IOException {
    column.close();
  }
}
