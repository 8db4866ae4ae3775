// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import io.shapeshift.druid.form.ints.DistinctInts;
import io.shapeshift.druid.form.ints.IntPools;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.stock.Lz4Bound;
import io.shapeshift.druid.testing.LiveHeap;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.java.util.common.concurrent.Execs;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pools of objects with a made-up size of 100 bytes each. */
@ExtendWith(RandomData.Seeded.class)
class PoolTest {
  private static final int BYTES = 100;

  /** Pooled object. */
  private static final class Thing {
    private final AtomicBoolean isInUse = new AtomicBoolean();
    private final AtomicBoolean isFreed = new AtomicBoolean();

    void free() {
      assertFalse(isInUse.get(), "freed while it is in use");
      assertFalse(isFreed.getAndSet(true), "freed twice");
    }
  }

  private final Pools pools = new Pools(10 * BYTES, 1000 * BYTES);
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger freed = new AtomicInteger();
  private final Pool<Thing> pool = direct("things");

  private Pool<Thing> direct(String name) {
    return pools.direct(
        name,
        BYTES,
        () -> {
          created.incrementAndGet();
          return new Thing();
        },
        thing -> {
          thing.free();
          freed.incrementAndGet();
        }
    );
  }

  private static <T> List<ResourceHolder<T>> take(Pool<T> pool, int count) {
    final List<ResourceHolder<T>> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(pool.take());
    }
    return taken;
  }

  private static <T> void burst(Pool<T> pool, int count) {
    take(pool, count).forEach(ResourceHolder::close);
  }

  private static long freedBytes(String pool, String reason) {
    final long[] found = new long[1];
    Totals.forEach((metric, total) -> {
      if (metric.equals(
          new Totals.Metric("shapeshift/pool/freedBytes", Map.of("pool", pool, "reason", reason)))) {
        found[0] = total;
      }
    });
    return found[0];
  }

  @Test
  void whatIsGivenBackIsLentAgain() {
    final Thing first;
    try (ResourceHolder<Thing> holder = pool.take()) {
      first = holder.get();
      try (ResourceHolder<Thing> other = pool.take()) {
        assertNotSame(first, other.get());
        assertEquals(new Pool.State("things", "direct", 2, 0, 0), pool.state());
      }
    }
    assertEquals(new Pool.State("things", "direct", 0, 2, 2 * BYTES), pool.state());
    try (ResourceHolder<Thing> again = pool.take()) {
      assertSame(first, again.get(), "the one given back last");
    }
    assertEquals(2, created.get());
    assertEquals(0, freed.get());
  }

  @Test
  void closingTwiceGivesBackOnce() {
    final ResourceHolder<Thing> holder = pool.take();
    holder.close();
    holder.close();
    assertEquals(new Pool.State("things", "direct", 0, 1, BYTES), pool.state());
    assertTrue(assertThrows(ISE.class, holder::get).getMessage().contains("pool[things]"));
  }

  @Test
  void aPeakIsHalvedAtEachStep() {
    final Pool<Thing> peaks = direct("peaks");
    burst(peaks, 1000);
    final List<Long> kept = new ArrayList<>();
    for (int step = 0; step <= 10; step++) {
      kept.add(peaks.state().kept());
      pools.shrink();
    }
    assertEquals(List.of(1000L, 1000L, 500L, 250L, 125L, 62L, 31L, 15L, 7L, 3L, 1L), kept);
    assertEquals(0, peaks.state().kept());
    assertEquals(1000, freed.get());
    assertEquals(1000 * BYTES, freedBytes("peaks", "unused"));
    assertEquals(0, freedBytes("peaks", "bound"));
    assertTrue(11 * Pools.SHRINK_SECONDS < 60, "a minute");
  }

  @Test
  void aSteadyLoadAllocatesNothing() {
    burst(pool, 100);
    for (int step = 0; step < 20; step++) {
      burst(pool, 30);
      burst(pool, 7);
      pools.shrink();
    }
    assertEquals(100, created.get());
    assertEquals(30, pool.state().kept());
  }

  @Test
  void borrowedObjectsCountAsNeeded() {
    final List<ResourceHolder<Thing>> open = take(pool, 6);
    burst(pool, 10);
    for (int step = 0; step < 5; step++) {
      pools.shrink();
    }
    assertEquals(new Pool.State("things", "direct", 6, 0, 0), pool.state());
    open.forEach(ResourceHolder::close);
    assertEquals(6, pool.state().kept());
    pools.shrink();
    assertEquals(6, pool.state().kept(), "six were borrowed at once since the step before");
    assertEquals(10, freed.get());
  }

  @Test
  void allPoolsTogetherKeepAtMostTheBound() {
    final Pool<int[]> one = pools.heap("one", BYTES, () -> new int[1]);
    final Pool<int[]> other = pools.heap("other", 3 * BYTES, () -> new int[1]);
    burst(one, 4);
    burst(other, 4);
    assertEquals(4, one.state().kept());
    assertEquals(2, other.state().kept(), "600 of 1,000 bytes were left");
    assertEquals(2 * 3 * BYTES, freedBytes("other", "bound"));
    burst(pool, 1000);
    assertEquals(1000, pool.state().kept(), "direct memory has a bound of its own");

    for (int step = 0; step < 4; step++) {
      burst(other, 3);
      pools.shrink();
    }
    assertEquals(0, one.state().kept());
    burst(other, 3);
    assertEquals(3, other.state().kept(), "there is room when the other pool has shrunk");
  }

  @Test
  void aBoundOfZeroKeepsNothing() {
    pools.limit(0, 0);
    burst(pool, 5);
    assertEquals(new Pool.State("things", "direct", 0, 0, 0), pool.state());
    assertEquals(5, freed.get());
    pools.limit(0, 2 * BYTES);
    burst(pool, 5);
    assertEquals(2, pool.state().kept());
  }

  @Test
  void anIdleProcessShrinks() throws InterruptedException {
    burst(pool, 1000);
    final ScheduledExecutorService thread = Execs.scheduledSingleThreaded("pools-of-a-test");
    try {
      pools.shrinkEvery(Duration.millis(1), thread);
      final long end = System.nanoTime() + 60_000_000_000L;
      while (pool.state().kept() > 0 && System.nanoTime() < end) {
        Thread.sleep(1);
      }
    } finally {
      thread.shutdownNow();
    }
    assertEquals(0, pool.state().kept());
    assertEquals(1000, freed.get());
  }

  /** Shrinks the pools of the process until they keep nothing. */
  private static void empty(Pool<?> ofProcess) {
    for (int step = 0; ofProcess.state().kept() > 0 && step < 20; step++) {
      Pools.ofProcess().shrink();
    }
    assertEquals(0, ofProcess.state().kept());
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(each -> each.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void directMemoryIsFreedAtOnce() {
    empty(CompressionBuffers.POOL);
    final long before = directBytes();
    burst(CompressionBuffers.POOL, 50);
    assertEquals(before + CompressionBuffers.POOL.state().bytes(), directBytes());
    assertTrue(directBytes() >= before + 50 * (1 << 17), "128 KiB each");
    empty(CompressionBuffers.POOL);
    assertEquals(before, directBytes(), "without a garbage collection");
  }

  @Test
  void poolsKnowTheSizeOfTheirObjects() {
    final ThreadMXBean allocations = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Pool<?> each
        : List.of(IntPools.PACKING, DistinctInts.POOL, NumberArrays.POOL, Lz4Bound.POOL)) {
      burst(each, 1);
      empty(each);
      final long before = allocations.getThreadAllocatedBytes(Thread.currentThread().getId());
      burst(each, 10);
      final double allocated = allocations.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      assertEquals(1, allocated / each.state().bytes(), .02, each.state()::toString);
    }
  }

  @Test
  void whatIsForgottenIsNoticed() {
    final long before = pool.leaked();
    forget();
    assertTrue(LiveHeap.collectUntil(() -> pool.leaked() > before), "not noticed");
    assertEquals(before + 1, pool.leaked());
    assertEquals(1, pool.state().borrowed(), "it counts as borrowed");
    burst(pool, 3);
    for (int step = 0; step < 5; step++) {
      pools.shrink();
    }
    assertEquals(0, pool.state().kept());
    LiveHeap.collect();
    assertEquals(before + 1, pool.leaked(), "what was freed is not forgotten");
  }

  private void forget() {
    assertFalse(pool.take().get().isFreed.get());
  }

  @Test
  void threadsShareObjectsWhilePoolsShrink(RandomData random)
      throws InterruptedException, ExecutionException {
    pools.limit(0, 40 * BYTES);
    final int numThreads = 4;
    final ExecutorService threads = Executors.newFixedThreadPool(numThreads + 1);
    final AtomicBoolean isOver = new AtomicBoolean();
    final List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < numThreads; i++) {
      final RandomData ofThread = new RandomData(random.nextLong());
      final Callable<Void> borrower = () -> {
        borrowAndGiveBack(ofThread, Tier.pick(50_000, 500_000));
        return null;
      };
      running.add(threads.submit(borrower));
    }
    final Future<?> shrinking = threads.submit(() -> {
      while (!isOver.get()) {
        pools.shrink();
      }
    });
    threads.shutdown();
    for (Future<?> each : running) {
      each.get();
    }
    isOver.set(true);
    shrinking.get();
    final Pool.State state = pool.state();
    assertEquals(0, state.borrowed());
    assertEquals(created.get() - freed.get(), state.kept());
    assertTrue(state.kept() <= 40, state::toString);
    assertTrue(freedBytes("things", "unused") > 0, "the pools shrank");
    assertTrue(freedBytes("things", "bound") > 0, "the bound was reached");
    for (int step = 0; step < 8; step++) {
      pools.shrink();
    }
    assertEquals(created.get(), freed.get());
    burst(pool, 41);
    assertEquals(40, pool.state().kept(), "all room is given back");
  }

  /** Holds up to 20 objects at a time, and fails if anybody else has one of them. */
  private void borrowAndGiveBack(RandomData random, int times) {
    final Deque<ResourceHolder<Thing>> held = new ArrayDeque<>();
    for (int i = 0; i < times; i++) {
      if (held.size() < random.between(0, 20)) {
        final ResourceHolder<Thing> taken = pool.take();
        assertFalse(taken.get().isInUse.getAndSet(true), "lent to two");
        assertFalse(taken.get().isFreed.get(), "lent although it is freed");
        held.add(taken);
      } else if (!held.isEmpty()) {
        final ResourceHolder<Thing> last = random.nextInt(2) == 0 ? held.removeFirst() : held.removeLast();
        last.get().isInUse.set(false);
        last.close();
      }
    }
    held.forEach(each -> each.get().isInUse.set(false));
    held.forEach(ResourceHolder::close);
  }
}
