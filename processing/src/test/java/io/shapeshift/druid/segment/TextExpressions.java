// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import io.shapeshift.druid.testing.RandomData;
import java.util.List;
import java.util.function.Supplier;
import org.apache.druid.math.expr.Parser;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.ExpressionDimFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.RegexDimFilter;
import org.apache.druid.query.filter.SearchQueryDimFilter;
import org.apache.druid.query.search.ContainsSearchQuerySpec;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;

/**
 * Random expressions that search the texts of a column for parts.
 *
 * @param parts    parts to search for
 * @param mayFail  whether expressions may fail on some texts
 */
public record TextExpressions(RandomData random, Supplier<String> parts, boolean mayFail) {
  /** Filter on a virtual column. */
  public record Virtual(ExpressionVirtualColumn column, DimFilter filter) {}

  private static String literal(String text) {
    return Parser.constant(text).stringify();
  }

  private String part() {
    return literal(parts.get());
  }

  /** The column, mostly, or a function of it. */
  private String text(String column) {
    return random.oneOf(List.of(
        "\"C\"", "\"C\"", "\"C\"", "lower(\"C\")", "lower(\"C\")", "upper(\"C\")", "substring(\"C\", 0, 3)",
        "nvl(\"C\", 'abc')", "lower(lower(\"C\"))"
    )).replace("C", column);
  }

  private String strpos(String column) {
    return "strpos(" + text(column) + ", " + part() + random.oneOf(List.of("", "", ", 0", ", 2", ", -1")) + ")";
  }

  /** An expression that is true or false. */
  public String condition(String column) {
    final String text = text(column);
    return switch (random.nextInt(12)) {
      case 0, 1 -> "contains_string(" + text + ", " + part() + ")";
      case 2 -> "icontains_string(" + text + ", " + part() + ")";
      case 3, 4 -> "like(" + text + ", " + literal("%" + parts.get() + random.oneOf(List.of("", "%", "_%", "%b%")))
          + random.oneOf(List.of(")", ", '\\\\')"));
      case 5 -> "regexp_like(" + text + ", " + literal(random.oneOf(List.of("abc", "a.*b", "(?i)ab", "[ab]c+", "a|b")))
          + ")";
      case 6 -> strpos(column) + random.oneOf(List.of(" >= 0", " > -1", " + 1 > 0", " == -1", " < 3", " != 2"));
      case 7 -> "(" + condition(column) + " && " + condition(column) + ")";
      case 8 -> "(" + condition(column) + " || " + condition(column) + ")";
      case 9 -> "!" + condition(column);
      case 10 -> "(" + condition(column) + " == " + random.oneOf(List.of("0", "1", "2", "null")) + ")";
      default -> random.oneOf(List.of(
          "if(" + condition(column) + ", 0, 1)",
          "nvl(" + condition(column) + ", 1)",
          "(" + condition(column) + " && \"" + column + "\" > 'b')",
          mayFail ? "(1 / (" + strpos(column) + " + 1)) < 1" : strpos(column) + " < 1",
          "any((C) -> contains_string(C, P), ['abc', 'b']) > ".replace("C", "\"" + column + "\"").replace("P", part())
              + condition(column)
      ));
    };
  }

  /** A filter by a condition. */
  public DimFilter filter(String column) {
    return new ExpressionDimFilter(condition(column), TestExprMacroTable.INSTANCE);
  }

  /** A filter on a virtual column, as SQL makes it. */
  public Virtual virtual(String name, String column) {
    if (random.nextInt(3) > 0) {
      return new Virtual(
          new ExpressionVirtualColumn(name, text(column), ColumnType.STRING, TestExprMacroTable.INSTANCE),
          switch (random.nextInt(6)) {
            case 0, 1 -> new LikeDimFilter(name, "%" + parts.get() + "%", null, null);
            case 2 -> new LikeDimFilter(name, parts.get() + random.oneOf(List.of("", "%")), null, null);
            case 3 -> new SearchQueryDimFilter(
                name, new ContainsSearchQuerySpec(parts.get(), random.nextInt(2) == 0), null, null);
            case 4 -> new RegexDimFilter(name, random.oneOf(List.of("abc", "a.*b", "(?i)ab", "[ab]c+")), null, null);
            default -> new EqualityFilter(name, ColumnType.STRING, parts.get(), null);
          }
      );
    }
    final String numbers = random.nextInt(2) == 0 ? "(" + strpos(column) + " + 1)" : condition(column);
    final long bound = random.nextInt(3);
    return new Virtual(
        new ExpressionVirtualColumn(name, numbers, ColumnType.LONG, TestExprMacroTable.INSTANCE),
        random.nextInt(2) == 0
        ? new RangeFilter(name, ColumnType.LONG, bound, null, true, false, null)
        : new EqualityFilter(name, ColumnType.LONG, bound, null)
    );
  }
}
