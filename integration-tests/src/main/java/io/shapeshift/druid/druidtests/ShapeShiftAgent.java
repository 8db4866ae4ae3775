// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import java.lang.instrument.Instrumentation;

/**
 * Makes Druid's tests write and read shape-shifting columns, without a change of the tests: it rewrites the classes
 * that {@link Rewriting} lists while they are loaded.
 */
public final class ShapeShiftAgent {
  private ShapeShiftAgent() {}

  /**
   * Called by the JVM before anything else.
   *
   * @param encoding as {@link Encoding#parse} takes it
   */
  public static void premain(String encoding, Instrumentation instrumentation) {
    final Encoding parsed = Encoding.parse(encoding);
    Hooks.encoding = parsed;
    instrumentation.addTransformer(new Rewriting(parsed));
  }
}
