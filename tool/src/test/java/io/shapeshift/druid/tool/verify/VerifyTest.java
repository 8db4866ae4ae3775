// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.HashIndexPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.InternalFile;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.ObjectStorageEncoding;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Segments that are fine are found fine, and damage is told of, wherever it is. */
@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class VerifyTest {
  private static final int ROWS = Tier.pick(2000, 5000);

  private static final Set<String> HASH_INDEXES = Set.of(
      "long", "longOrNull", "nullLong", "longSum", "double", "doubleOrNull", "nullDouble", "float", "floatMaxOrNull");
  private static final IndexSpec INDEXED = ShapeShiftIndexSpec.of(
      TestSegments.STOCK,
      TestSegments.withHashIndexes(
          EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE),
          HASH_INDEXES
      )
  );

  /** Segments that no test changes. */
  @TempDir
  private static Path shared;

  @TempDir
  private Path folder;

  /** Of every version, those that Druid writes and ours, of the same rows. */
  @BeforeAll
  static void writeSegments() {
    final IncrementalIndex rows = EveryColumn.inMemory(1, ROWS);
    for (Version version : Version.values()) {
      TestSegments.persist(rows, shared("stock", version).toFile(), TestSegments.STOCK, version);
      TestSegments.persist(rows, shared("ours", version).toFile(), TestSegments.ALL_SHAPE_SHIFT, version);
    }
  }

  private static Path shared(String name, Version version) {
    return shared.resolve(version + "/" + name);
  }

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

  /** Each indexSpec, in one of the versions or in both. */
  static List<Arguments> versionsAndSpecs() {
    return Tier.oneIn(2, Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, TestSegments.STOCK),
        Arguments.of(version, TestSegments.SHAPE_SHIFT),
        Arguments.of(version, TestSegments.ALL_SHAPE_SHIFT)
    )));
  }

  @ParameterizedTest
  @MethodSource("sharedSegments")
  void aSegmentIsFine(Version version, String name) {
    final VerifiedSegment verified = check(shared(name, version));
    assertNull(verified.firstProblem());
    verified.columns().forEach(column -> {
      assertEquals(Status.FINE, column.status(), column.name());
      assertTrue(column.projection() != null || column.rows() == ROWS, column.name());
      assertEquals("nullOnly".equals(column.name()) ? "nothing but null" : null, column.message(), column.name());
      assertEquals(column.name().startsWith("multi"), column.multiValue(), column.name());
    });
    assertTrue(verified.columns().stream().anyMatch(column -> column.name().equals("nullOnly")));
  }

  static Stream<Arguments> sharedSegments() {
    return Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, "stock"),
        Arguments.of(version, "ours")
    ));
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void theSameRowsAreTheSameHoweverTheyAreStored(Version version) {
    assertNull(compare(shared("stock", version), shared("ours", version)).firstProblem());
    assertNull(compare(shared("ours", version), shared("stock", version)).firstProblem());
  }

  /** What stands under nulls is another thing in either; that is no difference, and nothing is left unchecked. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void numbersAndAutoColumnsAreTheSameHoweverTheyAreStored(Version version) {
    for (IncrementalIndex rows : List.of(NumberRows.inMemory(1, ROWS / 2, true), AutoColumns.inMemory(1, ROWS / 2))) {
      final Path stock = folder.resolve("stock" + rows.getDimensionNames(false).size());
      final Path ours = folder.resolve("ours" + rows.getDimensionNames(false).size());
      TestSegments.persist(rows, stock.toFile(), TestSegments.STOCK, version);
      TestSegments.persist(rows, ours.toFile(), TestSegments.ALL_SHAPE_SHIFT, version);
      assertNull(check(stock).firstProblem());
      assertNull(check(ours).firstProblem());
      for (VerifiedSegment compared : List.of(compare(stock, ours), compare(ours, stock))) {
        compared.columns().forEach(column -> assertEquals(Status.FINE, column.status(), column::toString));
        assertNull(compared.firstProblem());
      }
    }
  }

  /** A segment whose numbers have hash indexes. */
  private Path persistIndexed(String name, Version version) {
    return TestSegments.persist(
        NumberRows.inMemory(1, 2000, false), folder.resolve(name).toFile(), INDEXED, version).toPath();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void hashIndexesFindAllRows(Version version) {
    final Path indexed = persistIndexed("indexed", version);
    try (Segment segment = Segment.open(indexed)) {
      assertEquals(
          HASH_INDEXES,
          segment.columns().stream()
              .filter(column -> column.projection() == null && column.parts().hashIndex() != null)
              .map(SegmentColumn::name)
              .collect(Collectors.toSet())
      );
    }
    assertNull(check(indexed).firstProblem());
    final Path stock = folder.resolve("stock");
    TestSegments.persist(NumberRows.inMemory(1, 2000, false), stock.toFile(), TestSegments.STOCK, version);
    assertNull(compare(stock, indexed).firstProblem());
  }

  @ParameterizedTest
  @ValueSource(strings = {"longOrNull", "doubleOrNull", "floatMaxOrNull"})
  void aDamagedHashIndexIsFound(String column) throws IOException {
    final Path indexed = persistIndexed("indexed", Version.V9);
    final byte[] index;
    final int fingerprints;
    try (Segment segment = Segment.open(indexed)) {
      final HashIndexPart part = segment.baseColumn(column).parts().hashIndex();
      index = new byte[part.bytes().remaining()];
      part.bytes().duplicate().get(index);
      // Behind the head, of two bytes for each number but the last, and the directory.
      fingerprints = 10 + (part.index().numBuckets() + 15) / 16 * 20;
    }
    final Path file = indexed.resolve("00000.smoosh");
    final byte[] intact = Files.readAllBytes(file);
    final int start = Bytes.indexOf(intact, index);
    for (int offset : new int[] {0, 1, 3, fingerprints, fingerprints + 100}) {
      final byte[] damaged = intact.clone();
      damaged[start + offset] ^= 0x11;
      Files.write(file, damaged);
      try (Segment segment = Segment.open(indexed)) {
        final String problem = SegmentVerifier.check(segment, Tier.pick(column::equals, all -> true)).firstProblem();
        assertTrue(problem != null && problem.contains("hash index"), () -> offset + ": " + problem);
      }
    }
  }

  @Test
  void aNullIsNoZero() {
    final AggregateProjectionSpec projection = NumberRows.projections().get(0);
    final List<Map<String, Object>> rows = NumberRows.rows(1, 1000);
    persistNumbers(rows, projection, "first");
    final Map<String, Object> changed =
        rows.stream().filter(row -> row.get("longOrNull") == null).findFirst().orElseThrow();
    changed.put("longOrNull", 0L);
    persistNumbers(rows, projection, "second");
    final VerifiedColumn column = compare(folder.resolve("first"), folder.resolve("second")).columns().stream()
        .filter(each -> each.projection() == null && each.name().equals("longOrNull"))
        .findFirst()
        .orElseThrow();
    assertEquals(Status.DIFFERENT, column.status());
    assertEquals("row " + rows.indexOf(changed) + " is null in the first only", column.message());
  }

  private void persistNumbers(List<Map<String, Object>> rows, AggregateProjectionSpec projection, String name) {
    TestSegments.persist(
        TestSegments.rowsInMemory(NumberRows.schema(false, NumberRows.DIMENSIONS, List.of(projection)), rows),
        folder.resolve(name).toFile(),
        TestSegments.ALL_SHAPE_SHIFT,
        Version.V9
    );
  }

  /** In version 10 nothing but their names says which projection columns are of. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aProjectionMayHaveTheNameOfAnotherAndASlash(Version version) {
    final List<AggregateProjectionSpec> projections = List.of(
        projection("by", new StringDimensionSchema("kind")),
        projection("by/hour", new LongDimensionSchema("long"))
    );
    final Path path = TestSegments.persist(
        TestSegments.rowsInMemory(
            NumberRows.schema(false, NumberRows.DIMENSIONS, projections), NumberRows.rows(1, 1000)),
        folder.resolve("segment").toFile(),
        TestSegments.ALL_SHAPE_SHIFT,
        version
    ).toPath();
    try (Segment segment = Segment.open(path)) {
      assertEquals(
          List.of("by, kind", "by, rows", "by/hour, long", "by/hour, rows"),
          segment.columns().stream()
              .filter(column -> column.projection() != null)
              .map(column -> column.projection().name() + ", " + column.name())
              .sorted()
              .toList()
      );
    }
    assertNull(check(path).firstProblem());
  }

  private static AggregateProjectionSpec projection(String name, DimensionSchema dimension) {
    return AggregateProjectionSpec.builder(name)
        .groupingColumns(dimension)
        .aggregators(new CountAggregatorFactory("rows"))
        .build();
  }

  /** Version 9 names it, version 10 has it. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aColumnOfNullsIsListed(Version version) {
    for (Version other : Version.values()) {
      final List<VerifiedColumn> found = compare(shared("stock", version), shared("stock", other)).columns().stream()
          .filter(column -> column.name().equals("nullOnly"))
          .toList();
      assertEquals(1, found.size());
      assertEquals(Status.FINE, found.get(0).status());
      assertEquals("nothing but null", found.get(0).message());
      assertEquals(ROWS, found.get(0).rows());
    }
  }

  // ---- what the command says

  /** What the command said and exited with. */
  private record Said(int exitCode, List<String> lines) {
    String last() {
      return lines.get(lines.size() - 1);
    }
  }

  private static Said run(Object... args) {
    final StringWriter out = new StringWriter();
    final int exitCode = new CommandLine(new VerifyCommand())
        .setOut(new PrintWriter(out))
        .execute(Arrays.stream(args).map(String::valueOf).toArray(String[]::new));
    return new Said(exitCode, out.toString().lines().toList());
  }

  @Test
  void theVerdictCountsWhatIsFine() {
    final Path one = shared("stock", Version.V9);
    final String rows = String.format(Locale.ROOT, "%,d", ROWS);
    assertEquals(
        new Said(
            0,
            List.of(
                one.toString(),
                "column    type                   rows  status  message",
                "plain     STRING                " + rows + "  fine",
                "multi     STRING (multi-value)  " + rows + "  fine",
                "nullOnly  STRING                " + rows + "  fine    nothing but null",
                "all fine: 3 columns of 1 segment"
            )
        ),
        run(one, "--columns", "plain,multi,nullOnly")
    );
    final int columns = check(one).columns().size();
    assertEquals(
        new Said(
            0,
            List.of(
                shared("ours", Version.V9) + ": fine, " + columns + " columns",
                one + ": fine, " + columns + " columns",
                "",
                "all fine: " + 2 * columns + " columns of 2 segments"
            )
        ),
        run(one.getParent())
    );
  }

  @Test
  void segmentsOfTwoFoldersArePairedByTheirPlace() throws IOException {
    final Path stock = shared("stock", Version.V9);
    final Path in = folder.resolve("in");
    final Path out = folder.resolve("out");
    FileUtils.copyDirectory(stock.toFile(), in.resolve("a/1").toFile());
    FileUtils.copyDirectory(shared("ours", Version.V9).toFile(), out.resolve("a/1").toFile());
    Files.createDirectories(in.resolve("x"));
    CompressionUtils.zip(stock.toFile(), in.resolve("x/index.zip").toFile());
    FileUtils.copyDirectory(shared("ours", Version.V9).toFile(), out.resolve("x").toFile());
    final int columns = check(stock).columns().size();
    assertEquals(
        new Said(
            0,
            List.of(
                in.resolve("a/1") + " and " + out.resolve("a/1") + ": fine, " + columns + " columns",
                in.resolve("x/index.zip") + " and " + out.resolve("x") + ": fine, " + columns + " columns",
                "",
                "all fine: " + 2 * columns + " columns of 2 pairs of segments"
            )
        ),
        run(in, out)
    );

    Files.move(out.resolve("a/1"), out.resolve("a/2"));
    final Said moved = run(in, out);
    assertEquals(1, moved.exitCode());
    assertEquals(
        List.of(
            in.resolve("x/index.zip") + " and " + out.resolve("x") + ": fine, " + columns + " columns",
            "",
            in.resolve("a/1").toString(),
            "there is no segment " + out.resolve("a/1"),
            "the segments differ: 1 problem",
            "",
            out.resolve("a/2").toString(),
            "there is no segment " + in.resolve("a/2"),
            "the segments differ: 1 problem",
            "",
            "the segments differ: 2 problems"
        ),
        moved.lines()
    );

    // Of several none is the partner of a single segment.
    assertEquals(
        out + ": there are 2 segments below, such as " + out.resolve("a/2") + " and " + out.resolve("x")
            + ". Name one of them",
        assertThrows(ToolException.class, () -> SegmentPair.of(stock, out)).getMessage()
    );
    // One against one, whatever their names.
    assertEquals(
        "all fine: 1 column of 1 pair of segments",
        run(in.resolve("a"), out.resolve("a"), "--columns", "plain").last()
    );
  }

  /** As deep storage on HDFS has the partitions of an interval: none of them hides another. */
  @Test
  void severalZipsOfADirectoryAreAllCompared() throws IOException {
    final Path in = folder.resolve("in");
    final Path out = folder.resolve("out");
    for (int i = 0; i < 2; i++) {
      for (Path zip : List.of(in.resolve("v1/" + i + "_index.zip"), out.resolve("v1/" + i + "_index.zip"))) {
        final String name = (zip.startsWith(in) ? "in" : "out") + i;
        Files.createDirectories(zip.getParent());
        // The first of both differ.
        CompressionUtils.zip(
            persist(name.equals("in0") ? 3 : 1, 100, name, TestSegments.STOCK, Version.V9).toFile(), zip.toFile());
      }
    }
    final Said said = run(in, out, "--columns", "plain");
    assertEquals(1, said.exitCode());
    assertEquals(
        List.of(
            in.resolve("v1/1_index.zip") + " and " + out.resolve("v1/1_index.zip") + ": fine, 1 column",
            "",
            in.resolve("v1/0_index.zip") + " and " + out.resolve("v1/0_index.zip")
        ),
        said.lines().subList(0, 3)
    );

    Files.delete(out.resolve("v1/0_index.zip"));
    FileUtils.copyDirectory(folder.resolve("in0").toFile(), out.resolve("v1/0_index").toFile());
    assertEquals(0, run(in, out, "--columns", "plain").exitCode());

    Files.createFile(out.resolve("v1/0_index.zip"));
    assertEquals(
        out + ": " + out.resolve("v1/0_index") + " and " + out.resolve("v1/0_index.zip")
            + " have the same partner. Compare each of them alone",
        assertThrows(ToolException.class, () -> SegmentPair.of(in, out)).getMessage()
    );
  }

  @Test
  void anotherSegment() {
    final Path one = persist(1, 500, "one", TestSegments.STOCK, Version.V9);
    final Path other = persist(3, 500, "other", TestSegments.STOCK, Version.V9);
    assertEquals(
        new Said(
            1,
            List.of(
                "segment,other,projection,column,type,multiValue,rows,status,message",
                one + "," + other + ",,plain,STRING,false,500,different,\"the dictionary's id 0 is \"\"p100\"\" in the "
                    + "first, \"\"p300\"\" in the second\"",
                one + "," + other + ",,constant,STRING,false,500,fine,"
            )
        ),
        run(one, other, "--columns", "constant,plain", "--csv")
    );
    assertEquals("the segments differ: 1 problem", run(one, other, "--columns", "constant,plain").last());
  }

  @Test
  void aDamagedSegment() throws IOException {
    final Path damaged = persist(1, 500, "damaged", TestSegments.SHAPE_SHIFT, Version.V9);
    final Path file = damaged.resolve("00000.smoosh");
    final byte[] bytes = Files.readAllBytes(file);
    bytes[Bytes.indexOf(bytes, "p100".getBytes(StandardCharsets.UTF_8))] = 'z';
    Files.write(file, bytes);
    // They would say so before the column does.
    Files.delete(damaged.resolve(SegmentChecksums.FILE));
    assertEquals(
        new Said(
            1,
            List.of(
                damaged.toString(),
                "column  type    rows  status   message",
                "plain   STRING     0  damaged  the dictionary is not in order: id 1 is \"p102\", behind \"z100\"",
                "damaged: 1 problem"
            )
        ),
        run(damaged, "--columns", "plain")
    );
  }

  /** A type that only another extension reads. */
  @Test
  void whatIsNotCheckedIsSaid() throws IOException {
    final Path segment = persist(1, 500, "segment", TestSegments.STOCK, Version.V9);
    final Path file = segment.resolve("00000.smoosh");
    Files.writeString(
        file,
        Files.readString(file, StandardCharsets.ISO_8859_1)
             .replace("\"typeName\":\"hyperUnique\"", "\"typeName\":\"otherUnique\""),
        StandardCharsets.ISO_8859_1
    );
    final Said said = run(segment);
    assertEquals(0, said.exitCode());
    assertEquals("fine, but 1 column was not checked in full", said.last());
    assertEquals(
        segment + ": fine, but 1 column was not checked in full",
        VerifyText.of(List.of(check(segment), check(shared("stock", Version.V9)))).lines().findFirst().orElseThrow()
    );
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
              .data().chunkOfBlock(4500 >> 10).offset();
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
                  + multi.offsets().data().chunkOfBlock(0).offset() + " of the offsets, chunk 0 at offset "
                  + (multi.offsets().data().sizeInBytes() + multi.values().data().chunkOfBlock(0).offset())
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

  /** Half of a surrogate pair is no character: a dictionary with it says that it is not in order, and finds nothing. */
  @Test
  void aDictionaryThatSaysThatItIsNotInOrderIsNoted() {
    final List<Map<String, Object>> rows = Stream.of("az", "a\uD83D", "b")
        .map(text -> Map.<String, Object>of("time", "2026-01-01", "plain", text))
        .toList();
    final Path path = persist(rows, "halves", TestSegments.ALL_SHAPE_SHIFT);
    final VerifiedSegment verified = check(path);
    assertNull(verified.firstProblem());
    final VerifiedColumn plain =
        verified.columns().stream().filter(column -> column.name().equals("plain")).findFirst().orElseThrow();
    assertEquals(Status.NOTE, plain.status());
    assertTrue(plain.message().startsWith("Druid 37 wrote a dictionary that is not in order"), plain.message());
  }

  /** Nothing is found in it then. */
  @Test
  void aDictionaryThatDeniesItsOrderIsDamaged() throws IOException {
    final Path damaged = persist(1, 500, "denied", TestSegments.STOCK, Version.V9);
    final InternalFile column = InternalFile.of(damaged).stream()
        .filter(file -> file.name().equals("plain"))
        .findFirst()
        .orElseThrow();
    final Path file = damaged.resolve(column.file());
    final byte[] bytes = Files.readAllBytes(file);
    // A descriptor, which is as long as it says, the version of the column, its flags, and that of the dictionary.
    final int start = (int) column.start();
    final int order = start + Integer.BYTES + ByteBuffer.wrap(bytes).getInt(start) + 1 + Integer.BYTES + 1;
    assertEquals(1, bytes[order - 1]);
    assertEquals(1, bytes[order]);
    bytes[order] = 0;
    Files.write(file, bytes);
    Files.deleteIfExists(damaged.resolve(SegmentChecksums.FILE));
    assertEquals(
        "column plain: the dictionary is in order, and says that it is not: nothing is found in it",
        check(damaged).firstProblem()
    );
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

  /** Concise bitmaps, the empty string where null is today, rows without values. */
  @Test
  void aSegmentThatWasOfVersion8IsFine() {
    final VerifiedSegment verified = check(DruidArtifacts.fromV8(folder.resolve("old")));
    assertNull(verified.firstProblem());
    assertEquals(4, verified.columns().size());
  }

  /** What queries find rows by contradicts nothing but the objects. */
  @Test
  void fieldsAreComparedWithObjects() throws IOException {
    final Path stock = shared("stock", Version.V9);
    final Path other = folder.resolve("other");
    FileUtils.copyDirectory(stock.toFile(), other.toFile());
    final InternalFile place = InternalFile.of(other).stream()
        .filter(file -> file.name().equals("json.__stringDictionary"))
        .findFirst()
        .orElseThrow();
    final Path smoosh = other.resolve(place.file());
    final byte[] bytes = Files.readAllBytes(smoosh);
    assertEquals('6', bytes[(int) place.end() - 1], "of d6, the last string");
    bytes[(int) place.end() - 1] = '7';
    Files.write(smoosh, bytes);
    final String expected = "field $.b.c (file json.__field_1): row 6 is \"d7\", but \"d6\" in its object";
    try (Segment first = Segment.open(stock); Segment second = Segment.open(other)) {
      final VerifiedColumn alone = SegmentVerifier.check(second, "json"::equals).columns().get(0);
      assertEquals(Status.DAMAGED, alone.status());
      assertEquals(expected, alone.message());
      final VerifiedColumn compared = SegmentVerifier.compare(first, second, "json"::equals).columns().get(0);
      assertEquals(Status.DAMAGED, compared.status());
      assertEquals("in the second: " + expected, compared.message());
    }
  }

  /** A column without objects makes them of the fields, so that nothing tells whether the fields are right. */
  @Test
  void whatIsNotComparedIsNotCalledFine() {
    final NestedCommonFormatColumnFormatSpec noObjects = NestedCommonFormatColumnFormatSpec
        .builder().setObjectStorageEncoding(ObjectStorageEncoding.NONE).build();
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new AutoTypeColumnSchema("json", null, noObjects))))
        .build();
    final IncrementalIndex rows = TestSegments.rowsInMemory(schema, EveryColumn.rows(1, 100));
    final IndexSpec zstd = IndexSpec.builder().withDimensionCompression(CompressionStrategy.ZSTD).build();
    final File one = TestSegments.persist(rows, folder.resolve("one").toFile(), TestSegments.STOCK, Version.V9);
    final File other = TestSegments.persist(rows, folder.resolve("other").toFile(), zstd, Version.V9);
    try (Segment first = Segment.open(one.toPath()); Segment second = Segment.open(other.toPath())) {
      final VerifiedColumn json = SegmentVerifier.compare(first, second, "json"::equals).columns().get(0);
      assertEquals(Status.UNCHECKED, json.status());
      assertEquals(
          "all rows have the same values, but its descriptors differ, and is not compared further", json.message());
    }
  }

  /** Whatever byte is damaged, wherever a file ends: findings or one clear message, and nothing else. */
  @ParameterizedTest
  @MethodSource("versionsAndSpecs")
  void damageIsToldOf(Version version, IndexSpec spec, RandomData random) throws IOException {
    final Path segment = folder.resolve("segment");
    final int kind = random.nextInt(3);
    final IncrementalIndex rows = switch (kind) {
      case 0 -> EveryColumn.inMemory(1, 300);
      case 1 -> NumberRows.inMemory(1, 300, false);
      default -> AutoColumns.inMemory(1, 300);
    };
    TestSegments.persist(rows, segment.toFile(), spec, version);
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
    assertTrue(found > (kind == 1 ? rounds / 5 : rounds / 3), found + " found");
  }

  /** A row more or less in a list, or a list that cannot be read: only of the bytes between lists nobody knows. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void damagedPostingListsAreToldOf(Version version, RandomData random) throws IOException {
    final Path ours = shared("ours", version);
    final Path file = ours.resolve(version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME);
    final byte[] bytes = Files.readAllBytes(file);
    for (String name : List.of("skewed", "multi")) {
      final byte[] lists;
      try (Segment segment = Segment.open(ours)) {
        final IndexPart index = segment.baseColumn(name).parts().index();
        assertEquals("shapeshift", index.encoding());
        lists = new byte[index.bytes().remaining()];
        index.bytes().duplicate().get(lists);
      }
      final int start = Bytes.indexOf(bytes, lists);
      final int rounds = 20;
      int found = 0;
      for (int round = 0; round < rounds; round++) {
        final byte[] damaged = bytes.clone();
        // Behind the lists are eight bytes that mean nothing.
        damaged[start + random.nextInt(lists.length - Long.BYTES)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        final Path copy = folder.resolve("damaged");
        FileUtils.copyDirectory(ours.toFile(), copy.toFile());
        Files.write(copy.resolve(file.getFileName()), damaged);
        try (Segment segment = Segment.open(copy)) {
          final String problem =
              SegmentVerifier.check(segment, column -> column.equals(name)).firstProblem();
          found += problem == null ? 0 : 1;
          assertTrue(problem == null || problem.startsWith("column " + name + ": "), problem);
        }
        FileUtils.deleteDirectory(copy.toFile());
      }
      assertTrue(found >= rounds * 9 / 10, name + ": " + found + " found");
    }
  }

  /** Its last bytes are a row of a point. */
  @ParameterizedTest
  @MethodSource("sharedSegments")
  void aDamagedSpatialIndexIsToldOf(Version version, String name) throws IOException {
    final Path damaged = folder.resolve("damaged");
    FileUtils.copyDirectory(shared(name, version).toFile(), damaged.toFile());
    final String place;
    try (Segment segment = Segment.open(damaged)) {
      place = segment.baseColumn("place").file();
    }
    final InternalFile column =
        InternalFile.of(damaged).stream().filter(file -> file.name().equals(place)).findFirst().orElseThrow();
    final Path file = damaged.resolve(column.file());
    final byte[] bytes = Files.readAllBytes(file);
    bytes[(int) column.end() - 2] ^= 1;
    Files.write(file, bytes);
    final String problem = check(damaged).firstProblem();
    assertTrue(problem != null && problem.startsWith("column place: row "), problem);
    assertTrue(problem.contains("in the spatial index"), problem);
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
