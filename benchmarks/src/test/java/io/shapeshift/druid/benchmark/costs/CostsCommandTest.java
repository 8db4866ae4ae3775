// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.speed.Turns;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests the command and its table; does not test the times. */
class CostsCommandTest {
  private static final int SIZE = 1 << 12;

  private static Stream<Field> fields() {
    return Arrays.stream(CostModel.class.getDeclaredClasses())
        .flatMap(group -> Arrays.stream(group.getDeclaredFields()))
        .filter(field -> !field.isSynthetic());
  }

  @TestFactory
  Stream<DynamicTest> eachConstantSaysWhereItComesFrom() {
    return Constant.all().stream().map(constant -> DynamicTest.dynamicTest(constant.name(), () -> {
      assertTrue((constant.measured() == null) != (constant.chosen() == null), "measured, or chosen, and not both");
      assertTrue(constant.used() instanceof Number || constant.used() instanceof DecodeCost);
      assertAll(
          () -> assertFalse(constant.unit().isBlank()),
          () -> assertFalse(constant.basis().isBlank()),
          () -> assertTrue(!constant.isMeasured() || constant.number() > 0)
      );
    }));
  }

  @Test
  void theTableHasEachConstantAndEachMeasurementIsATime() {
    final Map<String, Double> measured = CostsCommand.measure(SIZE, SIZE, new Turns(1, 0));
    assertEquals(
        Constant.all().stream().filter(Constant::isMeasured).map(Constant::name).collect(Collectors.toSet()),
        measured.keySet());
    measured.forEach((name, value) ->
        assertTrue(Double.isFinite(value) && value > 0, name + " is " + value));
    final double machine = CostsCommand.machine(measured);
    assertTrue(Double.isFinite(machine) && machine > 0, () -> "mean " + machine);

    final Table table = CostsCommand.table(measured, machine);
    final Set<String> names = new TreeSet<>();
    fields().forEach(field -> names.add(field.getDeclaringClass().getSimpleName() + "." + field.getName()));
    final List<String> lines = table.toCsv().lines().toList();
    assertEquals(names, lines.stream().skip(1).map(line -> line.substring(0, line.indexOf(',')))
        .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void constantsCanBeUsedByAll() {
    fields().forEach(field -> {
      final int modifiers = field.getModifiers();
      assertTrue(
          Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers), field::toString);
    });
    assertEquals(0, Arrays.stream(CostModel.class.getDeclaredFields())
        .filter(field -> Modifier.isPublic(field.getModifiers())).count(), "each constant is in a group");
  }
}
