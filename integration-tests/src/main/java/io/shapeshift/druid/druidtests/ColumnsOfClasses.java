// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Counts the columns that each test class writes. It appends a line for each kind of column (class, kind, count) to a
 * file of this JVM, in the directory of the encoding below that of the system property {@code druidtests.output}.
 * Columns that were written before the class started, for the parameters of its tests, are counted for it.
 */
public final class ColumnsOfClasses implements TestExecutionListener {
  private String running = "";

  @Override
  public void executionStarted(TestIdentifier test) {
    // Without the agent nothing is counted, as in tests of this module.
    if (Hooks.encoding != null && running.isEmpty() && isClass(test)) {
      running = test.getUniqueId();
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (running.isEmpty() || !test.getUniqueId().equals(running)) {
      return;
    }
    running = "";
    final String name = ((ClassSource) test.getSource().orElseThrow()).getClassName();
    final StringBuilder lines = new StringBuilder();
    WrittenColumns.takeCounts().forEach(
        (kind, count) -> lines.append(name).append('\t').append(kind).append('\t').append(count).append('\n'));
    append(lines);
  }

  private static boolean isClass(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof ClassSource;
  }

  private static void append(CharSequence lines) {
    final Path directory = Path.of(System.getProperty("druidtests.output"), Hooks.encoding.name());
    try {
      Files.createDirectories(directory);
      Files.writeString(
          directory.resolve("columns-" + ProcessHandle.current().pid() + ".tsv"),
          lines,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND
      );
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
