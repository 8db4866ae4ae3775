// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.cost.CostModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.filter.AndFilter;
import org.apache.druid.segment.filter.IsBooleanFilter;
import org.apache.druid.segment.filter.NotFilter;
import org.apache.druid.segment.filter.OrFilter;

/**
 * Rewriter that pushes {@code not} into {@code and} and {@code or}, by De Morgan's laws. When Druid requests indexes
 * for the parts of an {@code and} or {@code or}, it passes the number of rows that earlier parts left open, and uses
 * matchers for parts whose index does not pay. Inside a {@code not} it does neither: all parts use an index of all
 * rows, or none does. All parts would then be scanned, even if the first one decides nearly all rows.
 *
 * <p>A {@code not} of few parts is not rewritten. If the result would be an {@code and}, the limit is the number of
 * parts that are scanned in any case ({@link CostModel.Indexes#FIRST_SCANS}). If it would be an {@code or}, mixing
 * indexes and matchers makes Druid iterate over a bitmap row by row, which costs as much as
 * {@value CostModel.Indexes#SCANS_PER_ITERATION} scans.
 *
 * <p>The laws also hold for Druid's third truth value, unknown. A {@code not} calls its part with the opposite of
 * {@code includeUnknown} and negates the result. {@code IS TRUE} always excludes unknown rows, and {@code IS FALSE}
 * negates a result that includes them. Each of the three passes the same flag to all parts of an {@code and} or
 * {@code or}. Filters of other extensions may combine their parts differently, and are not rewritten.
 *
 * @param computed tests whether a filter's index is computed. The other parts stay together at the place of the first
 *     of them, because a part may rely on an earlier one: a division, for example, on a test for zero
 */
record OpenRows(Predicate<Filter> computed) {
  /**
   * Returns the filter with {@code not} pushed inwards: a {@code not} of many computed parts becomes a {@code not} of
   * each part.
   */
  Filter inParts(Filter filter) {
    if (!computed.test(filter)) {
      return filter;
    }
    if (isAndOrOr(filter)) {
      final BooleanFilter all = (BooleanFilter) filter;
      return with(all, isAnd(all), all.getFilters().stream().map(this::inParts).toList());
    }
    return isUnary(filter) && filter instanceof BooleanUnaryFilter unary
           ? inParts(unary, inParts(unary.getBaseFilter()))
           : filter;
  }

  /** Creates a unary filter of the same kind with another base. */
  private Filter inParts(BooleanUnaryFilter unary, Filter base) {
    if (!isAndOrOr(base)) {
      return of(unary, base);
    }
    final BooleanFilter all = (BooleanFilter) base;
    final boolean isAnd = isAnd(all) != isNegation(unary);
    if (all.getFilters().stream().filter(computed).count()
        <= (isAnd ? CostModel.Indexes.FIRST_SCANS : CostModel.Indexes.SCANS_PER_ITERATION)) {
      return of(unary, base);
    }
    final List<Filter> parts = new ArrayList<>();
    final List<Filter> others = new ArrayList<>();
    int firstOther = 0;
    for (Filter part : all.getFilters()) {
      if (computed.test(part)) {
        parts.add(inParts(unary, part));
      } else {
        firstOther = others.isEmpty() ? parts.size() : firstOther;
        others.add(part);
      }
    }
    if (!others.isEmpty()) {
      parts.add(firstOther, of(unary, with(all, isAnd(all), others)));
    }
    return with(all, isAnd, parts);
  }

  /** Whether the filter is Druid's {@code and} or {@code or}. A subclass may combine its parts differently. */
  static boolean isAndOrOr(Filter filter) {
    return filter.getClass() == AndFilter.class || filter.getClass() == OrFilter.class;
  }

  private static boolean isUnary(Filter filter) {
    return filter.getClass() == NotFilter.class || filter.getClass() == IsBooleanFilter.class;
  }

  private static boolean isNegation(BooleanUnaryFilter unary) {
    return !(unary instanceof IsBooleanFilter is && is.isTrue());
  }

  private static boolean isAnd(BooleanFilter all) {
    return all instanceof AndFilter;
  }

  private static Filter of(BooleanUnaryFilter unary, Filter base) {
    if (base == unary.getBaseFilter()) {
      return unary;
    }
    if (unary instanceof IsBooleanFilter is) {
      return new IsBooleanFilter(base, is.isTrue());
    }
    return base.getClass() == NotFilter.class ? ((NotFilter) base).getBaseFilter() : new NotFilter(base);
  }

  private static Filter with(BooleanFilter all, boolean isAnd, Collection<Filter> parts) {
    if (isAnd == isAnd(all) && List.copyOf(all.getFilters()).equals(List.copyOf(parts))) {
      return all;
    }
    if (parts.size() == 1) {
      return parts.iterator().next();
    }
    return isAnd ? new AndFilter(List.copyOf(parts)) : new OrFilter(List.copyOf(parts));
  }
}
