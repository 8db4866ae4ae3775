// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.druid.java.util.common.Intervals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code analyze} as a process. */
class AnalyzeIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> ENCODINGS = List.of(
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "druid-auto-lz4",
      "druid-auto-zstd",
      "druid-auto-uncompressed",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  );

  private static final List<String> FILTERS = List.of("equality", "range", "in", "prefix");

  @TempDir
  private Path folder;

  /** The shape that is promised to programs. */
  @Test
  void jsonHasItsShape() throws IOException {
    final Path segment = TestSegments.persist(
        EveryColumn.inMemory(1, 3000), folder.resolve("segment").toFile(), TestSegments.STOCK, Version.V9).toPath();
    final JsonNode analysis = JSON.readTree(
        ToolProcess.run("analyze", segment.toString(), "--json", "--columns", "plain,multi,number,real,unique").fine());
    final JsonNode first = analysis.path("segments").path(0);
    assertEquals(segment.toString(), first.path("path").asText());
    assertEquals(3000, first.path("rows").asInt());
    assertEquals(Intervals.ETERNITY.toString(), first.path("interval").asText());
    // And the projection's plain and number.
    assertEquals(7, first.path("columns").size());
    for (JsonNode column : first.path("columns")) {
      assertEquals(
          List.of("total", "dictionary", "values", "index", "other"),
          ImmutableList.copyOf(column.path("bytes").fieldNames())
      );
      assertEquals(
          switch (column.path("type").asText()) {
            case "LONG" -> ENCODINGS;
            default -> ENCODINGS.stream().filter(name -> !name.startsWith("druid-auto-")).toList();
          },
          ImmutableList.copyOf(column.path("encodings").fieldNames())
      );
      if (column.path("type").asText().equals("COMPLEX<hyperUnique>")) {
        assertEquals(
            column.path("bytes").path("total").asLong(), column.path("objects").path("uncompressed").asLong());
        assertTrue(column.path("encodings").path("shapeshift-smaller").path("scanNsPerRow").isMissingNode());
        continue;
      }
      final boolean isMulti = column.path("name").asText().equals("multi");
      assertEquals(isMulti, column.path("multiValue").asBoolean());
      for (JsonNode encoding : column.path("encodings")) {
        assertTrue(encoding.path("bytes").asLong() > 0);
        assertEquals(
            encoding.path("bytes").asLong() + encoding.path("indexBytes").asLong()
                + encoding.path("dictionaryBytes").asLong() + column.path("bytes").path("other").asLong(),
            encoding.path("totalBytes").asLong()
        );
        assertTrue(encoding.path("scanNsPerRow").asDouble() > 0);
        assertEquals(
            List.of("0.001", "0.01", "0.1", "1.0"),
            ImmutableList.copyOf(encoding.path("selectNsPerRow").fieldNames())
        );
        encoding.path("selectNsPerRow").forEach(nanos -> assertTrue(nanos.asDouble() > 0, column::toString));
        assertEquals(
            ImmutableList.copyOf(column.path("filters").fieldNames()),
            ImmutableList.copyOf(encoding.path("filterNs").fieldNames())
        );
        encoding.path("filterNs").forEach(nanos -> assertTrue(nanos.asDouble() > 0, column::toString));
      }
      // All of Druid's have the same index.
      assertEquals(
          column.path("encodings").path("druid-lz4").path("filterNs"),
          column.path("encodings").path("druid-zstd").path("filterNs")
      );
      assertEquals(
          column.path("type").asText().equals("STRING"),
          FILTERS.equals(ImmutableList.copyOf(column.path("filters").fieldNames())),
          column::toString
      );
      for (JsonNode form : column.path("encodings").path("shapeshift-smaller").path("forms")) {
        assertEquals(List.of("chunks", "bytes"), ImmutableList.copyOf(form.fieldNames()));
      }
    }
    assertEquals(
        ENCODINGS,
        ImmutableList.copyOf(analysis.path("totals").path("encodings").fieldNames())
    );
    for (JsonNode total : List.of(analysis.path("totals").path("encodings"), first.path("encodings"))) {
      assertEquals(
          List.of("bytes", "indexBytes", "dictionaryBytes", "totalBytes", "segmentBytes"),
          ImmutableList.copyOf(total.path("druid-lz4").fieldNames())
      );
    }
    assertTrue(analysis.path("totals").path("encodings").path("druid-lz4").path("bytes").asLong() > 0);
  }
}
