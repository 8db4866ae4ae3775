// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that are fine are found fine, and damage is told of, wherever it is. */
@ExtendWith(RandomData.Seeded.class)
class VerifyTest {
  @TempDir
  private Path folder;

  private Path persist(int hour, int count, String name, IndexSpec spec, Version version) {
    final File segment = folder.resolve(name).toFile();
    return TestSegments.persist(EveryColumn.inMemory(hour, count), segment, spec, version).toPath();
  }

  private static VerifiedSegment check(Path path) {
    try (Segment segment = new SegmentLocation(path).open()) {
      return SegmentVerifier.check(segment, column -> true);
    }
  }

  private static VerifiedSegment compare(Path first, Path second) {
    try (Segment a = Segment.open(first); Segment b = Segment.open(second)) {
      return SegmentVerifier.compare(a, b, column -> true);
    }
  }

  static Stream<Arguments> versionsAndSpecs() {
    return Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, TestSegments.STOCK),
        Arguments.of(version, TestSegments.SHAPE_SHIFT)
    ));
  }

  @ParameterizedTest
  @MethodSource("versionsAndSpecs")
  void aSegmentIsFine(Version version, IndexSpec spec) {
    final VerifiedSegment verified = check(persist(1, 5000, "segment", spec, version));
    assertNull(verified.firstProblem());
    verified.columns().forEach(column -> {
      assertEquals(Status.FINE, column.status(), column.name());
      assertTrue(column.projection() != null || column.rows() == 5000, column.name());
    });
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void theSameRowsAreTheSameHoweverTheyAreStored(Version version) {
    final Path stock = persist(1, 5000, "stock", TestSegments.STOCK, version);
    final Path ours = persist(1, 5000, "ours", TestSegments.SHAPE_SHIFT, version);
    assertNull(compare(stock, ours).firstProblem());
    assertNull(compare(ours, stock).firstProblem());
  }

  /** The first difference of each column, with the place of both values, and nothing of all other columns. */
  @Test
  void differencesAreToldOfByColumn() {
    final List<Map<String, Object>> rows = EveryColumn.rows(1, 5000);
    rows.get(17).put("real", -0.0);
    final List<Map<String, Object>> changed = EveryColumn.rows(1, 5000);
    changed.get(17).put("real", 0.0);
    changed.get(18).put("real", 1.0);
    changed.get(4500).put("unindexed", "u44");
    changed.get(30).put("multiUnindexed", List.of("x0"));
    rows.get(30).put("multiUnindexed", List.of("x0", "y1"));
    rows.get(1).put("json", Map.of("a", 5));
    changed.get(1).put("json", 5);
    final IndexSpec small = TestSegments.shapeShift(OptimizationTarget.FASTER, BlockSize.SMALL);
    final Path first = persist(rows, "first", TestSegments.STOCK);
    final Path second = persist(changed, "second", small);
    final Map<String, String> found = compare(first, second).columns().stream()
        .filter(column -> column.status() != Status.FINE)
        .collect(Collectors.toMap(VerifiedColumn::displayName, VerifiedColumn::message));
    try (Segment segment = Segment.open(second)) {
      final int offset =
          ((ShapeShiftingColumnarIntsSupplier) segment.baseColumn("unindexed").parts().rows().column())
              .data().chunk(1).offset();
      final var multi = (ShapeShiftingColumnarMultiIntsSupplier)
          segment.baseColumn("multiUnindexed").parts().rows().column();
      assertEquals(
          Map.of(
              "real",
              "row 17 is -0.0 (bits 8000000000000000) (block 0) in the first, 0.0 (bits 0) (block 0) in the second",
              "unindexed",
              "row 4500 is \"u45\" (id 40) (block 0) in the first, \"u44\" (id 39) (chunk 1 at offset " + offset
                  + ") in the second",
              "multiUnindexed",
              "row 30 is [\"x0\" (id 0), \"y1\" (id 4)] (block 0) in the first, [\"x0\" (id 0)] (chunk 0 at offset "
                  + multi.offsets().data().chunk(0).offset() + " of the offsets, chunk 0 at offset "
                  + (multi.offsets().data().sizeInBytes() + multi.values().data().chunk(0).offset())
                  + " of the values) in the second",
              "json",
              "row 1 is StructuredData{value={a=5}} in the first, StructuredData{value=5} in the second"
          ),
          found
      );
    }
  }

  private Path persist(List<Map<String, Object>> rows, String name, IndexSpec spec) {
    return TestSegments.persist(
        TestSegments.rowsInMemory(EveryColumn.schema(false), rows), folder.resolve(name).toFile(), spec, Version.V9)
                       .toPath();
  }

  /** What Druid wrote in the past. */
  @ParameterizedTest
  @ValueSource(strings = {
      "nested_segment_v3/index.zip",
      "nested_segment_v4/index.zip",
      "nested_segment_empty_fieldname_bug/druid.segment"
  })
  void segmentsOfThePastAreFine(String resource) throws IOException {
    final Path file = folder.resolve(Path.of(resource).getFileName());
    try (InputStream in = IndexIO.class.getResourceAsStream("/" + resource)) {
      Files.copy(in, file);
    }
    final VerifiedSegment verified = check(resource.endsWith(".zip") ? file : folder);
    assertNull(verified.firstProblem());
    assertTrue(verified.columns().size() > 1);
  }

  /** Whatever byte is damaged, wherever a file ends: findings or one clear message, and nothing else. */
  @ParameterizedTest
  @MethodSource("versionsAndSpecs")
  void damageIsToldOf(Version version, IndexSpec spec, RandomData random) throws IOException {
    final Path segment = persist(1, 300, "segment", spec, version);
    assertNull(check(segment).firstProblem());
    final int rounds = 40;
    int found = 0;
    for (int round = 0; round < rounds; round++) {
      final Path damaged = folder.resolve("damaged");
      FileUtils.copyDirectory(segment.toFile(), damaged.toFile());
      damage(damaged, round, random);
      try {
        if (check(damaged).firstProblem() != null) {
          found++;
        }
      } catch (ToolException e) {
        assertTrue(e.getMessage().startsWith(damaged.toString()), e.getMessage());
        found++;
      }
      FileUtils.deleteDirectory(damaged.toFile());
    }
    // A byte that makes another valid number, or that nobody reads, is not found.
    assertTrue(found > rounds / 3, found + " found");
  }

  /** Changes a byte or cuts a file off: the largest one mostly, which has the columns. */
  private static void damage(Path segment, int round, RandomData random) throws IOException {
    final List<Path> files;
    try (Stream<Path> all = Files.list(segment)) {
      files = all.sorted(Comparator.comparingLong(file -> -file.toFile().length())).toList();
    }
    final Path file = files.get(round % 4 == 0 ? random.nextInt(files.size()) : 0);
    final byte[] bytes = Files.readAllBytes(file);
    final int at = random.nextInt(bytes.length);
    if (round % 10 == 0) {
      Files.write(file, Arrays.copyOf(bytes, at));
    } else {
      bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      Files.write(file, bytes);
    }
  }
}
