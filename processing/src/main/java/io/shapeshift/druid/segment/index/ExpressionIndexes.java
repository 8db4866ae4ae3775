// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import javax.annotation.Nullable;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExpressionPredicateIndexSupplier;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;

/**
 * Indexes of an expression over a string column. A filter whose matches contain a known part of the column's texts
 * searches for it; other filters have Druid's index, which evaluates the expression of each text.
 *
 * @param stock  Druid's indexes of the expression
 * @param texts  indexes of the column
 * @param column name of the column in the expression
 * @param type   type of the expression's values
 */
public record ExpressionIndexes(
    ExpressionPredicateIndexSupplier stock,
    StringIndexSupplier texts,
    Expr expr,
    String column,
    ColumnType type
) implements ColumnIndexSupplier {
  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return stock.as(clazz) instanceof DruidPredicateIndexes predicates
           ? clazz.cast((DruidPredicateIndexes) matchers -> {
             @Nullable final BitmapColumnIndex searched =
                 texts.search(new ComputedTexts(expr, column, type, matchers));
             return searched == null ? predicates.forPredicate(matchers) : searched;
           })
           : null;
  }
}
