// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.added;

import io.shapeshift.druid.api.NumberKind;
import io.shapeshift.druid.api.NumberValues;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;

/** View of a chunk's numbers for encodings of other jars. They cannot change the chunk through it. */
final class NumberValuesOfChunk implements NumberValues {
  private static final long FLOAT_MASK = 0xFFFF_FFFFL;

  private final NumberType type;
  private final long[] bits;
  private final int size;
  private int numRuns;
  private long min;
  private long max;

  private NumberValuesOfChunk(NumberChunk chunk) {
    this.type = chunk.type();
    this.bits = chunk.bits();
    this.size = chunk.size();
  }

  /** Returns the view, which all encodings share. */
  static NumberValues of(NumberChunk chunk) {
    return chunk.findings()
        .once(NumberValuesOfChunk.class, NumberValues.class, () -> new NumberValuesOfChunk(chunk));
  }

  /** Returns the type as the API names it. */
  static NumberKind kind(NumberType type) {
    return switch (type) {
      case LONG -> NumberKind.LONG;
      case DOUBLE -> NumberKind.DOUBLE;
      case FLOAT -> NumberKind.FLOAT;
    };
  }

  private void computeOnce() {
    if (numRuns > 0) {
      return;
    }
    long least = type.sortable(bits[0]);
    long greatest = least;
    int runs = 1;
    for (int i = 1; i < size; i++) {
      final long sortable = type.sortable(bits[i]);
      least = Math.min(least, sortable);
      greatest = Math.max(greatest, sortable);
      runs += bits[i] == bits[i - 1] ? 0 : 1;
    }
    min = bitsOf(least);
    max = bitsOf(greatest);
    numRuns = runs;
  }

  private long bitsOf(long sortable) {
    return type == NumberType.FLOAT ? type.bits(sortable) & FLOAT_MASK : type.bits(sortable);
  }

  @Override
  public NumberKind kind() {
    return kind(type);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long bits(int index) {
    return bits[index];
  }

  @Override
  public void copy(int start, long[] out, int offset, int length) {
    System.arraycopy(bits, start, out, offset, length);
  }

  @Override
  public long min() {
    computeOnce();
    return min;
  }

  @Override
  public long max() {
    computeOnce();
    return max;
  }

  @Override
  public int numRuns() {
    computeOnce();
    return numRuns;
  }
}
