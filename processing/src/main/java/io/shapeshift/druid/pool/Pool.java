// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.pool;

import io.shapeshift.druid.metrics.Totals;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
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
  /** Number of objects that are borrowed or kept. */
  private final AtomicInteger existing = new AtomicInteger();
  /** Most objects borrowed at once since the previous step. */
  private final AtomicInteger peak = new AtomicInteger();
  /** Number of borrowed objects that the garbage collector found; they stay counted as borrowed. */
  private final AtomicLong leaked = new AtomicLong();
  /** The object given back last, which is borrowed first. */
  private final AtomicReference<Kept<T>> top = new AtomicReference<>();
  /**
   * Number of borrowed objects, at index 0. The rest keeps the next pool off its cache line: without it, loans of two
   * pools by two threads may take twice as long.
   */
  private final AtomicIntegerArray borrowed = new AtomicIntegerArray(32);
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
    @Nullable final Pooled<T> found = pop();
    final Loan loan = new Loan(found == null ? create() : found);
    final int now = borrowed.incrementAndGet(0);
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
    final int stillBorrowed = borrowed.decrementAndGet(0);
    if (existing.get() - stillBorrowed <= room || grow()) {
      push(object);
    } else {
      free(object);
      Totals.freed(name, Totals.OVER_BOUND, bytes);
    }
  }

  private void push(Pooled<T> object) {
    Kept<T> next;
    Kept<T> added;
    do {
      next = top.get();
      added = new Kept<>(object, next);
    } while (!top.compareAndSet(next, added));
  }

  @Nullable
  private Pooled<T> pop() {
    while (true) {
      @Nullable final Kept<T> first = top.get();
      // No Kept is ever pushed twice, so the next one cannot have changed.
      if (first == null || top.compareAndSet(first, first.next)) {
        return first == null ? null : first.object;
      }
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
    needed = Math.max(peak.getAndSet(borrowed.get(0)), needed / 2);
    int freed = 0;
    for (int surplus = existing.get() - needed; surplus > 0; surplus--) {
      @Nullable final Pooled<T> unused = pop();
      if (unused == null) {
        break;
      }
      free(unused);
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
   * @param name     name of the pool; several pools of the same memory may share it
   * @param memory   kind of memory: {@code heap} or {@code direct}
   * @param borrowed number of borrowed objects, including those that will never be given back
   * @param kept     number of objects in the pool
   * @param bytes    memory of the objects in the pool
   */
  public record State(String name, String memory, long borrowed, long kept, long bytes) {
    /** Returns the sum of the states of two pools with the same name. */
    public State plus(State other) {
      return new State(name, memory, borrowed + other.borrowed, kept + other.kept, bytes + other.bytes);
    }
  }

  long borrowed() {
    return borrowed.get(0);
  }

  long leaked() {
    return leaked.get();
  }

  State state() {
    // Other threads may borrow meanwhile.
    final int waiting = Math.max(0, existing.get() - borrowed.get(0));
    return new State(name, memory.kind(), borrowed.get(0), waiting, waiting * bytes);
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

  /** Element of the stack of kept objects. */
  private record Kept<T>(Pooled<T> object, @Nullable Kept<T> next) {}

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
