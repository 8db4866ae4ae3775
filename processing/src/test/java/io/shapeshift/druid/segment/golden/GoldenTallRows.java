// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.golden;

import static io.shapeshift.druid.segment.golden.GoldenRows.hash;
import static io.shapeshift.druid.segment.golden.GoldenRows.word;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** What is in the tall golden segments: rows that a formula gives, for ever, of columns whose layouts take many. */
final class GoldenTallRows {
  /** Rows of each segment: two groups of the smallest blocks of longs. */
  static final int COUNT = 9000;
  /** The columns with a text index. */
  static final Set<String> TEXTS = Set.of("text", "autoText", "nestedText");

  /** Rows with texts of their own, in columns with a text index. */
  private static final int TEXT_ROWS = 2000;
  /** Rows with values that take many bits. */
  private static final int WIDE_ROWS = 2600;

  private GoldenTallRows() {}

  static IncrementalIndexSchema schema() {
    final List<DimensionSchema> dimensions = List.of(
        new StringDimensionSchema("text"),
        AutoTypeColumnSchema.of("autoText"),
        AutoTypeColumnSchema.of("nestedText"),
        new StringDimensionSchema("documents"),
        new StringDimensionSchema("zipf"),
        new StringDimensionSchema("sessions"),
        new StringDimensionSchema("states"),
        new StringDimensionSchema("rare"),
        new StringDimensionSchema("pages"),
        new StringDimensionSchema("crawled"),
        new StringDimensionSchema("hosts"),
        new StringDimensionSchema("orders"),
        AutoTypeColumnSchema.of("autoFlags"),
        AutoTypeColumnSchema.of("autoRoots"),
        new LongDimensionSchema("longWide"),
        new LongDimensionSchema("longNulls"),
        new LongDimensionSchema("longNanos"),
        new LongDimensionSchema("longSparse"),
        new LongDimensionSchema("longSteps"),
        new DoubleDimensionSchema("doubleMeasure"),
        new DoubleDimensionSchema("doublePages"),
        new FloatDimensionSchema("floatMeasure")
    );
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withRollup(false)
        .build();
  }

  static List<Map<String, Object>> rows() {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(GoldenRows.time(i)).toString());
      addTexts(i, row);
      addIds(i, row);
      addNumbers(i, row);
      rows.add(row);
    }
    return rows;
  }

  private static void addTexts(int i, Map<String, Object> row) {
    final int textRow = Math.min(i, TEXT_ROWS);
    row.put("text", text(hash(textRow, 1, 500)));
    row.put("autoText", text(hash(textRow, 2, 500) + 200));
    row.put("nestedText", Map.of("text", text(hash(textRow, 3, 500) + 400)));
    row.put("documents", i % 130 == 0 && i < 65 * 130 ? document(i / 130) : null);
  }

  private static String text(int number) {
    return "https://" + word(number, 4) + ".example.com/" + word(number, 5) + "/"
        + Long.toString(hash(number, 6) >>> 34, 36) + "?id=" + number;
  }

  /** 64 texts of one kind, one of them larger than a window of Zstandard, and a short one, alone in its bucket. */
  private static String document(int number) {
    if (number == 64) {
      return "the end";
    }
    final StringBuilder text = new StringBuilder().append(number);
    final int length = number == 40 ? 150_000 : 1500;
    for (int n = 0; text.length() < length; n++) {
      text.append(" the ").append(word(n % 50, number + 8)).append(" jumps over the lazy ").append(word(n % 40, 9));
    }
    return text.toString();
  }

  private static void addIds(int i, Map<String, Object> row) {
    row.put("zipf", "z" + (int) Math.floor(StrictMath.pow(200, hash(i, 10, 10_000) / 10_000.0)));
    row.put("sessions", "s" + hash(i / 13, 12, 3000));
    row.put("states", "state " + hash(i * 2 / 5, 13, 40));
    row.put("rare", hash(i, 14, 6) == 0 ? "rare " + hash(i, 15, 900) : "a" + hash(i, 16, 8));
    row.put("pages", "page " + page(i, 25, 60, 2000));
    row.put("crawled", "page " + page(i, 30, 20, 2000) % 30);
    row.put("hosts", "host " + page(i / 5, 9, 12, 400));
    row.put("orders", "order " + (100_000 + i));
  }

  /** Phrases that come again and again. */
  private static int page(int i, int length, int phrases, int bound) {
    return hash(hash(i / length, length, phrases) * length + i % length, phrases, bound);
  }

  private static void addNumbers(int i, Map<String, Object> row) {
    row.put("autoFlags", i % 7 == 0 ? null : hash(i, 20, 3) == 0 ? "yes" : "no");
    row.put("autoRoots", StrictMath.cbrt(hash(i, 21, 300) - 100));
    row.put("longWide", i < WIDE_ROWS ? hash(i, 22) >>> 16 : 0L);
    row.put("longNulls", hash(i, 23, 2) == 0 ? null : (long) i);
    row.put("longNanos", GoldenRows.time(i) * 1_000_000 + hash(i, 24, 1000) * 1000L);
    row.put("longSparse", hash(i, 25, 200) == 0 ? 1L + hash(i, 26, 30) : 0L);
    row.put("longSteps", 40L * (i / 256) + hash(i, 30, 30));
    row.put("doubleMeasure", i < WIDE_ROWS ? (hash(i, 27) >> 20) / 1.0e5 * hash(i, 28, 100) / 7 : 0.0);
    row.put("doublePages", Math.sqrt(page(i, 25, 60, 200)));
    row.put("floatMeasure", i < 5000 ? (float) ((hash(i, 29) >> 30) / 3.0e5) : 0f);
  }
}
