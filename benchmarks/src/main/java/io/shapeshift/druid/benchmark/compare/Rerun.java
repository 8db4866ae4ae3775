// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures again what may be slower: forks of the old and of the new in turns, so that what else the machine does, and
 * how warm it is, is the same for both.
 */
final class Rerun {
  private Rerun() {}

  /**
   * Measures and compares.
   *
   * @param comparison of the first measurement
   * @param suspects   those of its pairs to measure again
   * @param rounds     forks of each side
   */
  static Comparison compare(
      Comparison comparison,
      List<Pair> suspects,
      BenchmarksJar old,
      BenchmarksJar now,
      int rounds
  ) {
    try (TemporaryDirectory directory = TemporaryDirectory.create("compare-benchmarks");
         Progress progress = new Progress((long) suspects.size() * rounds)) {
      final Path before = Files.createDirectory(directory.path().resolve("old"));
      final Path after = Files.createDirectory(directory.path().resolve("new"));
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < suspects.size(); i++) {
          final BenchmarkKey key = suspects.get(i).key();
          final JmhResult settings = suspects.get(i).after().settings();
          final String file = round + "-" + i + ".json";
          progress.at((long) round * suspects.size() + i, key.shortName());
          if (round % 2 == 0) {
            old.run(key, settings, before.resolve(file));
            now.run(key, settings, after.resolve(file));
          } else {
            now.run(key, settings, after.resolve(file));
            old.run(key, settings, before.resolve(file));
          }
        }
      }
      return Comparison.of(
          new Results(before, comparison.old().run(), Results.read(before).measurements()),
          new Results(after, comparison.now().run(), Results.read(after).measurements()),
          comparison.threshold()
      );
    } catch (IOException e) {
      throw new ToolException(System.getProperty("java.io.tmpdir"), "no directory can be made here: " + e, "", e);
    }
  }
}
