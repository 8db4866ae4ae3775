// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.shapeshift.druid.cost.CostModel;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.filter.AndFilter;
import org.apache.druid.segment.filter.IsBooleanFilter;
import org.apache.druid.segment.filter.NotFilter;
import org.apache.druid.segment.filter.OrFilter;
import org.apache.druid.segment.filter.SelectorFilter;
import org.junit.jupiter.api.Test;

/** A {@code not} of parts with computed indexes goes into them, where Druid then tells each how many rows are open. */
class OpenRowsTest {
  private static final OpenRows ROWS = new OpenRows(
      filter -> filter.getRequiredColumns().stream().anyMatch(column -> column.startsWith("n")));

  private static Filter leaf(String column) {
    return new SelectorFilter(column, "1");
  }

  private static List<Filter> leaves(int count) {
    return IntStream.range(0, count).mapToObj(i -> leaf("n" + i)).toList();
  }

  private static Filter not(Filter filter) {
    return new NotFilter(filter);
  }

  private static Filter or(Filter... parts) {
    return new OrFilter(List.of(parts));
  }

  private static Filter and(Filter... parts) {
    return new AndFilter(List.of(parts));
  }

  private static Filter is(boolean isTrue, Filter filter) {
    return new IsBooleanFilter(filter, isTrue);
  }

  /** So many parts that what becomes an {@code and} is moved. */
  private static List<Filter> with(Filter... parts) {
    return Stream.concat(Stream.of(parts), leaves(CostModel.Indexes.FIRST_SCANS + 1).stream()).toList();
  }

  private static List<Filter> each(UnaryOperator<Filter> unary, List<Filter> parts) {
    return parts.stream().map(unary).toList();
  }

  @Test
  void whatBecomesAnAndIsMovedIfItHasMoreThanTheFirstScans() {
    final Filter n = leaf("n");
    final List<Filter> many = with(n);
    final Filter moved = new AndFilter(each(OpenRowsTest::not, many));
    assertEquals(moved, ROWS.inParts(not(new OrFilter(many))));
    assertEquals(new AndFilter(many), ROWS.inParts(not(new OrFilter(each(OpenRowsTest::not, many)))));
    assertEquals(
        new AndFilter(each(part -> is(false, part), many)), ROWS.inParts(is(false, new OrFilter(many))));
    assertEquals(new AndFilter(each(part -> is(true, part), many)), ROWS.inParts(is(true, new AndFilter(many))));
    assertEquals(or(leaf("s"), moved), ROWS.inParts(or(leaf("s"), not(new OrFilter(many)))));
    assertEquals(
        new AndFilter(each(OpenRowsTest::not, with(and(n, leaf("m"))))),
        ROWS.inParts(not(new OrFilter(with(and(n, leaf("m")))))));
    final Filter few = not(new OrFilter(leaves(CostModel.Indexes.FIRST_SCANS)));
    assertSame(few, ROWS.inParts(few));
  }

  @Test
  void whatHasNoComputedIndexStaysTogether() {
    final Filter n = leaf("n");
    final Filter s = leaf("s");
    final Filter t = leaf("t");
    final Filter strings = not(or(s, t));
    assertSame(strings, ROWS.inParts(strings));
    assertEquals(
        Stream.concat(Stream.of(not(n), strings), each(OpenRowsTest::not, with()).stream()).toList(),
        parts(ROWS.inParts(not(new OrFilter(with(n, s, t))))));
    assertEquals(new AndFilter(each(OpenRowsTest::not, with(s))), ROWS.inParts(not(new OrFilter(with(s)))));
  }

  /** A part may depend on one before it, as a division does on what is not zero. */
  @Test
  void partsStayBehindWhatStandsBeforeThem() {
    assertEquals(not(leaf("s")), parts(ROWS.inParts(not(new OrFilter(with(leaf("s")))))).get(0));
  }

  private static List<Filter> parts(Filter filter) {
    return List.copyOf(((BooleanFilter) filter).getFilters());
  }

  /** Another extension may mean something else by its parts, and by a subclass of Druid's own. */
  @Test
  void filtersOfOthersStayAsTheyAre() {
    final Filter part = not(new OrFilter(with()));
    for (Filter foreign : List.of(
        new OrFilter(List.of(part, leaf("s"))) {},
        new AndFilter(List.of(part, leaf("s"))) {},
        new OrFilter(with()) {},
        new NotFilter(new OrFilter(with())) {})) {
      assertSame(foreign, ROWS.inParts(foreign));
      final Filter not = not(foreign);
      assertSame(not, ROWS.inParts(not));
    }
  }

  @Test
  void whatBecomesAnOrIsMovedIfItHasManyParts() {
    final List<Filter> few = leaves(CostModel.Indexes.SCANS_PER_ITERATION);
    final List<Filter> many = leaves(CostModel.Indexes.SCANS_PER_ITERATION + 1);
    final Filter ofFew = not(new AndFilter(few));
    assertSame(ofFew, ROWS.inParts(ofFew));
    assertEquals(
        new OrFilter(many.stream().map(OpenRowsTest::not).toList()), ROWS.inParts(not(new AndFilter(many))));
    assertEquals(new OrFilter(many), ROWS.inParts(not(new AndFilter(many.stream().map(OpenRowsTest::not).toList()))));
  }
}
