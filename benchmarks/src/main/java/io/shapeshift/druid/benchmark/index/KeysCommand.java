// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the hash index of many unique keys, written at once and merged: for {@code scripts/evaluate}. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the hash index of unique random longs, by one thread and by several: time to write the "
        + "column and its index, at once and as two batches that are then merged; bytes; and time of look-ups in "
        + "random order. With several threads each writes a column of its share of the keys, as Druid's tasks do; "
        + "all of them look keys up in one column of all keys. Elapsed times, in this JVM."
)
public final class KeysCommand implements Callable<Integer> {
  /** Keys of the run before the measurement, which compiles the code. */
  private static final int WARM_UP_KEYS = 1_000_000;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  /** How keys come into a column. */
  private enum Load {
    AT_ONCE("at once"),
    TWO_BATCHES("two batches");

    private final String text;

    Load(String text) {
      this.text = text;
    }
  }

  /** Way of looking up keys; the value is the number of keys that are found. */
  @FunctionalInterface
  private interface LookUp {
    int count(HashIndexReader reader, long[] wanted, int rows);
  }

  /** Work of one of several threads. */
  @FunctionalInterface
  private interface Work<T> {
    T run(int thread) throws Exception;
  }

  /**
   * Results of all threads.
   *
   * @param nanos elapsed time until the last thread had its result
   */
  private record Step<T>(List<T> results, long nanos) {}

