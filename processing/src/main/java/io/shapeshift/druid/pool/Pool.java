// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.pool;

import io.shapeshift.druid.metrics.Totals;
import java.lang.ref.Cleaner;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.java.util.common.logger.Logger;

/**
 * Pool of arrays, buffers or contexts, shared by all columns of the process. It keeps as many objects as were borrowed
 * at once lately, within the bound of its {@link PoolMemory}. The number that it keeps is a decaying maximum: each step
 * of {@link #shrink} halves it, down to the most that were borrowed at once since the previous step. What it does not
 * keep is freed. Thread-safe.
 *
 * @param <T> type of the objects
 */
public final class Pool<T> {
  private static final Logger LOG = new Logger(Pool.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final String name;
  private final PoolMemory memory;
  private final long bytes;
  private final Supplier<? extends T> generator;
  private final Consumer<? super T> free;
  /** Objects that wait; the one given back last is borrowed first. */
  private final ConcurrentLinkedDeque<Pooled<T>> kept = new ConcurrentLinkedDeque<>();

  private final AtomicInteger borrowed = new AtomicInteger();
  /** Number of borrowed objects that the garbage collector found; they stay counted as borrowed. */
  private final AtomicLong leaked = new AtomicLong();
  /** Number of objects that are borrowed or kept. */
  private final AtomicInteger existing = new AtomicInteger();
  /** Most objects borrowed at once since the previous step. */
  private final AtomicInteger peak = new AtomicInteger();
  /** Decaying maximum of {@link #peak}; only {@link #shrink} uses it. */
  private int needed;
  /** Number of kept objects for which memory is reserved. */
  private volatile int room;

  Pool(
      String name,
      PoolMemory memory,
      long bytes,
      Supplier<? extends T> generator,
      Consumer<? super T> free
  ) {
    this.name = name;
    this.memory = memory;
    this.bytes = bytes;
    this.generator = generator;
    this.free = free;
  }

  /** Borrows an object until the holder is closed. Its content is undefined. */
  public ResourceHolder<T> take() {
    @Nullable final Pooled<T> found = kept.pollFirst();
    final Loan loan = new Loan(found == null ? create() : found);
    final int now = borrowed.incrementAndGet();
    if (now > peak.get()) {
      peak.accumulateAndGet(now, Math::max);
    }
    return loan;
  }

  private Pooled<T> create() {
    if (StupidPool.isPoisoned() && leaked() > 0) {
      throw new ISE("[%,d] objects of the pool[%s] were not given back, and druid.test.stupidPool.poison is set",
          leaked(), name);
    }
    final Pooled<T> created = new Pooled<>(generator.get(), new LeakWatch(name, leaked));
    existing.incrementAndGet();
    return created;
  }

  private void giveBack(Pooled<T> object) {
    // Right away, so that the difference is the number of kept objects with this one.
    final int stillBorrowed = borrowed.decrementAndGet();
    if (existing.get() - stillBorrowed <= room || grow()) {
      kept.addFirst(object);
    } else {
      free(object);
      Totals.freed(name, Totals.OVER_BOUND, bytes);
    }
  }

  private synchronized boolean grow() {
    final boolean isReserved = memory.reserve(bytes);
    if (isReserved) {
      room++;
    }
    return isReserved;
  }

  /** Halves the number of objects to keep, unless more were borrowed at once since the previous call. */
  synchronized void shrink() {
    needed = Math.max(peak.getAndSet(borrowed.get()), needed / 2);
    int freed = 0;
    for (int surplus = existing.get() - needed; surplus > 0; surplus--) {
      @Nullable final Pooled<T> oldest = kept.pollLast();
      if (oldest == null) {
        break;
      }
      free(oldest);
      freed++;
    }
    if (room > needed) {
      memory.release((room - needed) * bytes);
      room = needed;
    }
    if (freed > 0) {
      Totals.freed(name, Totals.UNUSED, freed * bytes);
    }
  }

  private void free(Pooled<T> object) {
    existing.decrementAndGet();
    object.watch.end();
    free.accept(object.value);
  }

  /**
   * State of a pool.
   *
   * @param name     name of the pool; several pools may have the same
   * @param borrowed number of borrowed objects, including those that will never be given back
   * @param kept     number of objects in the pool
   * @param bytes    memory of the objects in the pool
   */
  public record State(String name, long borrowed, long kept, long bytes) {
    /** Returns the sum of the states of two pools with the same name. */
    public State plus(State other) {
      return new State(name, borrowed + other.borrowed, kept + other.kept, bytes + other.bytes);
    }
  }

  long borrowed() {
    return borrowed.get();
  }

  long leaked() {
    return leaked.get();
  }

  State state() {
    final int waiting = kept.size();
    return new State(name, borrowed.get(), waiting, waiting * bytes);
  }

  /** Object of a pool, borrowed or kept. It is unreachable only if it was borrowed and never given back. */
  private static final class Pooled<T> {
    final T value;
    final LeakWatch watch;

    Pooled(T value, LeakWatch watch) {
      this.value = value;
      this.watch = watch;
      watch.cleanable = CLEANER.register(this, watch);
    }
  }

  /** Reports an object that becomes unreachable while it is in use. It does not refer to the object. */
  private static final class LeakWatch implements Runnable {
    private final String pool;
    private final AtomicLong leaked;
    private Cleaner.Cleanable cleanable;
    private volatile boolean isOver;

    LeakWatch(String pool, AtomicLong leaked) {
      this.pool = pool;
      this.leaked = leaked;
    }

    void end() {
      isOver = true;
      cleanable.clean();
    }

    @Override
    public void run() {
      if (!isOver) {
        leaked.incrementAndGet();
        LOG.warn("An object of the pool[%s] was not given back. The garbage collector frees it.", pool);
      }
    }
  }

  /** Borrowed object. Closing it again has no effect. */
  private final class Loan implements ResourceHolder<T> {
    private final AtomicReference<Pooled<T>> object;

    Loan(Pooled<T> object) {
      this.object = new AtomicReference<>(object);
    }

    @Override
    public T get() {
      @Nullable final Pooled<T> found = object.get();
      if (found == null) {
        throw new ISE("The object was given back to the pool[%s]", name);
      }
      return found.value;
    }

    @Override
    public void close() {
      @Nullable final Pooled<T> found = object.getAndSet(null);
      if (found != null) {
        giveBack(found);
      }
    }
  }
}
