// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.collect.ImmutableList;
import io.shapeshift.druid.fuzz.FuzzTarget;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;

/** The tables that {@code build} makes segments of: types are inferred from all rows, and then all rows are read. */
enum InputTarget implements FuzzTarget {
  CSV(
      "a,b\n1,x\n2.5,\n\"\",\"say \"\"hi\"\"\"\n",
      "\uFEFFtime,n\r\n2026-01-01,\"1\r\n2\"\r\n",
      "n\n9223372036854775807\n-0.0\n1e308\nNaN\n"
  ),
  TSV("a\tb\n\"x\t\"\"\n\t,\n", "n\n1\n"),
  TEXT("a|b\n\"x|\\|\\\\\\\n1|;|\n", "n\n1\n"),
  JSON(
      "{\"a\": 1, \"b\": \"x\"}\n\n{\"a\": 2.5, \"c\": [1, null, \"y\"]}\n",
      "{\"nested\": {\"k\": [true, {\"l\": null}]}, \"big\": 18446744073709551616}\n"
  );

  private final ImmutableList<String> examples;

  InputTarget(String... examples) {
    this.examples = ImmutableList.copyOf(examples);
  }

  @Override
  public List<byte[]> seeds() {
    return examples.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  @Override
  public Object read(ByteBuffer input) throws IOException {
    final Path file = Files.createTempFile("input", "." + name());
    try {
      final byte[] bytes = new byte[input.remaining()];
      input.get(bytes);
      Files.write(file, bytes);
      return rows(file);
    } finally {
      Files.delete(file);
    }
  }

  private List<Map<String, Object>> rows(Path file) throws IOException {
    final List<Map<String, Object>> rows = new ArrayList<>();
    final InputTable table = new InputTable(file, InputTable.Format.valueOf(name()), this == TEXT ? ';' : '|', null);
    final TableSchema schema;
    try (Progress progress = new Progress(0)) {
      schema = TableSchema.of(table, null, SchemaSpec.INFERRED, 9, progress);
    }
    try (InputRows all = new InputRows(schema)) {
      for (@Nullable InputRow row = all.next(); row != null; row = all.next()) {
        final Map<String, Object> values = new TreeMap<>();
        for (String dimension : row.getDimensions()) {
          values.put(dimension, row.getRaw(dimension));
        }
        rows.add(values);
      }
    }
    return rows;
  }

  @Override
  public boolean isRefusal(Exception e) {
    return e instanceof ToolException;
  }

}
