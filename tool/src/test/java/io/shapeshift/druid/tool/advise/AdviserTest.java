// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableMap;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Advice.ColumnAdvice;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.Alternatives;
import io.shapeshift.druid.tool.analysis.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.Totals;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analysis.Variants;
import io.shapeshift.druid.tool.cli.ToolException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Choices by cost, and the indexSpec that they become. */
class AdviserTest {
  private static final int ROWS = 1000;
  /** Bytes of the segment outside of columns. */
  private static final long OTHER_BYTES = 50;
  private static final Map<String, Object> SMALLER =
      Map.of("strategy", "shapeshift", "optimizationTarget", "smaller");
  private static final Map<String, Object> FASTER =
      Map.of("strategy", "shapeshift", "optimizationTarget", "faster");

  /** Cost in one encoding: bytes, and nanoseconds of any access; 0 if they are not measured. */
  private record Cost(long bytes, double nanos) {
    EncodingAnalysis analysis() {
      return nanos == 0
             ? new EncodingAnalysis(bytes, 0, 0, bytes, null, null, null, null, null, null, null)
             : new EncodingAnalysis(
                 bytes, 0, 0, bytes, nanos / ROWS, Map.of("1.0", nanos / ROWS), Map.of(), null, null, null, null);
    }
  }

  private static ColumnAnalysis column(
      String name,
      Cost druid,
      Cost smaller,
      Cost standard,
      Cost faster,
      Map<String, EncodingAnalysis> variants
  ) {
    return new ColumnAnalysis.Builder(name, null, "STRING", ROWS, new ColumnBytes(druid.bytes, 0, druid.bytes, 0, 0))
        .cardinality(10)
        .encoding("lz4")
        .encodings(ImmutableMap.of(
            "druid-lz4", druid.analysis(),
            "shapeshift-smaller", smaller.analysis(),
            "shapeshift-fastbutsmallish", standard.analysis(),
            "shapeshift-faster", faster.analysis()
        ))
        .alternatives(new Alternatives(variants, null, false))
        .build();
  }

  private static ColumnAnalysis column(String name, Cost druid, Cost smaller, Cost standard, Cost faster) {
    return column(name, druid, smaller, standard, faster, Map.of());
  }

  private static Analysis analysis(ColumnAnalysis... columns) {
    final long bytes = OTHER_BYTES + Arrays.stream(columns).mapToLong(column -> column.bytes().total()).sum();
    final SegmentAnalysis segment =
        new SegmentAnalysis("segment", 9, ROWS, "2026/2027", bytes, List.of(columns), Map.of());
    return new Analysis("jvm", List.of(segment), new Totals(bytes, columns.length, Map.of()), 1000, null);
  }

  private static Advice serving(Aim aim, ColumnAnalysis... columns) {
    return new Adviser(analysis(columns), BlockSize.LARGE).serving(aim);
  }

  private static Advice within(long budget, ColumnAnalysis... columns) {
    return new Adviser(analysis(columns), BlockSize.LARGE).within(budget);
  }

  private static Map<String, String> choices(Advice advice) {
    return advice.columns().stream().collect(Collectors.toMap(ColumnAdvice::column, ColumnAdvice::choice));
  }

  /** Smaller is much smaller and slow, faster is fast. */
  private static ColumnAnalysis typical(String name) {
    return column(
        name, new Cost(2000, 400), new Cost(700, 1000), new Cost(1000, 200), new Cost(1200, 100));
  }

  @Test
  void eachAimHasItsTable() {
    assertEquals("smaller", serving(Aim.SIZE, typical("a")).table());
    assertEquals("faster", serving(Aim.SPEED, typical("a")).table());
    assertEquals(Map.of("encodingStrategy", SMALLER), serving(Aim.SIZE, typical("a")).indexSpec());
    final Advice fast = serving(Aim.SPEED, typical("a"));
    assertEquals(Map.of("encodingStrategy", FASTER), fast.indexSpec());
    assertEquals(OTHER_BYTES + 1200, fast.bytes());
    assertEquals(100, fast.nanos(), 1e-6);
    assertEquals(new Advice.Total(OTHER_BYTES + 2000, 400), fast.tables().get("Druid's own"));
  }

  @Test
  void columnsDifferWhereItPays() {
    final ColumnAnalysis comment = column(
        "comment", new Cost(9000, 100), new Cost(2000, 110), new Cost(8000, 100), new Cost(8000, 100));
    final Advice advice = serving(Aim.BALANCE, typical("a"), comment);
    assertEquals("faster", advice.table());
    assertEquals(Map.of("comment", "smaller"), choices(advice));
    assertEquals(
        Map.of("encodingStrategy", FASTER, "columns", Map.of("comment", Map.of("encodingStrategy", SMALLER))),
        advice.indexSpec()
    );
    assertEquals(OTHER_BYTES + 1200 + 2000, advice.bytes());
    assertEquals(
        List.of(new ColumnAdvice("comment", "smaller", 2000, 8000, 110.0, 100.0)), advice.columns());
  }

