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
import io.shapeshift.druid.form.codec.StockCodecForm;
import io.shapeshift.druid.stock.ColumnOverhead;
import io.shapeshift.druid.stock.SizeBudget;
import io.shapeshift.druid.stock.StockColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.annotation.Nullable;

/**
 * Selector of the form of a chunk. Among directly read forms it chooses the least weight, which is the size times the
 * cost of decoding under the target; on a tie, the first form in the registry. If weights are nearly equal and one form
 * scans much faster, that form is chosen ({@link CostModel.Reads#TIE}). A codec replaces the chosen form if it has less
 * weight, or if {@link CodecForm#allowedOverDruid} forces it. {@link SizeBudget}, not this class, guarantees that the
 * column is not larger than the target allows. With the same codec libraries, the same values and target always give
 * the same bytes.
 *
 * @param <C> type of the chunks
 */
public final class FormSelector<C extends Chunk> {
  private final List<Candidate<C>> directForms;
  private final List<CodecCandidate<C>> codecs;
  @Nullable
  private final StockCodec<C> stockCodec;
  /** Forms that only other targets use, for traces. */
  private final List<Form<C, ?>> unused;
  private final Variation<C> variation;
  private final Supplier<SpeedLimit<C>> speedLimits;
  private final Supplier<? extends SelectionTrace> traces;

