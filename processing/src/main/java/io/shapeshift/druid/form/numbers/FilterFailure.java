// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

/**
 * Failure of a filter's own test, which may be foreign code, while a reader asks it. Readers take other exceptions for
 * damaged bytes; this one tells them that the bytes are not the cause. It has no stack trace: the cause has one.
 */
public final class FilterFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Throwable failure;

  FilterFailure(Throwable failure) {
    super(failure.getMessage(), failure, false, false);
    this.failure = failure;
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
