// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import com.google.common.base.Supplier;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.collections.StupidPool;

/**
 * Pool of arrays or buffers for encoding and decoding, shared by all columns of the process. It keeps a limited number
 * of objects; when more are returned, the rest is left to the garbage collector.
 *
 * @param <T> type of the objects
 */
public final class Pool<T> {
  private static final List<Pool<?>> ALL = new CopyOnWriteArrayList<>();

  private final String name;
  private final StupidPool<T> pool;
  private final AtomicLong borrowed = new AtomicLong();

  private Pool(String name, Supplier<T> generator, int maxKept) {
    this.name = name;
    this.pool = new StupidPool<>("shapeshift " + name, generator, 0, maxKept);
    ALL.add(this);
  }

  /**
   * Creates a pool.
   *
   * @param name    name in Druid's messages about objects that were not returned, and in metrics
   * @param maxKept greatest number of objects kept
   */
  public static <T> Pool<T> of(String name, int maxKept, Supplier<T> generator) {
    return new Pool<>(name, generator, maxKept);
  }

  /** Creates a pool for objects that each thread needs once; it keeps one per processor, and at least 4. */
  public static <T> Pool<T> forThreads(String name, Supplier<T> generator) {
    return of(name, Math.max(4, Runtime.getRuntime().availableProcessors()), generator);
  }

  /** Borrows an object until the holder is closed. Its content is undefined. */
  public ResourceHolder<T> take() {
    final ResourceHolder<T> holder = pool.take();
    borrowed.incrementAndGet();
    return new Loan(holder);
  }

  /** Borrowed object, for one thread. */
  private final class Loan implements ResourceHolder<T> {
    private final ResourceHolder<T> holder;
    private boolean isOver;

    private Loan(ResourceHolder<T> holder) {
      this.holder = holder;
    }

    @Override
    public T get() {
      return holder.get();
    }

    @Override
    public void close() {
      if (!isOver) {
        isOver = true;
        borrowed.decrementAndGet();
      }
      // Reports an error if it is closed twice.
      holder.close();
    }
  }

  /** Returns the number of objects that are borrowed now from all pools. */
  public static long borrowed() {
    return ALL.stream().mapToLong(each -> each.borrowed.get()).sum();
  }

  /**
   * State of a pool.
   *
   * @param name     name of the pool; several pools may have the same
   * @param borrowed number of borrowed objects, including those that will never be returned
   * @param kept     number of objects in the pool
   */
  public record State(String name, long borrowed, long kept) {
    /** Returns the sum of the states of two pools with the same name. */
    public State plus(State other) {
      return new State(name, borrowed + other.borrowed, kept + other.kept);
    }
  }

  /** Returns the states of all pools. */
  public static List<State> states() {
    return ALL.stream().map(each -> new State(each.name, each.borrowed.get(), each.pool.poolSize())).toList();
  }
}
