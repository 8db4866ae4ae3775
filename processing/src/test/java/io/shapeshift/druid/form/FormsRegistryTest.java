// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.MapDifference;
import com.google.common.collect.Maps;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that belongs to a form is missing for any that is registered: see docs/adding-a-form.md. */
class FormsRegistryTest {
  private static final Path DOCS = Path.of("..", "docs", "format.md");
  /** A row of a table of forms: an id, and a name. */
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| `([a-z0-9-]+)` \\|.*");

  static Stream<IntForm> forms() {
    return IntForms.ALL.stream();
  }

  /** The ids that the docs promise for ever, by name of the form: those of the table in a chapter. */
  private static Map<String, Integer> documented(String chapter) throws IOException {
    final Map<String, Integer> ids = new TreeMap<>();
    boolean inChapter = false;
    for (String line : Files.readAllLines(DOCS)) {
      inChapter = line.startsWith("## ") ? line.equals("## " + chapter) : inChapter;
      final Matcher row = ROW.matcher(line);
      if (inChapter && row.matches()) {
        assertNull(ids.put(row.group(2), Integer.valueOf(row.group(1))), () -> "two rows of " + row.group(2));
      }
    }
    return ids;
  }

  private static void assertDocumented(String chapter, Map<String, Integer> registered) throws IOException {
    final MapDifference<String, Integer> difference = Maps.difference(documented(chapter), registered);
    assertTrue(
        difference.areEqual(),
        () -> "rows of the table in " + DOCS + ", chapter " + chapter + ", and forms that are registered: "
            + difference);
  }

  /** A change of an id shows in the docs, which say that there must be none once it is released. */
  @Test
  void idsAreThoseOfTheDocs() throws IOException {
    // toMap fails where two forms have the same name.
    assertDocumented(
        "The chunks of ints", forms().collect(Collectors.toMap(IntForm::name, form -> (int) form.id())));
    assertEquals(IntForms.ALL.size(), forms().map(IntForm::id).distinct().count(), "ids");
  }

  @Test
  void formsAreFoundByTheirIds() {
    forms().forEach(form -> assertSame(form, IntForms.byId(form.id())));
    assertNull(IntForms.byId((byte) 99));
    assertNull(IntForms.byId((byte) -1));
  }

  @Test
  void idsOfNumbersAreThoseOfTheDocs() throws IOException {
    final Map<String, Integer> registered = new TreeMap<>();
    for (NumberType type : NumberType.values()) {
      for (NumberForm form : NumberForms.of(type)) {
        final FormDecoder<?> decoder = NumberForms.byId(type).apply(form.id());
        assertEquals(form.id(), decoder.id());
        registered.put(decoder.name(), (int) decoder.id());
      }
    }
    assertDocumented("The chunks of numbers", registered);
    assertEquals(registered.size(), registered.values().stream().distinct().count(), "ids");
  }

  @Test
  void idsOfPostingsAreThoseOfTheDocs() throws IOException {
    assertDocumented(
        "Posting lists",
        PostingForms.ALL.stream().collect(Collectors.toMap(PostingForm::name, form -> (int) form.id())));
    PostingForms.ALL.forEach(form -> assertSame(form, PostingForms.byId(form.id())));
    assertNull(PostingForms.byId((byte) 99));
    assertNull(PostingForms.byId((byte) -1));
    assertNull(PostingForms.byId((byte) 0));
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void unknownIdsOfNumbersHaveNoDecoder(NumberType type) {
    for (byte id : new byte[] {99, -1, Byte.MIN_VALUE}) {
      assertNull(NumberForms.byId(type).apply(id));
    }
  }

  /** What is tried, but cannot win under any target, would only take time. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void everyFormOfNumbersIsUsedUnderSomeTarget(NumberType type) {
    NumberForms.of(type).forEach(form -> assertTrue(form.cost().isEverUsed(), form::name));
    assertEquals(
        NumberForms.of(type).size(), NumberForms.of(type).stream().map(NumberForm::name).distinct().count(), "names");
  }

  @Test
  void formsThatAreOfUseByThemselvesHaveACost() {
    forms().forEach(form -> assertEquals(!form.uses().isEmpty(), form.cost().isEverUsed(), form::name));
  }

  @Test
  void everyFormHasItsContractTest() throws Exception {
    assertEquals(
        forms().map(IntForm::name).collect(Collectors.toSet()),
        FormContract.all().stream().map(contract -> contract.form().name()).collect(Collectors.toSet()),
        "forms with a FormContract");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormHasItsGoldenBytes(IntForm form) {
    for (ByteOrder order : FormContract.orders()) {
      assertTrue(Files.exists(FormContract.goldenFile(form, order)), () -> FormContract.goldenFile(form, order) + "?");
    }
  }
}
