// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file cannot be read or written, in words: of much of it Java's exceptions tell by their classes alone. */
public final class Reason {
  private Reason() {}

  /** What an exception says, with the path that it names; that of another kind as it is, with its class. */
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
    // With the words of the operating system.
    return failure.getReason() == null ? failure.toString() : failure.getMessage();
  }
}
