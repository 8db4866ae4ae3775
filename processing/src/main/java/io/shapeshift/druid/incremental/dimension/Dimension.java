// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.row.Slot;
import io.shapeshift.druid.incremental.row.StoredRow;
import javax.annotation.Nullable;
import org.apache.druid.segment.DimensionIndexer;

/**
 * How the values of a dimension are in rows. A value is what Druid's {@link DimensionIndexer} makes of an input, such
 * as the ids of strings, or null where an input has none; what is read is equal to what was written. Two values are the
 * same, and rolled up, where the indexer's comparison says so.
 *
 * <p>One thread hashes and writes. Reading and {@link #compare} are for any thread, while rows are added.
 */
public abstract class Dimension {
  /** Of a value that is null. Not added to the hash of a row, as rows older than the dimension have none. */
  static final long HASH_OF_NULL = 0;

  private final int index;
  private final Slot slot;
  private long heapBytes;

  Dimension(int index, Slot slot) {
    this.index = index;
    this.slot = slot;
  }

  /** The place among the dimensions of the index. */
  final int index() {
    return index;
  }

  /** What a value takes in the fixed part of a row. */
  public final Slot slot() {
    return slot;
  }

  /** Bytes that a value takes behind the fixed part of a row, a multiple of 4. */
  public int variableBytes(@Nullable Object value) {
    return 0;
  }

  /** The hash of a value; that of values which are the same is the same. */
  public abstract long hash(@Nullable Object value);

  /** Whether a value is the same as that of a row. */
  public abstract boolean isSame(@Nullable Object value, StoredRow row);

  /**
   * Writes a value.
   *
   * @param variable where its {@link #variableBytes} are, from the beginning of the row
   * @return how many these are
   */
  public abstract int write(@Nullable Object value, StoredRow row, int variable);

  /** Reads a value. */
  @Nullable
  public abstract Object read(StoredRow row);

  /** Compares the values of two rows, as the indexer does: null first. */
  public abstract int compare(StoredRow left, StoredRow right);

  /** The order in which rows are persisted; rows are no longer added. By default, that of {@link #compare}. */
  public DimensionOrder persistOrder() {
    return this::compare;
  }

  /** Bytes on the heap that this dimension was seen to need so far, an estimate. */
  public final long heapBytes() {
    return heapBytes;
  }

  /** Sets what {@link #heapBytes} says. */
  final void setHeapBytes(long bytes) {
    heapBytes = bytes;
  }

  /**
   * Of what Druid's indexer said that a value takes on the heap: what it takes no longer, or what {@link #heapBytes}
   * counts. To be asked once, after the value was written.
   */
  public abstract long countedElsewhere(@Nullable Object value);

  /** Whether {@link #heapBytes} has all that the dimension takes, so that Druid's estimate is not wanted. */
  public boolean isAllCounted() {
    return true;
  }
}
