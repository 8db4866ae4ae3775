// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Form;
import java.util.EnumSet;
import java.util.Set;

/** A form of int chunks. */
public interface IntForm extends Form<IntChunk, IntChunkReader> {
  /** What the ints of a chunk can be, besides what a codec compresses. */
  enum Use {
    /** Values of a column of ints: dictionary ids and offsets. */
    IDS,
    /** Numbers in a frame, or parts of them. */
    NUMBERS,
    /** Codes of a dictionary of numbers: two values or more, from 0 on without gaps. */
    CODES
  }

  /** For which ints selection tries this form; whatever the use, chunks in it can be read. */
  default Set<Use> uses() {
    return EnumSet.allOf(Use.class);
  }
}
