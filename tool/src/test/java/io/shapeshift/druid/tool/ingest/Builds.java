// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.tool.segment.Druid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexCursorFactory;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.nested.StructuredData;
import picocli.CommandLine;

/** Runs the command within the test, and reads back what it made. */
final class Builds {
  private Builds() {}

  /** Builds, and returns what was printed. */
  static String build(Path input, Path out, String... options) {
    return build(new StringWriter(), input, out, options);
  }

  /** Builds, and returns what was printed; warnings go to another writer. */
  static String build(StringWriter warnings, Path input, Path out, String... options) {
    final BuildCommand command = new BuildCommand();
    final StringWriter printed = new StringWriter();
    final CommandLine line = new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false)
        .setOut(new PrintWriter(printed))
        .setErr(new PrintWriter(warnings, true));
    line.parseArgs(Stream.concat(
        Stream.of("--input", input.toString(), "--out", out.toString()),
        Arrays.stream(options)
    ).toArray(String[]::new));
    command.call();
    return printed.toString();
  }

  /** The command line of the whole tool that builds a segment. */
  static String[] commandLine(Path input, Path out, String... options) {
    return Stream.concat(
        Stream.of("build", "--input", input.toString(), "--out", out.toString()),
        Arrays.stream(options)
    ).toArray(String[]::new);
  }

  /** Asserts that nothing else is in a directory of outputs. */
  static void assertMade(Path outputs, Path... expected) throws IOException {
    try (Stream<Path> files = Files.list(outputs)) {
      assertEquals(List.of(expected), files.toList());
    }
  }

  /** Compresses bytes as files with this suffix are. */
  static byte[] compress(String suffix, byte[] bytes) throws IOException {
    final ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = suffix.equals("gz")
                            ? new GZIPOutputStream(compressed)
                            : new BZip2CompressorOutputStream(compressed)) {
      out.write(bytes);
    }
    return compressed.toByteArray();
  }

  /** The segment as Druid loads it. */
  static QueryableIndex open(Path segment) throws IOException {
    return Druid.instance(IndexIO.class).loadIndex(segment.toFile());
  }

  /** All rows of a segment, as a query sees them. */
  static List<Map<String, Object>> rows(Path segment) throws IOException {
    try (QueryableIndex index = open(segment)) {
      return rows(index, new QueryableIndexCursorFactory(index));
    }
  }

  /** All rows of a segment's projection. */
  static List<Map<String, Object>> rows(Path segment, String projection) throws IOException {
    try (QueryableIndex index = open(segment)) {
      final QueryableIndex table = index.getProjectionQueryableIndex(projection);
      return rows(table, new QueryableIndexCursorFactory(table));
    }
  }

  private static List<Map<String, Object>> rows(QueryableIndex index, QueryableIndexCursorFactory cursors) {
    final List<String> names = new ArrayList<>(List.of(ColumnHolder.TIME_COLUMN_NAME));
    names.addAll(index.getColumnNames());
    final List<Map<String, Object>> rows = new ArrayList<>();
    try (CursorHolder holder = cursors.makeCursorHolder(CursorBuildSpec.FULL_SCAN)) {
      final Cursor cursor = holder.asCursor();
      final ColumnSelectorFactory columns = cursor.getColumnSelectorFactory();
      for (; !cursor.isDone(); cursor.advance()) {
        final Map<String, Object> row = new LinkedHashMap<>();
        for (String name : names) {
          row.put(name, StructuredData.unwrap(columns.makeColumnValueSelector(name).getObject()));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** The values of a column, from the first row to the last. */
  static List<Object> values(Path segment, String column) throws IOException {
    final List<Object> values = new ArrayList<>();
    rows(segment).forEach(row -> values.add(row.get(column)));
    return values;
  }

  /** The types of a segment's columns, as Druid names them, by their names. */
  static Map<String, String> types(Path segment) throws IOException {
    try (QueryableIndex index = open(segment)) {
      final Map<String, String> types = new LinkedHashMap<>();
      for (String name : index.getColumnNames()) {
        types.put(name, index.getColumnHolder(name).getCapabilities().asTypeString());
      }
      return types;
    }
  }
}
