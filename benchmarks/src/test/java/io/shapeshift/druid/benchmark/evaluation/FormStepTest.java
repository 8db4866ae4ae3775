// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FormStepTest {
  private static Set<String> forms() {
    final Set<String> forms = new LinkedHashSet<>();
    IntForms.of(IntForm.Use.IDS).forEach(form -> forms.add(form.name()));
    for (NumberType type : NumberType.values()) {
      NumberForms.of(type).forEach(form -> forms.add(form.name()));
    }
    return forms;
  }

  /** Each registered form has a step, and each step a form; the last set of those that grow has all. */
  @Test
  void hasAllForms() {
    final Set<FormStep> found = EnumSet.noneOf(FormStep.class);
    forms().forEach(form -> found.addAll(FormStep.of(form)));
    assertEquals(EnumSet.allOf(FormStep.class), found);
    final Map<String, Predicate<String>> sets = FormStep.sets();
    assertTrue(forms().stream().allMatch(sets.get("+ Zstandard")));
    assertEquals(List.of("unencoded", "raw"), forms().stream().filter(sets.get("uncompressed")).toList());
    sets.values().forEach(keeps -> assertTrue(keeps.test("raw") && keeps.test("unencoded")));
  }

  @Test
  void formsOfNumbersHaveTwo() {
    assertEquals(Set.of(FormStep.DECIMALS, FormStep.LZ4), FormStep.of("decimal-lz4"));
    assertEquals(Set.of(FormStep.ONE_VALUE), FormStep.of("decimal-constant"));
    assertEquals(Set.of(FormStep.RUNS), FormStep.of("dictionary-runend"));
    assertEquals(Set.of(FormStep.DICTIONARY, FormStep.BIT_PACKING), FormStep.of("dictionary-bitpack"));
    assertThrows(IllegalArgumentException.class, () -> FormStep.of("linear-unknown"));
    assertThrows(IllegalArgumentException.class, () -> FormStep.of("unknown-bitpack"));
  }
}
