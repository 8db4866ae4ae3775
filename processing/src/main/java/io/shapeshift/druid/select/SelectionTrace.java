// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.stock.SizeDecision;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Listener for the decisions made while one column is encoded, in order. Positions count values of the column. A trace
 * never changes a decision.
 *
 * @see FormSelector#traced
 */
public interface SelectionTrace {
  /** Trace that ignores everything, at no cost. Used to write segments. */
  SelectionTrace NONE = new SelectionTrace() {};

  /** Result of the estimate of a directly read form for a run of values. */
  enum Answer {
    /** The target does not use the form. */
    NOT_USED,
    /** The form cannot store the values, or is never a sensible choice. */
    SKIPPED,
    /** The size of the form is known. */
    EXACT,
    /** The form is smaller than all earlier ones, but its scan is slower than that of the stock column. */
    TOO_SLOW,
    /** The size of the form is known, and no form can be both smaller and faster. The search ends. */
    UNBEATABLE,
    /** Not estimated, because an unbeatable form had ended the search. */
    NOT_ASKED
  }

  /** Division of a run of values into one chunk, or one chunk per block. */
  enum Division {
    /** One chunk. Its blocks are alike, so no form was estimated per block. */
    ALIKE,
    /** One chunk. Chunks of one block each would not be enough smaller. */
    WHOLE,
    /** One chunk per block. */
    BLOCKS
  }

  /** Reason why no codec was tried. */
  enum Untried {
    /** All values are one chunk in an unbeatable form. */
    UNBEATABLE,
    /** The directly read chunks are no larger than a codec's header. */
    TOO_LITTLE,
    /** Codecs lost on similar values shortly before. */
    IN_VAIN
  }

  /** Starts the estimates of directly read forms for a run of values. Their answers follow. */
  default void asks(long first, int count) {}

  /**
   * Reports the estimate of a directly read form.
   *
   * @param bytes  size of the chunk in this form in bytes; 0 if unknown
   * @param weight weight of the form; infinite if the size is unknown
   */
  default void answered(Form<?, ?> form, Answer answer, int bytes, double weight) {}

  /**
   * Reports the division of a run of values into directly read chunks.
   *
   * @param whole  weight of one chunk
   * @param blocks weight of one chunk per block, including their entries in the column's offsets; infinite if no form
   *     was estimated per block
   * @param most   weight below which one chunk per block is chosen
   */
  default void divided(long first, int count, Division division, double whole, double blocks, double most) {}

  /**
   * Starts the trials of codecs on all buffered values. The trials follow.
   *
   * @param directBytes  total size of the directly read chunks in bytes; infinite if there are none
   * @param directWeight their weight
   */
  default void triesCodecs(long first, int count, double directBytes, double directWeight) {}

  /**
   * Reports that no codec is tried on the buffered values.
   *
   * @param directWeight weight of the directly read chunks
   * @param codecs       codecs that could have been tried
   */
  default void doesNotTryCodecs(
      long first,
      int count,
      double directWeight,
      Untried reason,
      List<? extends Form<?, ?>> codecs
  ) {}

  /** Reports the trial of a codec. */
  default void tried(CodecTrial trial) {}

  /**
   * Reports the choice among the estimated forms or the tried codecs.
   *
   * @param form chosen form; null if no form can store the values, or no codec is better than the directly read chunks
   */
  default void chose(@Nullable Form<?, ?> form) {}

  /** Reports whether chunks, chosen ones or stock blocks, may be stored under the column's size limit. */
  default void settles(long first, int count, SizeDecision decision) {}

  /**
   * Reports an encoded chunk.
   *
   * @param bytes size of the chunk in bytes
   */
  default void encoded(long first, int count, Form<?, ?> form, int bytes) {}
}
