// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.form.IntChunkReader;
import io.shapeshift.druid.form.IntForm;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FormSelectorTest {
  private static final int LENGTH = Forms.MAX_INTS_PER_CHUNK;

  /** A chosen form and its bytes, which buffers compare. */
  private record Chosen(String form, ByteBuffer bytes) {}

  // Which form wins

  static Stream<Arguments> shapes() {
    // These very values in each run: with others, close calls could go the other way.
    final RandomData data = new RandomData(42);
    return Stream.of(
        //                                                        smaller      fastbutsm... faster
        shape("one value", new int[] {7},                         "constant",  "constant",  "constant"),
        shape("zeros", RandomData.constant(LENGTH, 0),            "zero",      "zero",      "zero"),
        shape("constant", RandomData.constant(LENGTH, 1_000_000), "constant",  "constant",  "constant"),
        shape("sequence", RandomData.sequence(LENGTH, 0),         "fastpfor",  "fastpfor",  "bytepack"),
        shape("long runs", data.runs(LENGTH, 12, 1000, 2000),     "rle",       "rle",       "rle"),
        shape("runs of 30", data.runs(LENGTH, 20, 25, 30, 35),    "zstd",      "lz4",       "rle"),
        shape("short runs", data.runs(LENGTH, 6, 3, 4, 5),        "zstd",      "lz4",       "rle"),
        shape("few short runs", data.runs(LENGTH, 6, 1, 1, 1, 4), "zstd",      "rle",       "bytepack"),
        shape("uniform, 3 bits", data.uniform(LENGTH, 3),         "zstd",      "fastpfor",  "fastpfor"),
        shape("uniform, 1 byte", data.uniform(LENGTH, 8),         "bytepack",  "bytepack",  "bytepack"),
        shape("uniform, 11 bits", data.uniform(LENGTH, 11),       "fastpfor",  "fastpfor",  "bytepack"),
        shape("uniform, 2 bytes", data.uniform(LENGTH, 16),       "bytepack",  "bytepack",  "bytepack"),
        shape("uniform, 3 bytes", data.uniform(LENGTH, 24),       "bytepack",  "bytepack",  "bytepack"),
        shape("uniform, 4 bytes", data.uniform(LENGTH, 31),       "fastpfor",  "unencoded", "unencoded"),
        shape("rare large", data.exceptions(LENGTH, 5, 28, 100),  "fastpfor",  "fastpfor",  "fastpfor"),
        shape("sparse", data.sparse(LENGTH, 10, 200),             "zstd",      "fastpfor",  "fastpfor"),
        shape("zipf", data.zipf(LENGTH, 1000),                    "zstd",      "fastpfor",  "fastpfor"),
        shape("phrases", data.phrases(LENGTH, 8, 20, 40),         "zstd",      "lz4",       "lz4"),
        shape("wide phrases", data.phrases(LENGTH, 24, 20, 40),   "zstd",      "lz4",       "lz4")
    );
  }

  private static Arguments shape(String name, int[] values, String smaller, String fastButSmallish, String faster) {
    return Arguments.of(name, values, List.of(smaller, fastButSmallish, faster));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void choosesTheFormForTheShape(String name, int[] values, List<String> byTarget) {
    assertEquals(byTarget, Stream.of(OptimizationTarget.values())
        .map(target -> choose(FormSelector.forInts(target), values).form)
        .toList());
  }

  @Test
  void everyFormHasACost() {
    for (IntForm form : Forms.INTS) {
      assertTrue(DecodeCosts.lists(form.name()), () -> form.name() + " lacks a line in DecodeCosts");
    }
  }

  @Test
  void triesZstandardOnlyForSmaller() {
    final List<IntForm> zstdOnly = List.of(Forms.intForm((byte) 7));
    assertEquals("zstd", choose(FormSelector.of(zstdOnly, OptimizationTarget.SMALLER), 1, 2).form);
    for (OptimizationTarget target : List.of(OptimizationTarget.FASTBUTSMALLISH, OptimizationTarget.FASTER)) {
      final FormSelector<IntChunk> selector = FormSelector.of(zstdOnly, target);
      assertThrows(IllegalStateException.class, () -> choose(selector, 1, 2));
    }
  }

  /** The weights behind the choice: a form wins when its bytes times its cost are less than those of the other. */
  @ParameterizedTest
  @CsvSource({
    "rle, SMALLER, 999, 1000", "rle, FASTBUTSMALLISH, 970, 971", "rle, FASTER, 666, 667",
    "fastpfor, SMALLER, 999, 1000", "fastpfor, FASTBUTSMALLISH, 970, 971", "fastpfor, FASTER, 666, 667",
    "lz4, SMALLER, 999, 1000", "lz4, FASTBUTSMALLISH, 952, 953", "lz4, FASTER, 499, 500",
    "zstd, SMALLER, 999, 1000"
  })
  void slowFormsHaveToSaveEnough(String name, OptimizationTarget target, int wins, int loses) {
    final Stub other = new Stub("other", Estimate.exact(1000));
    assertEquals(
        name, choose(FormSelector.of(List.of(other, new Stub(name, Estimate.exact(wins))), target), 1).form);
    assertEquals(
        "other", choose(FormSelector.of(List.of(other, new Stub(name, Estimate.exact(loses))), target), 1).form);
  }

  // Forcing a form

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void anyFormCanBeForced(OptimizationTarget target) {
    final List<int[]> shapes = List.of(RandomData.constant(1000, 0), IntStream.range(0, 1000).toArray());
    for (IntForm form : Forms.INTS) {
      if (DecodeCosts.of(form.name(), target) == DecodeCosts.NEVER) {
        continue;
      }
      final int[] values = shapes.stream()
          .filter(shape -> form.estimate(chunk(shape)).kind() != Estimate.Kind.SKIP)
          .findFirst()
          .orElseThrow(() -> new AssertionError("Add a shape that " + form.name() + " can store"));
      final Chosen chosen = choose(FormSelector.of(List.of(form), target), values);
      assertEquals(form.name(), chosen.form);
      assertEquals(form.id(), chosen.bytes.get(0));
      assertArrayEquals(values, read(form, chosen.bytes, values.length), form.name());
    }
  }

  private static int[] read(IntForm form, ByteBuffer bytes, int length) {
    final int[] values = new int[length];
    try (IntChunkReader reader = new IntChunkReader()) {
      reader.startChunk(length);
      form.transform(bytes, 0, bytes.limit(), reader);
      reader.get(values, 0, 0, length);
    }
    return values;
  }

  @Test
  void failsWhereNoFormCanStoreTheChunk() {
    final FormSelector<IntChunk> zeroOnly =
        FormSelector.of(List.of(Forms.intForm((byte) 0)), OptimizationTarget.SMALLER);
    final IllegalStateException e = assertThrows(IllegalStateException.class, () -> choose(zeroOnly, 1, 2));
    assertEquals("No form can store a chunk of 2 values", e.getMessage());
  }

  @Test
  void refusesNoForms() {
    assertThrows(
        IllegalArgumentException.class, () -> FormSelector.<IntChunk>of(List.of(), OptimizationTarget.SMALLER));
  }

  // How forms are asked

  @Test
  void ofEquallyGoodFormsTheFirstWins() {
    for (Estimate estimate : List.of(Estimate.exact(10), Estimate.TRY)) {
      final List<IntForm> forms = new ArrayList<>(List.of(
          new Stub("larger", Estimate.exact(11)), new Stub("a", Estimate.exact(10)), new Stub("b", estimate)));
      assertEquals("a", choose(FormSelector.of(forms, OptimizationTarget.FASTER), 1).form);
      Collections.reverse(forms);
      assertEquals("b", choose(FormSelector.of(forms, OptimizationTarget.FASTER), 1).form);
    }
  }

  @Test
  void bytesAreThoseOfTheWinnerWheneverItWasTried() {
    final Stub exact = new Stub("exact", Estimate.exact(20));
    final Stub small = new Stub("small", Estimate.TRY, 10);
    final Stub large = new Stub("large", Estimate.TRY, 30);
    for (List<Stub> forms : List.of(
        List.of(exact, small, large), List.of(large, small, exact), List.of(small, exact, large))) {
      assertEquals(small.chosen(), choose(FormSelector.of(forms, OptimizationTarget.SMALLER), 1));
    }
    for (List<Stub> forms : List.of(List.of(exact, large), List.of(large, exact))) {
      assertEquals(exact.chosen(), choose(FormSelector.of(forms, OptimizationTarget.SMALLER), 1));
    }
  }

  @Test
  void skippedFormsAreNotEncodedAndTakenOnesEndTheSearch() {
    final Stub skipped = new Stub("skipped", Estimate.SKIP);
    final Stub exact = new Stub("exact", Estimate.exact(10));
    final Stub taken = new Stub("taken", Estimate.take(5));
    final Stub never = new Stub("never", Estimate.exact(1));
    final FormSelector<IntChunk> selector =
        FormSelector.of(List.of(skipped, exact, taken, never), OptimizationTarget.FASTBUTSMALLISH);
    assertEquals(taken.chosen(), choose(selector, 1));
    assertEquals(List.of("estimate"), skipped.calls);
    assertEquals(List.of("estimate"), exact.calls);
    assertEquals(List.of("estimate", "encode"), taken.calls);
    assertEquals(List.of(), never.calls);
  }

  @ParameterizedTest
  @CsvSource({"0, zero", "5, constant"})
  void zeroAndConstantEndTheSearch(int value, String expected) {
    final Stub last = new Stub("last", Estimate.exact(1));
    final List<IntForm> forms = new ArrayList<>(Forms.INTS);
    forms.add(last);
    assertEquals(expected, choose(FormSelector.of(forms, OptimizationTarget.SMALLER), value, value).form);
    assertEquals(List.of(), last.calls);
    // Nothing stands before them that would cost time.
    assertEquals(List.of("zero", "constant"), Forms.INTS.stream().limit(2).map(IntForm::name).toList());
  }

  @Test
  void failsWhereAFormMisjudgedItsSize() {
    final Stub wrong = new Stub("wrong", Estimate.exact(10), 11);
    final IllegalStateException e = assertThrows(
        IllegalStateException.class, () -> choose(FormSelector.of(List.of(wrong), OptimizationTarget.SMALLER), 1));
    assertEquals("wrong took 11 bytes, not the 10 that it said", e.getMessage());
  }

  // Determinism

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void theSameChunkGivesTheSameBytesOnAllThreads(OptimizationTarget target) throws Exception {
    final List<int[]> chunks = shapes().map(shape -> (int[]) shape.get()[1]).toList();
    final List<Chosen> expected = chunks.stream().map(values -> choose(FormSelector.forInts(target), values)).toList();
    final FormSelector<IntChunk> shared = FormSelector.forInts(target);
    final ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      final List<Future<List<Chosen>>> actual = new ArrayList<>();
      for (int rotation = 0; rotation < 3; rotation++) {
        // Each thread meets the chunks in another order, so that the buffers that they borrow have other contents.
        final List<int[]> rotated = new ArrayList<>(chunks);
        Collections.rotate(rotated, -rotation * 5);
        actual.add(threads.submit(() -> rotated.stream().map(values -> choose(shared, values)).toList()));
      }
      for (int rotation = 0; rotation < 3; rotation++) {
        final List<Chosen> back = new ArrayList<>(actual.get(rotation).get());
        Collections.rotate(back, rotation * 5);
        assertEquals(expected, back);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  // Tools

  private static IntChunk chunk(int... values) {
    final IntChunk chunk = new IntChunk(LENGTH);
    for (int value : values) {
      chunk.add(value);
    }
    return chunk;
  }

  private static Chosen choose(FormSelector<IntChunk> selector, int... values) {
    final Chosen[] chosen = new Chosen[1];
    final IntChunk chunk = chunk(values);
    selector.encode(chunk, ByteOrder.LITTLE_ENDIAN, (form, bytes) -> chosen[0] = new Chosen(
        form.name(), ByteBuffer.allocate(bytes.remaining()).order(bytes.order()).put(bytes).flip()));
    return chosen[0];
  }

  /** A form that says what it is told to, whatever the chunk, and writes down what it was asked. */
  private static final class Stub implements IntForm {
    private final String name;
    private final Estimate estimate;
    private final int bytes;
    private final List<String> calls = new ArrayList<>();

    private Stub(String name, Estimate estimate) {
      this(name, estimate, estimate.kind() == Estimate.Kind.TRY ? 10 : estimate.bytes());
    }

    private Stub(String name, Estimate estimate, int bytes) {
      this.name = name;
      this.estimate = estimate;
      this.bytes = bytes;
    }

    private Chosen chosen() {
      final ByteBuffer out = ByteBuffer.allocate(bytes);
      fill(out);
      return new Chosen(name, out.flip());
    }

    private void fill(ByteBuffer out) {
      for (int i = 0; i < bytes; i++) {
        out.put(id());
      }
    }

    @Override
    public byte id() {
      return (byte) name.charAt(0);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Estimate estimate(IntChunk chunk) {
      calls.add("estimate");
      return estimate;
    }

    @Override
    public void encode(IntChunk chunk, ByteBuffer out) {
      calls.add("encode");
      fill(out);
    }

    @Override
    public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
      throw new UnsupportedOperationException();
    }
  }
}
