// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntChunk;
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
import org.apache.druid.collections.StupidPool;

/**
 * Chooses the form of a chunk: of the forms that are read directly the one whose size, times the cost of its decoding
 * under the target, is the smallest, of equally good ones the first in the registry; and a codec instead of it where
 * {@link DecodeCosts} says that it saves enough. The same chunk and target always give the same bytes, given the same
 * codec libraries.
 *
 * @param <C> the chunks it is for
 */
public final class FormSelector<C extends Chunk> {
  /** Kept for as many threads as there are processors. */
  private static final StupidPool<ByteBuffer> BUFFERS = new StupidPool<>(
      "shapeshift selection",
      () -> ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES),
      0,
      Math.max(4, Runtime.getRuntime().availableProcessors())
  );

  /** Those that are used under some target: the others are of use to codecs only. */
  private final List<Trialled<C>> allForms;
  private final List<Direct<C>> directForms;
  private final List<Codec<C>> codecs;

  private FormSelector(List<? extends Form<C, ?>> forms, OptimizationTarget target) {
    this.allForms = forms.stream()
        .filter(form -> DecodeCosts.isEverUsed(form.name()))
        .map(form -> new Trialled<C>(form, DecodeCosts.of(form.name(), target)))
        .toList();
    this.directForms = forms.stream()
        .filter(form -> !(form instanceof CodecForm<?, ?>))
        .map(form -> new Direct<C>(form, DecodeCosts.of(form.name(), target), perValue(form, target)))
        .filter(form -> form.cost != DecodeCosts.NEVER)
        .toList();
    this.codecs = forms.stream()
        .filter(form -> form instanceof CodecForm<?, ?>)
        .map(form -> new Codec<C>((CodecForm<C, ?>) form, DecodeCosts.of(form.name(), target),
            perValue(form, target),
            ((CodecForm<C, ?>) form).isDruids()
            ? DecodeCosts.allowedOverCodec(form.name(), target)
            : Double.POSITIVE_INFINITY))
        .filter(form -> form.cost != DecodeCosts.NEVER)
        .toList();
  }

  private static double perValue(Form<?, ?> form, OptimizationTarget target) {
    return form instanceof NumberForm ? DecodeCosts.perNumber(form.name(), target) : 0;
  }

  /** A selector for ints. */
  public static FormSelector<IntChunk> forInts(OptimizationTarget target) {
    return of(IntForms.ALL, target);
  }

  /** A selector for numbers of a type. */
  public static FormSelector<NumberChunk> forNumbers(NumberType type, OptimizationTarget target) {
    return of(NumberForms.of(type), target);
  }

  /**
   * A selector among some forms only, to force one or to measure without one.
   *
   * @param forms in the order in which they are asked; not empty
   */
  public static <C extends Chunk> FormSelector<C> of(List<? extends Form<C, ?>> forms, OptimizationTarget target) {
    if (forms.isEmpty()) {
      throw new IllegalArgumentException("There must be forms to select from");
    }
    return new FormSelector<>(forms, target);
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
    return allForms.stream().<Form<C, ?>>map(Trialled::form).toList();
  }

  /** The best of the forms that are read directly. */
  Choice<C> chooseDirect(C chunk) {
    Choice<C> best = Choice.none();
    for (Direct<C> candidate : directForms) {
      final Estimate estimate = candidate.form.estimate(chunk);
      if (estimate.kind() != Estimate.Kind.SKIP) {
        final int bytes = estimate.kind() == Estimate.Kind.TRY ? size(candidate.form, chunk) : estimate.bytes();
        final double weight = bytes * candidate.cost + chunk.size() * candidate.perValue;
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
    for (Codec<C> candidate : codecs) {
      if (candidate.form.estimate(chunk).kind() == Estimate.Kind.SKIP) {
        continue;
      }
      final CodecForm.Trial trial = candidate.form.tryQuickly(chunk);
      final double weight = trial.best() * candidate.cost + chunk.size() * candidate.perValue;
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

  /** Receives an encoded chunk. */
  @FunctionalInterface
  public interface Sink<X extends Exception> {
    /**
     * Takes one encoded chunk.
     *
     * @param form  the form it is in
     * @param bytes from position to limit; the sink must not keep the buffer
     */
    void accept(Form<?, ?> form, ByteBuffer bytes) throws X;
  }

  /** Encodes a chunk in a form and hands it to the sink. */
  static <C extends Chunk, X extends Exception> void encode(
      Choice<C> choice,
      C chunk,
      ByteOrder order,
      Sink<X> sink
  ) throws X {
    if (choice.form == null) {
      throw new IllegalStateException("No form can store a chunk of " + chunk.size() + " values");
    }
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      final ByteBuffer buffer = holder.get().clear().order(order);
      choice.form.encode(chunk, buffer);
      buffer.flip();
      if (!(choice.form instanceof CodecForm<?, ?>) && buffer.remaining() != choice.bytes) {
        throw new IllegalStateException(choice.form.name() + " took " + buffer.remaining() + " bytes, not the "
            + choice.bytes + " that it said");
      }
      sink.accept(choice.form, buffer);
    }
  }

  /**
   * Encodes a chunk by itself in the form that suits it best and hands it to the sink.
   *
   * @param chunk at least one value
   * @param order the byte order of the column
   * @throws IllegalStateException if none of the forms can store the chunk, or one misjudged its size
   */
  public <X extends Exception> void encode(C chunk, ByteOrder order, Sink<X> sink) throws X {
    encode(choose(chunk), chunk, order, sink);
  }

  private Choice<C> choose(C chunk) {
    final Choice<C> direct = chooseDirect(chunk);
    if (direct.isUnbeatable) {
      return direct;
    }
    final Choice<C> codec = chooseCodec(chunk, direct.form == null ? direct.weight : direct.bytes, direct.weight,
        new CodecHistory());
    return codec.form == null ? direct : codec;
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
    return allForms.stream().map(tried -> trial(tried.form, tried.cost, chunk)).toList();
  }

  private Trial trial(Form<C, ?> form, double cost, C chunk) {
    final Estimate estimate = cost == DecodeCosts.NEVER ? Estimate.SKIP : form.estimate(chunk);
    final int bytes = switch (estimate.kind()) {
      case SKIP -> -1;
      case TRY -> size(form, chunk);
      default -> estimate.bytes();
    };
    return new Trial(form, bytes, cost);
  }

  private record Trialled<C extends Chunk>(Form<C, ?> form, double cost) {}

  private record Direct<C extends Chunk>(Form<C, ?> form, double cost, double perValue) {}

  private record Codec<C extends Chunk>(CodecForm<C, ?> form, double cost, double perValue, double allowed) {
    private boolean isBetter(
        CodecForm.Trial trial,
        C chunk,
        double directBytes,
        double directWeight,
        CodecHistory history
    ) {
      final double most = (directWeight - chunk.size() * perValue) / cost;
      final double mostPlain = directBytes / allowed;
      // Never larger than Druid's own column by more than the target allows.
      return trial.best() < most
          || trial.plain() < mostPlain
          || history.best(form).isLarger(most, trial.best(), () -> form.bestSize(chunk))
          || history.plain(form).isLarger(mostPlain, trial.plain(), () -> form.plainSize(chunk));
    }
  }
}
