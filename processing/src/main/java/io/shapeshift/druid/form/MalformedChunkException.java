// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** The bytes of a chunk are not what its form and its number of values ask for. */
public final class MalformedChunkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean newer;

  /** Makes an exception that says what was found and what was expected. */
  public MalformedChunkException(String message) {
    this(message, false);
  }

  private MalformedChunkException(String message, boolean newer) {
    super(message);
    this.newer = newer;
  }

  /** The chunk is of a form that is unknown within its own, and which a later release may have brought. */
  public static MalformedChunkException newer(String message) {
    return new MalformedChunkException(message, true);
  }

  /** Makes an exception for an error that a library reported. */
  public MalformedChunkException(String message, Throwable cause) {
    super(message, cause);
    this.newer = false;
  }

  /** Whether it may be in order for a later release. */
  public boolean isNewer() {
    return newer;
  }
}
