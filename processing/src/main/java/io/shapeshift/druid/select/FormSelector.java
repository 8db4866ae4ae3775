// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.stock.ColumnOverhead;
import io.shapeshift.druid.stock.SizeBudget;
import io.shapeshift.druid.stock.StockCodecForm;
import io.shapeshift.druid.stock.StockColumn;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import javax.annotation.Nullable;

/**
 * Chooses the form of a chunk: of the forms that are read directly the one with the least weight, its size times the
 * cost of decoding under the target, or the first in the registry if several have the same weight. Where weights are
 * nearly equal and the scan of one form is much faster, that form is chosen ({@link CostModel.Reads#TIE}). A codec
 * replaces it if it weighs less, or if {@link CodecForm#allowedOverDruid} forces it. {@link SizeBudget}, not this
 * class, guarantees that the column is not larger than Druid's own. The same values and target always give the same
 * bytes, given the same codec libraries.
 *
 * @param <C> the chunks it is for
 */
public final class FormSelector<C extends Chunk> {
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
  interface Variation<C extends Chunk> {
    boolean varies(C chunk, int length);
  }

  FormSelector(
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
    this.directForms = used.stream().filter(candidate -> !(candidate.form() instanceof CodecForm<?, ?>)).toList();
    this.codecs = used.stream()
        .filter(candidate -> candidate.form() instanceof CodecForm<?, ?>)
        .map(candidate -> {
          final CodecForm<C, ?> form = (CodecForm<C, ?>) candidate.form();
          return new CodecCandidate<>(candidate, form, form.allowedOverDruid(target));
        })
        .toList();
    final Codec ofStock = Codec.ofStockUnder(target);
    this.stockCodec = used.stream()
        .filter(candidate -> candidate.form() instanceof StockCodecForm<?, ?>)
        .map(candidate -> (StockCodecForm<C, ?>) candidate.form())
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
    return new FormSelector<>(this, SpeedLimit::none, traces);
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
            .filter(each -> each.form().cost().under(OptimizationTarget.FASTER).factor() != DecodeCost.NEVER)
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

  /**
   * The best of the forms that are read directly.
   *
   * @param isTooSlow whether a form may not be used, as it reads the chunk too slowly, unless there is no other
   */
  Choice<C> chooseDirect(C chunk, BiPredicate<Form<C, ?>, C> isTooSlow, SelectionTrace trace) {
    final Choice<C> best = bestDirect(chunk, isTooSlow, trace);
    return best.form() == null && codecs.isEmpty() ? bestDirect(chunk, (form, values) -> false, trace) : best;
  }

  private Choice<C> bestDirect(C chunk, BiPredicate<Form<C, ?>, C> isTooSlow, SelectionTrace trace) {
    Choice<C> best = Choice.none();
    boolean isEnded = false;
    for (Candidate<C> candidate : directForms) {
      if (isEnded) {
        if (trace == SelectionTrace.NONE) {
          break;
        }
        trace.answered(candidate.form(), SelectionTrace.Answer.NOT_ASKED, 0, Double.POSITIVE_INFINITY);
        continue;
      }
      final Estimate estimate = candidate.form().estimate(chunk);
      if (estimate.kind() == Estimate.Kind.SKIP) {
        trace.answered(candidate.form(), SelectionTrace.Answer.SKIPPED, 0, Double.POSITIVE_INFINITY);
        continue;
      }
      final int bytes =
          estimate.kind() == Estimate.Kind.TRY ? ChunkEncoder.size(candidate.form(), chunk) : estimate.bytes();
      final double weight = candidate.weight(bytes, chunk.size());
      isEnded = estimate.kind() == Estimate.Kind.TAKE;
      final boolean isBetter = isBetter(candidate.form(), weight, best, chunk);
      final boolean isExcluded = !isEnded && isBetter && isTooSlow.test(candidate.form(), chunk);
      trace.answered(candidate.form(), answer(isEnded, isExcluded), bytes, weight);
      if (isBetter && !isExcluded) {
        best = new Choice<>(candidate.form(), bytes, weight, isEnded);
      }
    }
    if (trace != SelectionTrace.NONE) {
      unused.forEach(
          form -> trace.answered(form, SelectionTrace.Answer.NOT_USED, 0, Double.POSITIVE_INFINITY));
    }
    trace.chose(best.form());
    return best;
  }

  /** Compares by weight, or by the time of scans where a small difference in weight would cost much of it. */
  private static <C extends Chunk> boolean isBetter(Form<C, ?> form, double weight, Choice<C> best, C chunk) {
    final boolean isLighter = weight < best.weight();
    if (best.form() == null
        || Math.abs(weight - best.weight()) > CostModel.Reads.TIE * Math.min(weight, best.weight())) {
      return isLighter;
    }
    final double nanos = form.scanNanos(chunk);
    final double bestNanos = best.form().scanNanos(chunk);
    return isLighter ? nanos <= CostModel.Reads.SLOWER * bestNanos : bestNanos > CostModel.Reads.SLOWER * nanos;
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
    return new Choice<>(codecs.get(best).form(), trial.quick().best(), trial.weight(), false);
  }

  /**
   * Keeps the promise that a column is not larger than Druid's own.
   *
   * @param stock          stock's column
   * @param overhead       bytes of a column besides its chunks
   * @param valuesPerBlock values of a block
   * @param order          byte order of the column
   * @return null if Druid's own codec is not among the forms
   */
  @Nullable
  public SizeBudget<C> newBudget(StockColumn<C> stock, ColumnOverhead overhead, int valuesPerBlock, ByteOrder order) {
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

  /** Whether parts of {@code length} values differ so much that each may be smaller in a form of its own. */
  boolean varies(C chunk, int length) {
    return variation.varies(chunk, length);
  }

  /**
   * Encodes a chunk in the best of the forms that are read directly and hands it to the sink.
   *
   * @param order the byte order of the chunk
   * @throws NoFormException if none of the forms can store the chunk
   */
  public <X extends Exception> void encodeDirect(C chunk, ByteOrder order, ChunkEncoder.Sink<X> sink) throws X {
    ChunkEncoder.encode(chooseDirect(chunk, (form, values) -> false, SelectionTrace.NONE), chunk, order, sink);
  }

  /** The codec of Druid's own column, and how much larger ours may be. */
  private record StockCodec<C extends Chunk>(StockCodecForm<C, ?> form, double allowed) {}
}