  /** Test whether parts of a chunk differ so much that each may be smaller in a form of its own. */
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
    this(other, other.directForms, other.codecs, other.stockCodec, speedLimits, traces);
  }

  private FormSelector(
      FormSelector<C> other,
      List<Candidate<C>> directForms,
      List<CodecCandidate<C>> codecs,
      @Nullable StockCodec<C> stockCodec,
      Supplier<SpeedLimit<C>> speedLimits,
      Supplier<? extends SelectionTrace> traces
  ) {
    this.directForms = directForms;
    this.codecs = codecs;
    this.stockCodec = stockCodec;
    this.unused = other.unused;
    this.variation = other.variation;
    this.speedLimits = speedLimits;
    this.traces = traces;
  }

  /**
   * Copy that reports its decisions to traces.
   *
   * @param traces supplier of one trace per column, in the order in which the serializers are created; a multi-value
   *     column is two columns, of which the offsets are the first
   */
  public FormSelector<C> traced(Supplier<? extends SelectionTrace> traces) {
    return new FormSelector<>(this, speedLimits, traces);
  }

  /** Copy without a speed limit, for values that are read one at a time, such as offsets. */
  public FormSelector<C> ofAnySpeed() {
    return new FormSelector<>(this, SpeedLimit::none, traces);
  }

  /**
   * Copy without forms that are decoded as a whole, for columns that are looked up at random positions. Stock blocks,
   * which are decompressed as a whole, remain for chunks that would otherwise exceed the size limit.
   */
  public FormSelector<C> forLookUps() {
    return new FormSelector<>(
        this,
        // The target FASTER never uses a form that is decoded as a whole, so its costs identify these forms.
        directForms.stream()
            .filter(each -> each.form().cost().under(OptimizationTarget.FASTER).factor() != DecodeCost.NEVER)
            .toList(),
        List.of(),
        stockCodec,
        speedLimits,
        traces
    );
  }

  /**
   * Copy without some of the forms, to measure what they bring. Without the stock codec, columns have no size limit.
   *
   * @param keeps test of the name of a form; at least one form that it keeps must store all values
   */
  public FormSelector<C> among(Predicate<String> keeps) {
    return new FormSelector<>(
        this,
        directForms.stream().filter(each -> keeps.test(each.form().name())).toList(),
        codecs.stream().filter(each -> keeps.test(each.form().name())).toList(),
        stockCodec != null && keeps.test(stockCodec.form.name()) ? stockCodec : null,
        speedLimits,
        traces
    );
  }

  /** Creates the trace of the next column. */
  SelectionTrace newTrace() {
    return traces.get();
  }

  /** Creates the speed limit of the next column. */
  SpeedLimit<C> newSpeedLimit() {
    return speedLimits.get();
  }

  /**
   * Chooses the best directly read form.
   *
   * @param order byte order of the column
   * @param isTooSlow test whether a form reads the chunk too slowly; such a form is used only if no other can store the
   *     chunk
   */
  Choice<C> chooseDirect(C chunk, ByteOrder order, BiPredicate<Form<C, ?>, C> isTooSlow, SelectionTrace trace) {
    final Choice<C> best = bestDirect(chunk, order, isTooSlow, trace);
    return best.form() == null && codecs.isEmpty() ? bestDirect(chunk, order, (form, values) -> false, trace) : best;
  }

  private Choice<C> bestDirect(
      C chunk,
      ByteOrder order,
      BiPredicate<Form<C, ?>, C> isTooSlow,
      SelectionTrace trace
  ) {
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
          estimate.kind() == Estimate.Kind.TRY ? ChunkEncoder.size(candidate.form(), chunk, order) : estimate.bytes();
      if (bytes == ChunkEncoder.NO_ROOM) {
        trace.answered(candidate.form(), SelectionTrace.Answer.SKIPPED, 0, Double.POSITIVE_INFINITY);
        continue;
      }
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

  /** Compares by weight; or by scan time, if weights are nearly equal and scan times differ much. */
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
   * Chooses a codec for the values if one beats the chunks chosen so far.
   *
   * @param directBytes  size of these chunks and their offsets in bytes; infinite if no directly read form can store
   *     them
   * @param directWeight weight of these chunks and their offsets
   * @param isTooSlow    test whether a form reads the chunk too slowly, and must not be used
   * @param history      statistics of the column's earlier chunks
   * @return choice, without a form if no codec is better
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
   * Creates the budget that limits the size of a column.
   *
   * @param stock          stock column of the same values
   * @param overhead       bytes of a column outside of its chunks
   * @param valuesPerBlock number of values in a block
   * @param order          byte order of the column
   * @return null if the stock codec is not among the forms
   */
  @Nullable
  public SizeBudget<C> newBudget(StockColumn<C> stock, ColumnOverhead overhead, int valuesPerBlock, ByteOrder order) {
    return stockCodec == null
           ? null
           : new SizeBudget<>(stock, stockCodec.form, stockCodec.allowed, overhead, valuesPerBlock, order);
  }

  /** Whether the selector has directly read forms. */
  boolean hasDirectForms() {
    return !directForms.isEmpty();
  }

  /** Codecs of the selector. */
  List<? extends Form<C, ?>> codecs() {
    return codecs.stream().map(CodecCandidate::form).toList();
  }

  /** Whether parts of {@code length} values differ so much that each may be smaller in a form of its own. */
  boolean varies(C chunk, int length) {
    return variation.varies(chunk, length);
  }

  /**
   * Encodes a chunk in the best directly read form and passes it to the sink.
   *
   * @param order byte order of the chunk
   * @throws NoFormException if no form can store the chunk
   */
  public <X extends Exception> void encodeDirect(C chunk, ByteOrder order, DirectSink<C, X> sink) throws X {
    final Choice<C> choice = chooseDirect(chunk, order, (form, values) -> false, SelectionTrace.NONE);
    ChunkEncoder.encode(choice, chunk, order, bytes -> sink.accept(choice.form(), bytes));
  }

  /** Receiver of a chunk in the form that was chosen. */
  @FunctionalInterface
  public interface DirectSink<C extends Chunk, X extends Exception> {
    /**
     * Receives the encoded chunk.
     *
     * @param bytes encoded chunk, from position to limit; the sink must not keep the buffer
     */
    void accept(Form<C, ?> form, ByteBuffer bytes) throws X;
  }

  /** Codec of the stock column, and the maximum ratio to its size. */
  private record StockCodec<C extends Chunk>(StockCodecForm<C, ?> form, double allowed) {}
}
