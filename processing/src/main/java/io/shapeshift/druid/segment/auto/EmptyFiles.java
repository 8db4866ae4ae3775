// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.TypeStrategy;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.FixedIndexedWriter;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** View of a segment's files that replaces the shape-shifting files of one column by stock files without values. */
final class EmptyFiles implements SegmentFileMapper {
  /** Bytes of each file that Druid writes for a column without rows. They do not depend on the byte order. */
  private static final Map<AutoColumnFile, byte[]> BYTES = new EnumMap<>(AutoColumnFile.class);

  static {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final CompressedVSizeColumnarIntsSerializer ids = CompressedVSizeColumnarIntsSerializer.create(
          "",
          medium,
          "",
          0,
          CompressionStrategy.UNCOMPRESSED,
          medium.getCloser()
      );
      ids.open();
      final ColumnarLongsSerializer longs = CompressionFactory.getLongSerializer(
          "",
          medium,
          "",
          IndexIO.BYTE_ORDER,
          CompressionFactory.LongEncodingStrategy.LONGS,
          CompressionStrategy.NONE,
          medium.getCloser()
      );
      longs.open();
      final ColumnarDoublesSerializer doubles = CompressionFactory.getDoubleSerializer(
          "",
          medium,
          "",
          IndexIO.BYTE_ORDER,
          CompressionStrategy.NONE,
          medium.getCloser()
      );
      doubles.open();
      final GenericIndexedWriter<ImmutableBitmap> indexes = new GenericIndexedWriter<>(
          medium,
          "",
          RoaringBitmapSerdeFactory.getInstance().getObjectStrategy()
      );
      indexes.open();
      // Druid looks up the rows of null in every column.
      indexes.write(null);
      final GenericIndexedWriter<String> strings =
          new GenericIndexedWriter<>(medium, "", GenericIndexed.STRING_STRATEGY);
      strings.open();
      BYTES.put(AutoColumnFile.IDS, bytes(ids));
      BYTES.put(AutoColumnFile.LONGS, bytes(longs));
      BYTES.put(AutoColumnFile.DOUBLES, bytes(doubles));
      BYTES.put(AutoColumnFile.INDEXES, bytes(indexes));
      BYTES.put(AutoColumnFile.STRING_DICTIONARY, bytes(strings));
      BYTES.put(AutoColumnFile.LONG_DICTIONARY, bytes(numbers(medium, ColumnType.LONG.getStrategy(), Long.BYTES)));
      BYTES.put(
          AutoColumnFile.DOUBLE_DICTIONARY, bytes(numbers(medium, ColumnType.DOUBLE.getStrategy(), Double.BYTES)));
      BYTES.put(AutoColumnFile.ELEMENT_INDEXES, BYTES.get(AutoColumnFile.INDEXES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final SegmentFileMapper segment;
  private final Map<String, AutoColumnFile> empty;

  /**
   * Creates a mapper.
   *
   * @param segment files of the segment
   * @param column  name of the column, with which the names of its files start
   * @param empty   files of this column to replace
   */
  EmptyFiles(SegmentFileMapper segment, String column, Set<AutoColumnFile> empty) {
    this.segment = segment;
    this.empty = empty.stream().collect(Collectors.toMap(file -> file.of(column), file -> file));
  }

  private static <T> Serializer numbers(SegmentWriteOutMedium medium, TypeStrategy<T> strategy, int width)
      throws IOException {
    final FixedIndexedWriter<T> numbers = new FixedIndexedWriter<>(medium, strategy, IndexIO.BYTE_ORDER, width, true);
    numbers.open();
    return numbers;
  }

  private static byte[] bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Druid's serializers complete their data in this call.
    serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(bytes), null);
    return bytes.toByteArray();
  }

  @Nullable
  @Override
  public ByteBuffer mapFile(String name) throws IOException {
    @Nullable final AutoColumnFile file = empty.get(name);
    return file == null ? segment.mapFile(name) : ByteBuffer.wrap(BYTES.get(file)).asReadOnlyBuffer();
  }

  @Nullable
  @Override
  public ByteBuffer mapExternalFile(String filename, String name) throws IOException {
    return segment.mapExternalFile(filename, name);
  }

  @Override
  public Set<String> getInternalFilenames() {
    return segment.getInternalFilenames();
  }

  @Override
  public void close() {
    segment.close();
  }
}
