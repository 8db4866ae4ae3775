// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final int READS = 5;
  private static final int ROUNDS = 60;

  /** The reads in the order in which they were run; a read that is repeated counts once. */
  private static List<Integer> turns() {
    final List<Integer> turns = new ArrayList<>();
    final double[] medians = new Turns(ROUNDS, 0).medians(IntStream.range(0, READS).<LongSupplier>mapToObj(i -> () -> {
      if (turns.isEmpty() || turns.get(turns.size() - 1) != i) {
        turns.add(i);
      }
      return i;
    }).toList());
    assertEquals(READS, medians.length);
    return turns;
  }

  @Test
  void eachReadFollowsEachOther() {
    final List<Integer> turns = turns();
    final Set<List<Integer>> neighbours = new HashSet<>();
    for (int i = 1; i < turns.size(); i++) {
      neighbours.add(List.of(turns.get(i - 1), turns.get(i)));
    }
    assertEquals(READS * (READS - 1), neighbours.size(), neighbours::toString);
  }

  /** Of what is left to be compiled small columns need as much as large ones. */
  @Test
  void lessEffortWarmsUpAsLong() {
    final AtomicInteger calls = new AtomicInteger();
    new Turns(1, 20_000_000).medians(List.of(() -> {
      burn(100_000);
      return calls.incrementAndGet();
    }), .01);
    assertTrue(calls.get() > 10, calls::toString);
  }

  @Test
  void aDisturbedReadDoesNotTellHowOftenToRepeatIt() {
    final AtomicInteger calls = new AtomicInteger();
    new Turns(1, 5_000_000).medians(List.of(() -> {
      burn(calls.incrementAndGet() == 3 ? 10_000_000 : 20_000);
      return calls.get();
    }));
    assertTrue(calls.get() > 3 + 3, calls::toString);
  }

  /** Keeps the thread busy. */
  private static void burn(long nanos) {
    final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    final long start = threads.getCurrentThreadCpuTime();
    while (threads.getCurrentThreadCpuTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void ordersAreTheSameInEachRun() {
    assertEquals(turns(), turns());
  }

  @Test
  void eachThingHasOneTurnInEachRound() {
    final List<String> things = List.of("a", "b", "c", "d");
    final TurnOrder order = new TurnOrder();
    final Set<List<String>> orders = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      final List<String> next = order.next(things);
      assertEquals(things, next.stream().sorted().toList());
      orders.add(next);
    }
    assertNotEquals(1, orders.size());
  }
}
