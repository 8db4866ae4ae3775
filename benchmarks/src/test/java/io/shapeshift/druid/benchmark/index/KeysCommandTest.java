// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Benchmarks;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures few keys once to see that the command works, which checks what it finds; does not test the speed. */
class KeysCommandTest {
  @TempDir
  private Path directory;

  @Test
  void writesBytesAndTimes() throws Exception {
    final StringWriter err = new StringWriter();
    final StringWriter out = new StringWriter();
    final int exit = Benchmarks.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(
        "keys", "--keys", "10001", "--look-ups", "1000", "--threads", "3", "--rounds", "1",
        "--results", directory.toString());
    assertEquals(0, exit, err::toString);
    assertTrue(Files.exists(directory.resolve("run.json")));
    assertTrue(out.toString().contains("two batches"), out::toString);
    assertTrue(out.toString().contains("Results: " + directory), out::toString);
    final List<List<String>> rows = Files.readAllLines(directory.resolve("keys.csv")).stream()
        .map(line -> List.of(line.split(",", -1)))
        .toList();
    assertEquals(
        List.of("at once,1,10001", "at once,3,10001", "two batches,1,10001", "two batches,3,10001"),
        rows.stream().skip(1).map(row -> String.join(",", row.subList(0, 3))).toList()
    );
    // What is merged is what is written at once.
    assertEquals(rows.get(1).subList(3, 5), rows.get(3).subList(3, 5));
    for (List<String> row : rows.subList(1, rows.size())) {
      assertTrue(Integer.parseInt(row.get(3)) >= 8 * 10001 && Integer.parseInt(row.get(4)) > 2 * 10001, row::toString);
      final boolean hasBatches = row.get(0).equals("two batches");
      assertEquals(hasBatches, !row.get(7).isEmpty());
      assertEquals(hasBatches, !row.get(8).isEmpty());
    }
  }

  @Test
  void whatIsWrongIsSaid() {
    for (String option : List.of("--keys", "--threads", "--look-ups", "--rounds")) {
      assertEquals(2, Benchmarks.commandLine().setErr(new PrintWriter(new StringWriter())).execute(
          "keys", option, "0", "--results", directory.toString()));
    }
  }
}
