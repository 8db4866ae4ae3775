// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.ISE;

/**
 * Who is reading buffers just now, so that they are freed when nobody is. A thread enters, reads, and exits; after
 * {@link #close} no thread enters any more, and none is inside.
 *
 * <p>Reading needs no lock, and never waits: to enter is one atomic addition, to a counter that threads with another
 * number do not share, and a look whether the index is closed. Either the reader sees that it is, or who closes sees
 * the reader, because both write first and look afterwards, and volatile accesses have one order for all threads.
 *
 * <p>A persist reads each row several times, from one thread. It takes a lease, with which that thread need not enter
 * any more, until it ends the lease. If the index is closed meanwhile, it reads no more either, and buffers are freed
 * when the lease is ended. That of a persist that failed never is: buffers are freed at once if its thread closes the
 * index, or has ended, as then it is not reading; otherwise the JVM frees them when nobody refers to the index.
 */
public final class Readers {
  /** The ticket of a thread that has a lease. */
  private static final int LEASED = -1;
  /** Counters; a power of two. */
  private static final int COUNTERS = 16;
  /** Longs from one counter to the next, so that no two are in one cache line, nor in two that are fetched together. */
  private static final int STRIDE = 16;
  private static final int SPINS = 10_000;
  private static final long PARK_NANOS = 100_000;

  private final AtomicLongArray inside = new AtomicLongArray(COUNTERS * STRIDE);
  private volatile boolean closed;
  /** Whose lease there is. */
  @Nullable
  private volatile Thread lessee;
  /** How many leases that thread has: a walk may be begun while another is not at its end. */
  private int leases;
  /** What frees the buffers, when it has to wait for the end of a lease. */
  @Nullable
  private Runnable pending;

  /**
   * Enters; {@link #exit} has to follow, in a {@code finally}, within a short time.
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
   * Takes a lease for this thread, which is to end it by {@link #endLease}. If another thread has one, or the index is
   * closed, there is none, and the thread enters as usual.
   *
   * @return whether there is one
   */
  public synchronized boolean lease() {
    if (closed || (lessee != null && lessee != Thread.currentThread())) {
      return false;
    }
    lessee = Thread.currentThread();
    leases++;
    return true;
  }

  /** Ends a lease; that of another thread stays, as it may be reading. */
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
   * Lets nobody enter any more, and waits until nobody is inside.
   *
   * @param free frees the buffers. It is run before this returns, or when a lease ends; and once, however often this is
   *     called.
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
          // An input that takes long to be read, or a sort.
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
