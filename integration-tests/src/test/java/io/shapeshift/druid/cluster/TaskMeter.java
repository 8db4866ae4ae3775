// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Meter of a task in this JVM, by the threads that have its id in their name: one reads and adds rows, and others
 * persist, merge and publish. Looks often, because a thread that has ended can no longer be asked.
 */
final class TaskMeter implements AutoCloseable {
  private static final int PERIOD_MILLIS = 100;

  private final String task;
  private final Map<Long, Long> adding = new ConcurrentHashMap<>();
  private final Map<Long, Long> persisting = new ConcurrentHashMap<>();
  private final Map<Long, Long> publishing = new ConcurrentHashMap<>();
  private final long gcBefore = gcMillis();
  private final RepeatedTask repeated;
  private volatile long heap;
  private volatile long direct;

  /**
   * What a task took.
   *
   * @param adding     seconds of a core; the next two as well
   * @param heap       most bytes of the heap after a collection
   * @param direct     most bytes of direct memory, of the whole JVM
   * @param gcMillis   time of collections
   */
  record Reading(double adding, double persisting, double publishing, long heap, long direct, long gcMillis) {}

  /** Starts to look at threads whose names contain a text. */
  TaskMeter(String task) {
    this.task = task;
    repeated = new RepeatedTask("task-meter", PERIOD_MILLIS, this::look);
  }

  private void look() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null && info.getThreadName().contains(task)) {
        String name = info.getThreadName();
        Map<Long, Long> phase = name.contains("persist") ? persisting
            : name.contains("threading-task-runner") ? adding : publishing;
        phase.merge(info.getThreadId(), Math.max(0, threads.getThreadCpuTime(info.getThreadId())), Math::max);
      }
    }
    heap = Math.max(heap, ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getCollectionUsage() != null)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed()).sum());
    direct = Math.max(direct, ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum());
  }

  /** What the task took so far. */
  Reading read() {
    return new Reading(
        seconds(adding), seconds(persisting), seconds(publishing), heap, direct, gcMillis() - gcBefore);
  }

  private static double seconds(Map<Long, Long> nanos) {
    return nanos.values().stream().mapToLong(Long::longValue).sum() / 1e9;
  }

  private static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
  }

  @Override
  public void close() {
    repeated.close();
  }
}
