// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.BufferedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What selection tells of its decisions is what it does. */
@ExtendWith(RandomData.Seeded.class)
class SelectionTraceTest {
  private static final int LOG_BLOCK = 10;
  private static final int BLOCK = 1 << LOG_BLOCK;

  private record Reply(String form, SelectionTrace.Answer answer, int bytes, double weight) {}

  private record Asked(long first, int count, Map<String, Reply> answers) {}

  private record Divided(
      long first,
      int count,
      SelectionTrace.Division division,
      double whole,
      double blocks,
      double most
  ) {}

  private record Tried(long first, int count, double directBytes, double directWeight, List<CodecTrial> trials) {}

  private record Saved(long first, int count, SelectionTrace.Untried reason) {}

  private record Encoded(long first, int count, String form, int bytes) {}

  /** Keeps all that it is told. */
  private static final class Recorder implements SelectionTrace {
    private final List<Asked> asked = new ArrayList<>();
    private final List<Divided> divided = new ArrayList<>();
    private final List<Tried> tried = new ArrayList<>();
    private final List<Saved> untried = new ArrayList<>();
    private final List<Encoded> encoded = new ArrayList<>();
    private final List<String> chosen = new ArrayList<>();

    @Override
    public void asks(long first, int count) {
      asked.add(new Asked(first, count, new LinkedHashMap<>()));
    }

    @Override
    public void answered(Form<?, ?> form, Answer answer, int bytes, double weight) {
      assertNull(asked.get(asked.size() - 1).answers.put(
          form.name(), new Reply(form.name(), answer, bytes, weight)));
    }

    @Override
    public void divided(long first, int count, Division division, double whole, double blocks, double most) {
      divided.add(new Divided(first, count, division, whole, blocks, most));
    }

    @Override
    public void triesCodecs(long first, int count, double directBytes, double directWeight) {
      tried.add(new Tried(first, count, directBytes, directWeight, new ArrayList<>()));
    }

    @Override
    public void doesNotTryCodecs(
        long first,
        int count,
        double directWeight,
        SelectionTrace.Untried reason,
        List<? extends Form<?, ?>> codecs
    ) {
      assertFalse(codecs.isEmpty());
      untried.add(new Saved(first, count, reason));
    }

    @Override
    public void tried(CodecTrial trial) {
      tried.get(tried.size() - 1).trials.add(trial);
    }

    @Override
    public void chose(@Nullable Form<?, ?> form) {
      chosen.add(form == null ? "" : form.name());
    }

    @Override
    public void encoded(long first, int count, Form<?, ?> form, int bytes) {
      encoded.add(new Encoded(first, count, form.name(), bytes));
    }

    private Reply answer(int question, String form) {
      return asked.get(question).answers.get(form);
    }
  }

  @Test
  void everyFormIsNamedWithWhatItTakes(RandomData random) {
    final int[] values = random.uniform(4 * BLOCK, 9);
    final IntChunk chunk = new IntChunk(values.length);
    IntStream.of(values).forEach(chunk::add);
    final Recorder trace = trace(OptimizationTarget.FASTBUTSMALLISH, values);
    assertEquals(1, trace.asked.size());
    assertEquals(0, trace.asked.get(0).first);
    assertEquals(4 * BLOCK, trace.asked.get(0).count);
    for (IntForm form : IntForms.of(IntForm.Use.IDS)) {
      final double factor = form.cost().fastButSmallish().factor();
      final Reply answer = trace.answer(0, form.name());
      if (factor == DecodeCost.NEVER) {
        assertEquals(SelectionTrace.Answer.NOT_USED, answer.answer, form.name());
      } else if (form instanceof CodecForm<?, ?>) {
        assertNull(answer, form.name());
      } else if (form.estimate(chunk).kind() == Estimate.Kind.SKIP) {
        assertEquals(SelectionTrace.Answer.SKIPPED, answer.answer, form.name());
      } else {
        assertEquals(SelectionTrace.Answer.EXACT, answer.answer, form.name());
        assertEquals(answer.bytes * factor, answer.weight, form.name());
      }
    }
    assertEquals(List.of(new Encoded(0, 4 * BLOCK, "bitpack", trace.answer(0, "bitpack").bytes)), trace.encoded);
    assertEquals(SelectionTrace.Division.ALIKE, trace.divided.get(0).division);
  }

