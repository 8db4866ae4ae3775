// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Rows of URLs in a string column, an {@code auto} column and the field of a nested column. */
public final class TextRows {
  public static final List<String> COLUMNS = List.of("plain", "auto", "nested");
  /** All types shape-shift, and dictionaries of all columns have a text index. */
  public static final IndexSpec INDEXED = ShapeShiftIndexSpec.of(
      TestSegments.STOCK,
      ShapeShiftIndexSpec.strategiesOf(TestSegments.ALL_SHAPE_SHIFT).withColumns(
          COLUMNS.stream().collect(Collectors.toMap(
              Function.identity(), column -> new ColumnOptions(new TypeStrategies(null, Map.of()), null, true))))
  );

  private TextRows() {}

  private static String text(Random random) {
    return "https://" + Integer.toString(random.nextInt(200) * 7919 + 40_000, 36) + ".example/"
        + Integer.toString(random.nextInt(500) * 104_729 + 2_000_000, 36) + "?id=" + random.nextInt(100_000);
  }

  public static IncrementalIndex inMemory(int numRows) {
    final Random random = new Random(1);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < numRows; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(1000L * i).toString());
      row.put("plain", text(random));
      row.put("auto", text(random));
      row.put("nested", Map.of("text", text(random), "number", i));
      rows.add(row);
    }
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(
                new StringDimensionSchema("plain"),
                AutoTypeColumnSchema.of("auto"),
                AutoTypeColumnSchema.of("nested")
            )))
            .withRollup(false)
            .build(),
        rows
    );
  }
}
