// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ints.IntShape;
import java.nio.ByteBuffer;

/** Shape for values of one to four bytes each. */
final class BytePackedInts extends IntShape {
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private int numBytes;

  /**
   * Starts a chunk.
   *
   * @param chunk    in the column's byte order; its position and limit are not used
   * @param offset   index in the buffer of the first value
   * @param numBytes bytes of each value, 1 to 4
   */
  void read(ByteBuffer chunk, int offset, int numValues, int numBytes) {
    this.bytes.wrap(chunk);
    this.offset = offset;
    this.numValues = numValues;
    this.numBytes = numBytes;
  }

  @Override
  public int get(int index) {
    return switch (numBytes) {
      case 1 -> BytePacking.get1(bytes, offset + index);
      case 2 -> BytePacking.get2(bytes, offset + 2 * index);
      case 3 -> BytePacking.get3(bytes, offset + 3 * index);
      default -> bytes.getInt(offset + 4 * index);
    };
  }

  @Override
  public void get(int[] out, int at, int start, int length) {
    switch (numBytes) {
      case 1 -> BytePacking.unpack1(bytes, offset + start, out, at, length);
      case 2 -> BytePacking.unpack2(bytes, offset + 2 * start, out, at, length);
      case 3 -> BytePacking.unpack3(bytes, offset + 3 * start, out, at, length);
      default -> BytePacking.unpack4(bytes, offset + 4 * start, out, at, length);
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    switch (numBytes) {
      case 1 -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.get1(bytes, offset + (indexes[i] - base));
        }
      }
      case 2 -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.get2(bytes, offset + 2 * (indexes[i] - base));
        }
      }
      case 3 -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.get3(bytes, offset + 3 * (indexes[i] - base));
        }
      }
      default -> {
        for (int i = from; i < to; i++) {
          out[i] = bytes.getInt(offset + 4 * (indexes[i] - base));
        }
      }
    }
  }

  @Override
  public long greatest() {
    return numBytes == Integer.BYTES ? Integer.MAX_VALUE : (1 << (Byte.SIZE * numBytes)) - 1;
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
