// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.shapeshift.druid.api.Encoding;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.ShapeShiftEncodings;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.segment.ShapeShiftModule;
import io.shapeshift.druid.testing.ModularInts;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.writeout.OffHeapMemorySegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // Encodings are installed while a block runs.
class AddedFormsTest {
  /** Druid's core, as far as we override it or our mergers need it. */
  private static final Module CORE = binder -> {
    binder.bind(IndexMergerV9Factory.class).toProvider(() -> null);
    binder.bind(ColumnConfig.class).toInstance(ColumnConfig.DEFAULT);
    binder.bind(SegmentWriteOutMediumFactory.class).toInstance(OffHeapMemorySegmentWriteOutMediumFactory.instance());
  };

  private static Module of(String name) {
    return binder -> ShapeShiftEncodings.ints(binder).addBinding().toInstance(new ModularInts(name));
  }

  private static final class Named implements Encoding {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public ReadCost cost() {
      return ReadCost.NONE;
    }
  }

  @Test
  void idsAndPlacesFollowNamesWhateverTheOrder() {
    final ModularInts first = new ModularInts("a.first");
    final ModularInts second = new ModularInts("b.second");
    for (List<ModularInts> order : List.of(List.of(first, second), List.of(second, first))) {
      try (InstalledEncodings installed = InstalledEncodings.of(order.toArray(Encoding[]::new))) {
        assertEquals(64, IntForms.added("a.first").id());
        assertEquals(65, IntForms.added("b.second").id());
        final List<IntForm> all = IntForms.all();
        assertEquals(
            List.of("a.first", "b.second"),
            all.subList(IntForms.ALL.size(), all.size()).stream().map(IntForm::name).toList()
        );
      }
    }
    assertEquals(IntForms.ALL, IntForms.all());
  }

  @Test
  void framesGetThemAsChildren() {
    try (InstalledEncodings installed = InstalledEncodings.of(new ModularInts("a.first"))) {
      final List<String> names = NumberForms.of(NumberType.LONG).stream().map(form -> form.name()).toList();
      assertTrue(names.containsAll(List.of("linear-a.first", "delta-a.first", "dictionary-a.first")), names::toString);
    }
  }

  /** As the injectors of several services of a process do. */
  @Test
  void installedAgainChangesNothing() {
    try (InstalledEncodings installed = InstalledEncodings.of(new ModularInts("a.first"))) {
      final IntForm form = IntForms.added("a.first");
      assertDoesNotThrow(() -> AddedForms.install(List.of(new ModularInts("a.first"))));
      assertDoesNotThrow(() -> AddedForms.install(List.of()));
      assertSame(form, IntForms.added("a.first"));
    }
  }

  @Test
  void twoOfOneName() {
    try (InstalledEncodings installed = InstalledEncodings.of(new ModularInts("a.first"))) {
      final IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> AddedForms.install(List.of(new Named("a.first"))));
      assertEquals(
          "Two encodings have the name[a.first]: " + ModularInts.class.getName() + " and " + Named.class.getName()
              + ". Remove the jar of one of them",
          e.getMessage()
      );
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", "one", "shapeshift.form", "Acme.form", "acme.", ".acme", "acme..form", "acme.1st", "acme.a-b", "acme.form ",
      "acme.of_more_than_sixty_characters_which_do_not_fit_into_a_header"
  })
  void invalidNames(String name) {
    final IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> AddedForms.install(List.of(new Named(name))));
    assertEquals(
        "The name[" + name + "] of the encoding " + Named.class.getName() + " is not allowed: it needs two or more"
            + " words with dots between them, at most 60 characters, as in acme.periodic. A word has a lower-case"
            + " letter and then lower-case letters, digits and _; the first word is the vendor, other than shapeshift",
        e.getMessage()
    );
  }

  @Test
  void tooMany() {
    final List<Named> many = IntStream.range(0, 65).mapToObj(i -> new Named("acme.form" + i)).toList();
    final IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> AddedForms.install(many));
    assertEquals(
        "There are 65 encodings of other jars, of at most 64. Remove jars whose encodings are not needed",
        e.getMessage()
    );
    assertEquals(IntForms.ALL, IntForms.all());
  }

  @Test
  void theModuleInstallsWhatModulesBind() {
    try (InstalledEncodings none = InstalledEncodings.of()) {
      final Module ofTexts = binder -> ShapeShiftEncodings.texts(binder).addBinding().to(CheckedTexts.class);
      Guice.createInjector(Modules.override(CORE).with(new ShapeShiftModule(), of("a.bound"), ofTexts));
      assertEquals("a.bound", IntForms.added("a.bound").name());
      assertEquals(CheckedTexts.NAME, TextCodings.added(CheckedTexts.NAME).name());
    }
  }

  /** A service does not start with it. */
  @Test
  void anInvalidNameFailsTheInjector() {
    final CreationException e = assertThrows(
        CreationException.class,
        () -> Guice.createInjector(Modules.override(CORE).with(new ShapeShiftModule(), of("bound")))
    );
    assertTrue(e.getMessage().contains("The name[bound] of the encoding"), e.getMessage());
  }
}
