// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * What a form says of a chunk before anything is encoded.
 *
 * @param kind  the kind of answer
 * @param bytes the size of the encoded chunk, with the byte that names the form; 0 where it is not known
 */
public record Estimate(Kind kind, int bytes) {
  /** The kinds of answer. */
  public enum Kind {
    /** The form cannot store this chunk, or never sensibly. */
    SKIP,
    /** The exact size of the form is known, and nothing can be smaller and faster: no other form is asked. */
    TAKE,
    /** The exact size of the form is known. */
    EXACT,
    /** Only encoding tells. */
    TRY
  }

  /** The one answer of kind {@link Kind#SKIP}. */
  public static final Estimate SKIP = new Estimate(Kind.SKIP, 0);
  /** The one answer of kind {@link Kind#TRY}. */
  public static final Estimate TRY = new Estimate(Kind.TRY, 0);

  /** An answer of kind {@link Kind#TAKE}. */
  public static Estimate take(int bytes) {
    return new Estimate(Kind.TAKE, bytes);
  }

  /** An answer of kind {@link Kind#EXACT}. */
  public static Estimate exact(int bytes) {
    return new Estimate(Kind.EXACT, bytes);
  }
}
