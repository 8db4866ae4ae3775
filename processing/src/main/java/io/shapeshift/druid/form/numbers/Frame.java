// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;

/**
 * How the numbers of a chunk come from ints, which any form of ints can store: a frame and a form of ints together are
 * a form of numbers, {@link FramedForm}. Thus longs, doubles and floats share all that ints have, and what differs by
 * type is the last step of a read.
 */
public enum Frame {
  /** Numbers' bits are a base, and an int times a multiplier: see {@link LinearFrame}. */
  LINEAR(0, "") {
    @Nullable
    @Override
    Framed fit(NumberChunk chunk) {
      return LinearFrame.fit(chunk);
    }

    @Override
    int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
      return LinearFrame.read(chunk, offset, length, reader, false);
    }
  },
  /** Numbers are such integers, divided by a power of ten: see {@link DecimalFrame}. */
  DECIMAL(1, "decimal-") {
    @Nullable
    @Override
    Framed fit(NumberChunk chunk) {
      return DecimalFrame.fit(chunk);
    }

    @Override
    int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
      return LinearFrame.read(chunk, offset, length, reader, true);
    }
  },
  /** Ints are places in a list of the distinct numbers: see {@link DictionaryFrame}. */
  DICTIONARY(2, "dictionary-") {
    @Nullable
    @Override
    Framed fit(NumberChunk chunk) {
      return DictionaryFrame.fit(chunk);
    }

    @Override
    int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
      return DictionaryFrame.read(chunk, offset, length, reader);
    }
  },
  /** Ints are what each number is above the one before: see {@link DeltaFrame}. */
  DELTA(3, "delta-") {
    @Nullable
    @Override
    Framed fit(NumberChunk chunk) {
      return DeltaFrame.fit(chunk);
    }

    @Override
    int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
      return DeltaFrame.read(chunk, offset, length, reader);
    }
  };

  private final int id;
  private final String prefix;

  Frame(int id, String prefix) {
    this.id = id;
    this.prefix = prefix;
  }

  /** The number of the frame in the ids of forms; for ever. */
  int id() {
    return id;
  }

  /** What the names of forms in this frame start with. */
  String prefix() {
    return prefix;
  }

  /** The frames that numbers of a type may have, the fastest first. */
  static List<Frame> of(NumberType type) {
    return switch (type) {
      case LONG -> List.of(LINEAR, DELTA, DICTIONARY);
      case DOUBLE, FLOAT -> List.of(DECIMAL, LINEAR, DICTIONARY);
    };
  }

  /** Those of them in which ints change as the numbers do. */
  static List<Frame> main(NumberType type) {
    return type == NumberType.LONG ? List.of(LINEAR) : List.of(DECIMAL, LINEAR);
  }

  /** Puts the numbers of a chunk into this frame; null if they do not fit in, or never sensibly. */
  @Nullable
  abstract Framed fit(NumberChunk chunk);

  /**
   * Tells a reader of a chunk's frame.
   *
   * @param offset index in the buffer of the frame's first byte
   * @param length bytes of the chunk from there on
   * @return bytes of the frame, fewer than the length
   * @throws MalformedChunkException if these bytes are no frame of this kind
   */
  abstract int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader);
}
