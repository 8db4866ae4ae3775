// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.encoding.FormUsage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;

/**
 * What {@code scripts/quickstart} ends with: the sizes of the segments that Druid has left, column by column. Exits
 * with 0 only if the columns of one are Druid's own in LZ4, and those of the other, with the same values, all of ours.
 */
public final class QuickstartSizes {
  private final Path stockSegment;
  private final Path shapeShiftingSegment;
  private final List<String> problems = new ArrayList<>();

  private QuickstartSizes(Path stockSegment, Path shapeShiftingSegment) {
    this.stockSegment = stockSegment;
    this.shapeShiftingSegment = shapeShiftingSegment;
  }

  /**
   * Runs it.
   *
   * @param args the directories of the segments: that of Druid's own columns, and the shape-shifting one
   */
  public static void main(String[] args) {
    QuickstartSizes sizes = new QuickstartSizes(Path.of(args[0]), Path.of(args[1]));
    sizes.run();
    sizes.problems.forEach(problem -> System.out.println("FAILED: " + problem));
    System.out.println(sizes.problems.isEmpty() ? "All of it holds" : "Not all of it holds");
    System.exit(sizes.problems.isEmpty() ? 0 : 1);
  }

  private void run() {
    List<ColumnLayout> stock = ColumnLayout.readAll(stockSegment.toFile());
    List<ColumnLayout> shapeShifting = ColumnLayout.readAll(shapeShiftingSegment.toFile());
    checkEncoding(stockSegment, stock, "lz4");
    checkEncoding(shapeShiftingSegment, shapeShifting, "shapeshift");
    checkIndexesAndDictionaries(shapeShifting);
    print(stock, shapeShifting);
  }

  private void checkEncoding(Path segment, List<ColumnLayout> columns, String encoding) {
    if (columns.isEmpty()) {
      problems.add(segment + " has no columns");
    }
    for (ColumnLayout column : columns) {
      if (!column.encoding().equals(encoding)) {
        problems.add(segment + ": " + column.name() + " is " + column.encoding() + " instead of " + encoding);
      }
    }
  }

  private void checkIndexesAndDictionaries(List<ColumnLayout> columns) {
    for (ColumnLayout column : columns) {
      if (column.indexEncoding() != null && !column.indexEncoding().equals("shapeshift")) {
        problems.add("the index of " + column.name() + " is " + column.indexEncoding());
      }
      if (column.dictionaryEncoding() != null && !column.dictionaryEncoding().startsWith("shapeshift")) {
        problems.add("the dictionary of " + column.name() + " is " + column.dictionaryEncoding());
      }
    }
  }

  private void print(List<ColumnLayout> stock, List<ColumnLayout> shapeShifting) {
    Map<String, ColumnLayout> byName =
        stock.stream().collect(Collectors.toMap(ColumnLayout::name, column -> column));
    System.out.println();
    System.out.println("Bytes of rows (dictionary ids or numbers), of indexes, of texts and of whole columns, in "
        + "Druid's own columns and shape-shifting");
    printRow(
        "column", "type", "cardinality", "rows", "now", "ratio", "index", "now", "ratio", "texts", "now", "ratio",
        "all", "now", "ratio"
    );
    Sizes stockTotal = new Sizes(0, 0, 0, 0);
    Sizes total = stockTotal;
    for (ColumnLayout column : shapeShifting) {
      ColumnLayout before = byName.get(column.name());
      if (before == null
          || before.rows() != column.rows()
          || !Objects.equals(before.cardinality(), column.cardinality())) {
        problems.add("Not the same column: " + before + " and " + column);
        continue;
      }
      printSizes(column.name(), column.type(), column.cardinality(), Sizes.of(before), Sizes.of(column));
      stockTotal = stockTotal.plus(Sizes.of(before));
      total = total.plus(Sizes.of(column));
    }
    printSizes("all columns", "", null, stockTotal, total);
    printSizes(
        "whole segment",
        "",
        null,
        stockTotal.ofAll(FileUtils.sizeOfDirectory(stockSegment.toFile())),
        total.ofAll(FileUtils.sizeOfDirectory(shapeShiftingSegment.toFile()))
    );
    System.out.println();
    System.out.println("Chunks of each form, of the rows and of the index; and what the texts are stored as");
    for (ColumnLayout column : shapeShifting) {
      System.out.printf(
          Locale.ROOT,
          "%-16s %-40s  %-50s  %s%n",
          column.name(),
          text(column.forms()),
          text(column.indexForms()),
          column.dictionaryEncoding() == null ? "" : column.dictionaryEncoding()
      );
    }
    System.out.println();
  }

  private static String text(Map<String, FormUsage> forms) {
    return forms.entrySet().stream()
        .map(form -> form.getKey() + " " + form.getValue().chunks())
        .collect(Collectors.joining(", "));
  }

  /** Bytes of rows, indexes, dictionaries, and all. */
  private record Sizes(long rows, long index, long texts, long all) {
    static Sizes of(ColumnLayout column) {
      return new Sizes(
          column.valueBytes(),
          column.indexBytes(),
          column.dictionaryBytes(),
          column.dictionaryBytes() + column.valueBytes() + column.indexBytes()
      );
    }

    Sizes plus(Sizes other) {
      return new Sizes(rows + other.rows, index + other.index, texts + other.texts, all + other.all);
    }

    Sizes ofAll(long bytes) {
      return new Sizes(rows, index, texts, bytes);
    }
  }

  private static void printSizes(String name, String type, @Nullable Integer cardinality, Sizes stock, Sizes now) {
    printRow(
        name,
        type,
        cardinality == null ? "" : cardinality,
        stock.rows, now.rows, ratio(now.rows, stock.rows),
        stock.index, now.index, ratio(now.index, stock.index),
        stock.texts, now.texts, ratio(now.texts, stock.texts),
        stock.all, now.all, ratio(now.all, stock.all)
    );
  }

  private static void printRow(Object... cells) {
    System.out.printf(Locale.ROOT, "%-16s %-7s %11s %9s %9s %6s %9s %9s %6s %9s %9s %6s %9s %9s %6s%n", cells);
  }

  private static String ratio(long bytes, long stockBytes) {
    return stockBytes == 0 ? "" : String.format(Locale.ROOT, "%.3f", (double) bytes / stockBytes);
  }
}
