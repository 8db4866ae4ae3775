// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.apache.druid.query.scan.ScanResultValue;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static Answer of(Object... results) {
    return Answer.of(List.of(results));
  }

  @Test
  void onlyRoundingOfFractionsMayDiffer() {
    final Answer answer = of(Map.of("a", 0.1 + 0.2, "b", 3L));
    assertNull(answer.difference(of(Map.of("a", 0.3, "b", 3L))));
    assertEquals(
        "result 0 is {\"a\":0.3000001}, not {\"a\":0.3}",
        of(Map.of("a", 0.3000001)).difference(of(Map.of("a", 0.3)))
    );
    assertEquals(
        "result 0 is [10000000000001], not [10000000000002]",
        of(List.of(10_000_000_000_001L)).difference(of(List.of(10_000_000_000_002L)))
    );
  }

  @Test
  void orderAndNumberOfResultsMatter() {
    assertEquals("result 0 is \"a\", not \"b\"", of("a", "b").difference(of("b", "a")));
    assertEquals("1 results, not 2", of("a").difference(of("a", "b")));
  }

  @Test
  void namesOfSegmentsDoNot() {
    final List<List<String>> events = List.of(List.of("x"));
    final Answer answer = of(new ScanResultValue("one", List.of("a"), events));
    assertNull(answer.difference(of(new ScanResultValue("another", List.of("a"), events))));
    assertEquals(
        "result 0 is [[\"x\"]], not [[\"y\"]]",
        answer.difference(of(new ScanResultValue("one", List.of("a"), List.of(List.of("y")))))
    );
  }
}
