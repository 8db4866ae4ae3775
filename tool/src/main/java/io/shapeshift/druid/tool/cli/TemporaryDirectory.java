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

/** A directory that goes when it is closed, or when the process ends, by a signal too. */
public final class TemporaryDirectory implements AutoCloseable {
  /** How the names of directories begin that are made beside what they are to become. */
  public static final String PREFIX = ".shapeshift-";
  /** How long the end of the process waits for whoever fills a directory to notice, in milliseconds. */
  private static final long PATIENCE = 500;

  private interface Maker {
    Path make() throws IOException;
  }

  private final Object lock = new Object();
  private final Thread hook;
  private final Path path;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Made while the hook, which was registered before, waits for the lock: no signal comes between the two. */
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
   * Deletes the directory while another thread may still be filling it. Druid makes directories again that are missing,
   * so a file takes the place of this one until that thread has failed on it and closed this, or has had time to.
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
        // It was just closed, or made again between the two; there is nothing better than to delete what is there.
      }
      FileUtils.deleteQuietly(deleted.toFile());
    }
    // If it was not closed in time it is deleted all the same.
    var unused = Uninterruptibles.awaitUninterruptibly(closed, PATIENCE, TimeUnit.MILLISECONDS);
    FileUtils.deleteQuietly(path.toFile());
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
    }
  }

  /** Makes an empty directory where the system keeps temporary files. */
  public static TemporaryDirectory create(String prefix) {
    try {
      return new TemporaryDirectory(() -> Files.createTempDirectory(prefix));
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

  /** The directory. */
  public Path path() {
    return path;
  }

  /**
   * Whether something can be published there: it does not exist, or is an empty directory. A symbolic link is neither,
   * wherever it leads.
   *
   * @throws IOException if it is a directory that cannot be listed
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
   * Refuses a place where a directory cannot be put in one move, before it takes long to make it.
   *
   * @throws ToolException if the process works in it, or another file system is mounted there
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
   * Moves what is in this directory to its place, all at once. All of it is on the disk before, and is found there
   * after a power failure once this is done.
   *
   * @param from   a file or directory in this one
   * @param target does not exist, or is an empty directory; nothing else is replaced
   * @throws ToolException if that is not possible
   */
  public void publish(Path from, Path target) {
    publish(from, target, Files.isDirectory(from) ? TemporaryDirectory::replace : TemporaryDirectory::moveNew);
  }

  /** Moves a file in this directory to its place as {@link #publish} does, where it replaces another. */
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
      // The entries of the directories that were made for it, and its own.
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

  /** A directory takes the place of an empty directory, but of no other; a file takes the place of any other. */
  private static void replace(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Moves a file where there is none. A link, other than a move, never replaces what came to be there meanwhile; the
   * old name goes with the directory.
   */
  private static void moveNew(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      // Not all file systems have links.
      Files.move(from, to);
    }
  }

  /** Writes a file, or all that is in a directory, through to the disk; each directory after what is in it. */
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
    // For reading, so that it works on directories and on copies of files that may not be written.
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
