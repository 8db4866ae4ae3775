// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.druid.java.util.common.concurrent.Execs;
import org.apache.druid.java.util.common.concurrent.ScheduledExecutors;
import org.joda.time.Duration;

/**
 * All pools of the process, with the bounds of the memory that they keep. A daemon thread shrinks them every
 * {@value #SHRINK_SECONDS} seconds, also while nothing is borrowed. Thread-safe.
 */
public final class Pools {
  /** Default bound of heap memory in bytes. */
  public static final long DEFAULT_MAX_HEAP_BYTES = 64L << 20;
  /** Default bound of direct memory, and of native memory of codecs, in bytes. */
  public static final long DEFAULT_MAX_DIRECT_BYTES = 32L << 20;

  /** Seconds between two steps of shrinking. The fourteen steps of a minute leave nothing of 8,191 unused objects. */
  static final int SHRINK_SECONDS = 4;

  private static final Pools OF_PROCESS = new Pools(DEFAULT_MAX_HEAP_BYTES, DEFAULT_MAX_DIRECT_BYTES);

  static {
    OF_PROCESS.shrinkEvery(
        Duration.standardSeconds(SHRINK_SECONDS), Execs.scheduledSingleThreaded("shapeshift-pools"));
  }

  private final List<Pool<?>> all = new CopyOnWriteArrayList<>();
  private final PoolMemory heap;
  private final PoolMemory direct;

  /** Creates a set of pools that nobody shrinks. */
  Pools(long maxHeapBytes, long maxDirectBytes) {
    this.heap = new PoolMemory("heap", maxHeapBytes);
    this.direct = new PoolMemory("direct", maxDirectBytes);
  }

  /** Returns the pools of the process. */
  public static Pools ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Creates a pool of objects on the heap.
   *
   * @param name  name in metrics, and in warnings about objects that were not given back; several pools may share it
   * @param bytes memory of an object
   */
  public <T> Pool<T> heap(String name, long bytes, Supplier<? extends T> generator) {
    return add(new Pool<>(name, heap, bytes, generator, object -> {}));
  }

  /**
   * Creates a pool of objects with direct memory, or native memory of a codec.
   *
   * @param name  name in metrics, and in warnings about objects that were not given back
   * @param bytes memory of an object
   * @param free  frees the memory of an object at once
   */
  public <T> Pool<T> direct(String name, long bytes, Supplier<? extends T> generator, Consumer<? super T> free) {
    return add(new Pool<>(name, direct, bytes, generator, free));
  }

  private <T> Pool<T> add(Pool<T> pool) {
    all.add(pool);
    return pool;
  }

  /** Sets the greatest number of bytes that all pools keep together, of each kind of memory. */
  public void limit(long maxHeapBytes, long maxDirectBytes) {
    heap.limit(maxHeapBytes);
    direct.limit(maxDirectBytes);
  }

  /** Shrinks the pools after each period, until the thread is shut down. */
  void shrinkEvery(Duration period, ScheduledExecutorService thread) {
    ScheduledExecutors.scheduleWithFixedDelay(thread, period, period, this::shrink);
  }

  /** Shrinks all pools by one step. */
  synchronized void shrink() {
    all.forEach(Pool::shrink);
  }

  /** Returns the kinds of memory. */
  public List<PoolMemory> memory() {
    return List.of(heap, direct);
  }

  /** Returns the number of objects that are borrowed now, including those that will never be given back. */
  public long borrowed() {
    return all.stream().mapToLong(Pool::borrowed).sum();
  }

  /** Returns the number of objects that were never given back, as far as the garbage collector has found them. */
  public long leaked() {
    return all.stream().mapToLong(Pool::leaked).sum();
  }

  /** Returns the states of all pools. */
  public List<Pool.State> states() {
    return all.stream().map(Pool::state).toList();
  }
}
