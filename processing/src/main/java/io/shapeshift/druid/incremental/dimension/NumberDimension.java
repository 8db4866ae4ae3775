// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.memory.HashTable;
import io.shapeshift.druid.incremental.row.Slot;
import io.shapeshift.druid.incremental.row.StoredRow;
import javax.annotation.Nullable;

/**
 * Dimension of numbers. The slot holds the bits of the number, unconverted; the tag indicates whether there is one. As
 * in Druid, all NaNs are equal, and -0 differs from 0.
 */
abstract class NumberDimension extends Dimension {
  private static final int NULL = 0;
  private static final int NUMBER = 1;

  NumberDimension(int index) {
    super(index, Slot.TAGGED_LONG);
  }

  abstract long toSlot(Object value);

  abstract Object fromSlot(long slot);

  /** Maps a slot to a long of the same order as the numbers. */
  abstract long ordered(long slot);

  private long ordered(StoredRow row) {
    return ordered(row.longSlot(index()));
  }

  @Override
  public final long hash(@Nullable Object value) {
    return value == null ? HASH_OF_NULL : HashTable.mix(ordered(toSlot(value)));
  }

  @Override
  public final boolean isSame(@Nullable Object value, StoredRow row) {
    final boolean isNull = row.tag(index()) == NULL;
    return value == null ? isNull : !isNull && ordered(toSlot(value)) == ordered(row);
  }

  @Override
  public final int write(@Nullable Object value, StoredRow row, int variable) {
    row.setTag(index(), value == null ? NULL : NUMBER);
    row.setLongSlot(index(), value == null ? 0 : toSlot(value));
    return 0;
  }

  @Override
  @Nullable
  public final Object read(StoredRow row) {
    return row.tag(index()) == NULL ? null : fromSlot(row.longSlot(index()));
  }

  @Override
  public final int compare(StoredRow left, StoredRow right) {
    final int tags = Byte.compare(left.tag(index()), right.tag(index()));
    return tags == 0 ? Long.compare(ordered(left), ordered(right)) : tags;
  }

  @Override
  public final DimensionOrder persistOrder() {
    return new DimensionOrder() {
      @Override
      public int compare(StoredRow left, StoredRow right) {
        return NumberDimension.this.compare(left, right);
      }

      @Override
      public int prefixBits() {
        return Long.SIZE;
      }

      /** Null has the same sort key as the least number, so keys do not order these two. */
      @Override
      public long prefix(StoredRow row) {
        return row.tag(index()) == NULL ? 0 : ordered(row) ^ Long.MIN_VALUE;
      }
    };
  }

  /** Dimension of longs. */
  static final class Longs extends NumberDimension {
    Longs(int index) {
      super(index);
    }

    @Override
    long toSlot(Object value) {
      return (Long) value;
    }

    @Override
    Object fromSlot(long slot) {
      return slot;
    }

    @Override
    long ordered(long slot) {
      return slot;
    }

    @Override
    public long countedElsewhere(@Nullable Object value) {
      return value == null ? 0 : Long.BYTES;
    }
  }

  /** Dimension of doubles. */
  static final class Doubles extends NumberDimension {
    Doubles(int index) {
      super(index);
    }

    @Override
    long toSlot(Object value) {
      return Double.doubleToRawLongBits((Double) value);
    }

    @Override
    Object fromSlot(long slot) {
      return Double.longBitsToDouble(slot);
    }

    @Override
    long ordered(long slot) {
      final long bits = Double.doubleToLongBits(Double.longBitsToDouble(slot));
      return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    @Override
    public long countedElsewhere(@Nullable Object value) {
      return value == null ? 0 : Double.BYTES;
    }
  }

  /** Dimension of floats. */
  static final class Floats extends NumberDimension {
    Floats(int index) {
      super(index);
    }

    @Override
    long toSlot(Object value) {
      return Float.floatToRawIntBits((Float) value);
    }

    @Override
    Object fromSlot(long slot) {
      return Float.intBitsToFloat((int) slot);
    }

    @Override
    long ordered(long slot) {
      final int bits = Float.floatToIntBits(Float.intBitsToFloat((int) slot));
      return bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE);
    }

    @Override
    public long countedElsewhere(@Nullable Object value) {
      return value == null ? 0 : Float.BYTES;
    }
  }
}
