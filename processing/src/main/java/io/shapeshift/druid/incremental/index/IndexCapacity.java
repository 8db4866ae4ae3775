// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.memory.DirectMemory;
import java.util.concurrent.atomic.AtomicLong;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;

/** Row and byte limits of an index, and the count of its bytes. For the thread that adds rows. */
final class IndexCapacity {
  private final int maxRowCount;
  private final long maxBytes;
  private final DirectMemory memory;
  /** Druid's byte count, to which projections also add. */
  private final AtomicLong bytesInMemory;
  /** Heap bytes of rows and metrics, without dimensions. */
  private long heapBytes;
  /** Heap bytes of dimensions. */
  private long dimensionBytes;
  /** Sum of both and of direct memory, as last added to {@link #bytesInMemory}. */
  private long countedBytes;
  @Nullable
  private String outOfRowsReason;

  /**
   * Creates the limits of an empty index.
   *
   * @param maxBytes limit in a tuningConfig; no limit if it is 0 or less
   */
  IndexCapacity(int maxRowCount, long maxBytes, DirectMemory memory, AtomicLong bytesInMemory) {
    this.maxRowCount = maxRowCount;
    this.maxBytes = maxBytes == 0 ? Long.MAX_VALUE : maxBytes;
    this.memory = memory;
    this.bytesInMemory = bytesInMemory;
  }

  /** Druid's count of bytes. */
  AtomicLong bytesInMemory() {
    return bytesInMemory;
  }

  /** Adds heap bytes of a row and its metrics. */
  void addHeapBytes(long bytes) {
    heapBytes += bytes;
  }

  /** Sets the heap bytes of all dimensions. */
  void setDimensionBytes(long bytes) {
    dimensionBytes = bytes;
  }

  /** Updates Druid's count after a row. */
  void count() {
    final long bytes = memory.bytes() + heapBytes + dimensionBytes;
    if (bytes != countedBytes) {
      bytesInMemory.addAndGet(bytes - countedBytes);
      countedBytes = bytes;
    }
  }

  /**
   * Whether one more row may be added. If not, {@link #outOfRowsReason} describes the limit.
   *
   * @param isAddressable whether rows and strings are below the limits of their addresses
   */
  boolean hasRoom(int rowCount, boolean isAddressable) {
    final boolean rowsFit = rowCount < maxRowCount;
    final boolean bytesFit = maxBytes <= 0 || bytesInMemory.get() < maxBytes;
    final boolean hasRoom = rowsFit && bytesFit && isAddressable;
    if (!hasRoom) {
      outOfRowsReason = reason(rowsFit, bytesFit);
    }
    return hasRoom;
  }

  private String reason(boolean rowsFit, boolean bytesFit) {
    // Same messages as Druid's.
    if (!rowsFit && !bytesFit) {
      return StringUtils.format(
          "Maximum number of rows [%d] and maximum size in bytes [%d] reached", maxRowCount, maxBytes);
    }
    if (!rowsFit) {
      return StringUtils.format("Maximum number of rows [%d] reached", maxRowCount);
    }
    return bytesFit
           ? "No more rows fit into one index"
           : StringUtils.format("Maximum size in bytes [%d] reached", maxBytes);
  }

  /** Reason of the limit that was reached, in Druid's words; null if none was reached. */
  @Nullable
  String outOfRowsReason() {
    return outOfRowsReason;
  }
}
