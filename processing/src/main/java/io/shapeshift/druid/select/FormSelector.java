// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.form.IntChunk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.collections.StupidPool;

/**
 * Chooses the form of each chunk: the one whose size, times the cost of its decoding under the target, is the
 * smallest; of equally good ones the first in the registry. The same chunk and target always give the
 * same bytes, given the same codec libraries.
 *
 * @param <C> the chunks it is for
 */
public final class FormSelector<C extends Chunk> {
  /** Kept for as many threads as there are processors. */
  private static final StupidPool<Buffers> BUFFERS = new StupidPool<>(
      "shapeshift selection",
      Buffers::new,
      0,
      Math.max(4, Runtime.getRuntime().availableProcessors())
  );

  private final List<Candidate<C>> candidates;

  private FormSelector(List<Candidate<C>> candidates) {
    this.candidates = candidates;
  }

  /** A selector for ints. */
  public static FormSelector<IntChunk> forInts(OptimizationTarget target) {
    return of(Forms.INTS, target);
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
    return new FormSelector<>(
        forms.stream()
             .map(form -> new Candidate<C>(form, DecodeCosts.of(form.name(), target)))
             .toList()
    );
  }

  /** Receives the chosen form and the encoded chunk. */
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

  /**
   * Encodes a chunk in the form that suits it best and hands it to the sink.
   *
   * @param chunk at least one value
   * @param order the byte order of the column
   * @throws IllegalStateException if none of the forms can store the chunk, or one misjudged its size
   */
  public <X extends Exception> void encode(C chunk, ByteOrder order, Sink<X> sink) throws X {
    try (ResourceHolder<Buffers> holder = BUFFERS.take()) {
      final Buffers buffers = holder.get();
      final Form<C, ?> form = select(chunk, order, buffers);
      sink.accept(form, buffers.best);
    }
  }

  /**
   * What one form would make of a chunk.
   *
   * @param form  the form
   * @param bytes size of the chunk in this form, or -1 if it cannot store it or is not to be used under the target
   * @param cost  by what its size is multiplied under the target, 1 or more; infinite if it is not to be used
   */
  public record Trial(Form<?, ?> form, int bytes, double cost) {
    /** Whether the form takes part in the selection. */
    public boolean isPossible() {
      return bytes >= 0;
    }

    /** What the selection compares; infinite if the form takes no part. */
    public double weight() {
      return isPossible() ? bytes * cost : Double.POSITIVE_INFINITY;
    }
  }

  /**
   * Tries all forms on a chunk, those too that {@link #encode} would not ask any more, to explain its choice: the first
   * of those with the smallest weight.
   *
   * @param chunk at least one value
   * @param order the byte order of the column
   */
  public List<Trial> tryAll(C chunk, ByteOrder order) {
    try (ResourceHolder<Buffers> holder = BUFFERS.take()) {
      final ByteBuffer buffer = holder.get().candidate;
      return candidates.stream().map(candidate -> {
        final Estimate estimate = candidate.form.estimate(chunk);
        int bytes = estimate.bytes();
        if (candidate.cost == DecodeCosts.NEVER || estimate.kind() == Estimate.Kind.SKIP) {
          bytes = -1;
        } else if (estimate.kind() == Estimate.Kind.TRY) {
          candidate.form.encode(chunk, buffer.clear().order(order));
          bytes = buffer.position();
        }
        return new Trial(candidate.form, bytes, candidate.cost);
      }).toList();
    }
  }

  /** Leaves the encoded chunk in the best buffer. */
  private Form<C, ?> select(C chunk, ByteOrder order, Buffers buffers) {
    @Nullable Form<C, ?> best = null;
    @Nullable Estimate bestEstimate = null;
    double bestWeight = Double.POSITIVE_INFINITY;
    for (Candidate<C> candidate : candidates) {
      if (candidate.cost == DecodeCosts.NEVER) {
        continue;
      }
      final Estimate estimate = candidate.form.estimate(chunk);
      if (estimate.kind() == Estimate.Kind.SKIP) {
        continue;
      }
      int bytes = estimate.bytes();
      if (estimate.kind() == Estimate.Kind.TRY) {
        candidate.form.encode(chunk, buffers.candidate.clear().order(order));
        bytes = buffers.candidate.flip().remaining();
      }
      final double weight = bytes * candidate.cost;
      if (weight < bestWeight) {
        best = candidate.form;
        bestEstimate = estimate;
        bestWeight = weight;
        if (estimate.kind() == Estimate.Kind.TRY) {
          buffers.keepCandidate();
        }
      }
      if (estimate.kind() == Estimate.Kind.TAKE) {
        break;
      }
    }
    if (best == null) {
      throw new IllegalStateException("No form can store a chunk of " + chunk.size() + " values");
    }
    if (bestEstimate.kind() != Estimate.Kind.TRY) {
      best.encode(chunk, buffers.best.clear().order(order));
      buffers.best.flip();
      if (buffers.best.remaining() != bestEstimate.bytes()) {
        throw new IllegalStateException(
            best.name() + " took " + buffers.best.remaining() + " bytes, not the " + bestEstimate.bytes()
                + " that it said");
      }
    }
    return best;
  }

  private record Candidate<C extends Chunk>(Form<C, ?> form, double cost) {}

  /** The best encoding so far and the one that is being tried. */
  private static final class Buffers {
    private ByteBuffer best = ByteBuffer.allocate(Forms.MAX_CHUNK_BYTES);
    private ByteBuffer candidate = ByteBuffer.allocate(Forms.MAX_CHUNK_BYTES);

    private void keepCandidate() {
      final ByteBuffer kept = candidate;
      candidate = best;
      best = kept;
    }
  }
}
