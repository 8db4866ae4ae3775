// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.sketches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import io.shapeshift.druid.benchmark.Benchmarks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sketches are written and queried; does not test the times. */
class SketchesCommandTest {
  @Test
  void eachEncodingAnswersAlike(@TempDir Path directory) throws IOException {
    final Path results = directory.resolve("results");
    final String[] command = {
        "sketches", "--events", "300", "--rounds", "1", "--kinds", "QUANTILES", "--results", results.toString()
    };
    assertEquals(0, Benchmarks.commandLine().execute(command));
    final List<String> lines = Files.readAllLines(results.resolve(SketchesCommand.RESULTS));
    assertEquals(1 + 2 * 4, lines.size());
    for (int i = 1; i < lines.size(); i++) {
      final List<String> cells = Splitter.on(',').splitToList(lines.get(i));
      final double size = Double.parseDouble(cells.get(3));
      // The first of four is Druid's.
      assertTrue(i % 4 == 1 ? size == 1 : size < 1, lines.get(i));
      assertTrue(Double.parseDouble(cells.get(6)) > 0, lines.get(i));
    }
  }
}
