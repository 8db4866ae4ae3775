// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import com.google.common.base.Supplier;
import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.PowersOfTen;
import java.lang.ref.SoftReference;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.column.TypeStrategy;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;

/**
 * Dictionary of the longs or doubles of a column of type {@code auto}: distinct numbers, sorted. All bytes are
 * little-endian, in segments of either byte order.
 *
 * <pre>
 * | bytes       | field                                                                               |
 * |-------------|-------------------------------------------------------------------------------------|
 * | 1           | version, 129; 0 if the dictionary is Druid's {@link FixedIndexed}                   |
 * | 1           | 1 if the first value, id 0, is null, else 0                                         |
 * | 1           | digits: number of decimal places with which all doubles are integers, 0 to          |
 * |             | {@value #MAX_DIGITS}, or {@value #AS_BITS} if there is none; 0 for longs            |
 * | 1 to 5      | numNumbers: values other than null (VByte)                                          |
 * | 8           | first: the first number as a long                                                   |
 * | 8           | divisor, at least 1                                                                 |
 * | 13 for each | of {@value #BLOCK_SIZE} numbers: base (long); width (byte), 0 to 56 or 64; start of |
 * | block       | its bytes, relative to the first block's (int)                                      |
 * | any         | for each block a bit stream, or longs if the width is 64                            |
 * | 8           | zero bytes, because readers touch them                                              |
 * </pre>
 * Number i as a long is first + divisor * (base + its value in the stream), modulo 2^64. A double is that long divided
 * by 10^digits. If digits is {@value #AS_BITS}, the long is the double's bits, with all bits except the sign inverted
 * if the sign is set, so that longs sort as the doubles do.
 */
public final class NumberDictionary {
  /** Version 129, because the versions of Druid's own dictionaries, which may be stored instead, count from 0. */
  static final byte VERSION = (byte) 0x81;
  static final int BLOCK_SIZE = 128;
  static final int ENTRY_BYTES = Long.BYTES + 1 + Integer.BYTES;
  static final int SLACK = 8;
  static final int MAX_DIGITS = 15;
  static final int AS_BITS = 16;
  /** Width of blocks whose numbers are too wide for a bit stream, and are stored as longs. */
  static final int RAW_WIDTH = Long.SIZE;

  private static final byte STOCK = 0;
  private static final int STOCK_HEADER = 6;
  /**
   * Array that looks to Druid like one of its own dictionaries: a header, and one byte per number of the largest
   * dictionary. All dictionaries share it, so that opening one does not allocate a byte per number. Open dictionaries
   * keep it alive, because their buffers refer to it. The soft reference lets it be freed otherwise.
   */
  private static SoftReference<byte[]> shared = new SoftReference<>(null);

  private final RawBytes in = new RawBytes();
  private final int numNumbers;
  private final long first;
  private final long divisor;
  private final int entries;
  private final int data;

  private NumberDictionary(ByteBuffer buffer, int numNumbers, long first, long divisor, int entries) {
    this.in.wrap(buffer);
    this.numNumbers = numNumbers;
    this.first = first;
    this.divisor = divisor;
    this.entries = entries;
    this.data = entries + ENTRY_BYTES * numBlocks(numNumbers);
  }

  static int numBlocks(int numNumbers) {
    return (int) (((long) numNumbers + BLOCK_SIZE - 1) / BLOCK_SIZE);
  }

  static long sizeInBytes(int width, int count) {
    return width == RAW_WIDTH ? (long) Long.BYTES * count : BitStream.numBytes(count, width);
  }

  /** Returns the integer of a double with {@code digits} decimal places. */
  static double scaled(double value, int digits) {
    return value * PowersOfTen.of(digits);
  }

  static double unscaled(long value, int digits) {
    return value / PowersOfTen.of(digits);
  }

  /** Converts raw bits to sortable bits and back. */
  static long ordered(long bits) {
    return bits ^ (bits >> (Long.SIZE - 1) & Long.MAX_VALUE);
  }

