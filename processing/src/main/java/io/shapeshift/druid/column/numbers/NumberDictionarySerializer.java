// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntToLongFunction;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;

/**
 * Writer of a {@link NumberDictionary} that has the numbers of a stock dictionary. If the stock dictionary is not
 * larger, it is written instead. The heap holds the result, and temporarily 8 bytes per number.
 */
public final class NumberDictionarySerializer implements Serializer {
  private static final long MAX_EXACT = 1L << 53;

  private final ByteBuffer bytes;
  private final int stockBytes;

  private NumberDictionarySerializer(ByteBuffer bytes, int stockBytes) {
    this.bytes = bytes;
    this.stockBytes = stockBytes;
  }

  /**
   * Creates a serializer of longs.
   *
   * @param stock Druid's dictionary
   * @param order its byte order
   */
  public static NumberDictionarySerializer ofLongs(ByteBuffer stock, ByteOrder order) {
    final FixedIndexed<Long> numbers =
        FixedIndexed.read(stock.duplicate(), TypeStrategies.LONG, order, Long.BYTES).get();
    final int nulls = nulls(numbers);
    return encode(stock, nulls, 0, numbers.size() - nulls, index -> numbers.get(index + nulls));
  }

  /**
   * Creates a serializer of doubles.
   *
   * @param stock Druid's dictionary
   * @param order its byte order
   */
  public static NumberDictionarySerializer ofDoubles(ByteBuffer stock, ByteOrder order) {
    final FixedIndexed<Double> numbers =
        FixedIndexed.read(stock.duplicate(), TypeStrategies.DOUBLE, order, Double.BYTES).get();
    final int nulls = nulls(numbers);
    final int digits = digits(numbers, nulls);
    return encode(stock, nulls, digits, numbers.size() - nulls, index -> {
      final double number = numbers.get(index + nulls);
      return digits == NumberDictionary.AS_BITS
             ? NumberDictionary.ordered(Double.doubleToRawLongBits(number))
             : (long) Math.rint(NumberDictionary.scaled(number, digits));
    });
  }

  private static int nulls(FixedIndexed<?> numbers) {
    return numbers.size() > 0 && numbers.get(0) == null ? 1 : 0;
  }

  /** Returns the least number of decimal places with which all doubles are integers and are restored bit for bit. */
  private static int digits(FixedIndexed<Double> numbers, int from) {
    for (int digits = 0; digits <= NumberDictionary.MAX_DIGITS; digits++) {
      int i = from;
      while (i < numbers.size() && isExact(numbers.get(i), digits)) {
        i++;
      }
      if (i == numbers.size()) {
        return digits;
      }
    }
    return NumberDictionary.AS_BITS;
  }

  private static boolean isExact(double number, int digits) {
    final double scaled = Math.rint(NumberDictionary.scaled(number, digits));
    return Math.abs(scaled) < MAX_EXACT
        && Double.doubleToRawLongBits(NumberDictionary.unscaled((long) scaled, digits))
        == Double.doubleToRawLongBits(number);
  }

  private static NumberDictionarySerializer encode(
      ByteBuffer stock, int nulls, int digits, int count, IntToLongFunction numbers) {
    final long first = count == 0 ? 0 : numbers.applyAsLong(0);
    final long divisor = divisor(count, numbers);
    final int numBlocks = NumberDictionary.numBlocks(count);
    final long[] bases = new long[numBlocks];
    final int[] widths = new int[numBlocks];
    final LongArrayList above = new LongArrayList(count);
    long data = 0;
    for (int block = 0; block < numBlocks; block++) {
      final int from = block * NumberDictionary.BLOCK_SIZE;
      final int to = Math.min(count, from + NumberDictionary.BLOCK_SIZE);
      long least = -1;
      for (int i = from; i < to; i++) {
        final long steps = Long.divideUnsigned(numbers.applyAsLong(i) - first, divisor);
        above.add(steps);
        least = Long.compareUnsigned(steps, least) < 0 ? steps : least;
      }
      long most = 0;
      for (int i = from; i < to; i++) {
        above.set(i, above.getLong(i) - least);
        most |= above.getLong(i);
      }
      final int width = Long.SIZE - Long.numberOfLeadingZeros(most);
      bases[block] = least;
      widths[block] = width > BitStream.MAX_LONG_WIDTH ? NumberDictionary.RAW_WIDTH : width;
      data += NumberDictionary.sizeInBytes(widths[block], to - from);
    }
    final long size = 3 + VByte.computeIntSize(count) + 2L * Long.BYTES
        + (long) NumberDictionary.ENTRY_BYTES * numBlocks + data + NumberDictionary.SLACK;
    if (size >= stock.remaining()) {
      return new NumberDictionarySerializer(stock.duplicate(), stock.remaining());
    }
    final ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    out.put(NumberDictionary.VERSION).put((byte) nulls).put((byte) digits);
    VByte.writeInt(out, count);
    out.putLong(first).putLong(divisor);
    int start = 0;
    for (int block = 0; block < numBlocks; block++) {
      out.putLong(bases[block]).put((byte) widths[block]).putInt(start);
      start += (int) NumberDictionary.sizeInBytes(widths[block], countOf(block, count));
    }
    for (int block = 0; block < numBlocks; block++) {
      final int from = block * NumberDictionary.BLOCK_SIZE;
      final long[] values = above.subList(from, from + countOf(block, count)).toLongArray();
      if (widths[block] == NumberDictionary.RAW_WIDTH) {
        for (long value : values) {
          out.putLong(value);
        }
      } else if (widths[block] > 0) {
        BitStream.pack(values, values.length, 0, widths[block], out);
      }
    }
    return new NumberDictionarySerializer(out.rewind(), stock.remaining());
  }

  private static int countOf(int block, int count) {
    return Math.min(NumberDictionary.BLOCK_SIZE, count - block * NumberDictionary.BLOCK_SIZE);
  }

  /** Returns the greatest common divisor of all differences; 1 if a difference has more than 63 bits. */
  private static long divisor(int count, IntToLongFunction numbers) {
    long divisor = 0;
    for (int i = 1; i < count && divisor != 1; i++) {
      final long difference = numbers.applyAsLong(i) - numbers.applyAsLong(i - 1);
      if (difference <= 0) {
        return 1;
      }
      long left = divisor;
      divisor = difference;
      while (left != 0) {
        final long rest = divisor % left;
        divisor = left;
        left = rest;
      }
    }
    return Math.max(1, divisor);
  }

  @Override
  public long getSerializedSize() {
    return bytes.remaining();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    Channels.writeFully(channel, bytes.duplicate());
    WrittenSegment.addPart(SegmentPart.DICTIONARIES, bytes.remaining(), "numbers", stockBytes);
  }
}
