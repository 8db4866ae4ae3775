// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.base.Supplier;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

  private final StupidPool<T> pool;

  private Pool(String name, Supplier<T> generator, int maxKept) {
    this.pool = new StupidPool<>("shapeshift " + name, generator, 0, maxKept);
    ALL.add(this);
  }

  /**
   * Makes a pool.
   *
   * @param name    for Druid's messages about objects that were never given back
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
    return pool.take();
  }

  /** How many objects of all pools are borrowed now, as long as none was left to the garbage collector. */
  @VisibleForTesting
  public static long borrowed() {
    return ALL.stream().mapToLong(each -> each.pool.objectsCreatedCount() - each.pool.poolSize()).sum();
  }
}
