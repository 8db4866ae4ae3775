// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.io.Closeable;

/** Reads the values of one chunk at a time, whatever its form, once a {@link FormDecoder} has transformed it. */
public interface ChunkReader extends Closeable {
  /** Says how many values the next chunk has, before a decoder transforms this reader for it. */
  void startChunk(int numValues);

  /** How many chunks were decompressed or decoded whole before a value was read, since this was asked last. */
  default int takeDecodedWhole() {
    return 0;
  }

  /** Gives back what was borrowed. The reader may be used again, from {@link #startChunk} on. */
  @Override
  void close();
}
