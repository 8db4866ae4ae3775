// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Error when a shape-shifting column is read or written. The message contains the column's name, what was found, and
 * what to do.
 */
public final class ColumnFormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final String NEWER = "A newer druid-shapeshift wrote it, unless the segment is damaged: use the"
      + " release that wrote it, or a newer one, on every Druid service";

  private final boolean isMissingEncoding;

  /**
   * Creates an exception.
   *
   * @param column name of the column, as in the segment
   * @param found  what is wrong with it
   * @param toDo   what the user can do
   */
  public ColumnFormatException(String column, String found, String toDo) {
    this(column, found, toDo, null);
  }

  /** Creates an exception with a cause. */
  public ColumnFormatException(String column, String found, String toDo, @Nullable Throwable cause) {
    this(column, found, toDo, cause, false);
  }

  private ColumnFormatException(
      String column, String found, String toDo, @Nullable Throwable cause, boolean isMissingEncoding) {
    super("Column[" + column + "]: " + found + ". " + toDo, cause);
    this.isMissingEncoding = isMissingEncoding;
  }

  /** Creates the exception for damaged bytes. */
  public static ColumnFormatException damaged(String column, String found) {
    return damaged(column, found, null);
  }

  /** Creates the exception for damaged bytes, with a cause. */
  public static ColumnFormatException damaged(String column, String found, @Nullable Throwable cause) {
    return new ColumnFormatException(
        column,
        found,
        "The segment is damaged: fetch it again from deep storage, or ingest its interval again",
        cause
    );
  }

  /** Creates the exception for a format of a later release. */
  public static ColumnFormatException newer(String column, String found) {
    return newer(column, found, null);
  }

  /** Creates the exception for a format of a later release, with a cause. */
  public static ColumnFormatException newer(String column, String found, @Nullable Throwable cause) {
    return new ColumnFormatException(column, found, NEWER, cause);
  }

  /**
   * Creates the exception for a part of a column in encodings of other jars that are not installed.
   *
   * @param encodings names of the missing encodings
   */
  public static ColumnFormatException missing(String column, List<String> encodings) {
    return new ColumnFormatException(
        column,
        "it is stored in encoding[" + String.join(", ", encodings) + "], which no extension of this process has",
        "Install the extension whose jar has the encoding: on a service name it in druid.extensions.loadList, for the"
            + " command-line tool in --extension",
        null,
        true
    );
  }

  /**
   * Returns whether an exception or one of its causes is of {@link #missing}: the bytes may be intact, but this process
   * cannot read them.
   */
  public static boolean isMissingEncoding(@Nullable Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof ColumnFormatException known && known.isMissingEncoding) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks that no bytes follow the parts of a column or file that this release reads. A later release may add parts
   * there that values depend on.
   *
   * @throws ColumnFormatException if bytes follow
   */
  public static void requireEnd(String column, ByteBuffer buffer) {
    if (buffer.hasRemaining()) {
      throw newer(
          column, "there are " + buffer.remaining() + " bytes after the last part that this druid-shapeshift knows");
    }
  }

  /**
   * Creates the exception for a column that cannot be opened. Druid's code reads some parts, and its exceptions do not
   * name the column.
   *
   * @param file the file's buffer; rewound, because Druid may open the column again with the same buffer, which must
   *             give the same error
   * @param e    the exception thrown; returned unchanged if it names the column already
   */
  public static ColumnFormatException notOpened(String column, ByteBuffer file, RuntimeException e) {
    file.rewind();
    return e instanceof ColumnFormatException known ? known : damaged(column, "it cannot be opened: " + e, e);
  }

  /**
   * Creates the exception for a part of a column that cannot be read: of damaged bytes, or bytes of a later release.
   *
   * @param what what cannot be read, to be followed by the message of {@code e}
   * @param e    the exception thrown; returned unchanged if it names the column already
   */
  public static ColumnFormatException notRead(String column, String what, RuntimeException e) {
    if (e instanceof ColumnFormatException known) {
      return known;
    }
    return e instanceof MalformedChunkException malformed && malformed.isNewer()
           ? newer(column, what + e.getMessage(), e)
           : damaged(column, what + (e.getMessage() == null ? e : e.getMessage()), e);
  }

  /** Creates the exception for a column that exceeds what Druid can address. */
  public static ColumnFormatException tooLarge(String column, String found) {
    return tooLarge(column, found, null);
  }

  /** Creates the exception for a column that exceeds what Druid can address, with a cause. */
  public static ColumnFormatException tooLarge(String column, String found, @Nullable Throwable cause) {
    return new ColumnFormatException(
        column,
        "it is too large, with " + found,
        "Make segments smaller: set maxRowsPerSegment or targetRowsPerSegment to fewer rows",
        cause
    );
  }
}
