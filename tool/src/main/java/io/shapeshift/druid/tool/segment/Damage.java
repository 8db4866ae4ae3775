// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import java.io.IOException;
import javax.annotation.Nullable;

/** Something is wrong with a column; the message says at which rows, and what was found. */
public final class Damage extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes one of what was found. */
  public Damage(String message) {
    this(message, null);
  }

  /** Makes one of what was found, and why. */
  public Damage(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Reads something, through readers that have no exception of their own for bytes that they did not expect. */
  public interface Read<T> {
    /** Reads it. */
    T get() throws IOException;
  }

  /**
   * Reads something.
   *
   * @param where for messages: what is read, such as "row 7"
   * @throws Damage if that throws anything: what damaged bytes make of readers is not only exceptions but also arrays
   *     that do not fit into memory, endless recursions, and accesses beyond the end of a mapped file
   */
  public static <T> T reading(String where, Read<T> read) {
    try {
      return read.get();
    } catch (Damage e) {
      throw e;
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      throw new Damage(where + ": " + describe(e), e);
    }
  }

  /** What an exception of Druid's says; the kind of it if that alone would not be understood. */
  public static String describe(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      return "it takes more memory than there is; if SHAPESHIFT_JAVA_OPTS=-Xmx4g does not help, it is damaged";
    }
    if (e instanceof StackOverflowError) {
      return "it refers to itself";
    }
    final String kind = e.getClass().getSimpleName();
    if (e.getMessage() == null) {
      return kind;
    }
    return e.getMessage().startsWith("Column[") ? e.getMessage() : kind + ": " + e.getMessage();
  }
}
