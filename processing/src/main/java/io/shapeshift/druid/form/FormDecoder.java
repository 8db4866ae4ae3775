// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;

/**
 * Makes a reader read the chunks of one form. Decoders have no state: what a chunk needs lives in the reader.
 *
 * @param <R> the reader that is transformed, such as the one of ints
 */
public interface FormDecoder<R> {
  /**
   * Transforms the reader so that it reads this chunk, of which it already knows the number of values. Forms that can
   * be read where they lie only note where; the others decode into what the reader lends them.
   *
   * @param chunk  a buffer in the column's byte order; position and limit may be changed
   * @param offset index in the buffer of the chunk's first byte, the one that names the form
   * @param length bytes of the chunk, at least 1, all within the buffer's capacity
   * @throws MalformedChunkException if these bytes are no chunk of this form with so many values
   */
  void transform(ByteBuffer chunk, int offset, int length, R reader);
}
