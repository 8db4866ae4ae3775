// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
  void namesTheMissingJar() {
    TextCodings.install(List.of());
    for (String command : List.of("inspect", "verify")) {
      final ToolProcess.Result all = ToolInJvm.run(command, segment);
      assertNotEquals(0, all.exitCode());
      assertSays("encoding[test.checked]", all);
      final ToolProcess.Result others = ToolInJvm.run(command, "--columns", "word", segment);
      assertEquals(0, others.exitCode(), others.out() + others.err());
    }
  }
}
