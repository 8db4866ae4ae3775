// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Meter of the only task that runs in this JVM, by its threads: one reads and adds rows; others, and those that Druid's
 * Indexer has for all tasks, persist, merge and publish. Looks often, because a thread that has ended can no longer be
 * asked.
 */
final class TaskMeter implements AutoCloseable {
  private static final int PERIOD_MILLIS = 100;
  /** Threads of Druid's Indexer that write the segments of all tasks. */
  private static final String MERGE_POOL = "unified-indexer-merge-pool";
  /** In /proc of Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private final String task;
  private final Map<Long, Long> adding = new ConcurrentHashMap<>();
  private final Map<Long, Long> writing = new ConcurrentHashMap<>();
  /** What threads had taken before: those that run tasks run one after the other. */
  private final Map<Long, Long> before = new HashMap<>();
  private final long gcBefore = gcMillis();
  private final double collectingBefore = collectingSeconds();
  private final RepeatedTask repeated;
  private volatile long heap;
  private volatile long direct;

  /**
   * What a task took.
   *
   * @param adding     seconds of a core; the next two as well
   * @param writing    to persist, merge and publish
   * @param collecting by threads of the garbage collector, of the whole JVM
   * @param heap       most bytes of the heap after a collection
   * @param direct     most bytes of direct memory, of the whole JVM
   * @param gcMillis   time of collections
   */
  record Reading(
      double adding,
      double writing,
      double collecting,
      long heap,
      long direct,
      long gcMillis
  ) {
    double seconds() {
      return adding + writing + collecting;
    }
  }

  /** Starts to look at threads whose names contain a text. */
  TaskMeter(String task) {
    this.task = task;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (long thread : threads.getAllThreadIds()) {
      before.put(thread, Math.max(0, threads.getThreadCpuTime(thread)));
    }
    repeated = new RepeatedTask("task-meter", PERIOD_MILLIS, this::look);
  }

  private void look() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      String name = info == null ? "" : info.getThreadName();
      if (name.contains(task) || name.startsWith(MERGE_POOL)) {
        Map<Long, Long> phase = name.contains("threading-task-runner") ? adding : writing;
        long nanos = threads.getThreadCpuTime(info.getThreadId()) - before.getOrDefault(info.getThreadId(), 0L);
        phase.merge(info.getThreadId(), Math.max(0, nanos), Math::max);
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
        seconds(adding),
        seconds(writing),
        collectingSeconds() - collectingBefore,
        heap,
        direct,
        gcMillis() - gcBefore
    );
  }

  /** Processor time of the collector's threads, which Java does not tell, as Linux does; 0 elsewhere. */
  private static double collectingSeconds() {
    double ticks = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        // PID (NAME) STATE, and behind it, as words 11 and 12, the ticks in user mode and in the kernel.
        String stat = Files.readString(thread.resolve("stat"));
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        if (name.startsWith("GC Thread") || name.startsWith("G1 ")) {
          List<String> words = Splitter.on(' ').splitToList(stat.substring(stat.lastIndexOf(')') + 2));
          ticks += Long.parseLong(words.get(11)) + Long.parseLong(words.get(12));
        }
      }
    } catch (IOException e) {
      return 0;
    }
    return ticks / TICKS_PER_SECOND;
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
