// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Exceptions are those that files make. */
class ReasonTest {
  @TempDir
  private Path directory;

  @Test
  void filesTellTheReason() throws IOException {
    final Path file = Files.createFile(directory.resolve("file"));
    final Path absent = directory.resolve("absent");
    assertReason(absent + " does not exist", () -> Files.newInputStream(absent).close());
    assertReason(file + " exists already", () -> Files.createFile(file));
    assertReason(file + " is no directory", () -> listed(file));
    assertReason(directory + " is not empty", () -> Files.delete(directory));
    assertReason(file.resolve("in it") + ": Not a directory", () -> Files.createFile(file.resolve("in it")));
    // Whoever runs the tests may be allowed everything.
    assertEquals("access to a is denied", Reason.of(new AccessDeniedException("a")));
  }

  @Test
  void othersAreToldAsTheyAre() {
    assertEquals("java.io.IOException: Broken pipe", Reason.of(new IOException("Broken pipe")));
    assertEquals("java.nio.file.FileSystemException: a", Reason.of(new FileSystemException("a")));
    assertEquals("a: No space left on device", Reason.of(new UncheckedIOException(
        new FileSystemException("a", null, "No space left on device"))));
  }

  private static void listed(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      files.forEach(file -> {});
    }
  }

  private static void assertReason(String expected, Executable use) {
    assertEquals(expected, Reason.of(assertThrows(IOException.class, use)));
  }
}
