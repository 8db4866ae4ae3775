// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.DecodeCost;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.Pool;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.postings.PostingChunk;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.stock.ColumnOverhead;
import io.shapeshift.druid.stock.SizeBudget;
import io.shapeshift.druid.stock.StockCodecForm;
import io.shapeshift.druid.stock.StockColumn;
import io.shapeshift.druid.stock.StockScan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Chooses the form of a chunk: of the forms that are read directly the one with the least weight, its size times the
 * cost of decoding under the target, or the first in the registry if several have the same weight. A codec replaces it
 * if it weighs less, or if {@link CodecForm#allowedOverDruid} forces it. That a column is not larger than Druid's own
 * is not selection's to see to, but {@link SizeBudget}'s. The same values and target always give the same bytes,
 * given the same codec libraries.
 *
 * @param <C> the chunks it is for
 */
public final class FormSelector<C extends Chunk> {
  /** Times of scans are known up to a tenth, and that tenth is Druid's. */
  private static final double MARGIN = 1.1;
  private static final Pool<ByteBuffer> BUFFERS =
      Pool.forThreads("selection", () -> ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES));

  private final List<Candidate<C>> directForms;
  private final List<CodecCandidate<C>> codecs;
  @Nullable
  private final StockCodec<C> stockCodec;
  /** Those that are used under other targets only; they are of interest to a trace. */
  private final List<Form<C, ?>> unused;
  private final Variation<C> variation;
  private final Supplier<SpeedLimit<C>> speedLimits;
  private final Supplier<? extends SelectionTrace> traces;

  /** Tells whether parts of a chunk differ so much that each may be smaller in a form of its own. */
  @FunctionalInterface
  private interface Variation<C extends Chunk> {
    boolean varies(C chunk, int length);
  }

  /** Tells whether a form is read more slowly than Druid's own column of some values; one for each column. */
  @FunctionalInterface
  interface SpeedLimit<C extends Chunk> {
    /**
     * Whether Druid's own column is read faster than a chunk in this form.
     *
     * @param whole gives all values that are to be stored next, as Druid's block has them
     */
    boolean isExceeded(Form<C, ?> form, C chunk, Supplier<C> whole);
  }

  private FormSelector(
      List<? extends Form<C, ?>> forms,
      OptimizationTarget target,
      boolean countsNumbers,
      Variation<C> variation,
      Supplier<SpeedLimit<C>> speedLimits
  ) {
    if (forms.isEmpty()) {
      throw new IllegalArgumentException("There must be forms to select from");
    }
    final List<Candidate<C>> used = forms.stream()
        .filter(form -> form.cost().under(target).factor() != DecodeCost.NEVER)
        .map(form -> {
          final DecodeCost.Weight weight = form.cost().under(target);
          return new Candidate<C>(form, weight.factor(), countsNumbers ? weight.perNumber() : 0);
        })
        .toList();
    this.directForms = used.stream().filter(candidate -> !(candidate.form instanceof CodecForm<?, ?>)).toList();
    this.codecs = used.stream()
        .filter(candidate -> candidate.form instanceof CodecForm<?, ?>)
        .map(candidate -> {
          final CodecForm<C, ?> form = (CodecForm<C, ?>) candidate.form;
          return new CodecCandidate<>(candidate, form, form.allowedOverDruid(target));
        })
        .toList();
    final Codec ofStock = Codec.ofStockUnder(target);
    this.stockCodec = used.stream()
        .filter(candidate -> candidate.form instanceof StockCodecForm<?, ?>)
        .map(candidate -> (StockCodecForm<C, ?>) candidate.form)
        .filter(form -> form.codec() == ofStock)
        .findFirst()
        .map(form -> new StockCodec<C>(form, ofStock.allowedOverDruid(target)))
        .orElse(null);
    this.unused = forms.stream()
        .filter(form -> form.cost().under(target).factor() == DecodeCost.NEVER && form.cost().isEverUsed())
        .<Form<C, ?>>map(form -> form)
        .toList();
    this.variation = variation;
    this.speedLimits = speedLimits;
    this.traces = () -> SelectionTrace.NONE;
  }

  private FormSelector(
      FormSelector<C> other,
      Supplier<SpeedLimit<C>> speedLimits,
      Supplier<? extends SelectionTrace> traces
  ) {
    this(other, other.directForms, other.codecs, speedLimits, traces);
  }

  private FormSelector(
      FormSelector<C> other,
      List<Candidate<C>> directForms,
      List<CodecCandidate<C>> codecs,
      Supplier<SpeedLimit<C>> speedLimits,
      Supplier<? extends SelectionTrace> traces
  ) {
    this.directForms = directForms;
    this.codecs = codecs;
    this.stockCodec = other.stockCodec;
    this.unused = other.unused;
    this.variation = other.variation;
    this.speedLimits = speedLimits;
    this.traces = traces;
  }

  /**
   * The same selector, which reports its decisions to traces.
   *
   * @param traces gives each column that is to be encoded a trace of its own, in the order in which their serializers
   *               are made: columns of several values per row are two, first the offsets
   */
  public FormSelector<C> traced(Supplier<? extends SelectionTrace> traces) {
    return new FormSelector<>(this, speedLimits, traces);
  }

  /** The same selector without a limit of speed: for what is read one by one, as offsets are. */
  public FormSelector<C> ofAnySpeed() {
    return new FormSelector<>(this, FormSelector::noSpeedLimit, traces);
  }

  /**
   * The same selector without forms that are decoded whole: for what is looked up, a few values here and there. Druid's
   * own blocks, which are decompressed whole, remain where all else would make the column larger than Druid's.
   */
  public FormSelector<C> forLookUps() {
    return new FormSelector<>(
        this,
        // No form that is decoded whole is used where speed counts most.
        directForms.stream()
            .filter(each -> each.form.cost().under(OptimizationTarget.FASTER).factor() != DecodeCost.NEVER)
            .toList(),
        List.of(),
        speedLimits,
        traces
    );
  }

  /** The trace of one more column. */
  SelectionTrace newTrace() {
    return traces.get();
  }

  /** What keeps one more column from being slower than Druid's own. */
  SpeedLimit<C> newSpeedLimit() {
    return speedLimits.get();
  }

  private static <C extends Chunk> SpeedLimit<C> noSpeedLimit() {
    return (form, chunk, whole) -> false;
  }

  /** Scans are what forms of numbers differ most in from Druid's own columns. */
  private static SpeedLimit<NumberChunk> scanLimit(NumberType type) {
    final StockScan scan = new StockScan(type);
    return (form, chunk, whole) -> scan.isFasterThan(MARGIN * form.scanNanos(chunk), whole.get());
  }

  /** Druid's own columns of ints are always scanned more slowly, but few values are soon decompressed. */
  private static SpeedLimit<IntChunk> sparseLimit() {
    final CompressedForm stock = IntForms.stock();
    // An approximation: Druid's block has more values, in which LZ4 finds more. But all chunks of ints that a splitter
    // asks for are one object, which the whole would fill anew.
    return (form, chunk, whole) -> stock.isDecompressedFasterThan(form.sparseNanos(chunk), chunk);
  }

  /** A selector for ints. */
  public static FormSelector<IntChunk> forInts(OptimizationTarget target) {
    return new FormSelector<>(
        IntForms.of(IntForm.Use.IDS), target, false, IntChunk::varies,
        target == OptimizationTarget.SMALLER ? FormSelector::noSpeedLimit : FormSelector::sparseLimit);
  }

  /**
   * A selector among some forms of ints only, to force one or to measure without one.
   *
   * @param forms in the order in which they are asked; not empty
   */
  public static FormSelector<IntChunk> forInts(List<? extends IntForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, false, IntChunk::varies, FormSelector::noSpeedLimit);
  }

  /** A selector for numbers of a type. */
  public static FormSelector<NumberChunk> forNumbers(NumberType type, OptimizationTarget target) {
    return new FormSelector<>(
        NumberForms.of(type), target, true, NumberForms::varies,
        target == OptimizationTarget.SMALLER ? FormSelector::noSpeedLimit : () -> scanLimit(type));
  }

  /**
   * A selector among some forms of numbers only, to force one or to measure without one.
   *
   * @param forms in the order in which they are asked; not empty
   */
  public static FormSelector<NumberChunk> forNumbers(List<? extends NumberForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, true, NumberForms::varies, FormSelector::noSpeedLimit);
  }

  /** A selector for posting lists. */
  public static FormSelector<PostingChunk> forPostings(OptimizationTarget target) {
    return forPostings(PostingForms.ALL, target);
  }

  /** A selector among some forms of posting lists only, to force one. */
  public static FormSelector<PostingChunk> forPostings(List<? extends PostingForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, false, (chunk, length) -> false, FormSelector::noSpeedLimit);
  }

  /**
   * A form for a chunk.
   *
   * @param form   null if none of the forms asked can store the chunk
   * @param bytes  size of the chunk in this form
   * @param weight which selection compares: the size times the cost of decoding, plus the cost per number; infinite
   *               without a form
   * @param isUnbeatable whether nothing can be smaller and faster
   */
  record Choice<C extends Chunk>(@Nullable Form<C, ?> form, int bytes, double weight, boolean isUnbeatable) {
    static <C extends Chunk> Choice<C> none() {
      return new Choice<>(null, 0, Double.POSITIVE_INFINITY, false);
    }
  }

  /**
   * The best of the forms that are read directly.
   *
   * @param isTooSlow whether a form may not be used, as it reads the chunk too slowly, unless there is no other
   */
  Choice<C> chooseDirect(C chunk, BiPredicate<Form<C, ?>, C> isTooSlow, SelectionTrace trace) {
    final Choice<C> best = bestDirect(chunk, isTooSlow, trace);
    return best.form == null && codecs.isEmpty() ? bestDirect(chunk, (form, values) -> false, trace) : best;
  }

  private Choice<C> bestDirect(C chunk, BiPredicate<Form<C, ?>, C> isTooSlow, SelectionTrace trace) {
    Choice<C> best = Choice.none();
    boolean isEnded = false;
    for (Candidate<C> candidate : directForms) {
      if (isEnded) {
        if (trace == SelectionTrace.NONE) {
          break;
        }
        trace.answered(candidate.form, SelectionTrace.Answer.NOT_ASKED, 0, Double.POSITIVE_INFINITY);
        continue;
      }
      final Estimate estimate = candidate.form.estimate(chunk);
      if (estimate.kind() == Estimate.Kind.SKIP) {
        trace.answered(candidate.form, SelectionTrace.Answer.SKIPPED, 0, Double.POSITIVE_INFINITY);
        continue;
      }
      final int bytes = estimate.kind() == Estimate.Kind.TRY ? size(candidate.form, chunk) : estimate.bytes();
      final double weight = candidate.weight(bytes, chunk.size());
      isEnded = estimate.kind() == Estimate.Kind.TAKE;
      final boolean isLighter = weight < best.weight;
      final boolean isExcluded = !isEnded && isLighter && isTooSlow.test(candidate.form, chunk);
      trace.answered(candidate.form, answer(isEnded, isExcluded), bytes, weight);
      if (isLighter && !isExcluded) {
        best = new Choice<>(candidate.form, bytes, weight, isEnded);
      }
    }
    if (trace != SelectionTrace.NONE) {
      unused.forEach(
          form -> trace.answered(form, SelectionTrace.Answer.NOT_USED, 0, Double.POSITIVE_INFINITY));
    }
    trace.chose(best.form);
    return best;
  }

  private static SelectionTrace.Answer answer(boolean isUnbeatable, boolean isTooSlow) {
    if (isUnbeatable) {
      return SelectionTrace.Answer.UNBEATABLE;
    }
    return isTooSlow ? SelectionTrace.Answer.TOO_SLOW : SelectionTrace.Answer.EXACT;
  }

  /**
   * Chooses a codec for the values, if one beats the chunks already chosen.
   *
   * @param directBytes  sum of the bytes of these chunks, and of their offsets; infinite if no direct form stores them
   * @param directWeight sum of bytes x cost of these chunks, and of their offsets
   * @param isTooSlow    whether a form may not be used, as it reads the chunk too slowly
   * @param history      statistics of the column's earlier chunks
   * @return without a form if no codec is better
   */
  Choice<C> chooseCodec(
      C chunk,
      double directBytes,
      double directWeight,
      BiPredicate<Form<C, ?>, C> isTooSlow,
      CodecHistory history,
      SelectionTrace trace
  ) {
    final List<CodecTrial> trials = new ArrayList<>(codecs.size());
    int best = -1;
    for (CodecCandidate<C> candidate : codecs) {
      final double bestWeight = best < 0 ? Double.POSITIVE_INFINITY : trials.get(best).weight();
      CodecTrial trial = candidate.tryOn(chunk, directBytes, directWeight, bestWeight, history);
      if (trial.verdict().isBetter() && isTooSlow.test(candidate.form(), chunk)) {
        trial = trial.tooSlow();
      }
      if (trial.verdict().isBetter()) {
        best = trials.size();
      }
      trials.add(trial);
    }
    trials.forEach(trace::tried);
    if (best < 0) {
      trace.chose(null);
      return Choice.none();
    }
    final CodecTrial trial = trials.get(best);
    trace.chose(trial.form());
    return new Choice<>(codecs.get(best).form, trial.quick().best(), trial.weight(), false);
  }

  /**
   * Keeps the promise that a column is not larger than Druid's own.
   *
   * @param druids            Druid's own column
   * @param overhead          bytes of a column besides its chunks
   * @param valuesPerBlock    values of a block
   * @param order             byte order of the column
   * @return null if Druid's own codec is not among the forms
   */
  @Nullable
  public SizeBudget<C> newAccount(StockColumn<C> stock, ColumnOverhead overhead, int valuesPerBlock, ByteOrder order) {
    return stockCodec == null
           ? null
           : new SizeBudget<>(stock, stockCodec.form, stockCodec.allowed, overhead, valuesPerBlock, order);
  }

  /** Whether there are forms that are read directly to choose from. */
  boolean hasDirectForms() {
    return !directForms.isEmpty();
  }

  /** The codecs to choose from. */
  List<? extends Form<C, ?>> codecs() {
    return codecs.stream().map(CodecCandidate::form).toList();
  }

  private int size(Form<C, ?> form, C chunk) {
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      final ByteBuffer buffer = holder.get().clear();
      form.encode(chunk, buffer);
      return buffer.position();
    }
  }

  /** Whether parts of {@code length} values differ so much that each may be smaller in a form of its own. */
  boolean varies(C chunk, int length) {
    return variation.varies(chunk, length);
  }

  /** Receives an encoded chunk. */
  @FunctionalInterface
  public interface Sink<X extends Exception> {
    /**
     * Takes one encoded chunk.
     *
     * @param bytes from position to limit; the sink must not keep the buffer
     */
    void accept(ByteBuffer bytes) throws X;
  }

  /**
   * Encodes a chunk in the best of the forms that are read directly and hands it to the sink.
   *
   * @param order the byte order of the chunk
   * @throws NoFormException if none of the forms can store the chunk
   */
  public <X extends Exception> void encodeDirect(C chunk, ByteOrder order, Sink<X> sink) throws X {
    encode(chooseDirect(chunk, (form, values) -> false, SelectionTrace.NONE), chunk, order, sink);
  }

  /**
   * Encodes a chunk in the form that was chosen for it and hands it to the sink.
   *
   * @param order the byte order of the column
   * @throws NoFormException       if none of the forms can store the chunk
   * @throws IllegalStateException if the form misjudged its size
   */
  <X extends Exception> void encode(Choice<C> choice, C chunk, ByteOrder order, Sink<X> sink) throws X {
    encode(choice.form, choice.bytes, chunk, order, sink);
  }

  /** Encodes a chunk with a codec and hands it to the sink. */
  <X extends Exception> void encode(Form<C, ?> codec, C chunk, ByteOrder order, Sink<X> sink) throws X {
    encode(codec, 0, chunk, order, sink);
  }

  private <X extends Exception> void encode(
      @Nullable Form<C, ?> form,
      int expected,
      C chunk,
      ByteOrder order,
      Sink<X> sink
  ) throws X {
    if (form == null) {
      throw new NoFormException("No form can store a chunk of " + chunk.size() + " values");
    }
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      // Only a posting list has no limit; it is encoded alone.
      final ByteBuffer buffer = expected > Limits.MAX_CHUNK_BYTES
                                ? ByteBuffer.allocate(expected).order(order)
                                : holder.get().clear().order(order);
      form.encode(chunk, buffer);
      buffer.flip();
      if (!(form instanceof CodecForm<?, ?>) && buffer.remaining() != expected) {
        throw new IllegalStateException(form.name() + " took " + buffer.remaining() + " bytes, not the "
            + expected + " that it said");
      }
      sink.accept(buffer);
    }
  }

  private record Candidate<C extends Chunk>(Form<C, ?> form, double factor, double perValue) {
    double weight(int bytes, int numValues) {
      return bytes * factor + numValues * perValue;
    }
  }

  /** The codec of Druid's own column, and how much larger ours may be. */
  private record StockCodec<C extends Chunk>(StockCodecForm<C, ?> form, double allowed) {}

  private record CodecCandidate<C extends Chunk>(Candidate<C> candidate, CodecForm<C, ?> form, double allowed) {
    private CodecTrial tryOn(
        C chunk,
        double directBytes,
        double directWeight,
        double bestWeight,
        CodecHistory history
    ) {
      final double limit = (directWeight - chunk.size() * candidate.perValue) / candidate.factor;
      final double stock = directBytes / allowed;
      if (form.estimate(chunk).kind() == Estimate.Kind.SKIP) {
        return new CodecTrial(
            form, CodecTrial.Verdict.SKIPPED, null, Double.POSITIVE_INFINITY, limit, allowed, stock, null);
      }
      final CodecForm.Trial quick = form.tryQuickly(chunk);
      final double weight = candidate.weight(quick.best(), chunk.size());
      CodecTrial.Verdict verdict = CodecTrial.Verdict.HEAVIER;
      @Nullable CodecTrial.Thorough best = null;
      if (weight >= bestWeight) {
        verdict = CodecTrial.Verdict.BEHIND_ANOTHER;
      } else if (quick.best() < limit) {
        verdict = CodecTrial.Verdict.LIGHTER;
      } else if (quick.plain() < stock) {
        // The account would find out.
        verdict = CodecTrial.Verdict.STOCK_IS_SMALLER;
      } else {
        best = history.best(form).compare(limit, quick.best(), () -> form.bestSize(chunk));
        if (best.smaller()) {
          verdict = CodecTrial.Verdict.LIGHTER;
        }
      }
      return new CodecTrial(form, verdict, quick, weight, limit, allowed, stock, best);
    }
  }
}
