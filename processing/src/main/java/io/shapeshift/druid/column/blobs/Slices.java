// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Position and length of each value in a stream of bytes: a column of ints with 0 for null and otherwise the length
 * plus 1, and {@link Positions}. Thread-safe; a {@link Reader} is for one thread.
 */
final class Slices {
  private final ShapeShiftingColumnarIntsSupplier codes;
  private final Positions.Bases bases;
  private final int numValues;

  /** Reads the slices, and advances the buffer past them. */
  Slices(String column, ByteBuffer in, int numValues) {
    this.codes = Sections.readInts(column + " (lengths)", in, numValues);
    this.bases = new Positions.Bases(in, numValues);
    this.numValues = numValues;
  }

  /**
   * Creates a reader.
   *
   * @param end size of the stream in bytes
   */
  Reader reader(long end) {
    return new Reader(codes.get(), bases, numValues, end);
  }

  /** Reader of positions and lengths. */
  static final class Reader extends Positions {
    private final ShapeShiftingColumnarInts codes;
    private final int[] window = new int[VALUES_PER_BASE];

    private Reader(ShapeShiftingColumnarInts codes, Bases bases, int numValues, long end) {
      super(bases, numValues, end);
      this.codes = codes;
    }

    @Override
    void sizes(int first, int count, long[] sizes) {
      codes.get(window, first, count);
      for (int i = 0; i < count; i++) {
        sizes[i + 1] = Math.max(0, window[i] - 1);
      }
    }

    /** Returns the length of a value of the current block, {@link BlobSpill#NULL} for null. */
    int length(int inBlock) {
      return window[inBlock] - 1;
    }

    /** Returns the codes of all values, 0 for null. */
    ShapeShiftingColumnarInts codes() {
      return codes;
    }

    void close() {
      codes.close();
    }
  }

  /** Writer of positions and lengths. */
  static final class Writer {
    private final ShapeShiftingColumnarIntsSerializer codes;
    private final Positions.Writer positions = new Positions.Writer();

    Writer(String column, SegmentWriteOutMedium medium, OptimizationTarget target) throws IOException {
      this.codes = Sections.openInts(column + " (lengths)", medium, target);
    }

    /** Adds the length of the next value, {@link BlobSpill#NULL} for null. */
    void add(int length) throws IOException {
      codes.addValue(length + 1);
      positions.add(Math.max(0, length));
    }

    long size() throws IOException {
      return codes.getSerializedSize() + positions.sizeInBytes();
    }

    void writeTo(WritableByteChannel channel) throws IOException {
      codes.writePartTo(channel);
      Channels.writeFully(channel, positions.toBytes());
    }
  }
}
