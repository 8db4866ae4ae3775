// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.TestSegments;
import java.util.List;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.incremental.IncrementalIndexAdapter;
import org.junit.jupiter.api.Test;

class UnindexedColumnsTest {
  private static String reason(IndexSpec spec, String column) {
    final IndexableAdapter segment = new IncrementalIndexAdapter(
        Intervals.ETERNITY,
        NumberRows.inMemory(1, 10, false),
        RoaringBitmapSerdeFactory.getInstance().getBitmapFactory()
    );
    return UnindexedColumns.reason(List.of(segment), spec.getEffectiveSpec(), column);
  }

  @Test
  void numbersGetAnIndex() {
    for (String column : List.of(
        "long", "longOrNull", "nullLong", "longSum", ColumnHolder.TIME_COLUMN_NAME, "doubleSum", "float")) {
      assertNull(reason(TestSegments.ALL_SHAPE_SHIFT, column), column);
    }
  }

  @Test
  void allElseHasAReasonForNone() {
    assertEquals("there is no such column", reason(TestSegments.ALL_SHAPE_SHIFT, "none such"));
    assertEquals(
        "it is of type STRING, not a column of longs, doubles or floats", reason(TestSegments.ALL_SHAPE_SHIFT, "kind"));
    assertEquals(
        "it is of type COMPLEX<hyperUnique>, not a column of longs, doubles or floats",
        reason(TestSegments.ALL_SHAPE_SHIFT, "unique")
    );
    assertEquals("its type does not shape-shift", reason(TestSegments.SHAPE_SHIFT, "long"));
    assertEquals(
        "its type does not shape-shift", reason(TestSegments.SHAPE_SHIFT, ColumnHolder.TIME_COLUMN_NAME));
  }
}
