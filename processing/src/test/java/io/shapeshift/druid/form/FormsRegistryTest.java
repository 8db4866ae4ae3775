// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

  static List<IntForm> forms() {
    return Forms.INTS;
  }

  @Test
  void idsAreForEver() {
    // toMap fails where two forms have the same name.
    final Map<String, Integer> registered =
        Forms.INTS.stream().collect(Collectors.toMap(IntForm::name, form -> (int) form.id()));
    assertEquals(RELEASED_IDS, registered, "a new form needs a line in RELEASED_IDS, once it is released for ever");
    assertEquals(Forms.INTS.size(), Forms.INTS.stream().map(IntForm::id).distinct().count(), "ids");
  }

  @Test
  void formsAreFoundByTheirIds() {
    for (IntForm form : Forms.INTS) {
      assertSame(form, Forms.intForm(form.id()));
    }
    assertNull(Forms.intForm((byte) 99));
    assertNull(Forms.intForm((byte) -1));
  }

  @Test
  void everyFormHasItsContractTest() throws Exception {
    assertEquals(
        Forms.INTS.stream().map(IntForm::id).collect(Collectors.toSet()),
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
