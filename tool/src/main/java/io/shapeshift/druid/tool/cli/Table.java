// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import com.opencsv.CSVWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.annotation.Nullable;

/** Table with a header, printed as aligned text for people or as CSV (RFC 4180) for programs. */
public final class Table {
  private static final String GAP = "  ";

  private final List<String> header;
  private final List<List<Cell>> rows = new ArrayList<>();

  /** Creates a table without rows. */
  public Table(String... header) {
    this.header = List.of(header);
  }

  /** Value of a cell, formatted for people and for programs. */
  private record Cell(String text, String csv, boolean alignRight) {
    static Cell of(@Nullable Object value) {
      if (value == null) {
        return new Cell("", "", false);
      }
      if (value instanceof Number number) {
        return new Cell(Numbers.text(number), Numbers.csv(number), true);
      }
      if (value instanceof Numbers.Rough rough) {
        return new Cell(rough.toString(), Numbers.csv(rough.value()), true);
      }
      final String text = value.toString();
      return new Cell(text.codePoints().map(c -> Character.isISOControl(c) ? '\uFFFD' : c)
                          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                          .toString(), text, false);
    }
  }

  /**
   * Appends a row.
   *
   * @param values one value per column: a number, which is aligned to the right; null for an empty cell; or any other
   *     object, printed by its {@code toString}
   */
  public void add(Object... values) {
    if (values.length != header.size()) {
      throw new IllegalArgumentException(values.length + " values for " + header.size() + " columns");
    }
    rows.add(Arrays.stream(values).map(Cell::of).toList());
  }

  /** Number of rows without the header. */
  public int size() {
    return rows.size();
  }

  /**
   * Formats the table as text, with columns as wide as their widest value. Every line ends with a line feed. Empty
   * without rows.
   */
  public String toText() {
    if (rows.isEmpty()) {
      return "";
    }
    final int[] widths = new int[header.size()];
    final boolean[] right = new boolean[header.size()];
    Arrays.setAll(widths, i -> Math.max(length(header.get(i)),
        rows.stream().mapToInt(row -> length(row.get(i).text)).max().orElse(0)));
    IntStream.range(0, right.length).forEach(i -> right[i] = rows.stream().anyMatch(row -> row.get(i).alignRight));
    return line(header, widths, right) + rows.stream()
        .map(row -> line(row.stream().map(Cell::text).toList(), widths, right))
        .collect(Collectors.joining());
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String line(List<String> values, int[] widths, boolean[] right) {
    final StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      final String padding = " ".repeat(widths[i] - length(values.get(i)));
      line.append(i == 0 ? "" : GAP)
          .append(right[i] ? padding : "")
          .append(values.get(i))
          .append(right[i] ? "" : padding);
    }
    return line.toString().stripTrailing() + System.lineSeparator();
  }

  /** Formats the table as CSV, with the header first. */
  public String toCsv() {
    final StringWriter out = new StringWriter();
    try (CSVWriter csv = new CSVWriter(out)) {
      csv.writeNext(header.toArray(String[]::new), false);
      for (List<Cell> row : rows) {
        csv.writeNext(row.stream().map(Cell::csv).toArray(String[]::new), false);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }
}
