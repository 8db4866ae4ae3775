// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import javax.annotation.Nullable;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.math.expr.InputBindings;
import org.apache.druid.query.filter.DruidDoublePredicate;
import org.apache.druid.query.filter.DruidFloatPredicate;
import org.apache.druid.query.filter.DruidLongPredicate;
import org.apache.druid.query.filter.DruidObjectPredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.segment.column.ColumnType;

/**
 * Predicate of the texts of a column that tests the value of an expression, as Druid does for filters on virtual
 * columns.
 *
 * @param column  name of the column in the expression
 * @param type    type of the expression's values; predicates of strings and longs are known
 * @param matcher predicate of the values
 */
record ComputedTexts(Expr expr, String column, ColumnType type, DruidPredicateFactory matcher)
    implements DruidPredicateFactory {
  /** Returns the parts of texts that the predicate matches, or null if none are known. */
  @Nullable
  TextParts parts() {
    if (type.equals(ColumnType.STRING)) {
      @Nullable final TextParts ofValues = TextParts.of(matcher);
      @Nullable final TextParts ofTexts = ofValues == null ? null : ExpressionParts.ofColumn(expr, ofValues);
      return ofTexts == null ? ExpressionParts.of(expr, test()) : ofTexts;
    }
    return type.equals(ColumnType.LONG) ? ExpressionParts.of(expr, test()) : null;
  }

  private ExpressionParts.Test test() {
    if (type.equals(ColumnType.STRING)) {
      final DruidObjectPredicate<String> strings = matcher.makeStringPredicate();
      return value -> strings.apply(value.asString());
    }
    final DruidLongPredicate longs = matcher.makeLongPredicate();
    return value -> value.isNumericNull() ? longs.applyNull() : longs.applyLong(value.asLong());
  }

  @Override
  public DruidObjectPredicate<String> makeStringPredicate() {
    final ExpressionParts.Test test = test();
    return text ->
        test.apply(expr.eval(InputBindings.forInputSupplier(column, ExpressionType.STRING, () -> text)));
  }

  @Override
  public DruidLongPredicate makeLongPredicate() {
    throw notOfTexts();
  }

  @Override
  public DruidFloatPredicate makeFloatPredicate() {
    throw notOfTexts();
  }

  @Override
  public DruidDoublePredicate makeDoublePredicate() {
    throw notOfTexts();
  }

  private static UnsupportedOperationException notOfTexts() {
    return new UnsupportedOperationException("The column has texts, not numbers");
  }
}
