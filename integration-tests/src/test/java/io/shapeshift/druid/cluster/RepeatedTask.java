// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a task again and again in a thread of its own, with a pause before each time, until it is closed. */
final class RepeatedTask implements AutoCloseable {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  /** Starts the thread. */
  RepeatedTask(String name, int pauseMillis, Runnable task) {
    thread = new Thread(() -> run(pauseMillis, task), name);
    thread.start();
  }

  private void run(int pauseMillis, Runnable task) {
    try {
      while (!ended.await(pauseMillis, TimeUnit.MILLISECONDS)) {
        task.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the task has ended. */
  @Override
  public void close() {
    ended.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while " + thread.getName() + " was running", e);
    }
  }
}
