// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.stock.SizeDecision;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Is told of each decision while one column is encoded, in the order in which they are made. Positions are those of
 * values in the column. A trace never changes what is decided.
 *
 * @see FormSelector#traced
 */
public interface SelectionTrace {
  /** Tells nobody, and costs nothing: what segments are written with. */
  SelectionTrace NONE = new SelectionTrace() {};

  /** What came of asking a form that is read directly for a run of values. */
  enum Answer {
    /** The form is not used under the target. */
    NOT_USED,
    /** The form cannot store the values, or never sensibly. */
    SKIPPED,
    /** The form takes a number of bytes. */
    EXACT,
    /** The form takes fewer bytes than those before it, but is scanned more slowly than Druid's own column. */
    TOO_SLOW,
    /** The form takes a number of bytes, and nothing can be smaller and faster: the search ended with it. */
    UNBEATABLE,
    /** An unbeatable form had ended the search. */
    NOT_ASKED
  }

  /** How a run of values that may be one chunk or a chunk for each block was divided. */
  enum Division {
    /** One chunk: its blocks look alike, so that the forms were not asked about each block. */
    ALIKE,
    /** One chunk: a chunk for each block would not be enough smaller. */
    WHOLE,
    /** A chunk for each block. */
    BLOCKS
  }

  /** Why no codec was tried on values. */
  enum Untried {
    /** One chunk of all of them is in a form that nothing can beat. */
    UNBEATABLE,
    /** The chunks that are read directly take no more than a codec's own header. */
    TOO_LITTLE,
    /** A codec was tried in vain on values like these not long ago. */
    IN_VAIN
  }

  /** The forms that are read directly are asked about a run of values; the answers that follow are theirs. */
  default void asks(long first, int count) {}

  /**
   * A form that is read directly has answered.
   *
   * @param bytes  size of the chunk in this form; 0 where that is not known
   * @param weight what the selection compares; infinite where the size is not known
   */
  default void answered(Form<?, ?> form, Answer answer, int bytes, double weight) {}

  /**
   * A run of values was divided into chunks that are read directly.
   *
   * @param whole  weight of one chunk
   * @param blocks weight of a chunk for each block, with their places in the column's offsets; infinite if the forms
   *               were not asked about each block
   * @param most   the weight of these below which they win
   */
  default void divided(long first, int count, Division division, double whole, double blocks, double most) {}

  /**
   * Codecs are about to be tried on all buffered values; the trials that follow are of these.
   *
   * @param directBytes  what the chunks that are read directly take in all; infinite if there are none
   * @param directWeight their weight
   */
  default void triesCodecs(long first, int count, double directBytes, double directWeight) {}

  /**
   * No codec is tried on the buffered values.
   *
   * @param directWeight the weight of the chunks that are read directly
   * @param codecs       those that could have been
   */
  default void doesNotTryCodecs(
      long first,
      int count,
      double directWeight,
      Untried reason,
      List<? extends Form<?, ?>> codecs
  ) {}

  /** A codec was tried. */
  default void tried(CodecTrial trial) {}

  /**
   * One of the forms that were asked, or of the codecs that were tried, was chosen.
   *
   * @param form null if none of the forms can store the values, or none of the codecs is better than what is read
   *             directly
   */
  default void chose(@Nullable Form<?, ?> form) {}

  /**
   * Chunks of some values, as they were chosen or as Druid's own column has them, are to be stored if the column keeps
   * the promise not to be larger than Druid's own.
   */
  default void settles(long first, int count, SizeDecision decision) {}

  /**
   * A chunk was encoded.
   *
   * @param bytes its size
   */
  default void encoded(long first, int count, Form<?, ?> form, int bytes) {}
}
