// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the command has found, as people read it. */
final class OutcomeText {
  /** More than these are counted only. */
  private static final int MAX_UNPAIRED = 10;
  /** Share of 95 % intervals that are wholly above the truth. */
  private static final double ONE_SIDED = 0.025;

  private final StringBuilder out = new StringBuilder();

  private OutcomeText() {}

  static String of(Outcome outcome) {
    final OutcomeText text = new OutcomeText();
    text.addHead(outcome.comparison());
    text.addTimes(outcome.comparison());
    text.addSizes(outcome.comparison());
    text.addMeans("benchmark", outcome.comparison().byBenchmark());
    text.addMeans("encoding", outcome.comparison().byEncoding());
    text.addUnpaired("old", outcome.comparison().onlyOld());
    text.addUnpaired("new", outcome.comparison().onlyNew());
    text.addSum(outcome.comparison());
    if (outcome.again() != null) {
      text.line("");
      text.line("Measured again, old and new in turns; only what is slower here counts:");
      text.add(times(outcome.again().pairs()));
      text.line("");
      text.line(Numbers.count(outcome.again().pairs().size(), "pair") + " measured again: "
          + outcome.again().count(Verdict.SLOWER) + " confirmed slower");
    }
    return text.out.toString();
  }

  private void addHead(Comparison comparison) {
    line("old: " + comparison.old().path() + describe(comparison.old()));
    line("new: " + comparison.now().path() + describe(comparison.now()));
    comparison.warnings().forEach(warning -> line("WARNING: " + warning));
    line("");
  }

  private static String describe(Results side) {
    return side.run() == null ? "" : "; " + side.run();
  }

  private void addTimes(Comparison comparison) {
    final List<Pair> changed = comparison.pairs().stream()
                                         .filter(pair -> pair.verdict() != Verdict.WITHIN_NOISE).toList();
    if (!changed.isEmpty()) {
      line("Times, new / old with its 95 % interval:");
      add(times(changed));
      line("");
    }
  }

  private static Table times(List<Pair> pairs) {
    final Table table = new Table("verdict", "ratio", "from", "to", "old ns", "new ns", "benchmark", "parameters");
    for (Pair pair : pairs) {
      table.add(
          pair.verdict(), pair.ratio().value(), pair.ratio().low(), pair.ratio().high(),
          new Numbers.Rough(pair.old().nanos()), new Numbers.Rough(pair.now().nanos()),
          pair.key().shortName(), pair.key().paramsText()
      );
    }
    return table;
  }

  private record Sizes(long before, long after) {
    double ratio() {
      return (double) after / before;
    }
  }

  /** A column is read in many ways; its size is told once, with the parameters that all of them have. */
  private void addSizes(Comparison comparison) {
    final Map<Sizes, List<Pair>> bySizes = new LinkedHashMap<>();
    comparison.pairs().stream().filter(Pair::hasOtherSize).forEach(pair -> bySizes
        .computeIfAbsent(new Sizes(pair.before().sizeInBytes(), pair.after().sizeInBytes()), sizes -> new ArrayList<>())
        .add(pair));
    if (bySizes.isEmpty()) {
      return;
    }
    final Table table = new Table("verdict", "ratio", "old bytes", "new bytes", "pairs", "parameters");
    bySizes.entrySet().stream()
           .sorted(Comparator.comparing(entry -> -entry.getKey().ratio()))
           .forEach(entry -> table.add(
               entry.getKey().ratio() > 1 ? "larger" : "smaller", entry.getKey().ratio(),
               entry.getKey().before(), entry.getKey().after(), entry.getValue().size(), common(entry.getValue())
           ));
    line("Sizes:");
    add(table);
    line("");
  }

  private static String common(List<Pair> pairs) {
    final BenchmarkKey first = pairs.get(0).key();
    final Map<String, String> common = new TreeMap<>(first.params());
    pairs.forEach(pair -> common.entrySet().retainAll(pair.key().params().entrySet()));
    return new BenchmarkKey(first.benchmark(), first.mode(), new TreeMap<>(common)).paramsText();
  }

  private void addMeans(String name, List<Comparison.Group> groups) {
    final Table table = new Table(name, "pairs", "geometric mean of ratios");
    groups.forEach(group -> table.add(group.name(), group.pairs(), group.ratio()));
    if (table.size() > 0) {
      add(table);
      line("");
    }
  }

  private void addUnpaired(String side, List<BenchmarkKey> keys) {
    if (keys.isEmpty()) {
      return;
    }
    line("Only in " + side + ": " + Numbers.count(keys.size(), "measurement"));
    keys.stream().limit(MAX_UNPAIRED).forEach(key -> line("  " + key));
    if (keys.size() > MAX_UNPAIRED) {
      line("  ...");
    }
    line("");
  }

  private void addSum(Comparison comparison) {
    final List<Pair> pairs = comparison.pairs();
    line(Numbers.count(pairs.size(), "pair") + ": "
        + comparison.count(Verdict.SLOWER) + " slower, "
        + comparison.count(Verdict.PERHAPS_SLOWER) + " perhaps slower, "
        + comparison.count(Verdict.PERHAPS_FASTER) + " perhaps faster, "
        + comparison.count(Verdict.FASTER) + " faster, each beyond the threshold of " + comparison.threshold() + "; "
        + pairs.stream().filter(Pair::isLarger).count() + " larger");
    if (comparison.count(Verdict.PERHAPS_SLOWER) > 0) {
      line("Chance alone may make up to " + Numbers.text((long) Math.ceil(pairs.size() * ONE_SIDED))
          + " of as many pairs perhaps slower; --rerun settles it.");
    }
  }

  private void add(Table table) {
    out.append(table.toText());
  }

  private void line(String line) {
    out.append(line).append(System.lineSeparator());
  }
}
