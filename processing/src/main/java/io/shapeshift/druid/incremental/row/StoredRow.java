// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.row;

import java.nio.ByteBuffer;

/**
 * Movable cursor on a row in direct memory. For one thread, between {@code Readers#enter} and {@code Readers#exit}:
 * otherwise the memory might be freed.
 */
public final class StoredRow {
  /** Content of a 4-byte slot without a value. */
  public static final int ABSENT = -1;

  private ByteBuffer chunk;
  private int start;
  private RowLayout layout;

  public void moveTo(ByteBuffer chunk, int start, RowLayout layout) {
    this.chunk = chunk;
    this.start = start;
    this.layout = layout;
  }

  public RowLayout layout() {
    return layout;
  }

  public long timestamp() {
    return chunk.getLong(start + RowLayout.TIMESTAMP);
  }

  /** Tag of a dimension; 0 if the row is older than the dimension. */
  public byte tag(int dimension) {
    return dimension < layout.dimensions() ? chunk.get(start + layout.tag(dimension)) : 0;
  }

  /** 8-byte slot of a dimension; 0 if the row is older than the dimension. */
  public long longSlot(int dimension) {
    return dimension < layout.dimensions() ? chunk.getLong(start + layout.slot(dimension)) : 0;
  }

  /** 4-byte slot of a dimension; {@link #ABSENT} if the row is older than the dimension. */
  public int intSlot(int dimension) {
    return dimension < layout.dimensions() ? chunk.getInt(start + layout.slot(dimension)) : ABSENT;
  }

  /** Int at an offset from the beginning of the row. */
  public int intAt(int offset) {
    return chunk.getInt(start + offset);
  }

  public void setTag(int dimension, int tag) {
    chunk.put(start + layout.tag(dimension), (byte) tag);
  }

  public void setLongSlot(int dimension, long value) {
    chunk.putLong(start + layout.slot(dimension), value);
  }

  public void setIntSlot(int dimension, int value) {
    chunk.putInt(start + layout.slot(dimension), value);
  }

  public void setIntAt(int offset, int value) {
    chunk.putInt(start + offset, value);
  }
}
