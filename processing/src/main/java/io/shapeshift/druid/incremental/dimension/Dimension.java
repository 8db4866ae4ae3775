// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.row.Slot;
import io.shapeshift.druid.incremental.row.StoredRow;
import javax.annotation.Nullable;
import org.apache.druid.segment.DimensionIndexer;

/**
 * Storage of a dimension's values in rows. A value is the result of Druid's {@link DimensionIndexer} for an input, such
 * as the ids of strings, or null if an input has no value. The value read is equal to the value written. Two values are
 * the same, and are rolled up, if the indexer compares them as equal.
 *
 * <p>One thread hashes and writes. Reading and {@link #compare} are for any thread, while rows are added.
 */
public abstract class Dimension {
  /** Hash of null. It is not added to the hash of a row, because rows older than the dimension have no value either. */
  static final long HASH_OF_NULL = 0;

  private final int index;
  private final Slot slot;
  private long heapBytes;

  Dimension(int index, Slot slot) {
    this.index = index;
    this.slot = slot;
  }

  /** Position among the dimensions of the index. */
  final int index() {
    return index;
  }

  /** Space in the fixed part of a row. */
  public final Slot slot() {
    return slot;
  }

  /** Size in bytes of a value that is stored after the fixed part of its row, a multiple of 4. */
  public int variableBytes(@Nullable Object value) {
    return 0;
  }

  /** Hash of a value. Equal for values that are the same. */
  public abstract long hash(@Nullable Object value);

  /** Whether a value is the same as that of a row. */
  public abstract boolean isSame(@Nullable Object value, StoredRow row);

  /**
   * Writes a value.
   *
   * @param variable offset in the row of the value's {@link #variableBytes}
   * @return the number of these bytes
   */
  public abstract int write(@Nullable Object value, StoredRow row, int variable);

  /** Reads the value of a row. */
  @Nullable
  public abstract Object read(StoredRow row);

  /** Compares the values of two rows, as the indexer does: null first. */
  public abstract int compare(StoredRow left, StoredRow right);

  /** Order in which rows are persisted, by default that of {@link #compare}. No rows are added afterwards. */
  public DimensionOrder persistOrder() {
    return this::compare;
  }

  /** Estimated heap bytes of the dimension. */
  public final long heapBytes() {
    return heapBytes;
  }

  /** Sets the estimate of {@link #heapBytes}. */
  final void setHeapBytes(long bytes) {
    heapBytes = bytes;
  }

  /**
   * Part of the indexer's heap estimate for a value that this class does not use, or counts in {@link #heapBytes}.
   * Called once per value, after it is written.
   */
  public abstract long countedElsewhere(@Nullable Object value);

  /** Whether {@link #heapBytes} is complete, so that Druid's estimate is not needed. */
  public boolean isAllCounted() {
    return true;
  }
}
