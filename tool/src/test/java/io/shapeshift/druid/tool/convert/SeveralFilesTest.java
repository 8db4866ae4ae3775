// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Maps;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.merge.ObjectBytes;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.ObjectPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.io.Channels;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesSerde;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Druid's dictionaries and complex columns in several files, as if a file could have 1,000 bytes. */
class SeveralFilesTest {
  private static final int MOST_BYTES = 1_000;
  private static final EncodingStrategy SHAPE_SHIFT =
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);

  static {
    ComplexMetrics.registerSerde("hyperUnique", new HyperUniquesSerde());
  }

  @TempDir
  private Path folder;

  /** Values of a column. */
  private interface Values<T> {
    void writeTo(GenericIndexedWriter<T> writer) throws IOException;
  }

  private Path whole(IndexSpec spec, String name) {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(
            List.of(new StringDimensionSchema("plain"), AutoTypeColumnSchema.of("auto"))))
        .withMetrics(new HyperUniquesAggregatorFactory("unique", "plain"))
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, 300)
        .<Map<String, Object>>mapToObj(row -> Map.of("time", "2026-01-01", "plain", "p" + row, "auto", "text" + row))
        .toList();
    try (IncrementalIndex index = TestSegments.rowsInMemory(schema, rows)) {
      return TestSegments.persist(index, folder.resolve(name).toFile(), spec, Version.V9).toPath();
    }
  }

  /** Copies a segment of version 9. Parts of some columns take several files afterwards. */
  private Path split(IndexSpec spec, String name) throws IOException {
    final Path whole = whole(spec, name + "Whole");
    final Path split = Files.createDirectory(folder.resolve(name));
    Files.copy(whole.resolve("version.bin"), split.resolve("version.bin"));
    Files.copy(whole.resolve("factory.json"), split.resolve("factory.json"));
    try (Segment segment = Segment.open(whole); FileSmoosher files = new FileSmoosher(split.toFile())) {
      for (String file : segment.files().getInternalFilenames()) {
        final ByteBuffer bytes = segment.files().mapFile(file);
        final SegmentColumn column = segment.column(file);
        if (file.equals("auto.__stringDictionary")) {
          write(files, file, file, bytes.slice(0, 0), strings(segment.baseColumn("auto")), bytes.slice(0, 0));
        } else if (file.equals("plain") && !column.isShapeShifting()) {
          final ColumnParts.Body body = column.parts().body();
          final int end = bytes.limit() - body.rows().remaining() - body.indexes().remaining();
          write(
              files,
              file,
              "plain.dim_values",
              bytes.slice(0, end - body.dictionary().remaining()),
              strings(column),
              bytes.slice(end, bytes.limit() - end)
          );
        } else if (file.equals("unique") && !column.isShapeShifting()) {
          final int start = bytes.limit() - column.body().remaining();
          writeObjects(files, bytes.slice(0, start), column);
        } else {
          files.add(file, bytes);
        }
      }
    }
    return split;
  }

  private static Values<String> strings(SegmentColumn column) {
    return writer -> {
      final var texts = column.parts().dictionary().values().get();
      for (int id = 0; id < texts.size(); id++) {
        writer.write(StringUtils.fromUtf8Nullable(texts.get(id)));
      }
    };
  }

  private static void write(
      FileSmoosher files, String file, String name, ByteBuffer before, Values<String> values, ByteBuffer behind)
      throws IOException {
    write(files, file, name, before, GenericIndexed.STRING_STRATEGY, values, behind);
  }

  private static void writeObjects(FileSmoosher files, ByteBuffer before, SegmentColumn column) throws IOException {
    write(
        files,
        column.file(),
        column.file(),
        before,
        ObjectBytes.STRATEGY,
        writer -> ObjectPart.of(column).forEach(value -> {
          writer.write(value);
          return true;
        }),
        ByteBuffer.allocate(0)
    );
  }

  private static <T> void write(
      FileSmoosher files,
      String file,
      String name,
      ByteBuffer before,
      ObjectStrategy<T> strategy,
      Values<T> values,
      ByteBuffer behind
  ) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final GenericIndexedWriter<T> writer = new GenericIndexedWriter<>(medium, name, strategy, MOST_BYTES);
      writer.open();
      values.writeTo(writer);
      final long size = before.remaining() + writer.getSerializedSize() + behind.remaining();
      try (SegmentFileChannel channel = files.addWithChannel(file, size)) {
        Channels.writeFully(channel, before);
        writer.writeTo(channel, files);
        Channels.writeFully(channel, behind);
      }
    }
  }

  /** Encodings of all types, with Druid's default compression if they do not shape-shift. */
  static Map<EncodedType, RowEncoding> encodings(EncodingStrategy strategy) {
    return Maps.asMap(
        EnumSet.allOf(EncodedType.class),
        type -> RowEncodings.of(strategy, CompressionStrategy.LZ4, CompressionStrategy.LZ4, LongEncodingStrategy.LONGS)
    );
  }

  private Path convert(Path from, String to, EncodingStrategy strategy) {
    new Conversion(encodings(strategy), false).run(from, SegmentLocation.find(List.of(from)), folder.resolve(to));
    return folder.resolve(to);
  }

  private static void assertSameContent(Path expected, Path actual) {
    try (Segment first = new SegmentLocation(expected).open(); Segment second = new SegmentLocation(actual).open()) {
      assertNull(SegmentVerifier.compare(first, second, column -> true).firstProblem());
    }
  }

  private static Set<String> furtherFiles(Path segment) throws IOException {
    try (Segment opened = Segment.open(segment)) {
      return opened.files().getInternalFilenames().stream()
          .filter(file -> file.endsWith("_value_1"))
          .collect(Collectors.toSet());
    }
  }

  private static boolean isShapeShifting(Path segment, String column) throws IOException {
    try (Segment opened = Segment.open(segment)) {
      return opened.baseColumn(column).isShapeShifting();
    }
  }

  /** Dictionaries stay as they are, and objects are encoded: no file of a column that is replaced is left. */
  @Test
  void ofDruids() throws IOException {
    final Path in = split(TestSegments.STOCK, "in");
    assertEquals(
        Set.of("auto.__stringDictionary_value_1", "plain.dim_values_value_1", "unique_value_1"), furtherFiles(in));
    try (Segment segment = Segment.open(in)) {
      // More than its head, which its own file has.
      assertTrue(segment.baseColumn("unique").sizeInBytes() > MOST_BYTES);
    }
    final Path there = convert(in, "there", SHAPE_SHIFT);
    assertSameContent(in, there);
    assertEquals(Set.of("auto.__stringDictionary_value_1", "plain.dim_values_value_1"), furtherFiles(there));
    for (String column : Set.of("auto", "plain", "unique")) {
      assertTrue(isShapeShifting(there, column), column);
    }
    assertSameContent(in, convert(there, "back", EncodingStrategy.COMPRESSION));
  }

  /** An {@code auto} column of ours has such a dictionary if it is too large for ours. */
  @Test
  void ofOurs() throws IOException {
    final Path in = split(TestSegments.ALL_SHAPE_SHIFT, "in");
    assertEquals(Set.of("auto.__stringDictionary_value_1"), furtherFiles(in));
    final Path back = convert(in, "back", EncodingStrategy.COMPRESSION);
    assertFalse(isShapeShifting(back, "auto"));
    assertEquals(furtherFiles(in), furtherFiles(back));
    assertSameContent(in, back);
    assertSameContent(in, convert(in, "again", SHAPE_SHIFT));
  }
}
