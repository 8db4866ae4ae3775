// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import com.google.inject.Binder;
import com.google.inject.multibindings.Multibinder;

/**
 * Registration of encodings. A {@code DruidModule} calls it in {@code configure}:
 *
 * <pre>{@code
 * ShapeShiftEncodings.ints(binder).addBinding().to(PeriodicEncoding.class);
 * }</pre>
 *
 * Encodings are installed when a service's injector is made, in the order of their names, so that neither the order of
 * modules nor that of jars changes what is written. A service does not start if a name is invalid or is used twice.
 */
public final class ShapeShiftEncodings {
  private ShapeShiftEncodings() {}

  /** Returns the set of the encodings of ints. */
  public static Multibinder<IntEncoding> ints(Binder binder) {
    return Multibinder.newSetBinder(binder, IntEncoding.class);
  }

  /** Returns the set of the encodings of numbers. */
  public static Multibinder<NumberEncoding> numbers(Binder binder) {
    return Multibinder.newSetBinder(binder, NumberEncoding.class);
  }

  /** Returns the set of the encodings of posting lists. */
  public static Multibinder<PostingEncoding> postings(Binder binder) {
    return Multibinder.newSetBinder(binder, PostingEncoding.class);
  }

  /** Returns the set of the encodings of texts. */
  public static Multibinder<TextEncoding> texts(Binder binder) {
    return Multibinder.newSetBinder(binder, TextEncoding.class);
  }
}
