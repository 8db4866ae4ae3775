// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private static Table table() {
    final Table table = new Table("name", "count", "ratio");
    table.add("a", 1_234_567, 0.5);
    table.add("grün, \"x\"", null, 12.34567891);
    table.add("𝔘", 3L, null);
    return table;
  }

  @Test
  void textIsAligned() {
    assertEquals(
        List.of(
            "name           count   ratio",
            "a          1,234,567   0.500",
            "grün, \"x\"             12.346",
            "𝔘                  3"
        ),
        table().toText().lines().toList()
    );
  }

  @Test
  void csvIsForPrograms() {
    assertEquals(
        "name,count,ratio\na,1234567,0.5\n\"grün, \"\"x\"\"\",,12.345679\n𝔘,3,\n",
        table().toCsv()
    );
  }

  /** A terminal would do what they say. */
  @Test
  void controlCharactersAreNotPrinted() {
    final Table table = new Table("name");
    table.add("a\u001B[31m\nb");
    assertEquals(List.of("name", "a\uFFFD[31m\uFFFDb"), table.toText().lines().toList());
    assertEquals("name\n\"a\u001B[31m\nb\"\n", table.toCsv());
  }

  @Test
  void withoutRowsThereIsNoText() {
    assertEquals("", new Table("a", "b").toText());
    assertEquals("a,b\n", new Table("a", "b").toCsv());
  }

  @Test
  void rowsHaveAsManyValuesAsColumns() {
    final Table table = new Table("a", "b");
    assertThrows(IllegalArgumentException.class, () -> table.add("a"));
  }
}
