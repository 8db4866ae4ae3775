// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

/** What the tool's process exits with. */
public final class ExitCode {
  /** All that was asked for is done. */
  public static final int OK = 0;
  /** Done, but there is damage or a difference: {@code verify} found some, or a column could not be read. */
  public static final int DIFFERENT = 1;
  /** The command line is wrong; nothing was done. */
  public static final int USAGE = 2;
  /** An input cannot be read, an output cannot be written, or memory is too little; nothing is left half written. */
  public static final int FAILED = 3;
  /** An error in the tool or its installation. */
  public static final int BROKEN = 4;

  private ExitCode() {}
}
