// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

/** Exit codes of the tool's process. */
public final class ExitCode {
  /** Everything requested was done. */
  public static final int OK = 0;
  /** Done, but with damage or a difference: {@code verify} found some, or a column could not be read. */
  public static final int DIFFERENT = 1;
  /** Invalid command line; nothing was done. */
  public static final int USAGE = 2;
  /**
   * An input could not be read, an output could not be written, or memory was insufficient. Nothing is left half
   * written.
   */
  public static final int FAILED = 3;
  /** An error in the tool or its installation. */
  public static final int BROKEN = 4;

  private ExitCode() {}
}
