// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.incremental.IncrementalIndexAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ColumnEntriesTest {
  private static List<IndexableAdapter> segments() {
    return List.of(new IncrementalIndexAdapter(
        Intervals.ETERNITY,
        NumberRows.inMemory(1, 10, false),
        RoaringBitmapSerdeFactory.getInstance().getBitmapFactory()
    ));
  }

  private static String reason(IndexSpec spec, String column) {
    return ColumnEntries.whyUnindexed(segments(), spec.getEffectiveSpec(), column);
  }

  private static IndexSpec withHashIndexes(String... columns) {
    final EncodingStrategy strategy =
        ShapeShiftIndexSpec.encodingOf(TestSegments.ALL_SHAPE_SHIFT, "long", EncodedType.LONG);
    return ShapeShiftIndexSpec.of(TestSegments.STOCK, TestSegments.withHashIndexes(strategy, Set.of(columns)));
  }

  private static void setSystemDefault(IndexSpec spec) {
    new BuiltInTypesModule()
        .initDimensionHandlerAndMvHandlingMode(new DefaultColumnFormatConfig(null, null, spec, null));
  }

  @AfterEach
  void forgetSystemDefault() {
    setSystemDefault(IndexSpec.builder().build());
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

  /** Entries for the whole cluster name columns that few tables have. */
  @Test
  void aColumnThatTheSystemsDefaultNamesMayBeMissing() {
    final IndexSpec asked = withHashIndexes("long", "kind", "none such");
    final String ofKind =
        "Column[kind] gets no hash index: it is of type STRING, not a column of longs, doubles or floats";
    final String ofNone =
        "Column[none such] is not in the segment. Its entry in \"columns\" of the indexSpec changes nothing";
    assertEquals(List.of(ofKind, ofNone), ColumnEntries.warnings(segments(), asked.getEffectiveSpec()));
    setSystemDefault(asked);
    final IndexSpec silent = ShapeShiftIndexSpec.of(TestSegments.STOCK, new EncodingStrategies(null, Map.of()));
    assertEquals(List.of(ofKind), ColumnEntries.warnings(segments(), silent.getEffectiveSpec()));
  }

  @Test
  void warnsOfTextIndexesThatChangeNothing() {
    final ColumnOptions indexed = new ColumnOptions(new TypeStrategies(null, Map.of()), null, true);
    final IndexSpec asked = ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        ShapeShiftIndexSpec.strategiesOf(TestSegments.ALL_SHAPE_SHIFT)
            .withColumns(Map.of("long", indexed, "kind", indexed, "__time", indexed))
    );
    assertEquals(
        List.of(
            "Column[__time] gets no text index: it has no strings, but the time",
            "Column[long] gets no text index: it has no strings, but LONG"
        ),
        ColumnEntries.warnings(segments(), asked.getEffectiveSpec())
    );
  }
}
