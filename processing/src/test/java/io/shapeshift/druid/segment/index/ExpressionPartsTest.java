// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.math.expr.Parser;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.search.InsensitiveContainsSearchQuerySpec;
import org.apache.druid.segment.column.ColumnType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionPartsTest {
  private static Expr parse(String expression) {
    return Parser.parse(expression, TestExprMacroTable.INSTANCE);
  }

  @Nullable
  private static TextParts of(String expression) {
    return ExpressionParts.of(parse(expression), TextParts::matches);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
      "contains_string(x, 'abc') ~ abc ~ false ~ true",
      "icontains_string(x, 'aBc') ~ aBc ~ true ~ true",
      "like(x, '%abc%') ~ abc ~ false ~ true",
      "like(x, 'ab%c') ~ ab,c ~ false ~ false",
      "like(x, '%a!%b%', '!') ~ a%b ~ false ~ true",
      "regexp_like(x, 'a.*bc') ~ a,bc ~ false ~ false",
      "strpos(x, 'abc') >= 0 ~ abc ~ false ~ false",
      "strpos(x, 'abc', 1) > -1 ~ abc ~ false ~ false",
      "(strpos(x, 'abc') + 1) > 0 ~ abc ~ false ~ false",
      "contains_string(lower(x), 'abc') ~ abc ~ true ~ false",
      "contains_string(x, 'abc') == 1 ~ abc ~ false ~ false",
      "nvl(contains_string(x, 'abc'), 0) ~ abc ~ false ~ false",
      "contains_string(x, 'a') && like(x, '%bcd%') ~ a,bcd ~ false ~ false",
      "contains_string(x, 'a') && x > 'b' ~ a ~ false ~ false",
      "contains_string(x, 'a') && (icontains_string(x, 'bc') && strpos(x, 'def') > strpos(x, 'g')) ~ bc ~ true ~ false"
  })
  void known(String expression, String parts, boolean ignoresCase, boolean isExact) {
    assertEquals(new TextParts(List.of(parts.split(",")), ignoresCase, isExact), of(expression));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "x",
      "!contains_string(x, 'abc')",
      "contains_string(x, 'abc') == 0",
      "contains_string(x, 'a') || contains_string(x, 'b')",
      "contains_string(x, 'a') == contains_string(x, 'b')",
      "contains_string(upper(x), 'abc')",
      "contains_string(lower(lower(x)), 'abc')",
      "contains_string(concat(x, 'abc'), 'abc')",
      "nvl(contains_string(x, 'abc'), 1) || 1",
      "if(contains_string(x, 'abc'), 0, 1)",
      "if(contains_string(x, 'abc'), 1, null)",
      "strpos(x, 'abc') < 5",
      "strpos(x, x) >= 0",
      "strpos(x, 'abc', strpos(x, 'd')) >= 0",
      "strpos('abc', x) >= 0",
      "regexp_like(x, x)",
      "x > 'b' && contains_string(x, 'a')",
      "(1 / (strpos(x, 'abc') + 1)) > 0",
      "any((x) -> contains_string(x, 'z'), ['z']) > contains_string(x, 'z')",
      "contains_string(x, 'abc') && contains_string(y, 'def')",
      "contains_string('abc', 'a')",
      "regexp_replace('abc', 'b', contains_string(x, 'abc')) == 'a1c'"
  })
  void unknown(String expression) {
    assertNull(of(expression));
  }

  @Test
  void valuesOfVirtualColumns() {
    final Expr expr = parse("contains_string(x, 'abc')");
    assertEquals(
        new TextParts(List.of("abc"), false, true),
        new ComputedTexts(expr, "x", ColumnType.LONG, equality(ColumnType.LONG, 1L)).parts()
    );
    // Neither a text with the part nor another has this value.
    assertEquals(
        new TextParts(List.of("abc"), false, false),
        new ComputedTexts(expr, "x", ColumnType.LONG, equality(ColumnType.LONG, 2L)).parts()
    );
    assertNull(new ComputedTexts(expr, "x", ColumnType.LONG, equality(ColumnType.LONG, 0L)).parts());
    assertNull(new ComputedTexts(expr, "x", ColumnType.DOUBLE, equality(ColumnType.DOUBLE, 1.0)).parts());
    final Expr lower = parse("lower(x)");
    assertEquals(
        new TextParts(List.of("abc"), true, false),
        new ComputedTexts(lower, "x", ColumnType.STRING, equality(ColumnType.STRING, "abc")).parts()
    );
    assertEquals(
        new TextParts(List.of("abc", "d"), true, false),
        new ComputedTexts(lower, "x", ColumnType.STRING, like("abc%d")).parts()
    );
    assertNull(new ComputedTexts(parse("upper(x)"), "x", ColumnType.STRING, like("%ABC%")).parts());
  }

  private static EqualityFilter.EqualityPredicateFactory equality(ColumnType type, Object value) {
    return new EqualityFilter.EqualityPredicateFactory(ExprEval.ofType(
        ExpressionType.fromColumnTypeStrict(type), value));
  }

  private static DruidPredicateFactory like(String pattern) {
    return LikeDimFilter.LikeMatcher.from(pattern, null).predicateFactory(null);
  }

  /** A letter of ASCII that a character becomes in lower case equals it if case is ignored. */
  @Test
  void lowerCaseOfAnyCharacter() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      final String text = Character.toString(c);
      final String lower = text.toLowerCase(Locale.ENGLISH);
      for (int i = 0; i < lower.length(); i++) {
        final char letter = lower.charAt(i);
        if (letter < 0x80) {
          assertEquals(1, text.length());
          assertTrue(new InsensitiveContainsSearchQuerySpec(String.valueOf(letter)).accept(text), text + letter);
        }
      }
    }
  }

  @Test
  void anUnknownResultIsNotFalse() {
    assertNull(ExpressionParts.of(parse("contains_string(x, 'abc')"), value -> DruidPredicateMatch.UNKNOWN));
    assertNull(ExpressionParts.of(
        parse("contains_string(x, 'abc') && contains_string(x, 'b')"), value -> DruidPredicateMatch.UNKNOWN));
  }
}
