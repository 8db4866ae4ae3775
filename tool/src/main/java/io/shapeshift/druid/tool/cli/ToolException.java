// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.io.PrintWriter;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Signals that an input or output of the user cannot be read or written. The message has the place, what was found, and
 * what to do.
 */
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String found;

  /**
   * Creates an exception.
   *
   * @param where file, with line, column or offset if known
   * @param found what is wrong
   * @param toDo  advice to the user, a sentence without its full stop; empty if there is none
   */
  public ToolException(String where, String found, String toDo) {
    this(where, found, toDo, null);
  }

  /** Creates an exception with a cause. */
  public ToolException(String where, String found, String toDo, @Nullable Throwable cause) {
    super(where + ": " + found + (toDo.isEmpty() ? "" : ". " + toDo), cause);
    this.found = found;
  }

  /**
   * Creates an exception for exhausted memory, which is not a fault of the input. What was found includes the advice.
   */
  public static ToolException outOfMemory(String where, OutOfMemoryError e) {
    return new ToolException(
        where,
        "there is not enough memory: " + e.getMessage()
            + ". Give it more, as with SHAPESHIFT_JAVA_OPTS='-Xmx4g -XX:MaxDirectMemorySize=1g'",
        "",
        e
    );
  }

  /** Prints exceptions, one per line. Returns whether there are any. */
  public static boolean print(List<ToolException> some, PrintWriter err) {
    some.forEach(each -> err.println("shapeshift: " + each.getMessage()));
    return !some.isEmpty();
  }

  /** What is wrong, for callers that add the place and the advice themselves. */
  public String found() {
    return found;
  }
}