  /** The weights of numbers count bytes for each of them besides. */
  @Test
  void weightsOfNumbersCountTheirDecoding(RandomData random) {
    final BufferedNumbers values = new BufferedNumbers(NumberType.LONG, 4 * BLOCK);
    final int[] exceptions = random.exceptions(4 * BLOCK, 5, 28, 100);
    IntStream.of(exceptions).forEach(value -> assertTrue(values.add(value)));
    final Recorder trace = new Recorder();
    splitter(FormSelectors.forNumbers(NumberType.LONG, OptimizationTarget.FASTER), trace)
        .encode(values, 4 * BLOCK, true, (form, numBlocks, bytes) -> {});
    values.release();
    int counted = 0;
    for (Form<NumberChunk, ?> form : NumberForms.of(NumberType.LONG)) {
      final DecodeCost.Weight cost = form.cost().faster();
      final Reply answer = trace.answer(0, form.name());
      if (answer != null && answer.answer == SelectionTrace.Answer.EXACT) {
        assertEquals(answer.bytes * cost.factor() + 4 * BLOCK * cost.perNumber(), answer.weight, form.name());
        counted += cost.perNumber() > 0 ? 1 : 0;
      }
    }
    assertTrue(counted > 0, "a form whose numbers count");
  }

  @Test
  void unbeatableFormEndsTheSearch() {
    final Recorder trace = trace(OptimizationTarget.SMALLER, RandomData.constant(8 * BLOCK, 5));
    // Two chunks, and both together.
    assertEquals(List.of(4 * BLOCK, 4 * BLOCK, 8 * BLOCK), trace.asked.stream().map(Asked::count).toList());
    for (int question = 0; question < 3; question++) {
      assertEquals(SelectionTrace.Answer.SKIPPED, trace.answer(question, "zero").answer);
      assertEquals(SelectionTrace.Answer.UNBEATABLE, trace.answer(question, "constant").answer);
      assertEquals(SelectionTrace.Answer.NOT_ASKED, trace.answer(question, "bitpack").answer);
      assertEquals(SelectionTrace.Answer.NOT_ASKED, trace.answer(question, "rle").answer);
    }
    assertEquals(List.of(new Encoded(0, 8 * BLOCK, "constant", 5)), trace.encoded);
    assertEquals(List.of(), trace.tried);
    assertEquals(List.of(new Saved(0, 8 * BLOCK, SelectionTrace.Untried.UNBEATABLE)), trace.untried);
  }

  @Test
  void divisionHasBothWeights(RandomData random) {
    final int[] values = random.uniform(8 * BLOCK, 5);
    for (int i = 0; i < 4 * BLOCK; i++) {
      values[i] += i / BLOCK * 1_000_000;
    }
    final Recorder trace = trace(OptimizationTarget.FASTBUTSMALLISH, values);
    final Divided divided = trace.divided.get(0);
    assertEquals(SelectionTrace.Division.BLOCKS, divided.division);
    final double whole = trace.asked.get(0).answers.values().stream().mapToDouble(Reply::weight).min().orElseThrow();
    final double blocks = IntStream.rangeClosed(1, 4)
        .mapToDouble(i -> trace.asked.get(i).answers.values().stream().mapToDouble(Reply::weight).min().orElseThrow())
        .sum();
    assertEquals(whole, divided.whole);
    assertEquals(blocks + 4 * Integer.BYTES, divided.blocks);
    assertEquals(0.97 * whole, divided.most);
    assertTrue(divided.blocks < divided.most);
    assertEquals(4 * BLOCK, trace.divided.get(1).first);
    assertEquals(SelectionTrace.Division.ALIKE, trace.divided.get(1).division);
  }

  @Test
  void codecsAreComparedWithAllBufferedValues(RandomData random) {
    final Recorder trace = trace(OptimizationTarget.FASTBUTSMALLISH, random.phrases(8 * BLOCK, 7, 9, 50));
    final Tried tried = trace.tried.get(0);
    assertEquals(8 * BLOCK, tried.count);
    final CodecTrial lz4 = tried.trials.get(0);
    assertEquals("lz4", lz4.form().name());
    assertEquals(CodecTrial.Verdict.LIGHTER, lz4.verdict());
    assertEquals(lz4.quick().best() * 1.12, lz4.weight());
    assertEquals(tried.directWeight / 1.12, lz4.limit());
    assertEquals(tried.directBytes / lz4.allowed(), lz4.stock());
    assertTrue(lz4.quick().best() < lz4.limit());
    assertEquals(List.of("bitpack", "bitpack", "lz4"), trace.chosen);
    assertEquals("lz4", trace.encoded.get(0).form);
  }

