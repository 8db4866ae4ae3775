// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import com.fasterxml.jackson.core.JacksonException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Reason why a file cannot be read or written, in words. Many of Java's exceptions express the reason only by their
 * class.
 */
public final class Reason {
  private Reason() {}

  /** First line of the message for wrong JSON, without Jackson's remark that it does not show the JSON. */
  public static String ofJson(JacksonException e) {
    return e.getOriginalMessage().lines().findFirst().orElse("")
        .replaceAll("\\[Source: [^;]*; (line: \\d+, column: \\d+)]", "$1");
  }

  /** Message for an exception, with the path that it names. Unknown exceptions are printed with their class. */
  public static String of(Exception e) {
    if (e instanceof UncheckedIOException unchecked) {
      return of(unchecked.getCause());
    }
    if (!(e instanceof FileSystemException failure) || failure.getFile() == null) {
      return e.toString();
    }
    if (failure instanceof NoSuchFileException) {
      return failure.getFile() + " does not exist";
    }
    if (failure instanceof AccessDeniedException) {
      return "access to " + failure.getFile() + " is denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return failure.getFile() + " exists already";
    }
    if (failure instanceof NotDirectoryException) {
      return failure.getFile() + " is no directory";
    }
    if (failure instanceof DirectoryNotEmptyException) {
      return failure.getFile() + " is not empty";
    }
    // Includes the operating system's message.
    return failure.getReason() == null ? failure.toString() : failure.getMessage();
  }
}
