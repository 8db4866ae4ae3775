// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Form;
import java.util.EnumSet;
import java.util.Set;

/** Form of int chunks. */
public interface IntForm extends Form<IntChunk, IntChunkReader> {
  /** Kinds of ints that selection stores in a form directly, without a codec. */
  enum Use {
    /** Values of a column of ints: dictionary ids and offsets. */
    IDS,
    /** Numbers in a frame, or parts of numbers. */
    NUMBERS,
    /** Codes of a dictionary of numbers: at least two distinct values, from 0 without gaps. */
    CODES
  }

  /** Returns the kinds of ints for which selection tries this form. Readers accept it for all kinds. */
  default Set<Use> uses() {
    return EnumSet.allOf(Use.class);
  }
}
