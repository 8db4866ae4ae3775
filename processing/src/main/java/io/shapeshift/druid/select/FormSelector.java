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
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Chooses the form of a chunk: of the forms that are read directly the one whose size, times the cost of its decoding
 * under the target, is the smallest, of equally good ones the first in the registry; and a codec instead of it where
 * {@link CodecForm} says that it saves enough. The same chunk and target always give the same bytes, given the same
 * codec libraries.
 *
 * @param <C> the chunks it is for
 */
public final class FormSelector<C extends Chunk> {
  private static final Pool<ByteBuffer> BUFFERS =
      Pool.forThreads("selection", () -> ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES));

  /** Those that are used under some target: the others are of use to codecs only. */
  private final List<Candidate<C>> allForms;
  private final List<Candidate<C>> directForms;
  private final List<CodecCandidate<C>> codecs;
  private final Variation<C> variation;

  /** Tells whether parts of a chunk look so different from the whole that they may do better by themselves. */
  @FunctionalInterface
  private interface Variation<C extends Chunk> {
    boolean varies(C chunk, int length);
  }

  private FormSelector(
      List<? extends Form<C, ?>> forms,
      OptimizationTarget target,
      boolean countsNumbers,
      Variation<C> variation
  ) {
    if (forms.isEmpty()) {
      throw new IllegalArgumentException("There must be forms to select from");
    }
    this.allForms = forms.stream()
        .filter(form -> form.cost().isEverUsed())
        .map(form -> {
          final DecodeCost.Weight weight = form.cost().under(target);
          return new Candidate<C>(form, weight.factor(), countsNumbers ? weight.perNumber() : 0);
        })
        .toList();
    final List<Candidate<C>> used = allForms.stream().filter(Candidate::isUsed).toList();
    this.directForms = used.stream().filter(candidate -> !(candidate.form instanceof CodecForm<?, ?>)).toList();
    this.codecs = used.stream()
        .filter(candidate -> candidate.form instanceof CodecForm<?, ?>)
        .map(candidate -> {
          final CodecForm<C, ?> form = (CodecForm<C, ?>) candidate.form;
          return new CodecCandidate<>(candidate, form, form.allowedOverDruid(target));
        })
        .toList();
    this.variation = variation;
  }

  /** A selector for ints. */
  public static FormSelector<IntChunk> forInts(OptimizationTarget target) {
    return forInts(IntForms.of(IntForm.Use.IDS), target);
  }

  /**
   * A selector among some forms of ints only, to force one or to measure without one.
   *
   * @param forms in the order in which they are asked; not empty
   */
  public static FormSelector<IntChunk> forInts(List<? extends IntForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, false, IntChunk::varies);
  }

  /** A selector for numbers of a type. */
  public static FormSelector<NumberChunk> forNumbers(NumberType type, OptimizationTarget target) {
    return forNumbers(NumberForms.of(type), target);
  }

  /**
   * A selector among some forms of numbers only, to force one or to measure without one.
   *
   * @param forms in the order in which they are asked; not empty
   */
  public static FormSelector<NumberChunk> forNumbers(List<? extends NumberForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, true, NumberForms::varies);
  }

  /**
   * A form for a chunk.
   *
   * @param form   null if none of the forms asked can store the chunk
   * @param bytes  size of the chunk in this form
   * @param weight what the selection compares: the size times the cost of decoding, and what that counts for besides;
   *               infinite without a form
   * @param isUnbeatable whether nothing can be smaller and faster
   */
  record Choice<C extends Chunk>(@Nullable Form<C, ?> form, int bytes, double weight, boolean isUnbeatable) {
    static <C extends Chunk> Choice<C> none() {
      return new Choice<>(null, 0, Double.POSITIVE_INFINITY, false);
    }
  }

  /** The forms that it chooses among, and those that it does not use under its target, but would under another. */
  public List<Form<C, ?>> forms() {
    return allForms.stream().<Form<C, ?>>map(Candidate::form).toList();
  }

  /** The best of the forms that are read directly. */
  Choice<C> chooseDirect(C chunk) {
    Choice<C> best = Choice.none();
    for (Candidate<C> candidate : directForms) {
      final Estimate estimate = candidate.form.estimate(chunk);
      if (estimate.kind() != Estimate.Kind.SKIP) {
        final int bytes = estimate.kind() == Estimate.Kind.TRY ? size(candidate.form, chunk) : estimate.bytes();
        final double weight = candidate.weight(bytes, chunk.size());
        if (weight < best.weight) {
          best = new Choice<>(candidate.form, bytes, weight, estimate.kind() == Estimate.Kind.TAKE);
        }
        if (estimate.kind() == Estimate.Kind.TAKE) {
          break;
        }
      }
    }
    return best;
  }

  /**
   * The codec that is better than what the forms that are read directly make of the same values.
   *
   * @param directBytes  what these take in all; infinite if they cannot store the values
   * @param directWeight the same, times the costs of decoding
   * @param history      what was learnt from the column so far
   * @return without a form if no codec is better
   */
  Choice<C> chooseCodec(C chunk, double directBytes, double directWeight, CodecHistory history) {
    Choice<C> best = Choice.none();
    for (CodecCandidate<C> candidate : codecs) {
      if (candidate.form.estimate(chunk).kind() == Estimate.Kind.SKIP) {
        continue;
      }
      final CodecForm.Trial trial = candidate.form.tryQuickly(chunk);
      final double weight = candidate.candidate.weight(trial.best(), chunk.size());
      if (weight < best.weight && candidate.isBetter(trial, chunk, directBytes, directWeight, history)) {
        best = new Choice<>(candidate.form, trial.best(), weight, false);
      }
    }
    return best;
  }

  /** Whether there are forms that are read directly to choose from. */
  boolean hasDirectForms() {
    return !directForms.isEmpty();
  }

  /** Whether there are codecs to choose from. */
  boolean hasCodecs() {
    return !codecs.isEmpty();
  }

  private int size(Form<C, ?> form, C chunk) {
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      final ByteBuffer buffer = holder.get().clear();
      form.encode(chunk, buffer);
      return buffer.position();
    }
  }

  /** Whether parts of a chunk of so many values look so different from the whole that they may do better alone. */
  boolean varies(C chunk, int length) {
    return variation.varies(chunk, length);
  }

  /** Receives an encoded chunk. */
  @FunctionalInterface
  interface Sink<X extends Exception> {
    /**
     * Takes one encoded chunk.
     *
     * @param bytes from position to limit; the sink must not keep the buffer
     */
    void accept(ByteBuffer bytes) throws X;
  }

  /**
   * Encodes a chunk in the form that was chosen for it and hands it to the sink.
   *
   * @param order the byte order of the column
   * @throws NoFormException       if none of the forms can store the chunk
   * @throws IllegalStateException if the form misjudged its size
   */
  <X extends Exception> void encode(Choice<C> choice, C chunk, ByteOrder order, Sink<X> sink) throws X {
    if (choice.form == null) {
      throw new NoFormException("No form can store a chunk of " + chunk.size() + " values");
    }
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      final ByteBuffer buffer = holder.get().clear().order(order);
      choice.form.encode(chunk, buffer);
      buffer.flip();
      if (!(choice.form instanceof CodecForm<?, ?>) && buffer.remaining() != choice.bytes) {
        throw new IllegalStateException(choice.form.name() + " took " + buffer.remaining() + " bytes, not the "
            + choice.bytes + " that it said");
      }
      sink.accept(buffer);
    }
  }

  /**
   * What one form would make of a chunk.
   *
   * @param form    the form
   * @param bytes   size of the chunk in this form, or -1 if it cannot store it or is not used under the target
   * @param cost    by what its size is multiplied under the target, 1 or more; infinite if it is not used under it
   */
  public record Trial(Form<?, ?> form, int bytes, double cost) {
    /** Whether the form can store the chunk. */
    public boolean isPossible() {
      return bytes >= 0;
    }
  }

  /**
   * Tries all forms on a chunk, those too that {@link #encode} would not ask any more or that are not used under the
   * target, to explain its choice. Left out are those that are of use to codecs only.
   *
   * @param chunk at least one value
   */
  public List<Trial> tryAll(C chunk) {
    return allForms.stream().map(candidate -> trial(candidate, chunk)).toList();
  }

  private Trial trial(Candidate<C> candidate, C chunk) {
    final Estimate estimate = candidate.isUsed() ? candidate.form.estimate(chunk) : Estimate.SKIP;
    final int bytes = switch (estimate.kind()) {
      case SKIP -> -1;
      case TRY -> size(candidate.form, chunk);
      default -> estimate.bytes();
    };
    return new Trial(candidate.form, bytes, candidate.factor);
  }

  private record Candidate<C extends Chunk>(Form<C, ?> form, double factor, double perValue) {
    boolean isUsed() {
      return factor != DecodeCost.NEVER;
    }

    double weight(int bytes, int numValues) {
      return bytes * factor + numValues * perValue;
    }
  }

  private record CodecCandidate<C extends Chunk>(Candidate<C> candidate, CodecForm<C, ?> form, double allowed) {
    private boolean isBetter(
        CodecForm.Trial trial,
        C chunk,
        double directBytes,
        double directWeight,
        CodecHistory history
    ) {
      final double most = (directWeight - chunk.size() * candidate.perValue) / candidate.factor;
      final double mostPlain = directBytes / allowed;
      // Never larger than Druid's own column by more than the target allows.
      return trial.best() < most
          || trial.plain() < mostPlain
          || history.best(form).isLarger(most, trial.best(), () -> form.bestSize(chunk))
          || history.plain(form).isLarger(mostPlain, trial.plain(), () -> form.plainSize(chunk));
    }
  }
}
