// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.checksums;

/**
 * Signals that the checksums of a segment cannot be used. The message names their file, what was found, and what to do.
 */
public final class ChecksumsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean newer;

  private ChecksumsException(boolean newer, String found, String toDo) {
    super(SegmentChecksums.FILE + ": " + found + ". " + toDo);
    this.newer = newer;
  }

  static ChecksumsException damaged(String found) {
    return new ChecksumsException(
        false,
        found,
        "This file is damaged, and may not be the only one: fetch the segment again from deep storage"
    );
  }

  static ChecksumsException newer(String found) {
    return new ChecksumsException(
        true,
        found,
        "A newer druid-shapeshift wrote the segment: use the same release, or a newer one"
    );
  }

  /** Whether a newer release wrote the checksums, so that they may be intact. */
  public boolean isNewer() {
    return newer;
  }
}
