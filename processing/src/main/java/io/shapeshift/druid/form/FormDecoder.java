// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Decoder of the chunks whose first byte is its id: it transforms a {@link ChunkReader} to a chunk (Druid PR #6016).
 *
 * @param <R> type of the reader, such as {@link io.shapeshift.druid.form.ints.IntChunkReader}
 */
public interface FormDecoder<R> {
  /** Returns the id, which is the first byte of each chunk. A released id is never changed or reused. */
  byte id();

  /** Returns the display name, unique among the decoders of a type. */
  String name();

  /**
   * Transforms the reader to a chunk; the reader already has the number of values. Decoders of forms that are read in
   * place only set positions; others decode into the reader's buffers.
   *
   * @param chunk  a buffer in the column's byte order; position and limit may be changed
   * @param offset index in the buffer of the chunk's first byte, which is the form id
   * @param length bytes of the chunk, at least 1, all within the buffer's capacity
   * @throws MalformedChunkException if the bytes are not a chunk of this form with this number of values
   */
  void transform(ByteBuffer chunk, int offset, int length, R reader);

  /**
   * Returns whether a chunk is decoded completely before its first value is read, which is slow if few are read.
   *
   * @param chunk  as for {@link #transform}
   * @param reader has the number of values; must not be read afterwards
   * @throws MalformedChunkException if the chunk is too short to decide
   */
  default boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, R reader) {
    return false;
  }

  /**
   * Returns the name that selection uses for the chunk's form, which includes the name of its child if it has one.
   *
   * @param chunk  as for {@link #transform}
   * @param reader has the number of values; must not be read afterwards
   * @throws MalformedChunkException if the chunk is too short to decide
   */
  default String nameOf(ByteBuffer chunk, int offset, int length, R reader) {
    return name();
  }

  /**
   * Returns the name of the form whose payload is compressed in a chunk, at any depth; null without a codec.
   *
   * @param chunk  as for {@link #transform}
   * @param reader has the number of values; must not be read afterwards
   * @throws MalformedChunkException if the chunk is too short to decide
   */
  @Nullable
  default String compressedName(ByteBuffer chunk, int offset, int length, R reader) {
    return null;
  }
}
