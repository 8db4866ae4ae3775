// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.druid.java.util.common.ISE;

/**
 * Who is reading buffers just now, so that they are freed when nobody is. A thread enters, reads, and exits; after
 * {@link #close} no thread enters any more, and none is inside.
 *
 * <p>Reading needs no lock, and never waits: to enter is one atomic addition, to a counter that threads with another
 * number do not share, and a look whether the index is closed. Either the reader sees that it is, or who closes sees
 * the reader, because both write first and look afterwards, and volatile accesses have one order for all threads.
 */
final class Readers {
  /** Counters; a power of two. */
  private static final int COUNTERS = 16;
  /** Longs from one counter to the next, so that no two are in one cache line, nor in two that are fetched together. */
  private static final int STRIDE = 16;

  private final AtomicLongArray inside = new AtomicLongArray(COUNTERS * STRIDE);
  private volatile boolean closed;

  /**
   * Enters; {@link #exit} has to follow, in a {@code finally}, within a short time.
   *
   * @return the ticket to exit with
   * @throws ISE if the index is closed
   */
  int enter() {
    int ticket = ((int) Thread.currentThread().getId() & COUNTERS - 1) * STRIDE;
    inside.getAndIncrement(ticket);
    if (closed) {
      inside.getAndDecrement(ticket);
      throw new ISE("The index is closed: its rows are persisted, and no longer in memory");
    }
    return ticket;
  }

  void exit(int ticket) {
    inside.getAndDecrement(ticket);
  }

  /**
   * Lets nobody enter any more, and waits until nobody is inside.
   *
   * @return whether this call closed it, rather than one before
   */
  synchronized boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    for (int i = 0; i < COUNTERS; i++) {
      while (inside.get(i * STRIDE) != 0) {
        Thread.onSpinWait();
      }
    }
    return true;
  }
}
