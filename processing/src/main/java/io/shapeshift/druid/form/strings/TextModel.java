// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.nio.ByteBuffer;

/** Model of a {@link TextCoding}: what is known about all texts of a dictionary, stored once. Thread-safe. */
public interface TextModel {
  /** Returns the size in a segment, in bytes. */
  int sizeInBytes();

  /** Returns the approximate heap memory that reading with the model needs, in bytes. */
  int memory();

  /**
   * Appends the model.
   *
   * @param out has room for {@link #sizeInBytes} bytes
   */
  void write(ByteBuffer out);
}
