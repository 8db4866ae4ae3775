// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.stream.IntStream;
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

  @Test
  void whatBecomesAnAndIsMoved() {
    final Filter n = leaf("n");
    final Filter m = leaf("n2");
    assertEquals(and(not(n), not(m)), ROWS.inParts(not(or(n, m))));
    assertEquals(and(n, not(m)), ROWS.inParts(not(or(not(n), m))));
    assertEquals(and(is(false, n), is(false, m)), ROWS.inParts(is(false, or(n, m))));
    assertEquals(and(is(true, n), is(true, m)), ROWS.inParts(is(true, and(n, m))));
    assertEquals(or(leaf("s"), and(not(n), not(m))), ROWS.inParts(or(leaf("s"), not(or(n, m)))));
    assertEquals(and(not(n), not(and(m, n))), ROWS.inParts(not(or(n, and(m, n)))));
  }

  @Test
  void whatHasNoComputedIndexStaysTogether() {
    final Filter n = leaf("n");
    final Filter strings = not(or(leaf("s"), leaf("t")));
    assertSame(strings, ROWS.inParts(strings));
    assertEquals(and(not(n), strings), ROWS.inParts(not(or(leaf("s"), n, leaf("t")))));
    assertEquals(and(not(n), not(leaf("s"))), ROWS.inParts(not(or(leaf("s"), n))));
  }

  @Test
  void whatBecomesAnOrIsMovedIfItHasManyParts() {
    final List<Filter> few = leaves(OpenRows.SCANS_PER_ITERATION);
    final List<Filter> many = leaves(OpenRows.SCANS_PER_ITERATION + 1);
    final Filter ofFew = not(new AndFilter(few));
    assertSame(ofFew, ROWS.inParts(ofFew));
    assertEquals(
        new OrFilter(many.stream().map(OpenRowsTest::not).toList()), ROWS.inParts(not(new AndFilter(many))));
    assertEquals(new OrFilter(many), ROWS.inParts(not(new AndFilter(many.stream().map(OpenRowsTest::not).toList()))));
  }
}
