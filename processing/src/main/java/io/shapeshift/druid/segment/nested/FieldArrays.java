// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;

/**
 * Arrays of a field, as the numbers of their elements. Druid's class reads them, and trusts their lengths and elements.
 * All bytes are therefore checked once, before the first array is read.
 */
final class FieldArrays implements Supplier<FrontCodedIntArrayIndexed> {
  private final String name;
  private final ByteBuffer bytes;
  private final int numElements;
  private final Supplier<FrontCodedIntArrayIndexed> arrays;
  private final int size;
  private volatile boolean isChecked;

  /**
   * Opens the arrays.
   *
   * @param name        name of the column and the field, for messages
   * @param bytes       all bytes of the arrays
   * @param numElements number of values that can be elements, with null
   * @throws ColumnFormatException if they are damaged
   */
  FieldArrays(String name, ByteBuffer bytes, ByteOrder order, int numElements) {
    this.name = name;
    this.bytes = bytes.duplicate().order(order);
    this.numElements = numElements;
    try {
      this.arrays = FrontCodedIntArrayIndexed.read(bytes, order);
      this.size = arrays.get().size();
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(name, "its arrays, from offset 0 of their section: ", e);
    }
    ColumnFormatException.requireEnd(name, bytes);
  }

  /** Returns the number of arrays. */
  int size() {
    return size;
  }

  /**
   * Returns a reader, for one thread.
   *
   * @throws ColumnFormatException if the arrays are damaged
   */
  @Override
  public FrontCodedIntArrayIndexed get() {
    if (!isChecked) {
      final ByteBuffer in = bytes.duplicate().order(bytes.order());
      try {
        check(in);
      } catch (RuntimeException e) {
        throw ColumnFormatException.notRead(name, "its arrays, at offset " + in.position() + " of their section: ", e);
      }
      isChecked = true;
    }
    return arrays.get();
  }

  private void check(ByteBuffer in) {
    // Druid has checked the version and the size of a bucket, and no array is null.
    in.position(1);
    final int bucketSize = Byte.toUnsignedInt(in.get());
    in.get();
    final int numArrays = Checks.readInt("the number of arrays", in, size, size);
    Checks.readInt("the number of bytes", in, 0, in.remaining());
    final int numBuckets = (numArrays + bucketSize - 1) / bucketSize;
    final int ends = in.position();
    final int start = ends + Math.max(0, numBuckets - 1) * Integer.BYTES;
    in.position(start);
    int length = 0;
    for (int array = 0; array < numArrays; array++) {
      int prefix = 0;
      if (array % bucketSize > 0) {
        prefix = Checks.readInt("the prefix of array " + array, in, 0, length);
      } else if (array > 0) {
        checkEnd(in, in.getInt(ends + (array / bucketSize - 1) * Integer.BYTES), start);
      }
      final int own = Checks.readInt("the length of array " + array, in, 0, in.remaining() / Integer.BYTES);
      for (int i = 0; i < own; i++) {
        final int element = in.getInt();
        if (element < 0 || element >= numElements) {
          throw new MalformedChunkException("array " + array + " has element " + element + ", of " + numElements);
        }
      }
      length = prefix + own;
    }
    checkEnd(in, in.limit() - start, start);
  }

  private static void checkEnd(ByteBuffer in, int expected, int start) {
    if (in.position() - start != expected) {
      throw new MalformedChunkException(
          "arrays end at " + (in.position() - start) + " of their bytes, expected " + expected);
    }
  }
}
