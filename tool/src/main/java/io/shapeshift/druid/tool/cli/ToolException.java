// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.io.PrintWriter;
import java.util.List;
import javax.annotation.Nullable;

/** Something of the user's cannot be read or written; the message says where, what was found and what to do. */
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String found;

  /**
   * Makes an exception.
   *
   * @param where the file, with line, column or offset where there is one
   * @param found what is wrong with it
   * @param toDo  what the user can do, a whole sentence without its stop; empty if there is nothing to add
   */
  public ToolException(String where, String found, String toDo) {
    this(where, found, toDo, null);
  }

  /** Makes an exception with the one that told of the matter. */
  public ToolException(String where, String found, String toDo, @Nullable Throwable cause) {
    super(where + ": " + found + (toDo.isEmpty() ? "" : ". " + toDo), cause);
    this.found = found;
  }

  /** Makes one of memory that ran out, which is no fault of what was read; also what it found says what to do. */
  public static ToolException outOfMemory(String where, OutOfMemoryError e) {
    return new ToolException(
        where,
        "there is not enough memory: " + e.getMessage()
            + ". Give it more, as with SHAPESHIFT_JAVA_OPTS='-Xmx4g -XX:MaxDirectMemorySize=1g'",
        "",
        e
    );
  }

  /** Tells of some, a line for each, and says whether there are any. */
  public static boolean print(List<ToolException> some, PrintWriter err) {
    some.forEach(each -> err.println("shapeshift: " + each.getMessage()));
    return !some.isEmpty();
  }

  /** What is wrong, for those who know where and tell themselves what to do. */
  public String found() {
    return found;
  }
}
