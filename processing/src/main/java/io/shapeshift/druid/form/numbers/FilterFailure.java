// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import java.util.function.Supplier;

/**
 * Failure of a filter's predicate, which may be foreign code, during a read. Readers report other exceptions as damaged
 * bytes; this one is passed on. It has no stack trace, because its cause has one.
 */
public final class FilterFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Throwable failure;

  private FilterFailure(Throwable failure) {
    super(failure.getMessage(), failure, false, false);
    this.failure = failure;
  }

  /**
   * Creates the exception for a failed predicate.
   *
   * @param failure an unchecked exception or an error. An OutOfMemoryError is rethrown unchanged, because the extension
   *     may have caused it
   */
  public static FilterFailure of(Throwable failure) {
    if (failure instanceof OutOfMemoryError error) {
      throw error;
    }
    return new FilterFailure(failure);
  }

  /**
   * Calls foreign code.
   *
   * @throws FilterFailure if the code fails
   */
  public static <T> T guard(Supplier<T> foreign) {
    try {
      return foreign.get();
    } catch (RuntimeException | Error e) {
      throw of(e);
    }
  }

  /**
   * Throws the predicate's original exception.
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
