// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.IntEncodingStrategy;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.select.OptimizationTarget;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Converted segments are, byte for byte, those that Druid writes with the other indexSpec. */
class ConvertTest {
  private static final IntEncodingStrategy SHAPE_SHIFT =
      IntEncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);

  @TempDir
  private Path folder;

  private File persist(IncrementalIndex rows, String name, IndexSpec spec, Version version) {
    return TestSegments.persist(rows, folder.resolve(name).toFile(), spec, version);
  }

  private List<ColumnConversion> convert(
      Path from,
      String to,
      IntEncodingStrategy strategy,
      CompressionStrategy compression
  ) {
    return new Conversion(new IdConverter(strategy, compression), false).run(from, folder.resolve(to)).get(0).columns();
  }

  /** Asserts that two segments have the same files with the same bytes. */
  private static void assertSameFiles(Path expected, Path actual) throws IOException {
    final Map<String, byte[]> expectedFiles = files(expected);
    final Map<String, byte[]> actualFiles = files(actual);
    assertEquals(expectedFiles.keySet(), actualFiles.keySet());
    for (var file : expectedFiles.entrySet()) {
      assertArrayEquals(file.getValue(), actualFiles.get(file.getKey()), file.getKey());
    }
  }

  private static Map<String, byte[]> files(Path directory) throws IOException {
    final Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  /** Both versions, with what else an indexSpec can ask for. */
  static Stream<Arguments> specs() {
    final IndexSpec frontCoded = IndexSpec.builder()
        .withStringDictionaryEncoding(new StringEncodingStrategy.FrontCoded(4, (byte) 1))
        .withMetadataCompression(CompressionStrategy.ZSTD)
        .build();
    return Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, TestSegments.STOCK, 20_000),
        Arguments.of(version, TestSegments.STOCK, 1),
        Arguments.of(version, frontCoded, 3_000),
        Arguments.of(version, stock(CompressionStrategy.ZSTD), 3_000),
        Arguments.of(version, stock(CompressionStrategy.LZF), 3_000),
        Arguments.of(version, stock(CompressionStrategy.UNCOMPRESSED), 3_000)
    ));
  }

  private static IndexSpec stock(CompressionStrategy compression) {
    return IndexSpec.builder().withDimensionCompression(compression).build();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void thereAndBackGivesTheSameFiles(Version version, IndexSpec spec, int numRows) throws IOException {
    final Path stock = persist(EveryColumn.inMemory(1, numRows), "stock", spec, version).toPath();
    final CompressionStrategy compression = spec.getEffectiveSpec().getDimensionCompression();
    convert(stock, "there", SHAPE_SHIFT, compression);
    convert(folder.resolve("there"), "back", IntEncodingStrategy.COMPRESSION, compression);
    assertSameFiles(stock, folder.resolve("back"));
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void convertingWritesWhatIngestionDoes(Version version) throws IOException {
    final IncrementalIndex rows = EveryColumn.inMemory(1, 20_000);
    final Path stock = persist(rows, "stock", TestSegments.STOCK, version).toPath();
    final IntEncodingStrategy smaller = IntEncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.SMALL);
    final IndexSpec smallerSpec = TestSegments.shapeShift(OptimizationTarget.SMALLER, BlockSize.SMALL);
    final Path expected = persist(rows, "expected", smallerSpec, version).toPath();
    convert(stock, "converted", smaller, CompressionStrategy.LZ4);
    assertSameFiles(expected, folder.resolve("converted"));
    // From one shape to another as well.
    convert(folder.resolve("converted"), "other", SHAPE_SHIFT, CompressionStrategy.LZ4);
    assertSameFiles(persist(rows, "ours", TestSegments.SHAPE_SHIFT, version).toPath(), folder.resolve("other"));
  }
}
