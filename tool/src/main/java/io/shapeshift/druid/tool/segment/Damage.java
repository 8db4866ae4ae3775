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
   * @throws Damage           if that throws anything: what damaged bytes make of readers is not only exceptions but
   *                          also arrays that no memory has room for, endless recursions, and accesses beyond the end
   *                          of a mapped file
   * @throws OutOfMemoryError if there is too little, as with more nothing may be wrong
   */
  public static <T> T reading(String where, Read<T> read) {
    try {
      return read.get();
    } catch (Damage e) {
      throw e;
    } catch (OutOfMemoryError e) {
      if (!isBeyondAll(e)) {
        throw e;
      }
      throw new Damage(where + ": " + describe(e), e);
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      throw new Damage(where + ": " + describe(e), e);
    }
  }

  /** Whether more memory would not help: it was for an array that is longer than Java's can be. */
  private static boolean isBeyondAll(OutOfMemoryError e) {
    return String.valueOf(e.getMessage()).contains("array size exceeds");
  }

  /** What an exception of Druid's says; the kind of it if that alone would not be understood. */
  public static String describe(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      return "it takes more memory than Java can give it";
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
