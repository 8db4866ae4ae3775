// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Objects on the heap that something still refers to, as HotSpot's class histogram counts them. All others are
 * collected before, also where {@code System.gc()} is switched off: the histogram alone does so under some collectors.
 */
public final class LiveHeap {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final long TIMEOUT_NANOS = 60_000_000_000L;

  private LiveHeap() {}

  /** Bytes of all live objects. */
  public static long bytes() {
    collect();
    final Matcher total = TOTAL.matcher(command("gcClassHistogram", new Object[] {new String[0]}, String[].class));
    if (!total.find()) {
      throw new IllegalStateException("no total in the class histogram");
    }
    return Long.parseLong(total.group(1));
  }

  /** Collects all other objects, and clears references to them. */
  public static void collect() {
    command("gcRun", new Object[0]);
  }

  private static String command(String name, Object[] arguments, Class<?>... types) {
    try {
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(
          new ObjectName("com.sun.management:type=DiagnosticCommand"),
          name,
          arguments,
          Stream.of(types).map(Class::getName).toArray(String[]::new)
      );
    } catch (JMException e) {
      throw new IllegalStateException("this JVM has no diagnostic command " + name, e);
    }
  }

  /**
   * Collects objects until what follows from cleared references has come, as cleaners run in a thread of their own.
   *
   * @return whether it has come within a minute
   */
  public static boolean collectUntil(BooleanSupplier done) {
    final long end = System.nanoTime() + TIMEOUT_NANOS;
    while (!done.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      collect();
    }
    return true;
  }
}
