// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.nio.ByteBuffer;
import java.util.function.Function;
import javax.annotation.Nullable;

/** Registry of codings of texts, by their ids in segments. Id 2 is reserved. */
public final class TextCodings {
  private TextCodings() {}

  /**
   * Returns what reads a coding: it reads the coding's model, if it has one, and advances the buffer past it. It throws
   * {@link io.shapeshift.druid.form.MalformedChunkException} if the model is invalid, and
   * {@link java.nio.BufferUnderflowException} if the buffer ends within the model.
   *
   * @return null if the id is unknown
   */
  @Nullable
  public static Function<ByteBuffer, TextCoding> reader(byte id) {
    return switch (id) {
      case FrontCoding.PLAIN_ID -> in -> FrontCoding.PLAIN;
      case FrontCoding.SYMBOLS_ID -> in -> new FrontCoding(SymbolTable.read(in));
      case ChainedCoding.ID -> in -> ChainedCoding.INSTANCE;
      case TextPattern.ID -> TextPattern::read;
      case BlockCoding.ID -> BlockCoding::read;
      default -> null;
    };
  }
}
