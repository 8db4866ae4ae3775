// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Error in the bytes of a chunk, given its form and its number of values. */
public final class MalformedChunkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean newer;

  /** Creates an exception whose message has what was found and what was expected. */
  public MalformedChunkException(String message) {
    this(message, false);
  }

  private MalformedChunkException(String message, boolean newer) {
    super(message);
    this.newer = newer;
  }

  /** Creates the exception for an unknown form inside a chunk, which may be of a later release. */
  public static MalformedChunkException newer(String message) {
    return new MalformedChunkException(message, true);
  }

  /** Creates an exception for an error of a library. */
  public MalformedChunkException(String message, Throwable cause) {
    super(message, cause);
    this.newer = false;
  }

  /** Returns whether a later release may be able to read the chunk. */
  public boolean isNewer() {
    return newer;
  }
}