  /**
   * Reads a dictionary of longs.
   *
   * @param column name of the column, for messages
   * @param buffer ends at the end of the dictionary
   * @param order  byte order of Druid's dictionary
   * @throws ColumnFormatException if it is damaged
   */
  public static Supplier<FixedIndexed<Long>> longs(String column, ByteBuffer buffer, ByteOrder order) {
    if (isStock(column, buffer)) {
      return stock(column, buffer, TypeStrategies.LONG, order);
    }
    final Head head = head(column, NumberType.LONG, buffer);
    final NumberDictionary numbers = head.numbers;
    return fixed(new Strategy<>(TypeStrategies.LONG) {
      @Override
      Long number(int index) {
        return numbers.get(index);
      }
    }, numbers.numNumbers, head.hasNull);
  }

  /** Reads a dictionary of doubles. */
  public static Supplier<FixedIndexed<Double>> doubles(String column, ByteBuffer buffer, ByteOrder order) {
    if (isStock(column, buffer)) {
      return stock(column, buffer, TypeStrategies.DOUBLE, order);
    }
    final Head head = head(column, NumberType.DOUBLE, buffer);
    final NumberDictionary numbers = head.numbers;
    final int digits = head.digits;
    return fixed(new Strategy<>(TypeStrategies.DOUBLE) {
      @Override
      Double number(int index) {
        final long value = numbers.get(index);
        return digits == AS_BITS ? Double.longBitsToDouble(ordered(value)) : unscaled(value, digits);
      }
    }, numbers.numNumbers, head.hasNull);
  }

  /**
   * Creates a dictionary of consecutive ints, for those of Druid's columns that map ids to ids.
   *
   * @param first first int
   * @param size  number of ints
   */
  public static Supplier<FixedIndexed<Integer>> range(int first, int size) {
    return fixed(new Strategy<>(CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY) {
      @Override
      Integer number(int index) {
        return first + index;
      }
    }, size, false);
  }

  /**
   * Creates a dictionary of null and the numbers of a dictionary without null.
   *
   * @param type type of the numbers
   */
  public static <T> Supplier<FixedIndexed<T>> withNull(FixedIndexed<T> numbers, TypeStrategy<T> type) {
    return fixed(new Strategy<>(type) {
      @Override
      T number(int index) {
        return numbers.get(index);
      }
    }, numbers.size(), true);
  }

  private static boolean isStock(String column, ByteBuffer buffer) {
    if (!buffer.hasRemaining()) {
      throw ColumnFormatException.damaged(column, "its dictionary has no byte");
    }
    return buffer.get(buffer.position()) == STOCK;
  }

  private static <T> Supplier<FixedIndexed<T>> stock(
      String column, ByteBuffer buffer, TypeStrategy<T> strategy, ByteOrder order) {
    try {
      return FixedIndexed.read(buffer, strategy, order, Long.BYTES);
    } catch (RuntimeException e) {
      throw ColumnFormatException.damaged(column, "its dictionary of numbers cannot be read: " + e.getMessage(), e);
    }
  }

  private record Head(boolean hasNull, int digits, NumberDictionary numbers) {}

