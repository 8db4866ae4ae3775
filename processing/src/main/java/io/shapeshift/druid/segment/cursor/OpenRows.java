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
 * Moves {@code not} behind {@code and} and {@code or}, by De Morgan's laws. Druid tells the parts of an {@code and} or
 * {@code or} how many rows are open when it asks them for an index, and has matchers for those parts whose index is not
 * worth it. Inside of a {@code not} it does neither: either each part has an index of all rows, or none has. All parts
 * would then be scanned, also where the first one decides nearly all rows.
 *
 * <p>A {@code not} of few parts stays as it is. For a future {@code and}, these are as many as are scanned in any case
 * ({@link CostModel.Indexes#FIRST_SCANS}). An {@code or} with some parts by an index and some by matchers asks Druid's
 * iterator of a bitmap for each row, which takes as long as {@value CostModel.Indexes#SCANS_PER_ITERATION} scans.
 *
 * <p>The laws also hold for Druid's third truth value. A {@code not} asks its part the opposite of
 * {@code includeUnknown} and negates the answer; {@code IS TRUE} always asks for what is known to match, and
 * {@code IS FALSE} negates what may match. Each of them asks all parts of an {@code and} or {@code or} the same.
 * Filters of other extensions may mean something else by their parts: they stay as they are.
 *
 * @param computed says of a filter whether indexes of it are computed; other parts stay together, where the first of
 *     them stands: parts may depend on one before them, as a division by what is not zero does
 */
record OpenRows(Predicate<Filter> computed) {
  /** The same filter, with each {@code not} of many parts with computed indexes in its parts. */
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

  /** A unary filter of another one than it has. */
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

  /** Whether it is one of Druid's own: a subclass may mean something else. */
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
