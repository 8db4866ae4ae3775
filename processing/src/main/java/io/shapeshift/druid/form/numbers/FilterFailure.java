// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import java.util.function.Supplier;

/**
 * Failure of a filter's own test, which may be foreign code, while a reader asks it. Readers take other exceptions for
 * damaged bytes; this one tells them that the bytes are not the cause. It has no stack trace: the cause has one.
 */
public final class FilterFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Throwable failure;

  private FilterFailure(Throwable failure) {
    super(failure.getMessage(), failure, false, false);
    this.failure = failure;
  }

  /**
   * Makes the exception to throw when a test has failed.
   *
   * @param failure an unchecked exception or an error; thrown as it is where memory is used up, which may be our doing
   */
  public static FilterFailure of(Throwable failure) {
    if (failure instanceof OutOfMemoryError error) {
      throw error;
    }
    return new FilterFailure(failure);
  }

  /**
   * Asks what may be foreign code, once.
   *
   * @throws FilterFailure if it fails
   */
  public static <T> T guard(Supplier<T> foreign) {
    try {
      return foreign.get();
    } catch (RuntimeException | Error e) {
      throw of(e);
    }
  }

  /**
   * Throws what the test threw, the same object.
   *
   * @return never
   */
  public RuntimeException rethrow() {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }
}
