// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Progress bar of a command on standard error, if that is a terminal; otherwise prints nothing. A command has at most
 * one bar, and clears or closes it before it prints anything else.
 */
public final class Progress implements AutoCloseable {
  /** Set by the launcher, because Java cannot detect whether standard error is a terminal. */
  private static final boolean ON_TERMINAL = Boolean.getBoolean("shapeshift.progress");
  private static final int WIDTH = 30;
  private static final int MAX_LABEL = 40;
  private static final long MIN_NANOS_BETWEEN = 100_000_000;
  private static final String CLEAR = "\r\u001B[K";

  private final PrintStream out = System.err;
  private final long total;
  private long done;
  private long drawnAt;
  private boolean drawn;

  /**
   * Creates a bar at zero.
   *
   * @param total total number of steps; 0 if unknown
   */
  public Progress(long total) {
    this.total = total;
  }

  /**
   * Updates the bar.
   *
   * @param done  number of completed steps
   * @param label current work, such as the name of a column
   */
  public void at(long done, String label) {
    this.done = done;
    if (!ON_TERMINAL || (drawn && System.nanoTime() - drawnAt < MIN_NANOS_BETWEEN)) {
      return;
    }
    drawn = true;
    drawnAt = System.nanoTime();
    final String what = label.length() > MAX_LABEL ? label.substring(0, MAX_LABEL - 3) + "..." : label;
    if (total <= 0) {
      out.printf(Locale.ROOT, "%s%,d %s", CLEAR, done, what);
    } else {
      final int filled = (int) Math.min(WIDTH, WIDTH * done / total);
      out.printf(
          Locale.ROOT,
          "%s[%s%s] %3d%% %s",
          CLEAR,
          "=".repeat(filled),
          " ".repeat(WIDTH - filled),
          Math.min(100, 100 * done / total),
          what
      );
    }
    out.flush();
  }

  /** Advances by one step. */
  public void step(String label) {
    at(done + 1, label);
  }

  /** Removes the bar until the next step. */
  public void clear() {
    if (drawn) {
      out.print(CLEAR);
      out.flush();
      drawn = false;
    }
  }

  @Override
  public void close() {
    clear();
  }
}
