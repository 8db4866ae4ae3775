// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.analysis.Explanation.Candidate;
import io.shapeshift.druid.tool.analysis.Explanation.ChunkExplanation;
import io.shapeshift.druid.tool.analysis.Explanation.Decision;
import io.shapeshift.druid.tool.analysis.Explanation.Outcome;
import io.shapeshift.druid.tool.analysis.Explanation.Question;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reasons why a form lost, where its weight is not the reason. */
class FormTallyTest {
  private static final String SLOW = "scanned more slowly than Druid's own column";

  private static Decision decision(double weight, String reason) {
    return new Decision("numbers", Question.FORM, 0, 10, "bitpack", List.of(
        new Candidate("bitpack", Outcome.POSSIBLE, 100L, 100.0, null, ""),
        new Candidate("acme.small", Outcome.POSSIBLE, (long) weight, weight, null, reason)
    ));
  }

  private static String reason(Decision... decisions) {
    final DecodeCost.Weight weight = DecodeCost.factors(1, 1, 1).under(OptimizationTarget.FASTBUTSMALLISH);
    return FormTally.of(
        Map.of("bitpack", weight, "acme.small", weight),
        false,
        List.of(decisions),
        List.of(new ChunkExplanation("numbers", 0, 0, 10, 0, 9, 0, "bitpack", 100))
    ).stream().filter(form -> form.form().equals("acme.small")).findFirst().orElseThrow().reason();
  }

  @Test
  void weight() {
    assertEquals("loses: 2.000 times the weight of the lightest", reason(decision(200, "")));
  }

  @Test
  void speed() {
    assertEquals("loses: " + SLOW + " in 2 of 2", reason(decision(2, SLOW), decision(3, SLOW)));
  }

  @Test
  void speedAndWeight() {
    assertEquals(
        "loses: " + SLOW + " in 1 of 2, and otherwise 2.000 times the weight of the lightest",
        reason(decision(2, SLOW), decision(200, ""))
    );
  }
}
