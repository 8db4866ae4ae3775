// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExprType;
import org.apache.druid.math.expr.ExpressionDruidPredicateFactory;
import org.apache.druid.query.extraction.ExtractionFn;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.search.ContainsSearchQuerySpec;
import org.apache.druid.query.search.FragmentSearchQuerySpec;
import org.apache.druid.query.search.InsensitiveContainsSearchQuerySpec;
import org.apache.druid.query.search.RegexSearchQuerySpec;
import org.apache.druid.query.search.SearchQuerySpec;

/**
 * Parts that a predicate requires: each text that it matches contains all of them, and for each other text, but not for
 * null, the predicate is false. They are known of {@code like}, {@code search}, {@code regex} and {@code equals}
 * filters, which Druid hands over as predicates with private fields, and of {@link ExpressionParts some expressions}.
 *
 * @param parts       the parts; none are known if it is empty
 * @param ignoresCase whether a text may contain the letters of the parts in upper or lower case
 * @param isExact     whether the predicate matches each text that contains all parts, also if case is ignored. It is
 *                    false for each regular expression that ignores case
 */
record TextParts(List<String> parts, boolean ignoresCase, boolean isExact) {
  private static final PrivateField SEARCH = PrivateField.of(
      "org.apache.druid.segment.filter.SearchQueryFilter$SearchQueryDruidPredicateFactory",
      "query",
      SearchQuerySpec.class
  );
  private static final PrivateField REGEX = PrivateField.of(
      "org.apache.druid.segment.filter.RegexFilter$PatternDruidPredicateFactory", "pattern", Pattern.class);
  private static final String LIKE =
      "org.apache.druid.query.filter.LikeDimFilter$LikeMatcher$PatternDruidPredicateFactory";
  private static final PrivateField LIKE_PATTERNS = PrivateField.of(LIKE, "pattern", List.class);
  private static final PrivateField LIKE_EXTRACTION = PrivateField.of(LIKE, "extractionFn", ExtractionFn.class);
  private static final PrivateField EQUALITY =
      PrivateField.of(EqualityFilter.EqualityPredicateFactory.class.getName(), "matchValue", ExprEval.class);
  private static final PrivateField EXPRESSION =
      PrivateField.of(ExpressionDruidPredicateFactory.class.getName(), "expr", Expr.class);

  /** Returns what a predicate requires, or null if that is not known. */
  @Nullable
  static TextParts of(DruidPredicateFactory predicate) {
    if (SEARCH.isOf(predicate)) {
      return ofSearch((SearchQuerySpec) SEARCH.get(predicate));
    }
    if (REGEX.isOf(predicate)) {
      return ofPatterns(List.of((Pattern) REGEX.get(predicate)));
    }
    if (LIKE_PATTERNS.isOf(predicate)) {
      return LIKE_EXTRACTION.get(predicate) == null ? ofPatterns((List<?>) LIKE_PATTERNS.get(predicate)) : null;
    }
    if (EQUALITY.isOf(predicate)) {
      final ExprEval<?> value = (ExprEval<?>) EQUALITY.get(predicate);
      return value.type().is(ExprType.STRING) && value.value() != null
             ? new TextParts(List.of(value.asString()), false, false)
             : null;
    }
    if (EXPRESSION.isOf(predicate)) {
      return ExpressionParts.of((Expr) EXPRESSION.get(predicate), TextParts::matches);
    }
    return predicate instanceof ComputedTexts computed ? computed.parts() : null;
  }

  /** Test of the value of an expression that is a filter. */
  static DruidPredicateMatch matches(ExprEval<?> value) {
    return value.value() == null ? DruidPredicateMatch.UNKNOWN : DruidPredicateMatch.of(value.asBoolean());
  }

  /** Returns the same parts of texts that are converted to lower case. */
  TextParts inLowerCase() {
    return new TextParts(parts, true, false);
  }

  /** Returns the number of characters of the longest part. */
  int longest() {
    return parts.stream().mapToInt(String::length).max().orElse(0);
  }

  /** Only of Druid's own classes: others may search otherwise. */
  @Nullable
  private static TextParts ofSearch(SearchQuerySpec query) {
    if (query.getClass() == RegexSearchQuerySpec.class) {
      return ofPatterns(List.of(Pattern.compile(((RegexSearchQuerySpec) query).getPattern())));
    }
    if (query.getClass() == FragmentSearchQuerySpec.class) {
      final FragmentSearchQuerySpec fragments = (FragmentSearchQuerySpec) query;
      return fragments.getValues() == null
             ? null
             : new TextParts(fragments.getValues(), !fragments.isCaseSensitive(), false);
    }
    if (query.getClass() != ContainsSearchQuerySpec.class
        && query.getClass() != InsensitiveContainsSearchQuerySpec.class) {
      return null;
    }
    final ContainsSearchQuerySpec contains = (ContainsSearchQuerySpec) query;
    return contains.getValue() == null ? null : contains(contains.getValue(), contains.isCaseSensitive());
  }

  /** Returns the one part of a search. */
  static TextParts contains(String part, boolean isCaseSensitive) {
    return new TextParts(List.of(part), !isCaseSensitive, true);
  }

  /** Patterns of which each text that is matched has a match. */
  static TextParts ofPatterns(List<?> patterns) {
    final List<String> parts = new ArrayList<>();
    boolean isLiteral = patterns.size() == 1;
    boolean ignoresCase = false;
    for (Object pattern : patterns) {
      final RegexParts.Result result = RegexParts.of((Pattern) pattern);
      parts.addAll(result.parts());
      isLiteral &= result.isLiteral();
      ignoresCase |= result.ignoresCase();
    }
    return new TextParts(parts, ignoresCase, isLiteral && !ignoresCase);
  }
}
