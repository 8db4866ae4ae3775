// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Error in the bytes of a chunk, or of a model or a bucket of texts. Readers throw it with what was found and what was
 * expected; the extension adds column, encoding and offset. Other exceptions of a reader are reported the same way.
 */
public final class DamagedChunkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates an exception, as in {@code "width is 40 bits, expected 0 to 31"}. */
  public DamagedChunkException(String message) {
    super(message);
  }

  /** Creates an exception with a cause. */
  public DamagedChunkException(String message, Throwable cause) {
    super(message, cause);
  }
}
