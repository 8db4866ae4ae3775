// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Reads the chunks that name it by their first byte: it transforms a {@link ChunkReader} (Druid PR #6016).
 *
 * @param <R> the reader that is transformed, such as {@link io.shapeshift.druid.form.ints.IntChunkReader}
 */
public interface FormDecoder<R> {
  /** The first byte of each such chunk. Ids are for ever: once released, none is changed or used again. */
  byte id();

  /** A short name for people, unique among the decoders of a type. */
  String name();

  /**
   * Transforms the reader so that it reads this chunk, of which it already knows the number of values. Forms that can
   * be read where they lie only note where; the others decode into what the reader lends them.
   *
   * @param chunk  a buffer in the column's byte order; position and limit may be changed
   * @param offset index in the buffer of the chunk's first byte, the one that names the form
   * @param length bytes of the chunk, at least 1, all within the buffer's capacity
   * @throws MalformedChunkException if these bytes are no chunk of this form with this number of values
   */
  void transform(ByteBuffer chunk, int offset, int length, R reader);

  /**
   * Whether all of a chunk is decoded before the first value is read, which takes long where few are read.
   *
   * @param chunk  as for {@link #transform}
   * @param reader knows the number of values; it is not to be read afterwards
   * @throws MalformedChunkException if the chunk is too short to tell
   */
  default boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, R reader) {
    return false;
  }

  /**
   * The name under which selection knows the form of a chunk: with that of its child where it holds one.
   *
   * @param chunk  as for {@link #transform}
   * @param reader knows the number of values; it is not to be read afterwards
   * @throws MalformedChunkException if the chunk is too short to tell
   */
  default String nameOf(ByteBuffer chunk, int offset, int length, R reader) {
    return name();
  }

  /**
   * The name of the form whose payload a codec has compressed in a chunk, at whatever depth; null without a codec.
   *
   * @param chunk  as for {@link #transform}
   * @param reader knows the number of values; it is not to be read afterwards
   * @throws MalformedChunkException if the chunk is too short to tell
   */
  @Nullable
  default String compressedName(ByteBuffer chunk, int offset, int length, R reader) {
    return null;
  }
}
