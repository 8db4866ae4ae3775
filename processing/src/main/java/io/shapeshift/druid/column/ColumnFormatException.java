// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/** A shape-shifting column cannot be read or written; the message names it and says what was found and what to do. */
public final class ColumnFormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final String NEWER = "A newer druid-shapeshift wrote it, unless the segment is damaged: use the"
      + " release that wrote it, or a newer one, on every Druid service";

  /**
   * Makes an exception.
   *
   * @param column name of the column, as in the segment
   * @param found  what is wrong with it
   * @param toDo   what its reader can do
   */
  public ColumnFormatException(String column, String found, String toDo) {
    this(column, found, toDo, null);
  }

  /** Makes an exception with its cause. */
  public ColumnFormatException(String column, String found, String toDo, @Nullable Throwable cause) {
    super("Column[" + column + "]: " + found + ". " + toDo, cause);
  }

  /** The bytes of a column are not what was written. */
  public static ColumnFormatException damaged(String column, String found) {
    return damaged(column, found, null);
  }

  /** The bytes of a column are not what was written, as another exception shows. */
  public static ColumnFormatException damaged(String column, String found, @Nullable Throwable cause) {
    return new ColumnFormatException(
        column,
        found,
        "The segment is damaged: fetch it again from deep storage, or ingest its interval again",
        cause
    );
  }

  /** The bytes of a column are of a format that a later release brought. */
  public static ColumnFormatException newer(String column, String found) {
    return newer(column, found, null);
  }

  /** The bytes of a column are of a format that a later release brought, as another exception shows. */
  public static ColumnFormatException newer(String column, String found, @Nullable Throwable cause) {
    return new ColumnFormatException(column, found, NEWER, cause);
  }

  /**
   * Refuses bytes behind all that this release reads of a column, or of one of its files: a later one may have put
   * there what values depend on.
   *
   * @throws ColumnFormatException if there are any
   */
  public static void requireEnd(String column, ByteBuffer buffer) {
    if (buffer.hasRemaining()) {
      throw newer(
          column, "there are " + buffer.remaining() + " bytes behind all that this druid-shapeshift knows of it");
    }
  }

  /**
   * A column cannot be opened. Druid's own code reads some of its parts, and what that throws does not say which column
   * it is.
   *
   * @param file as Druid gave it to be read. Where columns are opened when they are asked for, it does so again with
   *             the same buffer for whoever asks next: so that is read from its start then, and gives the same error
   * @param e    thrown while the column was opened; it is returned if it says that already
   */
  public static ColumnFormatException notOpened(String column, ByteBuffer file, RuntimeException e) {
    file.rewind();
    return e instanceof ColumnFormatException known ? known : damaged(column, "it cannot be opened: " + e, e);
  }

  /** A column does not fit into what Druid can address. */
  public static ColumnFormatException tooLarge(String column, String found) {
    return tooLarge(column, found, null);
  }

  /** A column does not fit into what Druid can address, as another exception shows. */
  public static ColumnFormatException tooLarge(String column, String found, @Nullable Throwable cause) {
    return new ColumnFormatException(
        column,
        "it is too large, with " + found,
        "Make segments smaller: set maxRowsPerSegment or targetRowsPerSegment to fewer rows",
        cause
    );
  }
}
