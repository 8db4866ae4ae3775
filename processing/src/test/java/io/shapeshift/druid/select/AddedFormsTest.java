// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.Encoding;
import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.IntReader;
import io.shapeshift.druid.api.IntUse;
import io.shapeshift.druid.api.IntValues;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.ShapeShiftEncodings;
import io.shapeshift.druid.api.SizeEstimate;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.api.TextModel;
import io.shapeshift.druid.api.TextValues;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.packed.UnencodedForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.segment.ServiceProperties;
import io.shapeshift.druid.segment.ShapeShiftModule;
import io.shapeshift.druid.testing.ModularInts;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import javax.annotation.Nullable;
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
    binder.install(ServiceProperties.of(new Properties()));
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

  /** Deflated ints, whose size only encoding tells; it depends on the byte order. */
  private static final class DeflatedInts implements IntEncoding {
    /** Zeros in front, by value. */
    private final int padding;

    DeflatedInts(int padding) {
      this.padding = padding;
    }

    @Override
    public String name() {
      return "test.deflated";
    }

    @Override
    public ReadCost cost() {
      return ReadCost.NONE;
    }

    @Override
    public Set<IntUse> uses() {
      return EnumSet.of(IntUse.IDS);
    }

    @Override
    public double scanNanos(IntValues values) {
      return 1;
    }

    @Override
    public double sparseNanos(IntValues values) {
      return 0;
    }

    @Override
    public SizeEstimate estimate(IntValues values) {
      return SizeEstimate.unknown();
    }

    @Override
    public void encode(IntValues values, ByteBuffer out) {
      if (padding > 0) {
        out.put(new byte[padding * values.size()]);
      }
      final ByteBuffer plain = ByteBuffer.allocate(Integer.BYTES * values.size()).order(out.order());
      for (int i = 0; i < values.size(); i++) {
        plain.putInt(values.get(i));
      }
      final Deflater deflater = new Deflater();
      deflater.setInput(plain.flip());
      deflater.finish();
      while (!deflater.finished()) {
        if (deflater.deflate(out) == 0 && !deflater.finished()) {
          throw new BufferOverflowException();
        }
      }
      deflater.end();
    }

    @Override
    public IntReader open(ByteBuffer chunk, int numValues) {
      final ByteBuffer plain = ByteBuffer.allocate(Integer.BYTES * numValues).order(chunk.order());
      final Inflater inflater = new Inflater();
      try {
        inflater.setInput(chunk.position(padding * numValues));
        inflater.inflate(plain);
      } catch (DataFormatException e) {
        throw new DamagedChunkException("it cannot be inflated", e);
      } finally {
        inflater.end();
      }
      return index -> plain.getInt(Integer.BYTES * index);
    }
  }

  private static IntChunk chunk(int[] values) {
    final IntChunk chunk = new IntChunk(values.length);
    for (int value : values) {
      chunk.add(value);
    }
    return chunk;
  }

  /** A trial has the byte order of the column, whatever the pooled buffer had before. */
  @Test
  void sizesThatOnlyEncodingTells() {
    final int[] values = IntStream.range(0, 4000).map(i -> i * 7919 % 65_536).toArray();
    try (InstalledEncodings installed = InstalledEncodings.of(new DeflatedInts(0))) {
      final FormSelector<IntChunk> selector =
          FormSelectors.forInts(List.of(IntForms.added("test.deflated")), OptimizationTarget.SMALLER);
      for (ByteOrder order : List.of(
          ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        selector.encodeDirect(chunk(values), order, (form, bytes) -> assertEquals("test.deflated", form.name()));
      }
    }
  }

  @Test
  void whatDoesNotFitIntoAChunkIsNotChosen() {
    final int[] values = new Random(1).ints(16_384, 0, Integer.MAX_VALUE).toArray();
    try (InstalledEncodings installed = InstalledEncodings.of(new DeflatedInts(9))) {
      final FormSelector<IntChunk> selector = FormSelectors.forInts(
          List.of(IntForms.added("test.deflated"), new UnencodedForm()), OptimizationTarget.SMALLER);
      selector.encodeDirect(
          chunk(values), ByteOrder.BIG_ENDIAN, (form, bytes) -> assertEquals("unencoded", form.name()));
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
      final EncodingException e =
          assertThrows(EncodingException.class, () -> AddedForms.install(List.of(new Named("a.first"))));
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
    final EncodingException e =
        assertThrows(EncodingException.class, () -> AddedForms.install(List.of(new Named(name))));
    assertEquals(
        "The name[" + name + "] of the encoding " + Named.class.getName() + " is not allowed: it needs two or more"
            + " words with dots between them, at most 60 characters, as in acme.periodic. A word has a lower-case"
            + " letter and then lower-case letters, digits and _; the first word is the vendor, other than shapeshift",
        e.getMessage()
    );
  }

  /** The message of a bare NullPointerException would not name the encoding. */
  @Test
  void noCost() {
    final TextEncoding texts = new TextEncoding() {
      @Override
      public String name() {
        return "acme.texts";
      }

      @Nullable
      @Override
      public ReadCost cost() {
        return null;
      }

      @Nullable
      @Override
      public TextModel learn(TextValues values) {
        return null;
      }

      @Nullable
      @Override
      public TextModel read(ByteBuffer model) {
        return null;
      }
    };
    final EncodingException e = assertThrows(EncodingException.class, () -> AddedForms.install(List.of(texts)));
    assertEquals(
        "Encoding[acme.texts] returned null from cost(). Report this to the author of the jar that has it, and remove"
            + " the jar",
        e.getMessage()
    );
    assertNull(TextCodings.added("acme.texts"));
  }

  @Test
  void tooMany() {
    final List<Named> many = IntStream.range(0, 65).mapToObj(i -> new Named("acme.form" + i)).toList();
    final EncodingException e =
        assertThrows(EncodingException.class, () -> AddedForms.install(many));
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
