// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that belongs to a form is missing for any that is registered: see docs/adding-a-form.md. */
class FormsRegistryTest {
  /** Of all forms that were ever released. Never change or remove one: their segments are to be read for ever. */
  private static final Map<String, Integer> RELEASED_IDS = Map.ofEntries(
      entry("zero", 0),
      entry("constant", 1),
      entry("unencoded", 2),
      entry("bytepack", 3),
      entry("rle", 4),
      entry("lz4", 5),
      entry("fastpfor", 6),
      entry("zstd", 7),
      entry("bitpack", 8),
      entry("patched", 9),
      entry("dictionary", 10),
      entry("runend", 11),
      entry("delta", 12),
      entry("shuffle", 13),
      entry("bytedictionary", 14),
      entry("bits", 15)
  );

  /** The same of numbers: 16 times the number of the frame, and the id of the form of ints. */
  private static final Map<String, Integer> RELEASED_IDS_OF_NUMBERS = Map.ofEntries(
      entry("zero", 0),
      entry("constant", 1),
      entry("bytepack", 3),
      entry("lz4", 5),
      entry("zstd", 7),
      entry("bitpack", 8),
      entry("patched", 9),
      entry("dictionary", 10),
      entry("runend", 11),
      entry("delta", 12),
      entry("decimal-zero", 16),
      entry("decimal-constant", 17),
      entry("decimal-bytepack", 19),
      entry("decimal-lz4", 21),
      entry("decimal-zstd", 23),
      entry("decimal-bitpack", 24),
      entry("decimal-patched", 25),
      entry("decimal-dictionary", 26),
      entry("decimal-runend", 27),
      entry("decimal-delta", 28),
      entry("dictionary-zero", 32),
      entry("dictionary-constant", 33),
      entry("dictionary-bytepack", 35),
      entry("dictionary-lz4", 37),
      entry("dictionary-zstd", 39),
      entry("dictionary-bitpack", 40),
      entry("dictionary-patched", 41),
      entry("dictionary-dictionary", 42),
      entry("dictionary-runend", 43),
      entry("dictionary-delta", 44),
      entry("delta-zero", 48),
      entry("delta-constant", 49),
      entry("delta-bytepack", 51),
      entry("delta-lz4", 53),
      entry("delta-zstd", 55),
      entry("delta-bitpack", 56),
      entry("delta-patched", 57),
      entry("delta-dictionary", 58),
      entry("delta-runend", 59),
      entry("delta-delta", 60),
      entry("raw", 64),
      entry("wide", 65),
      entry("split", 66),
      entry("raw-lz4", 69),
      entry("raw-zstd", 71)
  );

  static List<IntForm> forms() {
    return IntForms.ALL;
  }

  @Test
  void idsAreForEver() {
    // toMap fails where two forms have the same name.
    final Map<String, Integer> registered =
        IntForms.ALL.stream().collect(Collectors.toMap(IntForm::name, form -> (int) form.id()));
    assertEquals(RELEASED_IDS, registered, "a new form needs a line in RELEASED_IDS, once it is released for ever");
    assertEquals(IntForms.ALL.size(), IntForms.ALL.stream().map(IntForm::id).distinct().count(), "ids");
  }

  @Test
  void formsAreFoundByTheirIds() {
    for (IntForm form : IntForms.ALL) {
      assertSame(form, IntForms.byId(form.id()));
    }
    assertNull(IntForms.byId((byte) 99));
    assertNull(IntForms.byId((byte) -1));
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void idsOfNumbersAreForEver(NumberType type) {
    // toMap fails where two forms have the same name.
    final Map<String, Integer> registered =
        NumberForms.of(type).stream().collect(Collectors.toMap(NumberForm::name, form -> (int) form.id()));
    final Map<String, Integer> expected = new HashMap<>(RELEASED_IDS_OF_NUMBERS);
    // What a type cannot use it need not read.
    expected.keySet().removeIf(name -> switch (type) {
      case LONG -> name.startsWith("decimal-");
      case DOUBLE -> name.startsWith("delta-");
      case FLOAT -> name.startsWith("delta-") || name.equals("wide") || name.equals("split");
    });
    assertEquals(expected, registered);
    assertEquals(registered.size(), Set.copyOf(registered.values()).size(), "ids");
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void formsOfNumbersAreFoundByTheirIds(NumberType type) {
    for (NumberForm form : NumberForms.of(type)) {
      assertSame(form, NumberForms.byId(type).apply(form.id()));
      assertSame(form, NumberForms.byId(type).apply(form.id()));
    }
    for (byte id : new byte[] {2, 4, 6, 72, 99, -1, Byte.MIN_VALUE}) {
      assertNull(NumberForms.byId(type).apply(id));
      assertNull(NumberForms.byId(type).apply(id));
    }
  }

  /** Forms of ints with larger ids cannot be told apart within a frame. */
  @Test
  void framesHaveRoomForSixteenFormsOfInts() {
    for (IntForm form : IntForms.ALL) {
      assertTrue(form.id() < 16, form::name);
    }
  }

  @Test
  void everyFormHasItsContractTest() throws Exception {
    assertEquals(
        IntForms.ALL.stream().map(IntForm::id).collect(Collectors.toSet()),
        FormContract.all().stream().map(contract -> contract.form().id()).collect(Collectors.toSet()),
        "ids with a FormContract");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormHasItsGoldenBytes(IntForm form) {
    for (ByteOrder order : FormContract.orders()) {
      assertTrue(Files.exists(FormContract.goldenFile(form, order)), () -> FormContract.goldenFile(form, order) + "?");
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormHasItsRowInTheDocs(IntForm form) throws Exception {
    final Path docs = Path.of("..", "docs", "format.md");
    final String row = "^\\|.*`" + form.name() + "`.*";
    final String id = ".*\\|\\s*`?" + form.id() + "`?\\s*\\|.*";
    assertTrue(
        Files.readAllLines(docs).stream().anyMatch(line -> line.matches(row) && line.matches(id)),
        () -> docs + " should have a row of a table with `" + form.name() + "` and " + form.id());
  }
}