  private static Head head(String column, NumberType type, ByteBuffer buffer) {
    final ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      final byte version = in.get();
      if (version != VERSION) {
        throw ColumnFormatException.newer(column, "the version at offset 0 of its dictionary is "
            + Byte.toUnsignedInt(version) + ", this druid-shapeshift knows " + Byte.toUnsignedInt(VERSION));
      }
      final int hasNull = check(column, "hasNull", in.get(), 0, 1);
      final int digits = check(column, "digits", in.get(), 0, type == NumberType.LONG ? 0 : AS_BITS);
      final int numNumbers = check(column, "numNumbers", VByte.readInt(in), 0, Integer.MAX_VALUE - STOCK_HEADER - 1);
      final long first = in.getLong();
      final long divisor = in.getLong();
      if (divisor < 1) {
        throw ColumnFormatException.damaged(column, "divisor of its dictionary is " + divisor + ", expected 1 or more");
      }
      final long end = in.position() + (long) ENTRY_BYTES * numBlocks(numNumbers) + SLACK;
      if (end > in.limit()) {
        throw ColumnFormatException.damaged(
            column, "its dictionary of " + numNumbers + " numbers has " + in.limit() + " bytes, expected " + end);
      }
      final NumberDictionary numbers = new NumberDictionary(in, numNumbers, first, divisor, in.position());
      ColumnFormatException.requireEnd(column, in.duplicate().position(numbers.check(column, in.limit())));
      return new Head(hasNull == 1, digits, numbers);
    } catch (BufferUnderflowException e) {
      throw ColumnFormatException.damaged(
          column, "there are " + in.limit() + " bytes of its dictionary, fewer than those of its head", e);
    }
  }

  private static int check(String column, String field, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(
          column, field + " of its dictionary is " + found + ", expected " + least + " to " + most);
    }
    return found;
  }

  /** Checks everything that reads do not check, and returns the end of the dictionary. */
  private int check(String column, int limit) {
    long expected = 0;
    for (int block = 0; block < numBlocks(numNumbers); block++) {
      final int width = width(block);
      final int start = start(block);
      final int count = Math.min(BLOCK_SIZE, numNumbers - block * BLOCK_SIZE);
      final boolean isWidth = width <= BitStream.MAX_LONG_WIDTH || width == RAW_WIDTH;
      if (!isWidth || start != expected || data + expected + sizeInBytes(width, count) + SLACK > limit) {
        throw ColumnFormatException.damaged(column, "block " + block + " of its dictionary has a width of " + width
            + " bits and starts at byte " + start + ", expected " + expected + ", of " + (limit - data - SLACK));
      }
      expected += sizeInBytes(width, count);
    }
    return (int) (data + expected) + SLACK;
  }

  private int width(int block) {
    return in.getByte(entries + ENTRY_BYTES * block + Long.BYTES);
  }

  private int start(int block) {
    return in.getInt(entries + ENTRY_BYTES * block + Long.BYTES + 1);
  }

  private long get(int index) {
    final int block = index / BLOCK_SIZE;
    final int width = width(block);
    final int from = data + start(block);
    final int at = index % BLOCK_SIZE;
    final long above;
    if (width == 0) {
      above = 0;
    } else if (width == RAW_WIDTH) {
      above = in.getLong(from + Long.BYTES * at);
    } else {
      above = BitStream.getLong(in, from, width, at);
    }
    return first + divisor * (in.getLong(entries + ENTRY_BYTES * block) + above);
  }

  /**
   * Wraps our dictionary in Druid's class. Druid's columns accept no other class, and it has no public constructor. It
   * reads numbers from its buffer through a strategy; ours interprets the position as the index of a number, one byte
   * wide.
   */
  private static synchronized <T> Supplier<FixedIndexed<T>> fixed(
      Strategy<T> strategy, int numNumbers, boolean hasNull) {
    final int size = STOCK_HEADER + numNumbers;
    @Nullable byte[] room = shared.get();
    if (room == null || room.length < size) {
      final long twice = room == null ? 0 : 2L * room.length;
      room = new byte[(int) Math.min(Math.max(size, twice), Integer.MAX_VALUE - 8)];
      shared = new SoftReference<>(room);
    }
    final ByteBuffer stub = ByteBuffer.wrap(room).order(ByteOrder.LITTLE_ENDIAN);
    stub.put((byte) 0).put((byte) (FixedIndexed.IS_SORTED_MASK | (hasNull ? 1 : 0))).putInt(size - STOCK_HEADER);
    return FixedIndexed.read(stub.rewind(), strategy, ByteOrder.LITTLE_ENDIAN, 1);
  }

  /** Reads our numbers; compares them as Druid does. */
  private abstract static class Strategy<T> implements TypeStrategy<T> {
    private final TypeStrategy<T> stock;

    Strategy(TypeStrategy<T> stock) {
      this.stock = stock;
    }

    abstract T number(int index);

    @Override
    public T read(ByteBuffer buffer, int offset) {
      return number(offset - STOCK_HEADER);
    }

    @Override
    public T read(ByteBuffer buffer) {
      throw new UnsupportedOperationException("numbers are read by their offset");
    }

    @Override
    public int compare(Object left, Object right) {
      return stock.compare(left, right);
    }

    @Override
    public int estimateSizeBytes(T value) {
      return stock.estimateSizeBytes(value);
    }

    @Override
    public boolean readRetainsBufferReference() {
      return false;
    }

    @Override
    public int write(ByteBuffer buffer, T value, int maxSizeBytes) {
      throw new UnsupportedOperationException("a dictionary is only read");
    }
  }
}
