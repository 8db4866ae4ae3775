// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import java.io.IOException;
import javax.annotation.Nullable;

/** Signals a damaged column. The message has the rows and what was found. */
public final class Damage extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates an exception with a message. */
  public Damage(String message) {
    this(message, null);
  }

  /** Creates an exception with a message and a cause. */
  public Damage(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Read operation through readers that throw arbitrary exceptions on unexpected bytes. */
  public interface Read<T> {
    /** Reads a value. */
    T get() throws IOException;
  }

  /**
   * Runs a read operation, and converts whatever it throws to damage.
   *
   * @param where description of what is read, such as "row 7", for messages
   * @throws Damage           if the operation throws anything. On damaged bytes, readers not only throw exceptions:
   *     they also allocate arrays that are too large for any memory, recurse endlessly, and access memory beyond the
   *     end of a mapped file
   * @throws OutOfMemoryError if memory is insufficient, because the data may be intact
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

  /** Whether more memory would not help, because the array would exceed Java's maximum length. */
  private static boolean isBeyondAll(OutOfMemoryError e) {
    return String.valueOf(e.getMessage()).contains("array size exceeds");
  }

  /** Message of a Druid exception, with its class if the message alone would not be understandable. */
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
