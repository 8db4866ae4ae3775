// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.numbers.NumberDictionarySerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.serde.WholeWrites;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelectors;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.roaringbitmap.IntIterator;

/**
 * Builder of segment files that re-encodes the shape-shifting files of one {@code auto} column. It collects such a file
 * in a temporary file as Druid writes it, and stores a shape-shifting column of its values instead. All other files
 * pass through unchanged.
 */
final class AutoColumnFileBuilder implements SegmentFileBuilder {
  /** The id of null. */
  private static final int NULL_ID = 0;
  /** Passed to Druid's columns so that they return their stored values in all rows, also in null rows. */
  private static final ImmutableBitmap NO_NULLS = new RoaringBitmapFactory().makeEmptyImmutableBitmap();

  private final SegmentFileBuilder segment;
  private final String column;
  private final Map<AutoColumnFile, EncodingStrategy> strategies;
  private final boolean hasTextIndex;
  private final ObjectStrategy<ImmutableBitmap> bitmaps;
  private final SegmentWriteOutMedium medium;
  private final Path directory;
  /** Null rows, found in the ids, which Druid writes before the values. */
  private final BitSet nulls = new BitSet();
  private int numRows;

  /**
   * Creates a builder.
   *
   * @param segment    builder of the segment, gets all other files unchanged
   * @param column     name of the column, with which the names of its files start
   * @param asked      encodings of the files
   * @param bitmaps    reader of Druid's bitmaps
   * @param medium     parent of the medium that keeps encoded chunks until a file is complete
   * @param directory  directory of temporary files
   */
  AutoColumnFileBuilder(
      SegmentFileBuilder segment,
      String column,
      AskedEncodings asked,
      ObjectStrategy<ImmutableBitmap> bitmaps,
      SegmentWriteOutMedium medium,
      File directory
  ) {
    this.segment = segment;
    this.column = column;
    this.strategies = asked.files();
    this.hasTextIndex = asked.hasTextIndex();
    this.bitmaps = bitmaps;
    this.medium = medium;
    this.directory = directory.toPath();
  }

  @Override
  public SegmentFileChannel addWithChannel(String name, long size) throws IOException {
    @Nullable final AutoColumnFile file = fileToStore(name);
    return file == null ? segment.addWithChannel(name, size) : new StockFile(file, size);
  }

  /** File to collect and re-encode under this name, or null for a file that passes through. */
  @Nullable
  private AutoColumnFile fileToStore(String name) {
    for (AutoColumnFile file : AutoColumnFile.values()) {
      // The ids are collected in any case, because the other files need their null rows.
      if (name.equals(file.of(column)) && (file == AutoColumnFile.IDS || strategies.containsKey(file))) {
        return file;
      }
    }
    return null;
  }

  private void store(AutoColumnFile file, ByteBuffer stock) throws IOException {
    try {
      convert(file, stock);
    } catch (DruidException e) {
      // Druid cannot read back, during the write, a file that continues in other files.
      throw ColumnFormatException.tooLarge(
          file.of(column),
          "more values than fit into one file of 2 GiB; with \"" + file.type().property()
              + "\": {\"strategy\": \"compression\"} Druid stores them in several",
          e
      );
    }
  }

  private void convert(AutoColumnFile file, ByteBuffer stock) throws IOException {
    switch (file) {
      case IDS -> storeIds(stock);
      case LONGS -> {
        try (ColumnarLongs longs =
                 CompressedColumnarLongsSupplier.fromByteBuffer(stock, IndexIO.BYTE_ORDER, null).get()) {
          storeNumbers(file, NumberKind.LONG, row -> longs.makeColumnValueSelector(row, NO_NULLS));
        }
      }
      case DOUBLES -> {
        try (ColumnarDoubles doubles =
                 CompressedColumnarDoublesSuppliers.fromByteBuffer(stock, IndexIO.BYTE_ORDER, null).get()) {
          storeNumbers(file, NumberKind.DOUBLE, row -> doubles.makeColumnValueSelector(row, NO_NULLS));
        }
      }
      case INDEXES, ELEMENT_INDEXES -> storeIndexes(file, GenericIndexed.read(stock, bitmaps, null));
      case STRING_DICTIONARY -> storeStrings(file, stock);
      case LONG_DICTIONARY -> store(file, NumberDictionarySerializer.ofLongs(stock, IndexIO.BYTE_ORDER));
      case DOUBLE_DICTIONARY -> store(file, NumberDictionarySerializer.ofDoubles(stock, IndexIO.BYTE_ORDER));
    }
  }

  private void storeIds(ByteBuffer stock) throws IOException {
    try (ColumnarInts ids =
             CompressedVSizeColumnarIntsSupplier.fromByteBuffer(stock.duplicate(), IndexIO.BYTE_ORDER, null).get()) {
      numRows = ids.size();
      int maxId = 0;
      for (int row = 0; row < numRows; row++) {
        final int id = ids.get(row);
        maxId = Math.max(maxId, id);
        nulls.set(row, id == NULL_ID);
      }
      @Nullable final EncodingStrategy strategy = strategies.get(AutoColumnFile.IDS);
      if (strategy == null) {
        segment.add(AutoColumnFile.IDS.of(column), stock);
      } else {
        storeIds(ids, maxId, strategy);
      }
    }
  }

