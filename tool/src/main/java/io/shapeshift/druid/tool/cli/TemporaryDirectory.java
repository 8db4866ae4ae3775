// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** A directory that goes when it is closed, or when the process ends, by a signal too. */
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;
  private final Thread hook;

  private TemporaryDirectory(Path path) {
    this.path = path;
    this.hook = new Thread(this::deleteAtExit);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Deletes the directory while another thread may still be filling it. Druid makes directories again that are missing,
   * so a file takes the place of this one meanwhile.
   */
  private void deleteAtExit() {
    final Path deleted = path.resolveSibling(path.getFileName() + ".deleted");
    try {
      Files.move(path, deleted);
      Files.createFile(path);
    } catch (IOException e) {
      // It was just closed, or made again between the two; there is nothing better to do than to delete what is there.
    }
    FileUtils.deleteQuietly(deleted.toFile());
    FileUtils.deleteQuietly(path.toFile());
  }

  /** Makes an empty directory where the system keeps temporary files. */
  public static TemporaryDirectory create(String prefix) {
    try {
      return new TemporaryDirectory(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw cannotCreate(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /**
   * Makes an empty directory beside a path, so that what is in it can be moved there. If the path's parent does not
   * exist, it is made only then: nothing is to be left behind if it does not come to that.
   */
  public static TemporaryDirectory beside(Path target) {
    final Path absolute = target.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    while (parent.getParent() != null && !Files.exists(parent)) {
      parent = parent.getParent();
    }
    try {
      return new TemporaryDirectory(Files.createTempDirectory(parent, "." + absolute.getFileName() + "-"));
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

  /**
   * Whether something can be published there: it does not exist, or is an empty directory.
   *
   * @throws IOException if it is a directory that cannot be listed
   */
  public static boolean isFree(Path target) throws IOException {
    if (!Files.exists(target)) {
      return true;
    }
    if (!Files.isDirectory(target)) {
      return false;
    }
    try (Stream<Path> files = Files.list(target)) {
      return files.findAny().isEmpty();
    }
  }

  /**
   * Moves what is in this directory to its place, all at once.
   *
   * @param from   a file or directory in this one
   * @param target does not exist, or is an empty directory
   * @throws ToolException if that is not possible
   */
  public void publish(Path from, Path target) {
    final Path absolute = target.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute.getParent());
      Files.move(from, absolute, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new ToolException(
          target.toString(),
          "what was written cannot be moved here: " + e,
          "Name a path that does not exist yet, where you may write",
          e
      );
    }
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
