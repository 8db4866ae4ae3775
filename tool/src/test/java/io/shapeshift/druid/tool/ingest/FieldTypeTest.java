// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.druid.java.util.common.StringUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldTypeTest {
  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "123456789012345678"})
  void longsAreThoseThatReadBackAsTheyWere(String text) {
    assertEquals(FieldType.LONG, infer(text));
    assertEquals(text, FieldType.LONG.parse(text, false).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "-0.5", "1.5e10", "2.50", "1.0E-300", "0.12345678901234568", "-0", "1.0e15",
      "2251799813685248.5", "10000000000000000000", "5.684341886080801e-14", "0.30000000000000004",
      "0.1000000000000000055511151231257827", "0.00000000000000000000"})
  void doublesAreNumbersWhoseDigitsADoubleKeeps(String text) {
    assertEquals(FieldType.DOUBLE, infer(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"007", "+5", " 5", "5 ", "1,5", "0x10", "1e999", "1e-999",
      "0.12345678901234567", "2251799813685248.51", "NaN", "Infinity",
      "1.", ".5", "-", "12a",
      "9223372036854775809", "0.12345678901234567890", "true", "00.5", "1_000", "5f", "5d",
      "12e5", "1E-300", "2e-3"})
  void everythingElseIsAString(String text) {
    assertEquals(FieldType.STRING, infer(text));
  }

  @Test
  void aColumnGetsTheNarrowestTypeThatKeepsAllItsValues() {
    assertEquals(FieldType.LONG, infer("1", "", "2"));
    assertEquals(FieldType.DOUBLE, infer("1", "2.5"));
    assertEquals(FieldType.STRING, infer("1", "2.5", "x"));
    assertEquals(FieldType.STRING, infer("0.5", "9007199254740993"), "which no double is");
    assertEquals(FieldType.STRING, infer("1", List.of("1", "2")));
    assertEquals(FieldType.STRING, infer());
    assertEquals(FieldType.STRING, infer(""));
  }

  @Test
  void differentTextsStayDifferent() {
    assertEquals(FieldType.STRING, infer("1.1", "1.10"));
    assertEquals(FieldType.STRING, infer("2.0", "3", "2"));
    assertEquals(FieldType.STRING, infer("1.5e3", "1500.0"));
    assertEquals(FieldType.DOUBLE, infer("2.50", "1.5", "3", "2", "2.50", ""), "prices");
    assertEquals(FieldType.DOUBLE, infer("-0", "0", "0.5"), "two doubles");
    assertEquals(FieldType.LONG, infer("1", "2", "1"));
  }

  /** Where there are too many numbers to remember, their spelling tells whether two may be the same. */
  @ParameterizedTest
  @CsvSource({"%.2f, %.2f, DOUBLE", "%.2f, %.3f, STRING", "%.0f.0, %.0f.5, DOUBLE", "%.0f, %.0f.5, DOUBLE",
      "%.0f, %.0f.0, STRING", "%.0f.5e2, %.0f.5e2, STRING"})
  void ofManyNumbersTheSpellingDecides(String format, String ofEachThird, FieldType type) {
    final FieldType.Inference inference = new FieldType.Inference(false, memory());
    for (int i = 0; i <= NumberTexts.MAX_REMEMBERED + 1; i++) {
      inference.add(StringUtils.format(i % 3 == 0 ? ofEachThird : format, (double) i));
    }
    assertEquals(type, inference.type());
  }

  /** Otherwise a table of 1,000 columns would take 1.5 GB; spelling decides where the memory is used up. */
  @Test
  void columnsShareTheMemoryOfTheirTexts() {
    final NumberTexts.Memory memory = new NumberTexts.Memory(3);
    final FieldType.Inference first = new FieldType.Inference(false, memory);
    final FieldType.Inference second = new FieldType.Inference(false, memory);
    for (String text : List.of("1.50", "2.5")) {
      first.add(text);
      second.add(text);
    }
    assertEquals(FieldType.DOUBLE, first.type());
    assertEquals(FieldType.STRING, second.type(), "the fourth number had no place");
    first.add("x");
    final FieldType.Inference third = new FieldType.Inference(false, memory);
    List.of("1.50", "2.5", "3").forEach(third::add);
    assertEquals(FieldType.DOUBLE, third.type(), "both columns gave their part back");
  }

  @Test
  void jsonSaysItsTypesItself() {
    assertEquals(FieldType.LONG, inferTyped(1, 1L << 40));
    assertEquals(FieldType.DOUBLE, inferTyped(1, 1L << 40, 0.5));
    assertEquals(FieldType.STRING, inferTyped((1L << 53) + 1, 0.5));
    assertEquals(FieldType.STRING, inferTyped("1"));
    assertEquals(FieldType.STRING, inferTyped(1L, ""));
    assertEquals(FieldType.STRING, inferTyped(true));
    assertEquals(FieldType.DOUBLE, inferTyped(BigInteger.ONE.shiftLeft(64)));
    assertEquals(FieldType.STRING, inferTyped(BigInteger.ONE.shiftLeft(64).add(BigInteger.ONE)));
    assertEquals(FieldType.STRING, inferTyped(List.of(1L, 2L)));
    assertEquals(FieldType.JSON, inferTyped(1L, Map.of("a", 1L)));
    assertEquals(FieldType.JSON, inferTyped(List.of(List.of(1L))));
  }

  private static FieldType infer(Object... values) {
    final FieldType.Inference inference = new FieldType.Inference(false, memory());
    Arrays.stream(values).forEach(inference::add);
    return inference.type();
  }

  private static FieldType inferTyped(Object... values) {
    final FieldType.Inference inference = new FieldType.Inference(true, memory());
    Arrays.stream(values).forEach(inference::add);
    return inference.type();
  }

  @Test
  void numbersAreParsed() {
    assertEquals(5L, FieldType.LONG.parse("5.0", false));
    assertEquals(5L, FieldType.LONG.parse(5.0, true));
    assertEquals(0.5f, FieldType.FLOAT.parse("0.5", false));
    assertEquals(0.5, FieldType.DOUBLE.parse("0.5", false));
    assertEquals(3.0, FieldType.DOUBLE.parse(3L, true));
    assertEquals(Double.POSITIVE_INFINITY, FieldType.DOUBLE.parse("Infinity", false));
    assertNull(FieldType.LONG.parse("", false));
    assertNull(FieldType.FLOAT.parse("", false));
    assertNull(FieldType.DOUBLE.parse("", false));
  }

  @ParameterizedTest
  @CsvSource({"LONG, 1.5", "LONG, x", "LONG, 9223372036854775808", "FLOAT, 1e39", "FLOAT, x", "DOUBLE, 1e309",
      "DOUBLE, x", "JSON, {"})
  void whatIsNotOfTheTypeIsRefused(FieldType type, String text) {
    assertThrows(IllegalArgumentException.class, () -> type.parse(text, false));
  }

  @Test
  void whatHasNoSuchShapeIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> FieldType.LONG.parse(true, true));
    assertThrows(IllegalArgumentException.class, () -> FieldType.DOUBLE.parse(List.of(1L, 2L), true));
    assertThrows(IllegalArgumentException.class, () -> FieldType.STRING.parse(Map.of(), true));
    assertThrows(IllegalArgumentException.class, () -> FieldType.STRING.parse(List.of(List.of()), true));
  }

  @Test
  void autoAndJsonReadTextAsWhatItIs() {
    assertEquals(5L, FieldType.AUTO.parse("5", false));
    assertEquals(0.5, FieldType.AUTO.parse("0.5", false));
    assertEquals("007", FieldType.AUTO.parse("007", false));
    assertEquals(Arrays.asList(5L, "x"), FieldType.AUTO.parse(List.of("5", "x"), false));
    assertEquals("5", FieldType.AUTO.parse("5", true));
    assertEquals(Map.of("a", 1), FieldType.JSON.parse("{\"a\": 1}", false));
    assertEquals("{\"a\": 1}", FieldType.JSON.parse("{\"a\": 1}", true));
    assertNull(FieldType.JSON.parse("", false));
  }

  private static NumberTexts.Memory memory() {
    return new NumberTexts.Memory(NumberTexts.Memory.MAX_NUMBERS);
  }
}
