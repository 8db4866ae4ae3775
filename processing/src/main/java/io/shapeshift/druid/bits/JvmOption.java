// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Options of this JVM, whether they were given or are its own choice. */
public final class JvmOption {
  private JvmOption() {}

  /**
   * The value of an option of HotSpot.
   *
   * @param otherwise the answer of a JVM that has no such option, or is of another kind
   */
  public static String value(String name, String otherwise) {
    try {
      return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
    } catch (RuntimeException | LinkageError e) {
      return otherwise;
    }
  }
}
