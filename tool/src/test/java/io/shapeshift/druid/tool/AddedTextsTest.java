// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool names the encodings of texts of other jars, with the jar and without it. */
class AddedTextsTest {
  @TempDir
  private Path folder;
  private String segment;

  @BeforeEach
  void write() {
    TextCodings.install(List.of(AddedTexts.of(new CheckedTexts())));
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new StringDimensionSchema("key"), new StringDimensionSchema("word"))))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, 3000).<Map<String, Object>>mapToObj(i -> Map.of(
        "time", DateTimes.utc(i).toString(),
        "key", CheckedTexts.withChecksum(Integer.toHexString(i * 0x9E3779B9 >>> 8)),
        "word", "word " + i % 70
    )).toList();
    segment = TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows),
        folder.resolve("segment").toFile(),
        TestSegments.ALL_SHAPE_SHIFT,
        Version.V10
    ).toString();
  }

  @AfterEach
  void uninstall() {
    TextCodings.install(List.of());
  }

  private static void assertSays(String what, ToolProcess.Result result) {
    assertTrue(result.out().contains(what), result.out() + result.err());
  }

  @Test
  void namesTheEncoding() {
    assertSays("test.checked", ToolInJvm.run("inspect", segment));
    for (String command : List.of("inspect", "verify")) {
      assertEquals(0, ToolInJvm.run(command, segment).exitCode());
    }
    assertEquals(0, ToolInJvm.run("analyze", "--no-speed", segment).exitCode());
  }

  @Test
  void theTableOfDictionariesNamesTheCodings() {
    final String text = ToolInJvm.run("analyze", "--no-speed", segment).out();
    assertTrue(text.lines().anyMatch(line -> line.matches("column +cardinality +our codings +utf8 .*")), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("key +3,000 +test.checked.*")), text);
    final String json = ToolInJvm.run("analyze", "--no-speed", "--json", "--columns", "key", segment).out();
    assertEquals(3, json.split("\"dictionaryCoding\" ?: ?\"test.checked\"", -1).length - 1, json);
    final List<String> csv =
        ToolInJvm.run("analyze", "--no-speed", "--csv", "--columns", "key", segment).out().lines().toList();
    assertTrue(csv.get(0).contains(",dictionaryCoding,"), csv.get(0));
    assertEquals(3, csv.stream().filter(line -> line.contains(",test.checked,")).count(), csv::toString);
  }

  /** Ids, index and the size of the dictionary are read without it. */
  @Test
  void inspectsWithoutTheJar() {
    final String with = ToolInJvm.run("inspect", "--chunks", segment).out();
    TextCodings.install(List.of());
    final ToolProcess.Result without = ToolInJvm.run("inspect", "--chunks", segment);
    assertEquals(0, without.exitCode(), without.err());
    assertEquals(with, without.out());
  }

  /** A jar that is missing is no damage. */
  @Test
  void namesTheMissingJar() {
    TextCodings.install(List.of());
    final String toDo = "it is stored in encoding[test.checked], which no extension of this process has. Install the"
        + " extension whose jar has the encoding: on a service name it in druid.extensions.loadList, for the"
        + " command-line tool in --extension";
    final ToolProcess.Result verified = ToolInJvm.run("verify", segment);
    assertEquals(3, verified.exitCode());
    assertSays(toDo, verified);
    assertTrue(verified.out().lines().anyMatch(line -> line.matches("key +STRING +0 +not readable here +.*")));
    assertTrue(verified.out().endsWith("not readable here: 1 column" + System.lineSeparator()), verified.out());
    assertSays("\"not readable here\"", ToolInJvm.run("verify", "--json", segment));
    final ToolProcess.Result analyzed = ToolInJvm.run("analyze", "--no-speed", segment);
    assertEquals(1, analyzed.exitCode());
    assertSays(toDo, analyzed);
    final ToolProcess.Result converted = ToolInJvm.run(
        "convert", segment, "--strategy", "compression", "--out", folder.resolve("converted").toString());
    assertEquals(3, converted.exitCode(), converted.err());
    assertEquals(1, converted.err().lines().count(), converted.err());
    assertTrue(converted.err().endsWith(toDo + System.lineSeparator()), converted.err());
    for (ToolProcess.Result each : List.of(verified, analyzed, converted)) {
      assertFalse((each.out() + each.err()).contains("damaged"), each.out() + each.err());
    }
    final ToolProcess.Result others = ToolInJvm.run("verify", "--columns", "word", segment);
    assertEquals(0, others.exitCode(), others.out() + others.err());
  }
}