  /** Values that a codec makes a little smaller: measured once, then estimated, and then not tried for a while. */
  @Test
  void whatIsMeasuredIsUsedAgainAndVainTrialsAreSaved(RandomData random) {
    final Recorder trace = new Recorder();
    final ChunkSplitter<IntChunk> splitter =
        splitter(FormSelectors.forInts(OptimizationTarget.FASTER), trace);
    final int flush = 8 * BLOCK;
    for (int i = 0; i < 12; i++) {
      encode(splitter, random.uniform(flush, 6));
    }
    final Set<CodecTrial.Basis> bases = new HashSet<>();
    trace.tried.forEach(tried -> tried.trials.forEach(trial -> {
      assertEquals(CodecTrial.Verdict.HEAVIER, trial.verdict());
      assertNotNull(trial.best());
      bases.add(trial.best().basis());
    }));
    assertTrue(bases.contains(CodecTrial.Basis.MEASURED), bases::toString);
    assertEquals(List.of(1, 2, 3), trace.untried.stream().limit(3).map(each -> (int) (each.first / flush)).toList());
    assertSame(SelectionTrace.Untried.IN_VAIN, trace.untried.get(0).reason);
    assertEquals(12, trace.tried.size() + trace.untried.size());
    assertEquals(12L * flush, trace.encoded.stream().mapToLong(Encoded::count).sum());
  }

  @Test
  void fewBytesAreNotCompressed() {
    final Recorder trace = trace(OptimizationTarget.SMALLER, IntStream.range(0, 15).toArray());
    assertEquals(List.of(new Saved(0, 15, SelectionTrace.Untried.TOO_LITTLE)), trace.untried);
    assertEquals(List.of(), trace.tried);
  }

  /** Whatever it is told: a trace never changes what is made, and the chunks that it is told of are those. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void tracedColumnsHaveTheSameBytes(OptimizationTarget target, RandomData random) {
    final List<int[]> flushes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      flushes.add(random.zipf(8 * BLOCK, 20 + 20 * i));
      flushes.add(random.runs(8 * BLOCK, 7, 1, 2, 3, 30));
      flushes.add(random.phrases(8 * BLOCK, 7, 200, 5 + i));
      flushes.add(random.exceptions(8 * BLOCK, 5, 28, 100));
    }
    final Recorder trace = new Recorder();
    final ChunkSplitter<IntChunk> traced = splitter(FormSelectors.forInts(target), trace);
    final ChunkSplitter<IntChunk> plain =
        new ChunkSplitter<>(FormSelectors.forInts(target), LOG_BLOCK, ByteOrder.LITTLE_ENDIAN);
    final List<ByteBuffer> chunks = new ArrayList<>();
    for (int[] values : flushes) {
      final List<ByteBuffer> expected = encode(plain, values);
      assertEquals(expected, encode(traced, values));
      chunks.addAll(expected);
    }
    assertEquals(
        chunks.stream().map(ByteBuffer::remaining).toList(),
        trace.encoded.stream().map(Encoded::bytes).toList()
    );
    long position = 0;
    for (Encoded chunk : trace.encoded) {
      assertEquals(position, chunk.first);
      position += chunk.count;
    }
  }

  // Tools

  private static Recorder trace(OptimizationTarget target, int... values) {
    final Recorder trace = new Recorder();
    encode(splitter(FormSelectors.forInts(target), trace), values);
    return trace;
  }

  private static <C extends Chunk> ChunkSplitter<C> splitter(FormSelector<C> selector, SelectionTrace trace) {
    final Supplier<SelectionTrace> traces = () -> trace;
    return new ChunkSplitter<>(selector.traced(traces), LOG_BLOCK, ByteOrder.LITTLE_ENDIAN);
  }

  private static List<ByteBuffer> encode(ChunkSplitter<IntChunk> splitter, int... values) {
    final BufferedInts buffered = new BufferedInts(Integer.BYTES * Integer.highestOneBit(2 * values.length));
    for (int value : values) {
      assertTrue(buffered.add(value));
    }
    return encode(splitter, buffered, values.length);
  }

  private static <C extends Chunk> List<ByteBuffer> encode(
      ChunkSplitter<C> splitter,
      BufferedValues<C> values,
      int length
  ) {
    final List<ByteBuffer> chunks = new ArrayList<>();
    splitter.encode(values, length, true, (form, numBlocks, bytes) ->
        chunks.add(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip()));
    values.release();
    return chunks;
  }
}
