// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** The bytes of a chunk are not what its form and its number of values ask for. */
public final class MalformedChunkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes an exception that says what was found and what was expected. */
  public MalformedChunkException(String message) {
    super(message);
  }

  /** Makes an exception for an error that a library reported. */
  public MalformedChunkException(String message, Throwable cause) {
    super(message, cause);
  }
}
