// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Names of the encodings of other jars that a column uses, by their ids in this column. Ids from {@value #FIRST_ID} on
 * have no meaning beyond the column.
 *
 * <pre>
 * | bytes   | content                                                 |
 * |---------|---------------------------------------------------------|
 * | 1       | number of names, 1 to 64                                |
 * | of each |                                                         |
 * | 1       | id, 64 to 127, ascending                                |
 * | 1       | length of the name, 1 to 60                             |
 * | length  | name in ASCII                                           |
 * </pre>
 * Example: {@code 01 40 0d 61 63 6d 65 2e 70 65 72 69 6f 64 69 63} names the encoding {@code acme.periodic}, whose
 * chunks have id 64.
 */
public final class AddedNames {
  /** Least id of an encoding of another jar. */
  public static final byte FIRST_ID = 64;
  /** Most encodings of other jars in a process. */
  public static final int MOST = Byte.MAX_VALUE - FIRST_ID + 1;
  /** Most characters of a name. */
  public static final int MAX_LENGTH = 60;

  private static final Pattern VALID = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+");

  private final String[] names = new String[MOST];

  /** Returns whether an encoding can have a name. */
  public static boolean isValid(String name) {
    return name.length() <= MAX_LENGTH && VALID.matcher(name).matches();
  }

  /** Records the name of a form; does nothing for null or a form that is recorded. */
  public void add(@Nullable AddedForm form) {
    if (form != null) {
      names[form.id() - FIRST_ID] = form.name();
    }
  }

  /** Records all names of another column. */
  public void addAll(AddedNames others) {
    for (int i = 0; i < MOST; i++) {
      names[i] = others.names[i] == null ? names[i] : others.names[i];
    }
  }

  /** Returns the name of an id; null if the column has none. */
  @Nullable
  public String name(byte id) {
    return id < FIRST_ID ? null : names[id - FIRST_ID];
  }

  /** Returns all names, by ascending id. */
  public List<String> names() {
    return Stream.of(names).filter(Objects::nonNull).toList();
  }

  /** Returns whether there are no names; the column then has no table of them. */
  public boolean isEmpty() {
    return names().isEmpty();
  }

  /** Returns the size of the table in bytes; 0 without names. */
  public int sizeInBytes() {
    return isEmpty() ? 0 : 1 + names().stream().mapToInt(AddedNames::sizeOf).sum();
  }

  private static int sizeOf(String name) {
    return 2 + name.length();
  }

  /** Writes the table; nothing without names. */
  public void writeTo(ByteBuffer out) {
    if (isEmpty()) {
      return;
    }
    out.put((byte) names().size());
    for (int i = 0; i < MOST; i++) {
      if (names[i] != null) {
        out.put((byte) (FIRST_ID + i)).put((byte) names[i].length());
        out.put(names[i].getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /**
   * Reads a table and advances the buffer past it.
   *
   * @throws MalformedChunkException if the bytes are no such table
   */
  public static AddedNames read(ByteBuffer in) {
    final AddedNames names = new AddedNames();
    int offset = in.position();
    try {
      final int count = in.get();
      if (count < 1 || count > MOST) {
        throw new MalformedChunkException(
            "the number of names of encodings at offset " + offset + " is " + count + ", expected 1 to " + MOST);
      }
      int previous = FIRST_ID - 1;
      for (int i = 0; i < count; i++) {
        offset = in.position();
        final byte id = in.get();
        if (id <= previous) {
          throw new MalformedChunkException(
              "the id of an encoding at offset " + offset + " is " + id + ", expected more than " + previous);
        }
        previous = id;
        names.names[id - FIRST_ID] = readName(in);
      }
    } catch (BufferUnderflowException e) {
      throw new MalformedChunkException("the name of an encoding at offset " + offset + " is cut off", e);
    }
    return names;
  }

  private static String readName(ByteBuffer in) {
    final int offset = in.position();
    final byte length = in.get();
    if (length < 0 || length > in.remaining()) {
      throw new MalformedChunkException("the length of an encoding's name at offset " + offset + " is " + length
          + ", of " + in.remaining() + " bytes left");
    }
    final byte[] bytes = new byte[length];
    in.get(bytes);
    final String name = new String(bytes, StandardCharsets.US_ASCII);
    if (!isValid(name)) {
      throw new MalformedChunkException("the encoding at offset " + offset + " has no valid name");
    }
    return name;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof AddedNames other && Arrays.equals(names, other.names);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(names);
  }

  @Override
  public String toString() {
    return names().toString();
  }
}
