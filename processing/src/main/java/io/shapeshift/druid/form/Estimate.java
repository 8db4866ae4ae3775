// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * Estimate by a form of a chunk's size, before anything is encoded.
 *
 * @param kind  kind of the estimate
 * @param bytes size of the encoded chunk in bytes, including the form id; 0 if it is unknown
 */
public record Estimate(Kind kind, int bytes) {
  /** Kinds of estimates. */
  public enum Kind {
    /** The form cannot store this chunk, or should not. */
    SKIP,
    /** The size is exact, and no form can be smaller or faster: selection tries no other form. */
    TAKE,
    /** The size is exact. */
    EXACT,
    /** The size is known only after encoding. */
    TRY
  }

  /** The only estimate of kind {@link Kind#SKIP}. */
  public static final Estimate SKIP = new Estimate(Kind.SKIP, 0);
  /** The only estimate of kind {@link Kind#TRY}. */
  public static final Estimate TRY = new Estimate(Kind.TRY, 0);

  /** Returns an estimate of kind {@link Kind#TAKE}. */
  public static Estimate take(int bytes) {
    return new Estimate(Kind.TAKE, bytes);
  }

  /** Returns an estimate of kind {@link Kind#EXACT}. */
  public static Estimate exact(int bytes) {
    return new Estimate(Kind.EXACT, bytes);
  }
}
