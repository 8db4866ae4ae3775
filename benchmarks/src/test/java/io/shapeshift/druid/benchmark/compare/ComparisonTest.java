// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {
  private static final double THRESHOLD = 0.05;
  private static final int PAIRS = 500;
  private static final int RUNS = 40;
  private static final JmhResult SETTINGS = new JmhResult("A.read", "avgt", 1, List.of(), 1, "1 s", 5, "1 s", null,
      new JmhResult.Metric(1, "ns/op", null), Map.of());
  private static final List<double[]> TIMES = List.of(new double[]{10, 10}, new double[]{11, 11});

  @TempDir
  private Path directory;

  @Test
  void pairsAreOfTheSameBenchmarkAndParameters() {
    final Path old = results("old")
        .add("A.read", Map.of("encoding", "x", "selected", "1"), TIMES, null)
        .add("A.read", Map.of("encoding", "y", "selected", "1"), TIMES, null)
        .add("A.encode", Map.of("encoding", "x"), TIMES, null)
        .write();
    final Path now = results("new")
        .add("B.read", Map.of("encoding", "x", "selected", "1"), TIMES, null)
        .add("A.read", Map.of("selected", "1", "encoding", "x"), TIMES, null)
        .add("A.read", Map.of("encoding", "y", "selected", "0.1"), TIMES, null)
        .write();
    final Comparison comparison = compare(old, now);
    assertEquals(
        List.of("A.read encoding=x selected=1"),
        comparison.pairs().stream().map(pair -> pair.key().toString()).toList()
    );
    assertEquals(
        List.of("A.read encoding=y selected=1", "A.encode encoding=x"),
        comparison.onlyOld().stream().map(BenchmarkKey::toString).toList()
    );
    assertEquals(
        List.of("B.read encoding=x selected=1", "A.read encoding=y selected=0.1"),
        comparison.onlyNew().stream().map(BenchmarkKey::toString).toList()
    );
  }

  @Test
  void withoutAnyPairThereIsNothingToCompare() {
    final Path old = results("old").add("A.read", Map.of(), TIMES, null).write();
    final Path now = results("new").add("B.read", Map.of("encoding", "x"), TIMES, null).write();
    final String message = assertThrows(ToolException.class, () -> compare(old, now)).getMessage();
    assertTrue(
        message.contains("nothing was measured by both: the old has A.read, the new B.read encoding=x"),
        message
    );
  }

  @Test
  void meansAreGeometricAndByClassAndEncoding() {
    final TestResults old = results("old");
    final TestResults now = results("new");
    final List<double[]> ten = List.of(new double[]{10});
    add(old, now, "A.read", Map.of("encoding", "x"), ten, List.of(new double[]{20}));
    add(old, now, "A.read", Map.of("encoding", "y"), ten, List.of(new double[]{80}));
    add(old, now, "B.read", Map.of("encoding", "y"), ten, List.of(new double[]{5}));
    add(old, now, "B.build", Map.of(), ten, ten);
    final Comparison comparison = compare(old.write(), now.write());
    assertMeans(List.of("A 2 4.000", "B 2 0.707"), comparison.byBenchmark());
    assertMeans(List.of("x 1 2.000", "y 2 2.000"), comparison.byEncoding());
  }

  private static void assertMeans(List<String> expected, List<Comparison.Group> groups) {
    assertEquals(
        expected,
        groups.stream().map(group -> "%s %d %.3f".formatted(group.name(), group.pairs(), group.ratio())).toList()
    );
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void noiseIsRarelyTakenForSlower(int forks) {
    final Noise noise = new Noise(forks);
    int runsWithSlower = 0;
    long perhapsSlower = 0;
    for (int i = 0; i < RUNS; i++) {
      final Comparison comparison = simulate(noise, forks, 0, 1);
      runsWithSlower += comparison.count(Verdict.SLOWER) > 0 ? 1 : 0;
      perhapsSlower += comparison.count(Verdict.PERHAPS_SLOWER);
    }
    final String found = "slower in " + runsWithSlower + " of " + RUNS + " runs, perhaps slower " + perhapsSlower;
    // One run in twenty may have any; of pairs at the threshold itself 2.5 % would be perhaps slower.
    assertTrue(runsWithSlower <= 0.05 * RUNS, found);
    assertTrue(perhapsSlower <= 0.01 * RUNS * PAIRS, found);
  }

  @Test
  void oneForkUnderestimatesTheNoiseAndSaysSo() {
    final Comparison comparison = simulate(new Noise(1), 1, 0, 1);
    final long perhaps = comparison.count(Verdict.PERHAPS_SLOWER);
    assertTrue(perhaps > 4, () -> "several forks are no better: " + perhaps + " perhaps slower");
    assertTrue(
        comparison.warnings().stream().anyMatch(warning -> warning.contains("500 of 500 pairs have one fork")),
        () -> comparison.warnings().toString()
    );
  }

  @Test
  void oneThatTakesTwiceAsLongIsFoundAmongManyPairs() {
    final Comparison comparison = simulate(new Noise(1), 5, 1, 2);
    final Pair worst = comparison.pairs().get(0);
    assertEquals("0", worst.key().params().get("pair"));
    assertEquals(Verdict.SLOWER, worst.verdict());
    assertEquals(1, comparison.count(Verdict.SLOWER));
  }

  @Test
  void aFifthSlowerIsFoundWhereManyPairsAre() {
    final int slower = 100;
    final Comparison comparison = simulate(new Noise(1), 10, slower, 1.2);
    final List<Pair> found = comparison.pairs().stream().filter(pair -> pair.verdict() == Verdict.SLOWER).toList();
    final long right =
        found.stream().filter(pair -> Integer.parseInt(pair.key().params().get("pair")) < slower).count();
    assertTrue(right >= 70, () -> right + " of " + slower + " found");
    assertTrue(found.size() - right <= 5, () -> found.size() - right + " found that are none");
  }

  @Test
  void aFifthSlowerIsFoundInTheRerunOfOnePair() {
    final Noise noise = new Noise(1);
    int found = 0;
    for (int i = 0; i < 100; i++) {
      final List<List<double[]>> sides = noise.pair(10, 1.2);
      final Ratio ratio = Ratio.of(Sample.of(sides.get(0)), Sample.of(sides.get(1)), THRESHOLD);
      found += ratio.low() > 1 + THRESHOLD ? 1 : 0;
    }
    assertTrue(found >= 80, found + " of 100 found");
  }

  /** Of as many pairs as a run has, the first few are slower by the ratio, the others the same. */
  private static Comparison simulate(Noise noise, int forks, int slower, double ratio) {
    final Map<BenchmarkKey, Measurement> old = new LinkedHashMap<>();
    final Map<BenchmarkKey, Measurement> now = new LinkedHashMap<>();
    for (int i = 0; i < PAIRS; i++) {
      final List<List<double[]>> sides = noise.pair(forks, i < slower ? ratio : 1);
      final BenchmarkKey key = new BenchmarkKey("A.read", "avgt", new TreeMap<>(Map.of("pair", String.valueOf(i))));
      old.put(key, new Measurement(SETTINGS, sides.get(0), null));
      now.put(key, new Measurement(SETTINGS, sides.get(1), null));
    }
    return Comparison.of(
        new Results(Path.of("old"), null, old),
        new Results(Path.of("new"), null, now),
        THRESHOLD
    );
  }

  @Test
  void whatHasNoForksToTellIsNotNamed() {
    final TestResults old = results("old");
    final TestResults now = results("new");
    add(old, now, "A.read", Map.of(), List.of(new double[]{10}), List.of(new double[]{100}));
    final Pair pair = compare(old.write(), now.write()).pairs().get(0);
    assertEquals(Verdict.WITHIN_NOISE, pair.verdict());
    assertFalse(pair.isSuspect());
  }

  private TestResults results(String name) {
    return new TestResults(directory.resolve(name));
  }

  private static void add(
      TestResults old,
      TestResults now,
      String benchmark,
      Map<String, String> params,
      List<double[]> before,
      List<double[]> after
  ) {
    old.add(benchmark, params, before, null);
    now.add(benchmark, params, after, null);
  }

  private static Comparison compare(Path old, Path now) {
    return Comparison.of(Results.read(old), Results.read(now), THRESHOLD);
  }
}
