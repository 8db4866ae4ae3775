// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.jackson.AggregatorsModule;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Measures few rows once to see that the command works; does not test the speed. */
@Tag("slow")
class IngestionCommandTest {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("shapeshift.exhaustive");

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource
  void bothIndexesHaveTheSameRows(IngestedData data) {
    BuiltInTypesModule.registerHandlersAndSerde();
    AggregatorsModule.registerComplexMetricsAndSerde();
    final List<InputRow> rows = data.rows(1000);
    assertEquals(1000, rows.size());
    for (boolean rollUp : new boolean[] {true, false}) {
      try (IncrementalIndex onHeap = index(new OnheapIncrementalIndex.Spec(), data, rollUp);
           IncrementalIndex offHeap = index(new ShapeShiftAppendableIndexSpec(null), data, rollUp)) {
        for (InputRow row : rows) {
          assertEquals(onHeap.add(row).getRowCount(), offHeap.add(row).getRowCount());
        }
        assertTrue(rollUp ? onHeap.numRows() <= 1000 : onHeap.numRows() == 1000);
      }
    }
  }

  private static IncrementalIndex index(AppendableIndexSpec spec, IngestedData data, boolean rollUp) {
    return spec.builder().setIndexSchema(data.schema(rollUp)).setMaxRowCount(Integer.MAX_VALUE).build();
  }

  /** Each measurement starts four JVMs: for both indexes, with and without roll-up. */
  @Test
  void writesTimesAndMemory() throws Exception {
    final StringWriter out = new StringWriter();
    final CommandLine command = Benchmarks.commandLine().setOut(new PrintWriter(out));
    final int exit = command.execute(
        "ingestion",
        "--data", "SKETCHES", "--rows", "500", "--rounds", EXHAUSTIVE ? "2" : "1",
        "--only", EXHAUSTIVE ? "TIMES,MEMORY" : "TIMES",
        "--results", directory.toString()
    );
    assertEquals(0, exit, out::toString);
    assertTrue(Files.readString(directory.resolve("run.json")).contains("\"suite\" : \"ingestion\""));
    final List<String> files =
        EXHAUSTIVE ? List.of("ingestion-times.csv", "ingestion-memory.csv") : List.of("ingestion-times.csv");
    for (String file : files) {
      final List<String> lines = Files.readAllLines(directory.resolve(file));
      assertEquals(5, lines.size(), file);
      final List<String> header = List.of(lines.get(0).split(",", -1));
      for (String line : lines.subList(1, 5)) {
        final String[] values = line.split(",", -1);
        assertEquals(header.size(), values.length);
        assertEquals("SKETCHES", values[header.indexOf("data")]);
        assertEquals(
            values[header.indexOf("rollUp")].equals("true") ? "50" : "500",
            values[header.indexOf("rows")]
        );
      }
    }
  }

  @Test
  void ofSeveralRoundsTheLeastTimesCount() {
    final Map<String, Object> one = new HashMap<>(Map.of("rows", 50, "index", "onheap", "addNanos", 3.5, "walk", 2.0));
    assertEquals(
        Map.of("rows", 50, "index", "onheap", "addNanos", 3.5, "walk", 1.0),
        IngestionCommand.less(one, Map.of("rows", 50, "index", "onheap", "addNanos", 4.5, "walk", 1))
    );
  }

  /** A task persists several times and pushes a segment, the same from both indexes. A small heap is not enough. */
  @EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
  @Test
  void runsTasks() throws Exception {
    final StringWriter out = new StringWriter();
    final int exit = Benchmarks.commandLine().setOut(new PrintWriter(out)).execute(
        "ingestion",
        "--data", "SKETCHES", "--only", "HEAP", "--heaps", "12,256", "--task-rows", "3000",
        "--max-rows-in-memory", "1000",
        "--results", directory.toString()
    );
    assertEquals(0, exit, out::toString);
    final List<String> lines = Files.readAllLines(directory.resolve("ingestion-heap.csv"));
    assertEquals(5, lines.size());
    final List<String> header = List.of(lines.get(0).split(",", -1));
    final int outcome = header.indexOf("outcome");
    assertEquals(
        List.of("out of memory", "done", "out of memory", "done"),
        lines.stream().skip(1).map(line -> line.split(",", -1)[outcome]).toList()
    );
    assertTrue(lines.get(1).matches("SKETCHES,false,onheap,3000,1000,0,,,,,,1g,12,out of memory"), lines.get(1));
    final String[] onHeap = lines.get(2).split(",", -1);
    final String[] offHeap = lines.get(4).split(",", -1);
    assertTrue(Integer.parseInt(offHeap[header.indexOf("persists")]) >= 3);
    for (String same : List.of("data", "inputs", "persists", "segments", "segmentBytes", "heapMegabytes")) {
      assertEquals(onHeap[header.indexOf(same)], offHeap[header.indexOf(same)], same);
    }
  }
}