  @Option(names = "--keys", paramLabel = "N", description = "number of keys; default: ${DEFAULT-VALUE}")
  private int keys = 60_000_000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads beside the measurement by one; default: all processors"
  )
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--look-ups",
      paramLabel = "N",
      description = "keys that are looked up, at most as many as there are; default: ${DEFAULT-VALUE}"
  )
  private int lookUps = 1_000_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds of look-ups, of which the median time is taken; default: ${DEFAULT-VALUE}"
  )
  private int rounds = 3;

  @Mixin
  private ResultsOption results;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() throws Exception {
    require("--keys", keys, 2);
    require("--threads", threads, 1);
    require("--look-ups", lookUps, 1);
    require("--rounds", rounds, 1);
    final ResultFiles files = new ResultFiles(
        results.directory(), new RunInfo.Start("keys", command.commandLine().getParseResult().originalArgs()));
    measure(Math.min(keys, WARM_UP_KEYS));
    final Table table = measure(keys);
    files.write(
        Map.of("keys.csv", table), RunInfo.Jvm.like(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    final PrintWriter out = command.commandLine().getOut();
    out.print(table.toText());
    out.println("Results: " + results.directory());
    out.flush();
    return ExitCode.OK;
  }

  private void require(String option, int value, int least) {
    if (value < least) {
      throw new ParameterException(
          command.commandLine(), option + " is " + value + ": it must be " + least + " or more");
    }
  }

  private Table measure(int numKeys) throws Exception {
    final int numWanted = Math.min(numKeys, lookUps);
    final Table table = new Table(
        "load", "threads", "keys", "columnBytes", "indexBytes", "columnSeconds", "buildSeconds", "secondSeconds",
        "mergeSeconds", "lookUps", "presentNanos", "absentNanos", "bulkPresentNanos", "bulkAbsentNanos");
    // Of each stretch of keys one, in random order.
    final long[] present = LongStream.range(0, numWanted)
        .map(i -> key(i * numKeys / numWanted))
        .toArray();
    LongArrays.shuffle(present, new Random(numKeys));
    final long[] absent = IntStream.range(0, numWanted).mapToLong(i -> key((long) numKeys + i)).toArray();
    for (Load load : Load.values()) {
      KeyColumn column = null;
      for (int count : IntStream.of(1, threads).distinct().toArray()) {
        final List<Step<KeyColumn>> steps;
        try (TemporaryDirectory directory = TemporaryDirectory.create("keys")) {
          steps = build(load, numKeys, count, directory.path().toFile());
        }
        final List<KeyColumn> columns = steps.get(steps.size() - 1).results;
        column = column == null ? columns.get(0) : column;
        final boolean isMerged = steps.size() > 1;
        table.add(
            load.text,
            count,
            numKeys,
            columns.stream().mapToLong(KeyColumn::columnBytes).sum(),
            columns.stream().mapToLong(each -> each.index().sizeInBytes()).sum(),
            steps.stream().mapToLong(KeysCommand::columnNanos).sum() / 1e9,
            steps.get(0).nanos / 1e9,
            isMerged ? steps.get(1).nanos / 1e9 : null,
            isMerged ? steps.get(2).nanos / 1e9 : null,
            numWanted,
            nanos(column, present, count, KeysCommand::countOneByOne, numWanted),
            nanos(column, absent, count, KeysCommand::countOneByOne, 0),
            nanos(column, present, count, KeysCommand::countTogether, numWanted),
            nanos(column, absent, count, KeysCommand::countTogether, 0)
        );
      }
    }
    return table;
  }

  /** Number of a sequence that does not repeat any: SplitMix64. */
  private static long key(long i) {
    long z = (i + 1) * GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Writes columns, one by each thread. All threads finish a step before the next begins. */
  private static List<Step<KeyColumn>> build(Load load, int numKeys, int threads, File directory) throws Exception {
    final int[] starts = IntStream.rangeClosed(0, threads).map(i -> (int) ((long) numKeys * i / threads)).toArray();
    if (load == Load.AT_ONCE) {
      return List.of(inThreads(threads, i -> write(starts[i], starts[i + 1], directory)));
    }
    final int[] halves = IntStream.range(0, threads).map(i -> (starts[i] + starts[i + 1]) >>> 1).toArray();
    final Step<KeyColumn> first = inThreads(threads, i -> write(starts[i], halves[i], directory));
    final Step<KeyColumn> second = inThreads(threads, i -> write(halves[i], starts[i + 1], directory));
    return List.of(
        first, second, inThreads(threads, i -> merge(first.results.get(i), second.results.get(i), directory)));
  }

  private static KeyColumn write(int start, int end, File directory) throws IOException {
    return KeyColumn.write(end - start, row -> key(start + row), directory);
  }

  /** Writes the rows of two columns one after the other to a new one, as Druid merges segments. */
  private static KeyColumn merge(KeyColumn one, KeyColumn other, File directory) throws IOException {
    final int rows = one.index().numRows();
    try (ShapeShiftingColumnarLongs first = one.numbers().get();
         ShapeShiftingColumnarLongs second = other.numbers().get()) {
      return KeyColumn.write(
          rows + other.index().numRows(),
          row -> row < rows ? first.get(row) : second.get(row - rows),
          directory
      );
    }
  }

  private static long columnNanos(Step<KeyColumn> step) {
    return step.results.stream().mapToLong(KeyColumn::columnNanos).max().orElseThrow();
  }

  /**
   * Returns the median of elapsed nanoseconds per look-up.
   *
   * @param threads threads that share the keys; each has a reader of its own
   */
  private double nanos(KeyColumn column, long[] wanted, int threads, LookUp lookUp, int expected) throws Exception {
    final long[] nanos = new long[rounds];
    // One more to warm up.
    for (int round = -1; round < rounds; round++) {
      final Step<Integer> step = inThreads(threads, i -> {
        final long[] share = Arrays.copyOfRange(
            wanted, (int) ((long) wanted.length * i / threads), (int) ((long) wanted.length * (i + 1) / threads));
        try (ShapeShiftingColumnarLongs numbers = column.numbers().get()) {
          return lookUp.count(column.index().reader(numbers::get), share, column.index().numRows());
        }
      });
      final int found = step.results.stream().mapToInt(Integer::intValue).sum();
      if (found != expected) {
        throw new IllegalStateException(found + " keys were found, not " + expected);
      }
      nanos[Math.max(0, round)] = step.nanos;
    }
    Arrays.sort(nanos);
    return (double) nanos[rounds / 2] / wanted.length;
  }

  /** Finds the row of each key, as a join with unique keys does. */
  private static int countOneByOne(HashIndexReader reader, long[] wanted, int rows) {
    int found = 0;
    for (long key : wanted) {
      found += reader.findUnique(key) < 0 ? 0 : 1;
    }
    return found;
  }

  /** Makes a bitmap of the rows of all keys, as a filter with many values does. */
  private static int countTogether(HashIndexReader reader, long[] wanted, int rows) {
    final RowSet out = new RowSet(rows);
    reader.find(LongArrayList.wrap(wanted), out);
    return out.toBitmap(RoaringBitmapFactory.INSTANCE).size();
  }

  private static <T> Step<T> inThreads(int threads, Work<T> work) throws Exception {
    final ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      final List<Callable<T>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        final int thread = i;
        tasks.add(() -> work.run(thread));
      }
      final long start = System.nanoTime();
      final List<T> results = new ArrayList<>();
      for (Future<T> task : executor.invokeAll(tasks)) {
        results.add(task.get());
      }
      return new Step<>(results, System.nanoTime() - start);
    } finally {
      executor.shutdownNow();
    }
  }
}
