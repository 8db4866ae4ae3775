// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
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
  private static final int LENGTH = Limits.MAX_DIRECT_INTS;

  /** A chosen form and its bytes, which buffers compare. */
  private record Chosen(String form, ByteBuffer bytes) {}

  // Which form wins

  /** Shapes for which one form is better by far than the next one, whatever the exact weights. */
  static Stream<Arguments> shapes() {
    final RandomData data = new RandomData(42);
    return Stream.of(
        //                                                        smaller       fastbutsm...  faster
        shape("one value", new int[] {7},                         "constant",   "constant",   "constant"),
        shape("zeros", RandomData.constant(LENGTH, 0),            "zero",       "zero",       "zero"),
        shape("constant", RandomData.constant(LENGTH, 1_000_000), "constant",   "constant",   "constant"),
        shape("uniform, 3 bits", data.uniform(LENGTH, 3),         "bitpack",    "bitpack",    "bitpack"),
        shape("uniform, 11 bits", data.uniform(LENGTH, 11),       "bitpack",    "bitpack",    "bitpack"),
        shape("uniform, 4 bytes", data.uniform(LENGTH, 31),       "bitpack",    "bitpack",    "bitpack"),
        // Four bytes more than in bytepack, and scanned five times as fast.
        shape("uniform, 16 bits", data.uniform(LENGTH, 16),       "bitpack",    "bitpack",    "bitpack"),
        shape("sparse", data.sparse(LENGTH, 10, 200),             "patched",    "patched",    "patched"),
        shape("few, far apart", few(data),                        "tans",       "dictionary", "dictionary"),
        shape("rising", rising(data),                             "delta",      "delta",      "bitpack"),
        shape("long runs", data.runs(LENGTH, 12, 1000, 2000),     "rle",        "runend",     "runend"),
        shape("phrases", data.phrases(LENGTH, 8, 20, 40),         "zstd",       "lz4",        "lz4"),
        shape("wide phrases", data.phrases(LENGTH, 24, 20, 40),   "zstd",       "lz4",        "lz4")
    );
  }

  private static int[] few(RandomData data) {
    final int[] entries = data.uniform(20, 31);
    return IntStream.generate(() -> entries[data.nextInt(entries.length)]).limit(LENGTH).toArray();
  }

  private static int[] rising(RandomData data) {
    return IntStream.range(0, LENGTH).map(i -> i * 1000 + data.nextInt(1000)).toArray();
  }

  private static Arguments shape(String name, int[] values, String smaller, String fastButSmallish, String faster) {
    return Arguments.of(name, values, List.of(smaller, fastButSmallish, faster));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void choosesTheFormForTheShape(String name, int[] values, List<String> byTarget) {
    assertEquals(byTarget, Stream.of(OptimizationTarget.values())
        .map(target -> choose(FormSelectors.forInts(target), values).form)
        .toList());
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void costsOfNumbersAreFactorsAndBytes(NumberType type) {
    for (NumberForm form : NumberForms.of(type)) {
      for (OptimizationTarget target : OptimizationTarget.values()) {
        assertTrue(form.cost().under(target).factor() >= 1, form::name);
        assertTrue(form.cost().under(target).perNumber() >= 0, form::name);
        if (form.name().endsWith("zstd") && target != OptimizationTarget.SMALLER) {
          assertEquals(DecodeCost.NEVER, form.cost().under(target).factor(), form::name);
        }
      }
    }
  }

  @Test
  void triesZstandardOnlyForSmaller() {
    final List<IntForm> zstdOnly = List.of(IntForms.byId((byte) 7));
    assertEquals("zstd", choose(FormSelectors.forInts(zstdOnly, OptimizationTarget.SMALLER), 1, 2).form);
    for (OptimizationTarget target : List.of(OptimizationTarget.FASTBUTSMALLISH, OptimizationTarget.FASTER)) {
      final FormSelector<IntChunk> selector = FormSelectors.forInts(zstdOnly, target);
      assertThrows(IllegalStateException.class, () -> choose(selector, 1, 2));
    }
  }

  static Stream<Arguments> costs() {
    return IntForms.ALL.stream().flatMap(form -> Stream.of(OptimizationTarget.values())
        .filter(target -> form.cost().under(target).factor() != DecodeCost.NEVER)
        .map(target -> Arguments.of(form.name(), target, form instanceof CodecForm<?, ?>)));
  }

  /** The weights behind the choice: a form wins when its bytes times its cost are less than those of the other. */
  @ParameterizedTest
  @MethodSource("costs")
  void slowFormsHaveToSaveEnough(String name, OptimizationTarget target, boolean isCodec) {
    final double cost = cost(name).under(target).factor();
    assertTrue(cost >= 1, () -> name + " costs " + cost);
    final Stub other = new Stub("other", Estimate.exact(100_000));
    final int wins = (int) Math.ceil(100_000 / cost) - 1;
    final int loses = (int) Math.floor(100_000 / cost) + 1;
    for (int bytes : new int[] {wins, loses}) {
      // Druid's own column would take twice as much, and asks for nothing.
      final IntForm form =
          isCodec ? new CodecStub(name, bytes, 300_000) : new Stub(name, Estimate.exact(bytes));
      assertEquals(bytes == wins ? form : other, best(FormSelectors.forInts(List.of(other, form), target)), name);
    }
  }

  /** A thousandth of the bytes is not worth a scan that takes more than a fifth longer, whichever is asked first. */
  @ParameterizedTest
  @CsvSource({"99901, 0.13, fast", "99901, 0.119, small", "99899, 0.13, small", "99899, 9, small", "100000, 9, fast"})
  void ofNearlyEqualFormsTheFasterOneWins(int bytes, double nanos, String expected) {
    final Stub fast = new ScannedStub("fast", 100_000, 0.1);
    final Stub small = new ScannedStub("small", bytes, nanos);
    for (List<Stub> forms : List.of(List.of(fast, small), List.of(small, fast))) {
      assertEquals(expected, best(FormSelectors.forInts(forms, OptimizationTarget.SMALLER)).name(), forms::toString);
    }
  }

  @ParameterizedTest
  @EnumSource(value = OptimizationTarget.class, names = "SMALLER", mode = EnumSource.Mode.EXCLUDE)
  void slowFormsAreForSmallerOnly(OptimizationTarget target) {
    for (String name : List.of("zstd", "tans", "rle")) {
      assertTrue(cost(name).under(OptimizationTarget.SMALLER).factor() < DecodeCost.NEVER, name);
      assertEquals(DecodeCost.NEVER, cost(name).under(target).factor(), name);
    }
    for (String name : List.of("shuffle", "bytedictionary", "bits")) {
      assertFalse(cost(name).isEverUsed(), name);
    }
  }

  // Codecs

  /**
   * A form that is read directly, and wins by its weight, has to give way to a codec only where Druid's own column with
   * it would be smaller by more than the target allows.
   */
  @ParameterizedTest
  @CsvSource({"lz4, SMALLER", "lz4, FASTBUTSMALLISH", "lz4, FASTER", "zstd, SMALLER"})
  void codecsMakeUpForStock(String name, OptimizationTarget target) {
    final int druid = 100_000;
    // The quick variant of the codec has to make less than that of Druid's own column.
    final int most = (int) Math.floor(druid * codec(name).allowedOverDruid(target));
    // So that its weight is larger than that of the others.
    final int best = 2 * druid;
    for (int bytes : new int[] {most, most + 1}) {
      final Stub other = new Stub("other", Estimate.exact(bytes));
      final CodecStub codec = new CodecStub(name, best, druid);
      assertEquals(
          bytes == most ? other : codec, best(FormSelectors.forInts(List.of(other, codec), target)), bytes + " bytes");
    }
  }

  /** The thorough codec may save enough where the quick one does not. */
  @ParameterizedTest
  @CsvSource({"lz4, FASTBUTSMALLISH", "lz4, FASTER", "zstd, SMALLER"})
  void thoroughCodecIsTriedWhereTheQuickOneNearlySavesEnough(String name, OptimizationTarget target) {
    final int enough = (int) Math.ceil(100_000 / cost(name).under(target).factor()) - 1;
    for (int size : new int[] {enough, enough + 2}) {
      final Stub other = new Stub("other", Estimate.exact(100_000));
      final CodecStub codec = new CodecStub(name, enough + 5000, size, 300_000);
      assertEquals(size == enough ? codec : other, best(FormSelectors.forInts(List.of(other, codec), target)));
      assertTrue(codec.calls().contains("bestSize"));
    }
  }

  /** Where even the quick codec makes less of stock's column, it is not compressed to know. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void thoroughCodecIsNotAskedWhereTheQuickOneSaysEnough(OptimizationTarget target) {
    final CodecStub smaller = new CodecStub("lz4", 200_000, 50_000);
    assertEquals(
        smaller, best(FormSelectors.forInts(List.of(new Stub("other", Estimate.exact(100_000)), smaller), target)));
    assertFalse(smaller.calls().contains("bestSize"));
  }

  @Test
  void ofTwoCodecsTheOneOfLessWeightWins() {
    final Stub other = new Stub("other", Estimate.exact(100_000));
    final CodecStub lz4 = new CodecStub("lz4", 50_000, 60_000);
    final CodecStub zstd = new CodecStub("zstd", 40_000, 60_000);
    assertEquals(zstd, best(FormSelectors.forInts(List.of(other, lz4, zstd), OptimizationTarget.SMALLER)));
    assertEquals(lz4, best(FormSelectors.forInts(List.of(other, lz4, zstd), OptimizationTarget.FASTBUTSMALLISH)));
    final CodecStub largeZstd = new CodecStub("zstd", 50_000, 60_000);
    assertEquals(lz4, best(FormSelectors.forInts(List.of(other, lz4, largeZstd), OptimizationTarget.SMALLER)));
  }

  @Test
  void codecIsUsedWhereNothingElseCanStoreTheChunk() {
    final CodecStub codec = new CodecStub("lz4", 1000, 1000);
    for (List<IntForm> forms :
        List.of(List.<IntForm>of(codec), List.<IntForm>of(new Stub("other", Estimate.SKIP), codec))) {
      assertEquals(codec, best(FormSelectors.forInts(forms, OptimizationTarget.FASTER)));
    }
  }

  /** What a selector would encode a chunk in, without doing so. */
  private static IntForm best(FormSelector<IntChunk> selector) {
    return (IntForm) choice(selector, chunk(1)).form();
  }

  // Forcing a form

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void anyFormCanBeForced(OptimizationTarget target) {
    final List<int[]> shapes = List.of(RandomData.constant(1000, 0), IntStream.range(0, 1000).map(i -> i / 3).toArray(),
        new RandomData(1).exceptions(1000, 5, 28, 100), few(new RandomData(1)),
        IntStream.range(0, 1000).map(i -> i % 5).toArray());
    for (IntForm form : IntForms.ALL) {
      if (form.cost().under(target).factor() == DecodeCost.NEVER) {
        continue;
      }
      final int[] values = shapes.stream()
          .filter(shape -> form.estimate(chunk(shape)).kind() != Estimate.Kind.SKIP)
          .findFirst()
          .orElseThrow(() -> new AssertionError("Add a shape that " + form.name() + " can store"));
      final Chosen chosen = choose(FormSelectors.forInts(List.of(form), target), values);
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
        FormSelectors.forInts(List.of(IntForms.byId((byte) 0)), OptimizationTarget.SMALLER);
    final IllegalStateException e = assertThrows(IllegalStateException.class, () -> choose(zeroOnly, 1, 2));
    assertEquals("No form can store a chunk of 2 values", e.getMessage());
  }

  @Test
  void refusesNoForms() {
    assertThrows(
        IllegalArgumentException.class, () -> FormSelectors.forInts(List.of(), OptimizationTarget.SMALLER));
  }

  // How forms are asked

  @Test
  void ofEquallyGoodFormsTheFirstWins() {
    for (Estimate estimate : List.of(Estimate.exact(10), Estimate.TRY)) {
      final List<IntForm> forms = new ArrayList<>(List.of(
          new Stub("larger", Estimate.exact(11)), new Stub("a", Estimate.exact(10)), new Stub("b", estimate)));
      assertEquals("a", choose(FormSelectors.forInts(forms, OptimizationTarget.FASTER), 1).form);
      Collections.reverse(forms);
      assertEquals("b", choose(FormSelectors.forInts(forms, OptimizationTarget.FASTER), 1).form);
    }
  }

  @Test
  void bytesAreThoseOfTheWinnerWheneverItWasTried() {
    final Stub exact = new Stub("exact", Estimate.exact(20));
    final Stub small = new Stub("small", Estimate.TRY, 10);
    final Stub large = new Stub("large", Estimate.TRY, 30);
    for (List<Stub> forms : List.of(
        List.of(exact, small, large), List.of(large, small, exact), List.of(small, exact, large))) {
      assertEquals(small.chosen(), choose(FormSelectors.forInts(forms, OptimizationTarget.SMALLER), 1));
    }
    for (List<Stub> forms : List.of(List.of(exact, large), List.of(large, exact))) {
      assertEquals(exact.chosen(), choose(FormSelectors.forInts(forms, OptimizationTarget.SMALLER), 1));
    }
  }

  @Test
  void skippedFormsAreNotEncodedAndTakenOnesEndTheSearch() {
    final Stub skipped = new Stub("skipped", Estimate.SKIP);
    final Stub exact = new Stub("exact", Estimate.exact(10));
    final Stub taken = new Stub("taken", Estimate.take(5));
    final Stub never = new Stub("never", Estimate.exact(1));
    final FormSelector<IntChunk> selector =
        FormSelectors.forInts(List.of(skipped, exact, taken, never), OptimizationTarget.FASTBUTSMALLISH);
    assertEquals(taken.chosen(), choose(selector, 1));
    assertEquals(List.of("estimate"), skipped.calls);
    assertEquals(List.of("estimate"), exact.calls);
    assertEquals(List.of("estimate", "encode"), taken.calls.stream().distinct().toList());
    assertEquals(List.of(), never.calls);
  }

  @ParameterizedTest
  @CsvSource({"0, zero", "5, constant"})
  void zeroAndConstantEndTheSearch(int value, String expected) {
    final Stub last = new Stub("last", Estimate.exact(1));
    final List<IntForm> forms = new ArrayList<>(IntForms.ALL);
    forms.add(last);
    assertEquals(expected, choose(FormSelectors.forInts(forms, OptimizationTarget.SMALLER), value, value).form);
    assertEquals(List.of(), last.calls);
    // Nothing stands before them that would cost time.
    assertEquals(List.of("zero", "constant"), IntForms.ALL.stream().limit(2).map(IntForm::name).toList());
  }

  @Test
  void failsWhereAFormMisjudgedItsSize() {
    final Stub wrong = new Stub("wrong", Estimate.exact(10), 11);
    final IllegalStateException e = assertThrows(
        IllegalStateException.class,
        () -> choose(FormSelectors.forInts(List.of(wrong), OptimizationTarget.SMALLER), 1));
    assertEquals("wrong took 11 bytes, not the 10 that it said", e.getMessage());
  }

  // Determinism

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void theSameChunkGivesTheSameBytesOnAllThreads(OptimizationTarget target) throws Exception {
    final List<int[]> chunks = shapes().map(shape -> (int[]) shape.get()[1]).toList();
    final List<Chosen> expected = chunks.stream().map(values -> choose(FormSelectors.forInts(target), values)).toList();
    final FormSelector<IntChunk> shared = FormSelectors.forInts(target);
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

  private static DecodeCost cost(String name) {
    return IntForms.ALL.stream().filter(form -> form.name().equals(name)).findFirst()
        .map(IntForm::cost).orElse(DecodeCost.NONE);
  }

  private static Codec codec(String name) {
    return Stream.of(Codec.values()).filter(codec -> codec.toString().equals(name)).findFirst().orElseThrow();
  }

  private static Choice<IntChunk> choice(FormSelector<IntChunk> selector, IntChunk chunk) {
    final Choice<IntChunk> direct =
        selector.chooseDirect(chunk, ByteOrder.BIG_ENDIAN, (form, values) -> false, SelectionTrace.NONE);
    if (direct.isUnbeatable()) {
      return direct;
    }
    final Choice<IntChunk> codec = selector.chooseCodec(
        chunk,
        direct.form() == null ? direct.weight() : direct.bytes(),
        direct.weight(),
        (form, values) -> false,
        new CodecHistory(),
        SelectionTrace.NONE
    );
    return codec.form() == null ? direct : codec;
  }

  private static Chosen choose(FormSelector<IntChunk> selector, int... values) {
    final Chosen[] chosen = new Chosen[1];
    final IntChunk chunk = chunk(values);
    final Choice<IntChunk> choice = choice(selector, chunk);
    ChunkEncoder.encode(choice, chunk, ByteOrder.LITTLE_ENDIAN, bytes -> chosen[0] = new Chosen(
        choice.form().name(), ByteBuffer.allocate(bytes.remaining()).order(bytes.order()).put(bytes).flip()));
    return chosen[0];
  }

  /**
   * A form that says what it is told to, at the cost of the one with its name, whatever the chunk, and writes down what
   * it was asked.
   */
  private static class Stub implements IntForm {
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

    final List<String> calls() {
      return calls;
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
    public DecodeCost cost() {
      return FormSelectorTest.cost(name);
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

  /** The same with a time of scans. */
  private static final class ScannedStub extends Stub {
    private final double nanos;

    private ScannedStub(String name, int bytes, double nanos) {
      super(name, Estimate.exact(bytes));
      this.nanos = nanos;
    }

    @Override
    public double scanNanos(IntChunk chunk) {
      return nanos;
    }
  }

  /** The same for a codec. */
  private static final class CodecStub extends Stub implements CodecForm<IntChunk, IntChunkReader> {
    private final Trial trial;
    private final int bestSize;

    private CodecStub(String name, int best, int plain) {
      this(name, best, best, plain);
    }

    private CodecStub(String name, int best, int bestSize, int plain) {
      super(name, Estimate.TRY, bestSize);
      this.trial = new Trial(best, plain);
      this.bestSize = bestSize;
    }

    @Override
    public double allowedOverDruid(OptimizationTarget target) {
      return codec(name()).allowedOverDruid(target);
    }

    @Override
    public Trial tryQuickly(IntChunk chunk) {
      return trial;
    }

    @Override
    public int bestSize(IntChunk chunk) {
      calls().add("bestSize");
      return bestSize;
    }
  }
}
