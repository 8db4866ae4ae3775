// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;

/** A directory that goes when it is closed, or when the process ends, by a signal too. */
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;
  private final Thread hook;

  private TemporaryDirectory(Path path) {
    this.path = path;
    this.hook = new Thread(() -> FileUtils.deleteQuietly(path.toFile()));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Makes an empty directory where the system keeps temporary files. */
  public static TemporaryDirectory create(String prefix) {
    try {
      return new TemporaryDirectory(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw cannotCreate(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /** Makes an empty directory beside a path, so that it can be moved there. */
  public static TemporaryDirectory beside(Path target) {
    final Path parent = target.toAbsolutePath().getParent();
    try {
      Files.createDirectories(parent);
      return new TemporaryDirectory(Files.createTempDirectory(parent, "." + target.getFileName() + "-"));
    } catch (IOException e) {
      throw cannotCreate(parent, e);
    }
  }

  private static ToolException cannotCreate(Path parent, IOException e) {
    return new ToolException(
        parent.toString(),
        "no directory can be made here: " + e,
        "Make room, or allow it to be written",
        e
    );
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    FileUtils.deleteQuietly(path.toFile());
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
    }
  }
}
