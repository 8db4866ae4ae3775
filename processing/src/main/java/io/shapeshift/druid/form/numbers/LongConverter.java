// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RowMatches;

/** Makes the longs of a chunk, which are the bits that all readers of numbers put together. */
abstract sealed class LongConverter extends NumberChunkReader permits LongChunkReader {
  LongConverter() {
    super(NumberType.LONG);
  }

  /** An exception, by its number. */
  final long exception(int i) {
    return exceptionBits(i);
  }

  /** The long at an index of the chunk, if that is no exception. */
  final long converted(int index) {
    return bits(index);
  }

  /** The longs of at most a vector, without exceptions. */
  final void convert(long[] out, int at, int start, int length) {
    bits(out, at, start, length, 0);
  }

  /** The longs at some positions, without exceptions. */
  final void convert(long[] out, int[] indexes, int from, int to, int chunk) {
    bits(out, indexes, from, to, chunk, 0);
  }

  @Override
  final boolean areInOrder(long first, long last) {
    return true;
  }

  /** Reads at most a vector of longs, exceptions among them, to an array of the reader's own from 0 on. */
  abstract long[] vectorOf(int start, int length);

  @Override
  final void compare(int start, int length, WantedNumbers wanted, RowMatches matches, int row) {
    final long[] longs = vectorOf(start, length);
    for (int i = 0; i < wanted.numRanges(); i++) {
      matches.addLongs(longs, row, wanted.start(i), wanted.end(i));
    }
  }

  @Override
  final void keys(long[] out, int start, int length) {
    System.arraycopy(vectorOf(start, length), 0, out, 0, length);
  }

  @Override
  final long keyOf(int value) {
    return base + multiplier * value;
  }

  @Override
  final long intOf(long key) {
    return intOfBits(key);
  }

  /** The longs of ints in a linear frame. */
  final void convertInts(int[] in, long[] out, int length) {
    linear(in, 0, out, 0, length, base, multiplier);
  }
}