  private void storeIds(ColumnarInts ids, int maxId, EncodingStrategy strategy) throws IOException {
    try (SegmentWriteOutMedium ownMedium = medium.makeChildWriteOutMedium()) {
      final ShapeShiftingColumnarIntsSerializer ours = new ShapeShiftingColumnarIntsSerializer(
          AutoColumnFile.IDS.of(column),
          ownMedium,
          strategy.blockSize(),
          FormSelectors.forInts(strategy.optimizationTarget()),
          // Druid sizes the ids by the number of entries.
          maxId + 1,
          IndexIO.BYTE_ORDER
      );
      ours.open();
      for (int row = 0; row < numRows; row++) {
        ours.addValue(ids.get(row));
      }
      store(AutoColumnFile.IDS, ours);
    }
  }

  private void storeNumbers(
      AutoColumnFile file,
      NumberKind kind,
      Function<ReadableOffset, ColumnValueSelector<?>> stock
  ) throws IOException {
    try (SegmentWriteOutMedium ownMedium = medium.makeChildWriteOutMedium()) {
      final ShapeShiftingNumbersSerializer ours = kind.open(file.of(column), ownMedium, strategies.get(file), false);
      final SimpleAscendingOffset row = new SimpleAscendingOffset(numRows);
      final ColumnValueSelector<?> numbers = stock.apply(row);
      for (; row.withinBounds(); row.increment()) {
        if (nulls.get(row.getOffset())) {
          ours.addNull();
        } else {
          ours.add(numbers);
        }
      }
      store(file, ours);
    }
  }

  /** Re-encodes Druid's bitmaps one after another. The ids are stored first, so the number of rows is known. */
  private void storeIndexes(AutoColumnFile file, GenericIndexed<ImmutableBitmap> stock) throws IOException {
    try (SegmentWriteOutMedium ownMedium = medium.makeChildWriteOutMedium()) {
      final PostingListsSerializer ours = new PostingListsSerializer(
          file.of(column),
          ownMedium,
          strategies.get(file).optimizationTarget(),
          numRows
      );
      ours.open();
      int[] rows = new int[0];
      for (int id = 0; id < stock.size(); id++) {
        @Nullable final ImmutableBitmap bitmap = stock.get(id);
        final int size = bitmap == null ? 0 : bitmap.size();
        if (size > rows.length) {
          rows = new int[Math.max(size, 2 * rows.length)];
        }
        if (size > 0) {
          final IntIterator iterator = bitmap.iterator();
          for (int i = 0; i < size; i++) {
            rows[i] = iterator.next();
          }
        }
        ours.add(rows, 0, size);
      }
      store(file, ours);
    }
  }

  private void storeStrings(AutoColumnFile file, ByteBuffer stock) throws IOException {
    if (SeveralFiles.startWith(stock)) {
      segment.add(file.of(column), stock);
      return;
    }
    try (SegmentWriteOutMedium ownMedium = medium.makeChildWriteOutMedium()) {
      final StringDictionarySerializer ours = new StringDictionarySerializer(
          file.of(column),
          ownMedium,
          strategies.get(file).optimizationTarget(),
          hasTextIndex
      );
      ours.open();
      final Supplier<? extends Indexed<ByteBuffer>> texts =
          StringEncodingStrategies.getStringDictionarySupplier(null, stock, IndexIO.BYTE_ORDER);
      for (ByteBuffer text : texts.get()) {
        ours.writeUtf8(text);
      }
      store(file, ours);
    }
  }

  private void store(AutoColumnFile file, Serializer ours) throws IOException {
    ColumnSerializerUtils.writeInternal(segment, ours, column, file.suffix());
  }

  @Override
  public void addColumn(String name, ColumnDescriptor columnDescriptor) {
    segment.addColumn(name, columnDescriptor);
  }

  @Override
  public void add(String name, File fileToAdd) throws IOException {
    segment.add(name, fileToAdd);
  }

  @Override
  public void add(String name, ByteBuffer bufferToAdd) throws IOException {
    // Druid adds a dictionary in this way if it has looked values up in it.
    @Nullable final AutoColumnFile file = fileToStore(name);
    if (file == null) {
      segment.add(name, bufferToAdd);
    } else {
      store(file, bufferToAdd);
    }
  }

  @Override
  public SegmentFileBuilder getExternalBuilder(String externalFile) {
    return segment.getExternalBuilder(externalFile);
  }

  @Override
  public void abort() {
    segment.abort();
  }

  @Override
  public void close() throws IOException {
    segment.close();
  }

  /** Temporary file that collects what Druid writes. When it is complete, its values are re-encoded and stored. */
  private final class StockFile implements SegmentFileChannel {
    private final AutoColumnFile file;
    private final long size;
    private final FileChannel channel;
    private final WholeWrites whole;

    private StockFile(AutoColumnFile file, long size) throws IOException {
      this.file = file;
      this.size = size;
      final Path path = Files.createTempFile(directory, "auto", null);
      try {
        this.channel = FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE
        );
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(path);
        throw e;
      }
      this.whole = new WholeWrites(channel);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      return whole.write(bytes);
    }

    @Override
    public long write(ByteBuffer[] buffers) throws IOException {
      return whole.write(buffers);
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
      return whole.write(buffers, offset, length);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      if (!channel.isOpen()) {
        return;
      }
      try (channel) {
        // Also checked after a failed write: that exception then has this one as a suppressed exception.
        if (channel.position() != size) {
          throw new IOException(
              "The file " + file + " was closed with " + channel.position() + " bytes, expected " + size);
        }
        final MappedByteBuffer stock = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
        try {
          store(file, stock);
        } finally {
          ByteBufferUtils.unmap(stock);
        }
      }
    }
  }
}
