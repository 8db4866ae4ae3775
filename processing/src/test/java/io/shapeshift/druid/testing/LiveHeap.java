// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Objects on the heap that something still refers to, as HotSpot's class histogram counts them. To count them the JVM
 * traces the heap, also where {@code System.gc()} is switched off, so that references to all others are cleared.
 */
public final class LiveHeap {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final long TIMEOUT_NANOS = 60_000_000_000L;

  private LiveHeap() {}

  /** Bytes of all live objects. */
  public static long bytes() {
    final String histogram;
    try {
      histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
          new ObjectName("com.sun.management:type=DiagnosticCommand"),
          "gcClassHistogram",
          new Object[] {new String[0]},
          new String[] {String[].class.getName()}
      );
    } catch (JMException e) {
      throw new IllegalStateException("this JVM has no class histogram", e);
    }
    final Matcher total = TOTAL.matcher(histogram);
    if (!total.find()) {
      throw new IllegalStateException("no total in the class histogram");
    }
    return Long.parseLong(total.group(1));
  }

  /**
   * Traces the heap until what follows from cleared references has come, as cleaners run in a thread of their own.
   *
   * @return whether it has come within a minute
   */
  public static boolean traceUntil(BooleanSupplier done) {
    final long end = System.nanoTime() + TIMEOUT_NANOS;
    while (!done.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      bytes();
    }
    return true;
  }
}
