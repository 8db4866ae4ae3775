// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.metrics.BytesByForm;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.metrics.WrittenSegment;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ComplexColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator reads in the log of each written segment. */
class SegmentSummaryTest {
  private static final RoaringBitmapSerdeFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance();

  @TempDir
  private File folder;

  /** For descriptors only: what is counted are the files. */
  private static final class Unasked implements Serializer {
    @Override
    public long getSerializedSize() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder files) {
      throw new UnsupportedOperationException();
    }
  }

  private static SegmentFileBuilder add(SegmentFileBuilder files, ValueType type, ColumnPartSerde part) {
    return SegmentSummary.add(ColumnDescriptor.builder().setValueType(type).addSerde(part).build(), "dim", files);
  }

  private static ColumnPartSerde strings(StringColumnPart... parts) {
    return new ShapeShiftStringColumnPartSerde("dim", Set.of(parts), BITMAPS, ByteOrder.nativeOrder(), new Unasked());
  }

  private static ColumnPartSerde longs(boolean hasHashIndex) {
    return NumberKind.LONG.serde("id", BITMAPS, ByteOrder.nativeOrder(), hasHashIndex, new Unasked());
  }

  private static void write(SegmentFileBuilder files, String name, int size) throws IOException {
    try (SegmentFileChannel channel = files.addWithChannel(name, size)) {
      channel.write(ByteBuffer.allocate(size));
    }
  }

  @Test
  void countsColumnsOfEachKindAndAllBytes() throws IOException {
    try (WrittenSegment summary = WrittenSegment.start(); FileSmoosher files = new FileSmoosher(folder)) {
      write(add(files, ValueType.STRING, strings(StringColumnPart.IDS, StringColumnPart.INDEXES)), "a", 1000);
      final SegmentFileBuilder second =
          add(files, ValueType.STRING, strings(StringColumnPart.IDS, StringColumnPart.INDEXES));
      write(second, "b", 200);
      second.add("b.dictionary", ByteBuffer.allocate(34));
      write(add(files, ValueType.LONG, longs(false)), "c", 50);
      write(add(files, ValueType.LONG, longs(true)), "d", 70);
      final ColumnPartSerde sketch =
          ComplexColumnPartSerde.serializerBuilder().withTypeName("sketch").withDelegate(new Unasked()).build();
      write(add(files, ValueType.COMPLEX, sketch), "e", 9);
      final BytesByForm forms = new BytesByForm();
      forms.add("bitpack", 600);
      forms.add("lz4", 300);
      WrittenSegment.addPart(SegmentPart.ROWS, 930, forms, WrittenSegment.UNKNOWN);
      WrittenSegment.addPart(SegmentPart.DICTIONARIES, 34, "all", 70);
      assertEquals(
          "1,363 bytes in 5 columns (Druid's own 1, long 2, string 2): rows 930 (bitpack 65 %, lz4 32 %, heads 3 %);"
              + " dictionaries 34 in place of 70 (all 100 %); Druid's own 399",
          summary.toString()
      );
    }
  }

  /** Druid's builder lets it take the place of the first. */
  @Test
  void noFileTakesThePlaceOfAnother() throws IOException {
    try (WrittenSegment summary = WrittenSegment.start(); FileSmoosher files = new FileSmoosher(folder)) {
      final ColumnDescriptor column =
          ColumnDescriptor.builder().setValueType(ValueType.LONG).addSerde(longs(false)).build();
      write(SegmentSummary.add(column, "a", files), "a", 10);
      write(SegmentSummary.add(column, "a", files), "a_header", 10);
      final SegmentFileBuilder second = SegmentSummary.add(column, "a_header", files);
      assertEquals(
          "column[a_header] and column[a] would both be stored in the file[a_header] of the segment: rename one of"
              + " them",
          assertThrows(DruidException.class, () -> second.addWithChannel("a_header", 10)).getMessage()
      );
      assertEquals("30 bytes in 3 columns (long 3): Druid's own 30", summary.toString());
    }
  }

  @Test
  void nothingIsCountedOutsideOfASegment() throws IOException {
    try (FileSmoosher files = new FileSmoosher(folder)) {
      assertSame(files, add(files, ValueType.LONG, longs(false)));
      WrittenSegment.addPart(SegmentPart.ROWS, 10, "zero", WrittenSegment.UNKNOWN);
      try (WrittenSegment summary = WrittenSegment.start()) {
        assertEquals("0 bytes in 0 columns: Druid's own 0", summary.toString());
      }
    }
  }

  @Test
  void theLineIsOfBoundedLengthHoweverManyFormsThereAre() {
    try (WrittenSegment summary = WrittenSegment.start()) {
      for (SegmentPart part : SegmentPart.values()) {
        final BytesByForm forms = new BytesByForm();
        for (int i = 0; i < 100; i++) {
          forms.add("a-form-of-a-long-name-" + i, Integer.MAX_VALUE);
        }
        WrittenSegment.addPart(part, 200L * Integer.MAX_VALUE, forms, Long.MAX_VALUE / 2);
      }
      assertTrue(summary.toString().length() < 180 * SegmentPart.values().length, summary::toString);
      assertTrue(summary.toString().contains("heads 50 %, a-form-of-a-long-name-0 1 %,"), summary::toString);
    }
  }

  /** What the merger counts of a real segment is what its files have. */
  @ParameterizedTest
  @EnumSource
  void everyByteOfARealSegmentIsCounted(Version version) throws IOException {
    final Map<Totals.Metric, Long> before = totals();
    final IndexSpec spec = TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    final File segment = TestSegments.persist(EveryColumn.inMemory(1, 2000), folder, spec, version);
    final Map<Totals.Metric, Long> counted = totals();
    counted.replaceAll((metric, total) -> total - before.getOrDefault(metric, 0L));

    assertEquals(1, sum(counted, "shapeshift/write/segments", null));
    try (QueryableIndex index = TestSegments.open(segment)) {
      // The time, and what the projection has.
      assertEquals(index.getColumnNames().size() + 1 + 4, sum(counted, "shapeshift/write/columns", null));
    }
    final long bytes = sum(counted, "shapeshift/write/bytes", null);
    final long files = Stream.of(segment.listFiles()).mapToLong(File::length).sum();
    assertTrue(bytes <= files && bytes > .9 * files, () -> bytes + " bytes counted, of " + files);
    for (SegmentPart part : List.of(SegmentPart.INDEXES, SegmentPart.DICTIONARIES)) {
      final long ours = sum(counted, "shapeshift/write/bytes", part);
      final long stock = sum(counted, "shapeshift/write/druidBytes", part);
      assertTrue(ours > 0 && stock > ours, part + ": " + ours + " bytes, Druid's " + stock);
    }
    assertTrue(sum(counted, "shapeshift/write/bytes", SegmentPart.ROWS) > 0, counted::toString);
    // Nested columns find their texts by one while they are merged.
    assertEquals(0, sum(counted, "shapeshift/write/bytes", SegmentPart.HASH_INDEXES), counted::toString);
  }

  private static Map<Totals.Metric, Long> totals() {
    final Map<Totals.Metric, Long> totals = new HashMap<>();
    Totals.forEach(totals::put);
    return totals;
  }

  private static long sum(Map<Totals.Metric, Long> totals, String name, @Nullable SegmentPart part) {
    return totals.entrySet().stream()
        .filter(total -> total.getKey().name().equals(name))
        .filter(total -> part == null || part.toString().equals(total.getKey().dimensions().get("part")))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
