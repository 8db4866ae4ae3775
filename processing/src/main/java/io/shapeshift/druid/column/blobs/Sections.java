// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.select.FormSelectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Parts that forms of byte strings share. */
final class Sections {
  /** Zero bytes at the end of a section, because readers touch them. */
  static final int SLACK = 8;

  private Sections() {}

  /** Opens a column of ints within a section. */
  static ShapeShiftingColumnarIntsSerializer openInts(
      String column,
      SegmentWriteOutMedium medium,
      OptimizationTarget target
  ) throws IOException {
    final ShapeShiftingColumnarIntsSerializer ints = new ShapeShiftingColumnarIntsSerializer(
        column,
        medium,
        BlockSize.LARGE,
        FormSelectors.forInts(target).ofAnySpeed(),
        Integer.MAX_VALUE,
        ByteOrder.LITTLE_ENDIAN
    );
    ints.open();
    return ints;
  }

  /** Reads a column of ints within a section, and advances the buffer past it. */
  static ShapeShiftingColumnarIntsSupplier readInts(String column, ByteBuffer in, int numValues) {
    final ShapeShiftingColumnarIntsSupplier ints = ShapeShiftingColumnarIntsSupplier.read(column, in);
    final int found = ints.data().header().numValues();
    if (found != numValues) {
      throw new MalformedChunkException("there are " + found + " ints for " + numValues + " values");
    }
    return ints;
  }

  /** Advances a buffer past a number of bytes. */
  static void skip(ByteBuffer in, long bytes) {
    if (bytes > in.remaining()) {
      throw new MalformedChunkException(
          "a part at offset " + in.position() + " has " + bytes + " bytes, but there are only " + in.remaining());
    }
    in.position(in.position() + (int) bytes);
  }

  /** Returns the size of a bit stream, which in damaged bytes may be said to have more than 2 GiB. */
  static long numBytes(int numValues, int width) {
    return ((long) numValues * width + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Reads a byte that must be 0 or 1. */
  static boolean readFlag(String what, ByteBuffer in) {
    final byte found = in.get();
    if (found < 0 || found > 1) {
      throw new MalformedChunkException(what + " at offset " + (in.position() - 1) + " is " + found);
    }
    return found == 1;
  }

  /** Returns zero bytes for the end of a section. */
  static ByteBuffer slack() {
    return ByteBuffer.allocate(SLACK);
  }
}
