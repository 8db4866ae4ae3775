// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.SortedPositions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/** Numbers of a chunk that do not fit its frame, by position. The ints at these positions have no meaning. */
public final class NumberExceptions {
  private final NumberType type;
  private final SortedPositions positions = new SortedPositions();
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private int size;
  private int numValues;
  @Nullable
  private int[] places;
  private int rank;

  NumberExceptions(NumberType type) {
    this.type = type;
  }

  /** Starts a chunk without exceptions. */
  void start(int newNumValues) {
    numValues = newNumValues;
    size = 0;
  }

  /**
   * Adds exceptions to the chunk.
   *
   * @param positionsAt index in the buffer of the exceptions' positions
   * @param layout      layout of the positions, already checked to be 0, 1 or 2
   * @param bits        index in the buffer of the exceptions' bits
   * @param number      number of exceptions, 1 or more
   * @throws io.shapeshift.druid.form.MalformedChunkException if the positions are invalid
   */
  public void read(ByteBuffer buffer, int positionsAt, int layout, int bits, int number) {
    positions.read(buffer, positionsAt, layout, numValues, number);
    bytes.wrap(buffer);
    offset = bits;
    size = number;
  }

  /** Returns the number of exceptions. */
  int size() {
    return size;
  }

  /** Returns the number of the exception at an index of the chunk; negative if there is none. */
  int find(int index) {
    return size == 0 ? -1 : positions.find(index);
  }

  /** Returns an exception of type long by its number. */
  long getLong(int i) {
    return bytes.getLong(offset + Long.BYTES * i);
  }

  /** Returns an exception of type double by its number. */
  double getDouble(int i) {
    return Double.longBitsToDouble(getLong(i));
  }

  /** Returns an exception of type float by its number. */
  float getFloat(int i) {
    return Float.intBitsToFloat(bytes.getInt(offset + Integer.BYTES * i));
  }

  private long sortableOf(int i) {
    return type.sortable(type == NumberType.FLOAT ? bytes.getInt(offset + Integer.BYTES * i) : getLong(i));
  }

  /**
   * Lists the exceptions in at most a vector; {@link #place} and {@link #listed} return their indexes and numbers.
   *
   * @return number of exceptions in the list
   */
  int list(int start, int length) {
    if (places == null) {
      places = new int[NumberScratch.LENGTH];
    }
    rank = start == 0 ? 0 : positions.rank(start - 1);
    return rank == size ? 0 : positions.list(start, start + length, rank, places);
  }

  /** Returns the index in the chunk of a listed exception. */
  int place(int i) {
    return places[i];
  }

  /** Returns the number of a listed exception. */
  int listed(int i) {
    // In a damaged chunk the list may be longer than the exceptions.
    return Math.min(rank + i, size - 1);
  }

  /**
   * Corrects the result of a search among ints, at the indexes of exceptions.
   *
   * @param out bits of the matches if the result is {@link Found#SOME}; otherwise all zero, before and after the call
   */
  Found correct(Found found, WantedNumbers wanted, long[] out) {
    if (size == 0) {
      return found;
    }
    if (found == Found.ALL) {
      BitRanges.set(out, 0, numValues);
    }
    boolean isSame = found != Found.SOME;
    for (int start = 0; start < numValues; start += NumberScratch.LENGTH) {
      final int listed = list(start, Math.min(NumberScratch.LENGTH, numValues - start));
      for (int i = 0; i < listed; i++) {
        final int place = place(i);
        final boolean isWanted = wanted.contains(sortableOf(listed(i)));
        isSame &= isWanted == (found == Found.ALL);
        out[place >>> 6] = (out[place >>> 6] & ~(1L << place)) | (isWanted ? 1L << place : 0);
      }
    }
    if (isSame) {
      Arrays.fill(out, 0, (numValues + Long.SIZE - 1) / Long.SIZE, 0);
      return found;
    }
    return Found.SOME;
  }

  void release() {
    bytes.release();
    size = 0;
  }
}
