// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.math.expr.Function;
import org.apache.druid.math.expr.InputBindings;
import org.apache.druid.math.expr.LambdaExpr;
import org.apache.druid.query.expression.CaseInsensitiveContainsExprMacro;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.query.filter.LikeDimFilter;

/**
 * Analysis of expressions over the texts of one column: parts that a text contains if a test accepts the expression's
 * value.
 *
 * <p>A <em>search</em> is an expression with one call of {@code contains_string}, {@code icontains_string},
 * {@code like}, {@code regexp_like} or {@code strpos} on the column, or on the column in lower case, and nothing else
 * that depends on the column. For a text without the part that the call looks for, the call's value is known, and so
 * the value of the search. If the test refuses this value, each text that it accepts contains the part. Searches may be
 * joined by {@code &&}. Other operands may follow them: Druid evaluates those only if all searches before are true.
 */
final class ExpressionParts {
  private static final String EXPRESSIONS = "org.apache.druid.math.expr.";
  private static final String AND = EXPRESSIONS + "BinAndExpr";
  private static final PrivateField LEFT = PrivateField.of(AND, "left", Expr.class);
  private static final PrivateField RIGHT = PrivateField.of(AND, "right", Expr.class);
  private static final String CALL = EXPRESSIONS + "FunctionExpr";
  private static final PrivateField FUNCTION = PrivateField.of(CALL, "function", Function.class);
  private static final PrivateField ARGUMENTS = PrivateField.of(CALL, "args", ImmutableList.class);

  private static final String MACROS = "org.apache.druid.query.expression.";
  private static final String CONTAINS = MACROS + "ContainsExpr";
  private static final String LIKE = MACROS + "LikeExprMacro$1LikeExtractExpr";
  private static final PrivateField REGEX =
      PrivateField.of(MACROS + "RegexpLikeExprMacro$RegexpLikeExpr", "pattern", Pattern.class);

  private ExpressionParts() {}

  /** Test of an expression's value. */
  @FunctionalInterface
  interface Test {
    DruidPredicateMatch apply(ExprEval<?> value);
  }

  /**
   * Call that searches a text.
   *
   * @param parts  what a text contains if the value is another than {@code absent}
   * @param absent value of the call for other texts
   */
  private record Call(TextParts parts, ExprEval<?> absent) {}

  /** Returns the parts of the texts for whose value a test is true, or null if none are known. */
  @Nullable
  static TextParts of(Expr expr, Test test) {
    if (expr.analyzeInputs().getRequiredBindings().size() != 1) {
      return null;
    }
    final List<Expr> operands = new ArrayList<>();
    addOperands(expr, operands);
    if (operands.size() == 1) {
      return ofSearch(expr, test);
    }
    if (test.apply(ExprEval.ofLongBoolean(false)) != DruidPredicateMatch.FALSE) {
      return null;
    }
    final List<TextParts> searches = operands.stream()
        .map(operand -> ofSearch(operand, TextParts::matches))
        .takeWhile(Objects::nonNull)
        .toList();
    return searches.stream().max(Comparator.comparingInt(TextParts::longest)).map(longest -> all(searches, longest))
        .orElse(null);
  }

  /** Returns the parts of the searches that treat case as one of them does. */
  private static TextParts all(List<TextParts> searches, TextParts one) {
    final List<String> parts = searches.stream()
        .filter(search -> search.ignoresCase() == one.ignoresCase())
        .flatMap(search -> search.parts().stream())
        .toList();
    return new TextParts(parts, one.ignoresCase(), false);
  }

  /** Returns what a column contains if a function of it contains some parts, or null if the function is not known. */
  @Nullable
  static TextParts ofColumn(Expr function, TextParts parts) {
    if (function.isIdentifier()) {
      return parts;
    }
    return isCallOf(function, Function.LowerFunc.class) && arguments(function).get(0).isIdentifier()
           ? parts.inLowerCase()
           : null;
  }

  /** Adds the operands of {@code &&} in the order in which Druid evaluates them. */
  private static void addOperands(Expr expr, List<Expr> operands) {
    if (LEFT.isOf(expr) && RIGHT.isOf(expr)) {
      addOperands((Expr) LEFT.get(expr), operands);
      addOperands((Expr) RIGHT.get(expr), operands);
    } else {
      operands.add(expr);
    }
  }

