// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.nio.ByteBuffer;

/**
 * A row in direct memory, to be moved from one to the next; for one thread. Between {@link Readers#enter} and
 * {@link Readers#exit} only: what it points to may be freed otherwise.
 */
final class StoredRow {
  /** Content of a slot of 4 bytes where the row has no value. */
  static final int ABSENT = -1;

  private ByteBuffer chunk;
  private int start;
  private RowLayout layout;

  void moveTo(ByteBuffer chunk, int start, RowLayout layout) {
    this.chunk = chunk;
    this.start = start;
    this.layout = layout;
  }

  ByteBuffer chunk() {
    return chunk;
  }

  int start() {
    return start;
  }

  RowLayout layout() {
    return layout;
  }

  long timestamp() {
    return chunk.getLong(start + RowLayout.TIMESTAMP);
  }

  /** The tag of a dimension; 0 where the row is older than the dimension. */
  byte tag(int dimension) {
    return dimension < layout.dimensions() ? chunk.get(start + layout.tag(dimension)) : 0;
  }

  /** The slot of a dimension of 8 bytes; 0 where the row is older than the dimension. */
  long longSlot(int dimension) {
    return dimension < layout.dimensions() ? chunk.getLong(start + layout.slot(dimension)) : 0;
  }

  /** The slot of a dimension of 4 bytes; {@link #ABSENT} where the row is older than the dimension. */
  int intSlot(int dimension) {
    return dimension < layout.dimensions() ? chunk.getInt(start + layout.slot(dimension)) : ABSENT;
  }

  /** An int anywhere in the row, from its beginning. */
  int intAt(int offset) {
    return chunk.getInt(start + offset);
  }

  void setTag(int dimension, int tag) {
    chunk.put(start + layout.tag(dimension), (byte) tag);
  }

  void setLongSlot(int dimension, long value) {
    chunk.putLong(start + layout.slot(dimension), value);
  }

  void setIntSlot(int dimension, int value) {
    chunk.putInt(start + layout.slot(dimension), value);
  }

  void setIntAt(int offset, int value) {
    chunk.putInt(start + offset, value);
  }
}
