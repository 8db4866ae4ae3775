// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A disk of a few megabytes that can be full: a file system in memory (tmpfs), which only root may mount, and only on
 * Linux. Where it cannot be mounted the test is skipped, and says why.
 */
public final class SmallDisk implements AutoCloseable {
  private final Path directory;
  private final Thread unmount = new Thread(this::unmount);

  private SmallDisk(Path directory) {
    this.directory = directory;
    // For a test run that is broken off; close() is for one that ends.
    Runtime.getRuntime().addShutdownHook(unmount);
  }

  /** Mounts one over a directory, which is made if it is not there; skips the test where that is not possible. */
  public static SmallDisk mountOrSkip(Path directory, long bytes) throws IOException {
    return orSkip(mount(directory, bytes));
  }

  /** As {@link #mountOrSkip}, but empty where that is not possible. The reason is printed. */
  public static Optional<SmallDisk> mount(Path directory, long bytes) throws IOException {
    Files.createDirectories(directory);
    final Optional<String> problem =
        run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", directory.toString());
    problem.ifPresent(why -> System.out.println("No small disk can be mounted, which takes Linux and root: " + why));
    return problem.isPresent() ? Optional.empty() : Optional.of(new SmallDisk(directory));
  }

  /** The disk, or a test that is skipped because there is none. */
  public static SmallDisk orSkip(Optional<SmallDisk> disk) {
    Assumptions.assumeTrue(disk.isPresent(), "no small disk can be mounted here: the output of the tests says why");
    return disk.orElseThrow();
  }

  /** Where it is. */
  public Path directory() {
    return directory;
  }

  /** Makes it as large as what is on it, and so many bytes. */
  public void leave(long bytes) throws IOException {
    final FileStore store = Files.getFileStore(directory);
    final long used = store.getTotalSpace() - store.getUnallocatedSpace();
    final Optional<String> problem = run("mount", "-o", "remount,size=" + (used + bytes), directory.toString());
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(unmount);
    unmount();
  }

  private void unmount() {
    // Lazily, as a process that was killed may hold a file of it for a moment.
    run("umount", "-l", directory.toString()).ifPresent(System.err::println);
  }

  /** Runs a command; what it said if it failed, or is not there. */
  private static Optional<String> run(String... command) {
    try {
      final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return Optional.of(List.of(command) + " does not end");
      }
      return process.exitValue() == 0 ? Optional.empty() : Optional.of(List.of(command) + ": " + said);
    } catch (IOException e) {
      return Optional.of(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
