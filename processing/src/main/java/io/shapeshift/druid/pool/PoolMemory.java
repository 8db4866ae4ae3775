// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bound of the memory that pools keep of one kind. Pools reserve room for an object before they keep it, and give room
 * back when they shrink, so borrowing and giving back do not touch this object under a steady load. Thread-safe.
 */
public final class PoolMemory {
  private final String kind;
  private final AtomicLong reserved = new AtomicLong();
  private volatile long maxBytes;

  PoolMemory(String kind, long maxBytes) {
    this.kind = kind;
    this.maxBytes = maxBytes;
  }

  /** Returns the kind of memory, for metrics: {@code heap} or {@code direct}. */
  public String kind() {
    return kind;
  }

  /** Returns the greatest number of bytes that all pools keep together. */
  public long maxBytes() {
    return maxBytes;
  }

  void limit(long bytes) {
    maxBytes = bytes;
  }

  /** Reserves room, and returns whether there was enough. */
  boolean reserve(long bytes) {
    if (reserved.addAndGet(bytes) <= maxBytes) {
      return true;
    }
    reserved.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    reserved.addAndGet(-bytes);
  }
}
