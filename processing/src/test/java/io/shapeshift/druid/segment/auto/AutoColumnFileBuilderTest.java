// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.StoredSegment;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Druid's bitmaps of a column of type {@code auto} become posting lists of the same rows. */
class AutoColumnFileBuilderTest {
  private static final BitmapSerdeFactory ROARING = RoaringBitmapSerdeFactory.getInstance();
  private static final int NUM_ROWS = 2000;

  @TempDir
  private File folder;

  @Test
  void bitmapsBecomeLists() throws IOException {
    final File stock = TestSegments.persist(
        AutoColumns.inMemory(1, NUM_ROWS), new File(folder, "stock"), TestSegments.STOCK, Version.V9);
    int columns = 0;
    try (StoredSegment segment = StoredSegment.open(stock)) {
      for (StoredSegment.Column column : segment.columns()) {
        if (!column.files().containsKey(AutoColumnFile.INDEXES.suffix())) {
          continue;
        }
        final GenericIndexed<ImmutableBitmap> bitmaps = GenericIndexed.read(
            column.files().get(AutoColumnFile.INDEXES.suffix()).duplicate(), ROARING.getObjectStrategy(), null);
        final PostingLists lists = store(column, new File(folder, "lists" + columns++));
        assertEquals(bitmaps.size(), lists.size(), column.file());
        final PostingListsReader reader = lists.reader();
        for (int id = 0; id < bitmaps.size(); id++) {
          final RowSet rows = new RowSet(lists.numRows());
          reader.read(id, id + 1, rows);
          assertEquals(
              rows(bitmaps.get(id)),
              rows(rows.toBitmap(new RoaringBitmapFactory())),
              column.file() + " id " + id
          );
        }
      }
    }
    assertTrue(columns > 10, "columns: " + columns);
  }

  /** Ids that go on in other files are the second version of what Druid keeps its blocks in. */
  @Test
  void idsInSeveralFilesAreTooLarge() throws IOException {
    final File stock = TestSegments.persist(
        AutoColumns.inMemory(1, NUM_ROWS), new File(folder, "stock"), TestSegments.STOCK, Version.V9);
    try (StoredSegment segment = StoredSegment.open(stock)) {
      final StoredSegment.Column column = segment.columns().stream()
          .filter(each -> each.files().containsKey(AutoColumnFile.IDS.suffix()))
          .findFirst()
          .orElseThrow();
      final ByteBuffer ids = column.files().get(AutoColumnFile.IDS.suffix()).duplicate();
      final ByteBuffer several = ByteBuffer.allocate(ids.remaining()).put(ids).flip();
      // The version of ids, bytes of an id, how many there are, and in a block; the compression.
      final int version = 2 + 2 * Integer.BYTES + 1;
      assertEquals(1, several.get(version));
      several.put(version, (byte) 2);
      final ColumnFormatException error =
          assertThrows(ColumnFormatException.class, () -> storeIds(several, new File(folder, "several")));
      assertTrue(error.getMessage().startsWith("Column[" + AutoColumnFile.IDS.of("column") + "]: it is too large"));
      assertInstanceOf(DruidException.class, error.getCause());
    }
  }

  private static AskedEncodings asked(Map<AutoColumnFile, EncodingStrategy> files) {
    return new AskedEncodings(files, EncodingStrategy.COMPRESSION, false);
  }

  private static void storeIds(ByteBuffer ids, File directory) throws IOException {
    directory.mkdir();
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
         AutoColumnFileBuilder builder = new AutoColumnFileBuilder(
             new FileSmoosher(directory), "column", asked(Map.of()), ROARING.getObjectStrategy(), medium, directory)) {
      try (SegmentFileChannel channel = builder.addWithChannel(AutoColumnFile.IDS.of("column"), ids.remaining())) {
        channel.write(ids);
      }
    }
  }

  private static PostingLists store(StoredSegment.Column column, File directory) throws IOException {
    directory.mkdir();
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
         AutoColumnFileBuilder builder = new AutoColumnFileBuilder(
             new FileSmoosher(directory),
             "column",
             asked(Map.of(
                 AutoColumnFile.INDEXES,
                 EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE)
             )),
             ROARING.getObjectStrategy(),
             medium,
             directory
         )) {
      // In Druid's order.
      for (AutoColumnFile file : List.of(AutoColumnFile.IDS, AutoColumnFile.INDEXES)) {
        final ByteBuffer bytes = column.files().get(file.suffix()).duplicate();
        try (SegmentFileChannel channel = builder.addWithChannel(file.of("column"), bytes.remaining())) {
          channel.write(bytes);
        }
      }
    }
    try (SmooshedFileMapper files = SmooshedFileMapper.load(directory)) {
      final ByteBuffer mapped = files.mapFile(AutoColumnFile.INDEXES.of("column"));
      final ByteBuffer copy = ByteBuffer.allocate(mapped.remaining()).put(mapped).flip();
      final PostingLists lists = PostingLists.read("column", copy);
      assertEquals(0, copy.remaining());
      return lists;
    }
  }

  /** Druid reads an empty bitmap as null. */
  private static List<Integer> rows(@Nullable ImmutableBitmap bitmap) {
    final List<Integer> rows = new ArrayList<>();
    if (bitmap == null) {
      return rows;
    }
    for (var iterator = bitmap.iterator(); iterator.hasNext(); ) {
      rows.add(iterator.next());
    }
    return rows;
  }
}
