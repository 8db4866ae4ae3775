// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Benchmarks;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures few loans and queries once to see that the command works; does not test the speed. */
class PoolsCommandTest {
  @TempDir
  private Path directory;

  private static String run(String... arguments) {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final int exit =
        Benchmarks.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    assertEquals(0, exit, err::toString);
    return out.toString();
  }

  @Test
  void printsWhatItMeasured() {
    run("tpch", "--scale", "0.001", "--tables", "lineitem", "--out", directory.toString());
    final String out = run(
        "pools", "--segment", directory.resolve("lineitem").toString(),
        "--loans", "10", "--queries", "2", "--open", "3", "--seconds", "0"
    );
    for (String row : new String[] {
        "loan, threads: 1", "loan, threads: 2", "loan, threads: 2, of two pools", "query, allocated", "query, time"}) {
      assertTrue(out.contains(row), out);
    }
    // 240 buffers: one more would exceed 32 MiB.
    assertTrue(out.matches("(?s).*kept after 0 s, direct +33,423,360 +bytes.*"), out);
  }

  @Test
  void optionsMustBePositive() {
    assertEquals(2, Benchmarks.commandLine().setErr(new PrintWriter(new StringWriter()))
        .execute("pools", "--segment", directory.toString(), "--loans", "0"));
  }
}
