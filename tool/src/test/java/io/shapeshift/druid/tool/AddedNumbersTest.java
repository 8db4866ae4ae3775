// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.select.InstalledEncodings;
import io.shapeshift.druid.testing.ModularInts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool reads numbers in a frame around an encoding of another jar, with the jar and without it. */
@SuppressWarnings("try") // Encodings are installed while a block runs.
class AddedNumbersTest {
  private static final String MODULAR = "test.modular";

  @TempDir
  private Path folder;

  @Test
  void inspectNamesTheEncodingWithoutTheJar() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new LongDimensionSchema("number"))))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, 20_000).<Map<String, Object>>mapToObj(i -> Map.of(
        "time", DateTimes.utc(1000L * i).toString(),
        "number", 100L + 3L * (i * ModularInts.STEP % ModularInts.MODULUS)
    )).toList();
    final String segment;
    final ToolProcess.Result with;
    try (InstalledEncodings installed = InstalledEncodings.of(new ModularInts(MODULAR))) {
      segment = TestSegments.persist(
          TestSegments.rowsInMemory(schema, rows),
          folder.resolve("segment").toFile(),
          TestSegments.ALL_SHAPE_SHIFT,
          Version.V10
      ).toString();
      with = ToolInJvm.run("inspect", "--chunks", segment);
    }
    assertTrue(with.out().contains("linear-" + MODULAR), with.out());
    final ToolProcess.Result without = ToolInJvm.run("inspect", "--chunks", segment);
    assertEquals(0, without.exitCode(), without.out());
    assertEquals(with.out(), without.out());
  }
}
