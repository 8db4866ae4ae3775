// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import com.google.common.base.Supplier;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.collections.StupidPool;

/**
 * A pool of arrays or buffers that encoding and decoding borrow, shared by all columns of the process. It keeps a
 * bounded number of them; what is taken beyond that is left to the garbage collector when it is given back.
 *
 * @param <T> what is borrowed
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
   * Makes a pool.
   *
   * @param name    for Druid's messages about objects that were never given back, and for metrics
   * @param maxKept how many objects it keeps at the most
   */
  public static <T> Pool<T> of(String name, int maxKept, Supplier<T> generator) {
    return new Pool<>(name, generator, maxKept);
  }

  /** Makes a pool for what each thread needs once, which keeps as many objects as there are processors, or 4. */
  public static <T> Pool<T> forThreads(String name, Supplier<T> generator) {
    return of(name, Math.max(4, Runtime.getRuntime().availableProcessors()), generator);
  }

  /** Lends an object until the holder is closed; its content is whatever the last borrower left. */
  public ResourceHolder<T> take() {
    final ResourceHolder<T> holder = pool.take();
    borrowed.incrementAndGet();
    return new Loan(holder);
  }

  /** An object that is borrowed, for one thread. */
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
      // It says so where it is closed twice.
      holder.close();
    }
  }

  /** How many objects of all pools are borrowed now. */
  public static long borrowed() {
    return ALL.stream().mapToLong(each -> each.borrowed.get()).sum();
  }

  /**
   * The state of a pool.
   *
   * @param name     of it; some pools share one
   * @param borrowed how many objects are borrowed, those among them that nobody will give back
   * @param kept     how many it has
   */
  public record State(String name, long borrowed, long kept) {
    /** That of two pools together, of one name. */
    public State plus(State other) {
      return new State(name, borrowed + other.borrowed, kept + other.kept);
    }
  }

  /** The states of all pools. */
  public static List<State> states() {
    return ALL.stream().map(each -> new State(each.name, each.borrowed.get(), each.pool.poolSize())).toList();
  }
}
