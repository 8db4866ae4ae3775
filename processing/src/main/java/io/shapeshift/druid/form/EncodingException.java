// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * Signals a fault of an encoding of another jar: it cannot be registered, or it failed when values were written. The
 * message names the encoding, and says what to do.
 */
public final class EncodingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates an exception. */
  public EncodingException(String message) {
    super(message);
  }

  /** Creates an exception with a cause. */
  public EncodingException(String message, Throwable cause) {
    super(message, cause);
  }
}
