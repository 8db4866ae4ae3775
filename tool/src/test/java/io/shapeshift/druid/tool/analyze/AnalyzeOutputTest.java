// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.segment.SketchRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command prints. */
class AnalyzeOutputTest {
  @TempDir
  private Path folder;

  private Path segment(IndexSpec spec, Version version) {
    final IncrementalIndex rows = EveryColumn.inMemory(1, 1000);
    return TestSegments.persist(rows, folder.resolve("segment").toFile(), spec, version).toPath();
  }

  @Test
  void textNamesEveryColumnAndSumsThemUp() {
    final Path segment = segment(TestSegments.ALL_SHAPE_SHIFT, Version.V10);
    final String text = ToolInJvm.run("analyze", segment.toString(), "--no-speed").fine();
    assertTrue(text.startsWith(segment + ": version 10, 1,000 rows, " + Intervals.ETERNITY + ", "), text);
    for (String column : List.of("plain", "multi", "number", "unique", "json", "auto", "byPlain/withNulls")) {
      assertTrue(text.lines().anyMatch(line -> line.startsWith(column + " ")), column + " in " + text);
    }
    assertTrue(text.contains("The 22 columns of strings, numbers, complex types and nested data, of "), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("druid-lz4 +[0-9,]+ +1\\.000 .* 1\\.000")), text);
    assertTrue(text.lines().anyMatch(line -> line.startsWith("the whole segment ")), text);
    assertTrue(text.contains("\nBytes of objects of complex types as Druid stores them by default; "), text);
    final String header = "column +type +uncompressed +lz4 +smaller +fastbutsmallish +faster";
    assertTrue(text.lines().anyMatch(line -> line.matches(header)), text);
  }

  @Test
  void fieldsAreListedIfAskedFor() {
    final Path segment = segment(TestSegments.STOCK, Version.V10);
    final String without = ToolInJvm.run("analyze", segment.toString(), "--no-speed", "--columns", "json").fine();
    assertFalse(without.contains("$.b.c"), without);
    final String text =
        ToolInJvm.run("analyze", segment.toString(), "--no-speed", "--fields", "--columns", "json").fine();
    assertTrue(text.contains("\nFields of json: bytes today; "), text);
    final String header =
        "field +type +rows +values +bytes +druid-lz4 +zstd +uncompressed +smaller +fastbutsmallish +faster";
    assertTrue(text.lines().anyMatch(line -> line.matches(header)), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("\\$\\.b\\.c +STRING +1,000 +7 .*")), text);
  }

  @Test
  void columnsThatAreNotCountedAreNamed() {
    final Path segment = TestSegments.persist(
        SketchRows.inMemory(1), folder.resolve("segment").toFile(), TestSegments.STOCK, Version.V9).toPath();
    final String reason = "its type has a column of its own, which stays as it is";
    final String text = ToolInJvm.run("analyze", segment.toString(), "--no-speed", "--columns", "first,sum").fine();
    assertTrue(text.contains("\nNot counted: first, COMPLEX<serializablePairLongLong>: " + reason + "\n"), text);
    final List<String> csv = ToolInJvm.run(
        "analyze", segment.toString(), "--no-speed", "--csv", "--columns", "first").fine().lines().toList();
    assertEquals(2, csv.size());
    assertTrue(csv.get(0).contains(",notCounted,dictionaryCoding,textIndexBytes,"), csv.get(0));
    assertTrue(csv.get(1).endsWith(",\"" + reason + "\"" + ",".repeat(8)), csv.get(1));
  }

  @Test
  void csvHasARowForEachColumnAndEncoding() {
    final Path segment = segment(TestSegments.STOCK, Version.V9);
    final List<String> lines = ToolInJvm.run(
        "analyze", segment.toString(), "--no-speed", "--csv", "--columns", "plain,number").fine().lines().toList();
    assertTrue(
        lines.get(0).startsWith("segment,column,projection,type,auto,multiValue,rows,cardinality,storedAs,totalBytes,"),
        lines.get(0)
    );
    // Twice six and twice nine: the projection has both columns as well.
    assertEquals(1 + 6 + 6 + 9 + 9, lines.size());
    assertEquals(12, lines.stream().filter(line -> line.startsWith(segment + ",plain,")).count());
  }

  @Test
  void explanationsStandBehindTheTable() {
    final Path segment = segment(TestSegments.STOCK, Version.V9);
    final String text = ToolInJvm.run(
        "analyze", "--no-speed", "--explain-chunks", "--target", "SMALLER", "--columns=constant", segment.toString()
    ).fine();
    assertTrue(text.lines().anyMatch(line -> line.matches("constant +zero +1\\.000 .* wins every chunk")), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("constant +ids +0 +0 +1,000 +0 +0 +1 +zero +1")), text);
    assertTrue(
        text.lines().anyMatch(line -> line.matches("constant +ids +0 +1,000 +form +zero +zero 1 \\(unbeatable\\); .*")),
        text
    );
    final List<String> csv = ToolInJvm.run(
        "analyze", "--no-speed", "--explain-chunks", "--csv", "--columns=constant", segment.toString()
    ).fine().lines().toList();
    assertTrue(csv.get(0).startsWith("column,part,question,firstValue,numValues,answer,candidate,outcome,bytes,"),
        csv.get(0));
    assertTrue(csv.contains("constant,ids,form,0,1000,zero,zero,possible,1,1.0,,,,,,,unbeatable"), csv::toString);
    assertTrue(
        csv.contains("constant,ids,codec,0,1000,read directly,lz4,not_asked,,,,,,,,,too little to compress"),
        csv::toString
    );
  }

  @Test
  void segmentsOfEarlierLayoutsAreRead() throws IOException {
    final Path nestedV3 = DruidArtifacts.nestedV3(folder.resolve("all/v3"));
    final Path nestedV4 = DruidArtifacts.nestedV4(folder.resolve("all/v4"));
    final Path emptyFieldName = DruidArtifacts.emptyFieldName(folder.resolve("all/v5"));
    final Path fromV8 = DruidArtifacts.fromV8(folder.resolve("all/v8"));
    final Path damaged = DruidArtifacts.damaged(folder.resolve("all/v9"));
    final JsonNode analysis = new ObjectMapper().readTree(
        ToolInJvm.run("analyze", folder.resolve("all").toString(), "--no-speed", "--json").fine());
    assertEquals(
        List.of(nestedV3.toString(), nestedV4.toString(), emptyFieldName.toString(), fromV8.toString(),
            damaged.toString()),
        analysis.path("segments").findValuesAsText("path")
    );
    assertEquals(List.of("5", "1", "2", "6", "1"), List.of(
        analysis.path("segments").path(0).path("rows").asText(),
        analysis.path("segments").path(1).path("rows").asText(),
        analysis.path("segments").path(2).path("rows").asText(),
        analysis.path("segments").path(3).path("rows").asText(),
        analysis.path("segments").path(4).path("rows").asText()
    ));
    assertEquals(List.of(), analysis.findValuesAsText("problem"));
    assertEquals(19, analysis.path("totals").path("columns").asInt());
  }
}
