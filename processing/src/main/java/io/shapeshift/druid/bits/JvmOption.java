// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Options of the running HotSpot JVM, set explicitly or by default. */
public final class JvmOption {
  private JvmOption() {}

  /**
   * Returns the value of a HotSpot option.
   *
   * @param otherwise returned if the JVM is not HotSpot or has no such option
   */
  public static String value(String name, String otherwise) {
    try {
      return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
    } catch (RuntimeException | LinkageError e) {
      return otherwise;
    }
  }
}
