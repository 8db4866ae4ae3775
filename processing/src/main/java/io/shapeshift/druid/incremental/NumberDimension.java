// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import javax.annotation.Nullable;

/**
 * A dimension of numbers. The slot has the number as a long that is ordered as numbers are; the tag tells whether there
 * is one. As to Druid, all NaN are one number, and -0 is another than 0.
 */
abstract class NumberDimension extends Dimension {
  private static final int NULL = 0;
  private static final int NUMBER = 1;

  NumberDimension(int index) {
    super(index);
  }

  abstract long toOrdered(Object value);

  abstract Object fromOrdered(long ordered);

  @Override
  final int slotBytes() {
    return Long.BYTES;
  }

  @Override
  final boolean isTagged() {
    return true;
  }

  @Override
  final long hash(@Nullable Object value) {
    return value == null ? HASH_OF_NULL : mix(toOrdered(value));
  }

  @Override
  final boolean isSame(@Nullable Object value, StoredRow row) {
    boolean isNull = row.tag(index()) == NULL;
    return value == null ? isNull : !isNull && toOrdered(value) == row.longSlot(index());
  }

  @Override
  final int write(@Nullable Object value, StoredRow row, int variable) {
    row.setTag(index(), value == null ? NULL : NUMBER);
    row.setLongSlot(index(), value == null ? 0 : toOrdered(value));
    return 0;
  }

  @Override
  @Nullable
  final Object read(StoredRow row) {
    return row.tag(index()) == NULL ? null : fromOrdered(row.longSlot(index()));
  }

  @Override
  final int compare(StoredRow left, StoredRow right) {
    int tags = Byte.compare(left.tag(index()), right.tag(index()));
    return tags == 0 ? Long.compare(left.longSlot(index()), right.longSlot(index())) : tags;
  }

  @Override
  final DimensionOrder persistOrder() {
    return new DimensionOrder() {
      @Override
      public int compare(StoredRow left, StoredRow right) {
        return NumberDimension.this.compare(left, right);
      }

      @Override
      public int prefixBits() {
        return Long.SIZE;
      }

      /** Null has that of the least number, so that prefixes tell the order only of others. */
      @Override
      public long prefix(StoredRow row) {
        return row.tag(index()) == NULL ? 0 : row.longSlot(index()) ^ Long.MIN_VALUE;
      }
    };
  }

  /** Longs. */
  static final class Longs extends NumberDimension {
    Longs(int index) {
      super(index);
    }

    @Override
    long toOrdered(Object value) {
      return (Long) value;
    }

    @Override
    Object fromOrdered(long ordered) {
      return ordered;
    }

    @Override
    long countedElsewhere(@Nullable Object value) {
      return value == null ? 0 : Long.BYTES;
    }
  }

  /** Doubles. */
  static final class Doubles extends NumberDimension {
    Doubles(int index) {
      super(index);
    }

    @Override
    long toOrdered(Object value) {
      return flip(Double.doubleToLongBits((Double) value));
    }

    @Override
    Object fromOrdered(long ordered) {
      return Double.longBitsToDouble(flip(ordered));
    }

    @Override
    long countedElsewhere(@Nullable Object value) {
      return value == null ? 0 : Double.BYTES;
    }

    /** From the bits of a double to a long that is ordered as doubles are, and back. */
    private static long flip(long bits) {
      return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }
  }

  /** Floats. */
  static final class Floats extends NumberDimension {
    Floats(int index) {
      super(index);
    }

    @Override
    long toOrdered(Object value) {
      return flip(Float.floatToIntBits((Float) value));
    }

    @Override
    Object fromOrdered(long ordered) {
      return Float.intBitsToFloat(flip((int) ordered));
    }

    @Override
    long countedElsewhere(@Nullable Object value) {
      return value == null ? 0 : Float.BYTES;
    }

    private static int flip(int bits) {
      return bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE);
    }
  }
}
