// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.IntToLongFunction;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/**
 * Column of longs with a hash index, in mapped files.
 *
 * @param numbers     the column
 * @param columnBytes size of the column
 * @param index       its hash index
 * @param columnNanos time to write the column
 * @param indexNanos  time to write the index
 */
public record KeyColumn(
    ShapeShiftingColumnarLongsSupplier numbers,
    long columnBytes,
    HashIndex index,
    long columnNanos,
    long indexNanos
) {
  private static final String NAME = "id";
  private static final OptimizationTarget TARGET = OptimizationTarget.FASTBUTSMALLISH;

  /** Makes a column in the forms of columns with an index. */
  public static KeyColumn write(int rows, IntToLongFunction keys, File directory) throws IOException {
    return write(rows, keys, selector(), directory);
  }

  static FormSelector<NumberChunk> selector() {
    return FormSelectors.forNumbers(NumberType.LONG, TARGET).forLookUps();
  }

  /**
   * Makes a column in the forms that a selector chooses.
   *
   * @param keys      returns the key of a row; is called for each row in turn, for the column and for the index
   * @param directory of the files, which may be deleted while they are mapped
   */
  static KeyColumn write(
      int rows, IntToLongFunction keys, FormSelector<NumberChunk> selector, File directory
  ) throws IOException {
    // Two media in one directory, of two threads, would delete each other's files.
    final File own = Files.createTempDirectory(directory.toPath(), NAME).toFile();
    final long start = System.nanoTime();
    final ByteBuffer column;
    try (SegmentWriteOutMedium medium = medium(own)) {
      final ShapeShiftingColumnarLongsSerializer numbers = new ShapeShiftingColumnarLongsSerializer(
          NAME, medium, BlockSize.LARGE, selector, ByteOrder.nativeOrder());
      numbers.open();
      for (int row = 0; row < rows; row++) {
        numbers.add(keys.applyAsLong(row));
      }
      column = file(numbers, own);
    }
    final long columnEnd = System.nanoTime();
    final ByteBuffer index;
    try (SegmentWriteOutMedium medium = medium(own)) {
      index = file(index(rows, keys, medium), own);
    }
    final long end = System.nanoTime();
    return new KeyColumn(
        ShapeShiftingColumnarLongsSupplier.read(NAME, column.duplicate().order(ByteOrder.nativeOrder())),
        column.remaining(),
        HashIndex.read(NAME, index, rows),
        columnEnd - start,
        end - columnEnd
    );
  }

  static SegmentWriteOutMedium medium(File directory) throws IOException {
    return TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory);
  }

  /** An index that has been given all keys, and is not written yet. */
  static HashIndexSerializer index(int rows, IntToLongFunction keys, SegmentWriteOutMedium medium) throws IOException {
    final HashIndexSerializer index = new HashIndexSerializer(NAME, medium, TARGET);
    index.open();
    for (int row = 0; row < rows; row++) {
      index.add(keys.applyAsLong(row));
    }
    return index;
  }

  private static ByteBuffer file(Serializer serializer, File directory) throws IOException {
    final Path file = Files.createTempFile(directory.toPath(), NAME, null);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      serializer.writeTo(channel, null);
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }
  }
}