  @Nullable
  private static TextParts ofSearch(Expr expr, Test test) {
    final List<Call> calls = new ArrayList<>();
    final boolean[] hasLambda = {false};
    final Expr ofOthers;
    try {
      ofOthers = expr.visit(part -> {
        // The argument of a lambda expression may have the name of the column.
        hasLambda[0] |= part instanceof LambdaExpr;
        @Nullable final Call call = callOf(part);
        if (call == null) {
          return part;
        }
        calls.add(call);
        return call.absent().toExpr();
      });
    } catch (RuntimeException e) {
      // A function refuses a literal in the place of the call, such as a number where a literal must be a text.
      return null;
    }
    if (calls.size() != 1 || hasLambda[0] || !isFalse(ofOthers, test)) {
      return null;
    }
    final TextParts parts = calls.get(0).parts();
    final boolean isExact = parts.isExact()
        && callOf(expr) != null
        && test.apply(ExprEval.ofLongBoolean(true)) == DruidPredicateMatch.TRUE;
    return new TextParts(parts.parts(), parts.ignoresCase(), isExact);
  }

  /** Whether an expression does not depend on a column, and its value does not pass a test. */
  private static boolean isFalse(Expr expr, Test test) {
    if (!expr.analyzeInputs().getRequiredBindings().isEmpty()) {
      return false;
    }
    try {
      return test.apply(expr.eval(InputBindings.nilBindings())) == DruidPredicateMatch.FALSE;
    } catch (RuntimeException e) {
      // Druid's evaluation fails on each text without the part, and tells it.
      return false;
    }
  }

  @Nullable
  private static Call callOf(Expr expr) {
    if (isCallOf(expr, Function.StrposFunc.class)) {
      final List<Expr> arguments = arguments(expr);
      return arguments.stream().skip(1).allMatch(Expr::isLiteral)
          && arguments.get(1).getLiteralValue() instanceof String part
             ? call(arguments.get(0), new TextParts(List.of(part), false, false), ExprEval.of(-1))
             : null;
    }
    if (!(expr instanceof ExprMacroTable.ExprMacroFunctionExpr macro)) {
      return null;
    }
    return switch (expr.getClass().getName()) {
      case CONTAINS -> search(macro, TextParts.contains(
          (String) macro.getArgs().get(1).getLiteralValue(),
          !macro.stringify().startsWith(CaseInsensitiveContainsExprMacro.FN_NAME)
      ));
      case LIKE -> search(macro, TextParts.of(like(macro.getArgs()).predicateFactory(null)));
      default -> REGEX.isOf(expr) ? search(macro, TextParts.ofPatterns(List.of((Pattern) REGEX.get(expr)))) : null;
    };
  }

  @Nullable
  private static Call search(ExprMacroTable.ExprMacroFunctionExpr macro, @Nullable TextParts parts) {
    return call(macro.getArgs().get(0), parts, ExprEval.ofLongBoolean(false));
  }

  @Nullable
  private static Call call(Expr searched, @Nullable TextParts parts, ExprEval<?> absent) {
    @Nullable final TextParts ofColumn = parts == null ? null : ofColumn(searched, parts);
    return ofColumn == null ? null : new Call(ofColumn, absent);
  }

  private static boolean isCallOf(Expr expr, Class<? extends Function> function) {
    // A subclass may do something else.
    return FUNCTION.isOf(expr) && ARGUMENTS.isOf(expr) && FUNCTION.get(expr).getClass() == function;
  }

  @SuppressWarnings("unchecked")
  private static List<Expr> arguments(Expr call) {
    return (List<Expr>) ARGUMENTS.get(call);
  }

  private static LikeDimFilter.LikeMatcher like(List<Expr> arguments) {
    @Nullable final Object escape = arguments.size() > 2 ? arguments.get(2).getLiteralValue() : null;
    return LikeDimFilter.LikeMatcher.from(
        (String) arguments.get(1).getLiteralValue(), escape == null ? null : ((String) escape).charAt(0));
  }
}
