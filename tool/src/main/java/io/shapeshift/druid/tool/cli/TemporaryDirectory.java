// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import com.google.common.collect.Lists;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** Directory that is deleted when it is closed, or when the process ends, even by a signal. */
public final class TemporaryDirectory implements AutoCloseable {
  /** Prefix of the names of directories created beside their final place. */
  public static final String PREFIX = ".shapeshift-";
  /**
   * Maximum time in milliseconds for which the ending process waits until the writer of a directory notices that the
   * directory was deleted.
   */
  private static final long PATIENCE = 500;

  private interface Maker {
    Path make() throws IOException;
  }

  private final Object lock = new Object();
  private final Thread hook;
  private final Path path;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Created while the shutdown hook, which is already registered, waits for the lock, so that no signal can come in
   * between.
   */
  private TemporaryDirectory(Maker maker) throws IOException {
    this.hook = new Thread(this::deleteAtExit);
    synchronized (lock) {
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        this.path = maker.make();
      } catch (IOException e) {
        forget(hook);
        throw e;
      }
    }
  }

  /**
   * Deletes the directory while another thread may still write to it. Druid recreates missing directories, so a file
   * replaces this directory until that thread has failed on the file and closed this object, or the wait has timed out.
   */
  private void deleteAtExit() {
    synchronized (lock) {
      if (path == null) {
        return;
      }
      final Path deleted = path.resolveSibling(path.getFileName() + ".deleted");
      try {
        Files.move(path, deleted);
        Files.createFile(path);
      } catch (IOException e) {
        // The directory was just closed, or recreated in between. All that remains is to delete its contents.
      }
      FileUtils.deleteQuietly(deleted.toFile());
    }
    // If it was not closed in time, it is deleted nevertheless.
    var unused = Uninterruptibles.awaitUninterruptibly(closed, PATIENCE, TimeUnit.MILLISECONDS);
    FileUtils.deleteQuietly(path.toFile());
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending and the hook is running.
    }
  }

  /** Creates an empty directory in the system's temporary directory. */
  public static TemporaryDirectory create(String prefix) {
    try {
      return new TemporaryDirectory(() -> Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw cannotCreate(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /**
   * Creates an empty directory beside a path, so that its contents can be moved to that path. The path's parent is
   * created only by the move, so that a failure leaves nothing behind.
   */
  public static TemporaryDirectory beside(Path target) {
    final Path absolute = target.toAbsolutePath().normalize();
    final Path parent = existingParent(absolute);
    try {
      return new TemporaryDirectory(() -> Files.createTempDirectory(parent, PREFIX));
    } catch (IOException e) {
      throw cannotCreate(parent, e);
    }
  }

  private static Path existingParent(Path absolute) {
    Path parent = absolute.getParent();
    while (parent.getParent() != null && !Files.exists(parent)) {
      parent = parent.getParent();
    }
    return parent;
  }

  private static ToolException cannotCreate(Path parent, IOException e) {
    return new ToolException(
        parent.toString(),
        "no directory can be made here: " + Reason.of(e),
        "Make room, or allow it to be written",
        e
    );
  }

  /** Path of the directory. */
  public Path path() {
    return path;
  }

  /**
   * Whether {@link #publish} can use a target: it does not exist, or is an empty directory. A symbolic link is never
   * free, wherever it points.
   *
   * @throws IOException if the target is a directory that cannot be listed
   */
  public static boolean isFree(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> files = Files.list(target)) {
      return files.findAny().isEmpty();
    }
  }

  /**
   * Rejects a target that a directory cannot replace in one move, before the long work begins.
   *
   * @throws ToolException if the target is the working directory of the process, or a mount point
   */
  public static void requireReplaceable(Path target) {
    try {
      if (!Files.isDirectory(target)) {
        return;
      }
      final Path real = target.toRealPath();
      if (Path.of("").toRealPath().startsWith(real)) {
        throw new ToolException(target.toString(), "it is the current directory", "Name a directory in it");
      }
      if (real.getParent() == null || !Files.getFileStore(real).equals(Files.getFileStore(real.getParent()))) {
        throw new ToolException(
            target.toString(), "another file system is mounted here", "Name a directory in it, which can be moved");
      }
    } catch (IOException e) {
      throw new ToolException(target.toString(), "it cannot be read: " + Reason.of(e), "Name another directory", e);
    }
  }

  /**
   * Moves a file or directory to its final place atomically. Its contents are forced to the disk first. After this
   * method returns, they survive a power failure.
   *
   * @param from   file or directory in this directory
   * @param target final place; must not exist, or must be an empty directory
   * @throws ToolException if the move fails
   */
  public void publish(Path from, Path target) {
    publish(from, target, Files.isDirectory(from) ? TemporaryDirectory::replace : TemporaryDirectory::moveNew);
  }

  /** Moves a file in this directory to its final place like {@link #publish}, but replaces an existing file. */
  public void publishOver(Path from, Path target) {
    publish(from, target, TemporaryDirectory::replace);
  }

  private interface Move {
    void run(Path from, Path to) throws IOException;
  }

  private static void publish(Path from, Path target, Move move) {
    final Path absolute = target.toAbsolutePath().normalize();
    final Path existing = existingParent(absolute);
    try {
      forceAll(from);
      Files.createDirectories(absolute.getParent());
      move.run(from, absolute);
    } catch (IOException | UncheckedIOException e) {
      throw new ToolException(
          target.toString(),
          "what was written cannot be moved here: " + Reason.of(e),
          "Name a path that does not exist yet, where you may write",
          e
      );
    }
    try {
      // Forces the entries of created parent directories and the new entry itself.
      Path parent = absolute.getParent();
      while (parent != null && parent.startsWith(existing)) {
        force(parent);
        parent = parent.getParent();
      }
    } catch (IOException e) {
      throw new ToolException(
          target.toString(),
          "it is written, but may be gone after a power failure: " + Reason.of(e),
          "Look after the disk, and write it again",
          e
      );
    }
  }

  /** Moves a directory over an empty directory only, and a file over any file. */
  private static void replace(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Moves a file to a path that must not exist. A hard link, unlike a move, never replaces a file that another process
   * created meanwhile. The old name is deleted with the directory.
   */
  private static void moveNew(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      // Not all file systems support hard links.
      Files.move(from, to);
    }
  }

  /** Forces a file, or the contents of a directory, to the disk; each directory after its contents. */
  private static void forceAll(Path tree) throws IOException {
    final List<Path> paths;
    try (Stream<Path> walk = Files.walk(tree)) {
      paths = walk.toList();
    }
    for (Path path : Lists.reverse(paths)) {
      force(path);
    }
  }

  private static void force(Path path) throws IOException {
    // Opened for reading, which also works for directories and for read-only copies of files.
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      FileUtils.deleteQuietly(path.toFile());
    }
    closed.countDown();
    forget(hook);
  }
}
