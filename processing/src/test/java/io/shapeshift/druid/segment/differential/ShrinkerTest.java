// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.Druids;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A disagreement becomes as small as what is wrong, and what is told of it can be pasted. */
class ShrinkerTest {
  @BeforeAll
  static void registerTypes() {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  /** A comparison that does not see one value in our answers: of all else in the case, nothing is left. */
  @Test
  void wrongComparison() throws IOException {
    try (Comparison wrong = new Comparison(rows -> rows.stream().filter(row -> !"v37".equals(row)).toList());
         Comparison right = new Comparison()) {
      final JsonNode large = large().toJson();
      assertNotNull(wrong.difference(large));
      final JsonNode small = wrong.shrink(large);

      final String told = wrong.tell(small);
      assertTrue(told.startsWith("Druid answers 2 items, from the 0th on [v37, [v37]], and of ours 1 items"), told);
      final Case pasted = Case.fromJson(TestSegments.JSON.readTree(told.substring(told.indexOf('{'))));
      assertNotNull(wrong.difference(pasted.toJson()));
      assertNull(right.difference(pasted.toJson()));

      assertEquals(List.of(List.of(Map.of("text", "v37"))), pasted.parts().stream().map(Case.Part::rows).toList());
      assertEquals(List.of(), pasted.schema().metrics());
      assertEquals(false, pasted.schema().rollup());
      assertEquals(false, pasted.storage().mixed() || pasted.storage().nested());
      assertEquals(Version.V9, pasted.storage().version());
      assertEquals(TestSegments.STOCK, pasted.storage().ours());
      assertNull(pasted.question().query().getFilter());
      assertTrue(told.length() < 700, told);
    }
  }

  /** Four parts of 100 rows, and a filter of several others. */
  private static Case large() {
    final List<Case.Part> parts = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      final List<Map<String, Object>> rows = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        rows.add(Map.of("time", TableSchema.START + i, "text", "v" + i, "number", (long) part, "input", 1.5));
      }
      parts.add(new Case.Part(part % 2 == 0, rows));
    }
    return new Case(
        new TableSchema(
            new DimensionsSpec(List.of(new StringDimensionSchema("text"), new LongDimensionSchema("number"))),
            List.of(new CountAggregatorFactory("count")),
            List.of(),
            Granularities.HOUR,
            true,
            false
        ),
        parts,
        new Case.Storage(
            Version.V10,
            TestSegments.STOCK,
            TestSegments.shapeShiftAll(OptimizationTarget.SMALLER, BlockSize.SMALL),
            true,
            true
        ),
        new Case.Question(
            Case.Way.ROWS,
            null,
            Druids
                .newScanQueryBuilder()
                .dataSource("any")
                .eternityInterval()
                .columns("number", "text", "count")
                .filters(new OrDimFilter(
                    new AndDimFilter(
                        new SelectorDimFilter("number", "2", null), new SelectorDimFilter("text", "v37", null)),
                    new InDimFilter("text", List.of("v1", "v37"), null)
                ))
                .build()
        )
    );
  }
}