  @Test
  void druidsOwnIsAdvisedWhereItIsBest() {
    final ColumnAnalysis raw = column(
        "raw", new Cost(500, 50), new Cost(900, 90), new Cost(900, 90), new Cost(900, 90));
    assertEquals("Druid's own", serving(Aim.BALANCE, raw).table());
    assertEquals(Map.of("encodingStrategy", "compression"), serving(Aim.BALANCE, raw).indexSpec());
    assertEquals(Map.of("raw", "Druid's own"), choices(serving(Aim.SIZE, typical("a"), raw)));
  }

  /** A tenth is within what repeated measurements differ, and some bytes of thousands are no reason for an entry. */
  @Test
  void smallGainsNeedNoEntry() {
    final ColumnAnalysis noisy = column(
        "noisy", new Cost(1000, 92), new Cost(1000, 95), new Cost(1000, 91), new Cost(1000, 100));
    assertEquals(Map.of(), choices(serving(Aim.SPEED, typical("a"), noisy)));
    final ColumnAnalysis tiny = column("tiny", new Cost(10, 1), new Cost(12, 1), new Cost(10, 1), new Cost(9, 1));
    final Advice advice = serving(Aim.SIZE, column(
        "large", new Cost(90_000, 1), new Cost(40_000, 1), new Cost(50_000, 1), new Cost(60_000, 1)), tiny);
    assertEquals("smaller", advice.table());
    assertEquals(Map.of(), choices(advice));
  }

  @Test
  void variantsAreAdvised() {
    final ColumnAnalysis key = column(
        "key", new Cost(2000, 400), new Cost(700, 1000), new Cost(1000, 200), new Cost(1200, 100),
        Map.of(Variants.LISTS, new Cost(750, 101).analysis(), Variants.SCANS, new Cost(900, 900).analysis()));
    final Advice advice = serving(Aim.BALANCE, key);
    assertEquals(Map.of("key", "smaller, with lists"), choices(advice));
    assertEquals(
        Map.of("encodingStrategy", SMALLER, "indexEncodingStrategy", "shapeshift"),
        ((Map<?, ?>) advice.indexSpec().get("columns")).get("key")
    );
  }

  @Test
  void columnsThatAreNotMeasuredAreAsTheTable() {
    final ColumnAnalysis unknown = column(
        "unknown", new Cost(2000, 0), new Cost(700, 0), new Cost(1000, 0), new Cost(1200, 0));
    assertEquals(Map.of(), choices(serving(Aim.BALANCE, typical("a"), unknown)));
    final Advice nothing = serving(Aim.SPEED, unknown);
    assertEquals("default", nothing.table());
    assertEquals(Map.of("encodingStrategy", "shapeshift"), nothing.indexSpec());
    assertTrue(
        nothing.notes().contains(
            "Not measured, because they have too few rows, objects or nested data: unknown."),
        nothing.notes()::toString
    );
    assertEquals("smaller", serving(Aim.SIZE, unknown).table());
  }

  @Test
  void budgetGoesWhereItSavesMostTimePerByte() {
    final ColumnAnalysis cheap = column(
        "cheap", new Cost(500, 500), new Cost(100, 1000), new Cost(110, 500), new Cost(120, 400));
    final ColumnAnalysis costly = column(
        "costly", new Cost(5000, 500), new Cost(1000, 1000), new Cost(2000, 500), new Cost(3000, 400));
    final long least = OTHER_BYTES + 100 + 1000;
    assertEquals(least, within(least, cheap, costly).bytes());
    final Advice some = within(least + 20, cheap, costly);
    assertEquals(OTHER_BYTES + 120 + 1000, some.bytes());
    // One entry either way; the faster table comes first.
    assertEquals("faster", some.table());
    assertEquals(Map.of("costly", "smaller"), choices(some));
    final Advice all = within(1_000_000, cheap, costly);
    assertEquals("faster", all.table());
    assertEquals(Map.of(), choices(all));
    for (long budget = least; budget < least + 3000; budget += 7) {
      assertTrue(within(budget, cheap, costly).bytes() <= budget);
    }
  }

  @Test
  void budgetThatIsTooSmallIsRefused() {
    final ToolException e = assertThrows(ToolException.class, () -> within(749, typical("a")));
    assertEquals(
        "--budget 749: with the smallest choice of each column, the segments take 750 bytes. Give at least as many",
        e.getMessage()
    );
  }

  @Test
  void blockSizesAreInTheSpec() {
    assertEquals(
        Map.of("encodingStrategy",
            Map.of("strategy", "shapeshift", "optimizationTarget", "smaller", "blockSize", "small")),
        new Adviser(analysis(typical("a")), BlockSize.SMALL).serving(Aim.SIZE).indexSpec()
    );
  }
}
