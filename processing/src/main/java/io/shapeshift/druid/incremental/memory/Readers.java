// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.ISE;

/**
 * Reference count of the threads that read the buffers. Buffers are freed when the index is closed and the count is
 * zero. A thread enters, reads, and exits; after {@link #close} no thread can enter.
 *
 * <p>Readers take no lock and never wait. Entering is one atomic addition, to one of 16 counters that the thread's id
 * chooses, and one volatile read of the closed flag. Either the reader sees the flag, or the closing thread sees the
 * reader: both write first and read afterwards, and volatile accesses have one order for all threads.
 *
 * <p>A persist reads each row several times, from one thread. It takes a lease, and its thread does not enter again
 * until the lease ends. If the index is closed in between, the thread can no longer read, and buffers are freed when
 * the lease ends. A persist that failed never ends its lease. Buffers are then freed at once if its thread closes the
 * index, or has ended; otherwise the JVM frees them when the index is unreachable.
 */
public final class Readers {
  /** Ticket of the thread that has a lease. */
  private static final int LEASED = -1;
  /** Number of counters, a power of two. */
  private static final int COUNTERS = 16;
  /**
   * Distance between counters in longs. No two counters share a cache line, or a pair of lines that is fetched
   * together.
   */
  private static final int STRIDE = 16;
  private static final int SPINS = 10_000;
  private static final long PARK_NANOS = 100_000;

  private final AtomicLongArray inside = new AtomicLongArray(COUNTERS * STRIDE);
  private volatile boolean closed;
  /** Thread that has the lease. */
  @Nullable
  private volatile Thread lessee;
  /** Number of leases of that thread. An iteration may start before another one ends. */
  private int leases;
  /** Action that releases the buffers, postponed until the lease ends. */
  @Nullable
  private Runnable pending;

  /**
   * Starts a read. The caller must soon end it by {@link #exit}, in a {@code finally}.
   *
   * @return the ticket to exit with
   * @throws ISE if the index is closed
   */
  public int enter() {
    if (lessee == Thread.currentThread()) {
      if (closed) {
        throw isClosed();
      }
      return LEASED;
    }
    final int ticket = ((int) Thread.currentThread().getId() & COUNTERS - 1) * STRIDE;
    inside.getAndIncrement(ticket);
    if (closed) {
      inside.getAndDecrement(ticket);
      throw isClosed();
    }
    return ticket;
  }

  private static ISE isClosed() {
    return new ISE("The index is closed: its rows are persisted, and no longer in memory");
  }

  public void exit(int ticket) {
    if (ticket != LEASED) {
      inside.getAndDecrement(ticket);
    }
  }

  /**
   * Takes a lease for this thread, which must end the lease by {@link #endLease}. If another thread has a lease or the
   * index is closed, no lease is granted, and this thread must call {@link #enter} as usual.
   *
   * @return whether the lease was granted
   */
  public synchronized boolean lease() {
    if (closed || (lessee != null && lessee != Thread.currentThread())) {
      return false;
    }
    lessee = Thread.currentThread();
    leases++;
    return true;
  }

  /** Ends a lease of this thread. A lease of another thread is kept, because that thread may be reading. */
  public synchronized void endLease() {
    if (lessee != Thread.currentThread() || --leases > 0) {
      return;
    }
    lessee = null;
    if (pending != null) {
      pending.run();
      pending = null;
    }
  }

  /**
   * Closes the entrance, and waits until all threads have exited.
   *
   * @param free frees the buffers. It runs once, before this method returns or when the lease ends, however often this
   *     method is called.
   */
  public synchronized void close(Runnable free) {
    if (closed) {
      return;
    }
    closed = true;
    for (int i = 0; i < COUNTERS; i++) {
      for (int waits = 0; inside.get(i * STRIDE) != 0; waits++) {
        if (waits < SPINS) {
          Thread.onSpinWait();
        } else {
          // Waits for a slow input, or a sort.
          LockSupport.parkNanos(PARK_NANOS);
        }
      }
    }
    final Thread reading = lessee;
    if (reading == null || reading == Thread.currentThread() || !reading.isAlive()) {
      free.run();
    } else {
      pending = free;
    }
  }
}
