// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.codec.Lz4Sequences;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.codec.RawCodecForm;
import io.shapeshift.druid.stock.StockScan;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No form of numbers is chosen that is scanned more slowly than Druid's own column, except under smaller. */
@ExtendWith(RandomData.Seeded.class)
class SpeedLimitTest {
  private static final int LOG_BLOCK = 11;
  private static final int SIZE = 4 << LOG_BLOCK;

  /** The weight in selection, and whether it was too slow. */
  private record Answered(SelectionTrace.Answer answer, double weight) {}

  /** Keeps what was answered first by each form, and what was made of each codec. */
  private static final class Recorder implements SelectionTrace {
    private final Map<String, Answered> answers = new LinkedHashMap<>();
    private final Map<String, CodecTrial.Verdict> verdicts = new LinkedHashMap<>();

    @Override
    public void answered(Form<?, ?> form, Answer answer, int bytes, double weight) {
      answers.putIfAbsent(form.name(), new Answered(answer, weight));
    }

    @Override
    public void tried(CodecTrial trial) {
      verdicts.put(trial.form().name(), trial.verdict());
    }
  }

  // Druid's own column

  /** Its time is a copy's and that of each sequence, whatever the bytes. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void takesTheTimeOfItsSequences(NumberType type, RandomData random) {
    final double least = least(type);
    final RawCodecForm stock = NumberForms.stock(type);
    for (int most : new int[] {2, 3, 6, 10, 30}) {
      final NumberChunk chunk = chunk(type, runs(type, 1, most, random));
      final StockScan scan = new StockScan(type);
      final double nanos = least + sequences(stock, chunk).nanos() / chunk.size();
      assertTrue(scan.isFasterThan(nanos + 1e-6, chunk), "runs of up to " + most);
      assertFalse(scan.isFasterThan(nanos - 1e-6, chunk), "runs of up to " + most);
      assertFalse(scan.isFasterThan(least, chunk));
      assertFalse(scan.isFasterThan(0, chunk));
    }
  }

  private static Lz4Sequences sequences(RawCodecForm stock, NumberChunk chunk) {
    final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    stock.encode(chunk, out);
    // The id and the layout.
    return Lz4Sequences.of(out.flip().position(2));
  }

  /** What a copy of the numbers takes. */
  private static double least(NumberType type) {
    return type == NumberType.FLOAT ? 0.16 : 0.35;
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void whatDoesNotCompressIsACopy(NumberType type, RandomData random) {
    final NumberChunk any =
        chunk(type, IntStream.range(0, SIZE).mapToLong(i -> NumberData.anyBits(type, random)).toArray());
    final StockScan scan = new StockScan(type);
    assertTrue(scan.isFasterThan(least(type) + 0.01, any));
    assertFalse(scan.isFasterThan(least(type), any));
  }

  /** A chunk that was filled again has other sequences. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void forgetsTheSequencesOfOtherNumbers(NumberType type, RandomData random) {
    final StockScan scan = new StockScan(type);
    final long[] shortRuns = runs(type, 1, 3, random);
    final NumberChunk chunk = chunk(type, shortRuns);
    assertFalse(scan.isFasterThan(0.6, chunk));
    chunk.clear();
    Arrays.stream(new long[SIZE]).forEach(chunk::add);
    assertTrue(scan.isFasterThan(0.6, chunk));
    chunk.clear();
    Arrays.stream(shortRuns).forEach(chunk::add);
    assertFalse(scan.isFasterThan(0.6, chunk));
  }

  /** A measured time is used for a later block of the same quick size, but not for a different block. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void rememberedBlocksAnswerAsMeasuredOnes(NumberType type, RandomData random) {
    final StockScan scan = new StockScan(type);
    for (int most : new int[] {3, 3, 3, 200, 200, 3, 30, 200, 3, 3}) {
      final NumberChunk chunk = chunk(type, runs(type, 1, most, random));
      final double nanos = least(type) + sequences(NumberForms.stock(type), chunk).nanos() / chunk.size();
      assertTrue(scan.isFasterThan(1.2 * nanos, chunk), "runs of up to " + most);
      assertFalse(scan.isFasterThan(nanos / 1.2, chunk), "runs of up to " + most);
    }
  }

  // Selection

  /** Runs that come again in the same order: LZ4 copies many at once, but a scan of runs takes a step for each. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void shortRunsAreStoredAsDruidDoesWhereThatIsFaster(OptimizationTarget target, RandomData random) {
    final long[] bits = repeatedRuns(random);
    final Recorder trace = new Recorder();
    final List<String> chunks =
        split(NumberType.LONG, FormSelectors.forNumbers(NumberType.LONG, target).traced(() -> trace), bits);
    final Answered runs = trace.answers.get("linear-runend");
    if (target == OptimizationTarget.SMALLER) {
      assertEquals(SelectionTrace.Answer.EXACT, runs.answer);
      assertNothingIsTooSlow(trace);
    } else {
      assertEquals(List.of("raw-lz4 4"), chunks);
      assertEquals(SelectionTrace.Answer.TOO_SLOW, runs.answer);
      // It would have won.
      trace.answers.forEach((name, other) -> assertTrue(runs.weight <= other.weight, name));
      assertTrue(trace.verdicts.get("raw-lz4").isBetter());
    }
  }

  /** Druid's own block finds what its quarters have in common, which no quarter sees alone. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void quartersAreComparedWithTheWhole(OptimizationTarget target, RandomData random) {
    final long[] numbers = LongStream.generate(random::nextLong).limit(11).toArray();
    final long[] quarter = LongStream.generate(() -> numbers[random.nextInt(numbers.length)]).limit(SIZE / 4).toArray();
    final long[] bits = IntStream.range(0, SIZE).mapToLong(i -> quarter[i % quarter.length]).toArray();
    final FormSelector<NumberChunk> selector = FormSelectors.forNumbers(NumberType.LONG, target);
    assertFalse(split(NumberType.LONG, selector, quarter).contains("raw-lz4 1"));
    final Recorder trace = new Recorder();
    final List<String> chunks = split(NumberType.LONG, selector.traced(() -> trace), bits);
    if (target != OptimizationTarget.SMALLER) {
      assertEquals(List.of("raw-lz4 4"), chunks);
      assertEquals(SelectionTrace.Answer.TOO_SLOW, trace.answers.get("dictionary-bitpack").answer);
    }
  }

  private static void assertNothingIsTooSlow(Recorder trace) {
    trace.answers.forEach((name, answer) -> assertTrue(answer.answer != SelectionTrace.Answer.TOO_SLOW, name));
    assertFalse(trace.verdicts.containsValue(CodecTrial.Verdict.TOO_SLOW), () -> "verdicts: " + trace.verdicts);
  }

  /** Where each run is a sequence of LZ4, which waits for itself, runs are the faster ones. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void otherRunsStayRuns(OptimizationTarget target, RandomData random) {
    for (int most : new int[] {20, 200}) {
      assertEquals(
          List.of("linear-runend 4"),
          split(
              NumberType.LONG, FormSelectors.forNumbers(NumberType.LONG, target),
              runs(NumberType.LONG, most / 20, most, random)),
          "runs of up to " + most);
    }
  }

  /** Packed, these floats would be smaller, but nothing is scanned like a copy. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void incompressibleFloatsStayAsTheyAre(OptimizationTarget target, RandomData random) {
    final long[] bits = IntStream.range(0, SIZE)
        .mapToLong(i -> NumberData.bits(NumberType.FLOAT, 20 + random.nextGaussian()))
        .toArray();
    final Recorder trace = new Recorder();
    final List<String> chunks =
        split(NumberType.FLOAT, FormSelectors.forNumbers(NumberType.FLOAT, target).traced(() -> trace), bits);
    if (target == OptimizationTarget.SMALLER) {
      assertFalse(chunks.contains("raw 4"), chunks::toString);
    } else {
      assertEquals(List.of("raw 4"), chunks);
      assertEquals(SelectionTrace.Answer.TOO_SLOW, trace.answers.get("linear-bitpack").answer);
      assertEquals(SelectionTrace.Answer.EXACT, trace.answers.get("raw").answer);
    }
  }

  /** Codecs of ints take longer than Druid's own column, even where they are smaller. */
  @ParameterizedTest
  @EnumSource(value = OptimizationTarget.class, names = "SMALLER", mode = EnumSource.Mode.EXCLUDE)
  void codecsOfIntsAreTooSlow(OptimizationTarget target, RandomData random) {
    final long[] phrase = IntStream.range(0, 300).mapToLong(i -> random.uniform(20)).toArray();
    final long[] bits = IntStream.range(0, SIZE).mapToLong(i -> phrase[i % phrase.length]).toArray();
    final Recorder trace = new Recorder();
    assertEquals(
        List.of("raw-lz4 4"),
        split(NumberType.LONG, FormSelectors.forNumbers(NumberType.LONG, target).traced(() -> trace), bits));
    assertEquals(CodecTrial.Verdict.TOO_SLOW, trace.verdicts.get("linear-lz4"));
  }

  /** Who asks for some forms gets the best of them, however fast Druid's own column is. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void formsThatAreAskedForAreNotLimited(OptimizationTarget target, RandomData random) {
    final long[] bits = repeatedRuns(random);
    final List<NumberForm> all = NumberForms.of(NumberType.LONG);
    final Recorder trace = new Recorder();
    split(NumberType.LONG, FormSelectors.forNumbers(all, target).traced(() -> trace), bits);
    assertEquals(SelectionTrace.Answer.EXACT, trace.answers.get("linear-runend").answer);
    assertNothingIsTooSlow(trace);
    final List<NumberForm> runs = all.stream().filter(form -> form.name().equals("linear-runend")).toList();
    assertEquals(
        List.of("linear-runend 4"), split(NumberType.LONG, FormSelectors.forNumbers(runs, target), bits));
  }

  // Tools

  /** Numbers in runs of random lengths, of values of 20 bits that LZ4 finds nowhere else. */
  private static long[] runs(NumberType type, int least, int most, RandomData random) {
    final int[] values = random.runs(SIZE, 20, IntStream.rangeClosed(least, most).toArray());
    return Arrays.stream(values).mapToLong(value -> NumberData.bits(type, value)).toArray();
  }

  private static long[] repeatedRuns(RandomData random) {
    final long[] phrase = Arrays.copyOf(runs(NumberType.LONG, 2, 6, random), 600);
    return IntStream.range(0, SIZE).mapToLong(i -> phrase[i % phrase.length]).toArray();
  }

  private static NumberChunk chunk(NumberType type, long[] bits) {
    final NumberChunk chunk = new NumberChunk(type);
    Arrays.stream(bits).forEach(chunk::add);
    return chunk;
  }

  /** The form of each chunk, and how many blocks it has. */
  private static List<String> split(NumberType type, FormSelector<NumberChunk> selector, long[] bits) {
    final BufferedNumbers buffered = new BufferedNumbers(type, SIZE);
    Arrays.stream(bits).forEach(each -> assertTrue(buffered.add(each)));
    final List<String> chunks = new ArrayList<>();
    new ChunkSplitter<>(selector, LOG_BLOCK, ByteOrder.LITTLE_ENDIAN)
        .encode(buffered, bits.length, true, (form, numBlocks, bytes) -> chunks.add(form.name() + " " + numBlocks));
    buffered.release();
    return chunks;
  }
}
