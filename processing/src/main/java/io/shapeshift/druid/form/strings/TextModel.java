// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.nio.ByteBuffer;

/** What a {@link TextCoding} knows of all texts of a dictionary, and stores once. Serves any number of threads. */
public interface TextModel {
  /** Bytes in a segment. */
  int sizeInBytes();

  /** Bytes of memory that it takes, on the heap and off it, to read texts by it; about. */
  int memory();

  /**
   * Appends the model.
   *
   * @param out with room for it
   */
  void write(ByteBuffer out);
}
