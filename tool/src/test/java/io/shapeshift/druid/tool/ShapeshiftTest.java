// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What ends the tool is told of by its exit code; none is taken for damage of a segment. */
class ShapeshiftTest {
  private static String fail(int exitCode, Throwable e) {
    final StringWriter err = new StringWriter();
    assertEquals(exitCode, Shapeshift.fail(e, new PrintWriter(err)));
    return err.toString();
  }

  @Test
  void bugsAreOurs() {
    for (Throwable e : new Throwable[]{new IllegalStateException(), new StackOverflowError(), new AssertionError(),
        new InternalError("of another kind")}) {
      final String said = fail(ExitCode.BROKEN, e);
      assertTrue(said.startsWith("shapeshift: an error that it did not expect; please report it"), said);
      assertTrue(said.contains(e.getClass().getName()), said);
    }
  }

  @Test
  void tooLittleMemoryIsNoBug() {
    assertEquals(
        "shapeshift: there is not enough memory: Java heap space. Give it more, as with "
            + "SHAPESHIFT_JAVA_OPTS='-Xmx4g -XX:MaxDirectMemorySize=1g'",
        fail(ExitCode.FAILED, new OutOfMemoryError("Java heap space")).strip()
    );
  }

  /** The message is that of the JVM. */
  @Test
  void aMappedFileThatEndsTooSoonIsNoBug() {
    final String fault = "a fault occurred in an unsafe memory access operation";
    assertTrue(
        fail(ExitCode.FAILED, new InternalError(fault)).startsWith("shapeshift: a mapped file cannot be read: " + fault)
    );
  }
}
