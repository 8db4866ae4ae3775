// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import com.github.luben.zstd.Zstd;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.testing.NumberData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jpountz.lz4.LZ4Factory;

/** Chunks of numbers read by the book, as plainly as can be, without any code of ours. */
final class NumberReference {
  private static final Map<Byte, FormContract> INTS = intForms();
  private static final int VALUES_PER_BASE = 128;
  private static final double[] POWERS =
      IntStream.rangeClosed(0, 18).mapToDouble(exponent -> Double.parseDouble("1e" + exponent)).toArray();

  private NumberReference() {}

  private static Map<Byte, FormContract> intForms() {
    try {
      return FormContract.all().stream()
          .collect(Collectors.toMap(contract -> contract.form().id(), contract -> contract));
    } catch (Exception e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** A chunk from its first byte on, and nothing behind it. */
  static long[] read(NumberType type, ByteBuffer chunk, int numValues) {
    final byte id = chunk.get();
    return switch (id) {
      case 0 -> raw(type, chunk, numValues);
      case 1 -> linear(type, chunk, numValues, false);
      case 2 -> linear(type, chunk, numValues, true);
      case 3 -> dictionary(type, chunk, numValues);
      case 4 -> deltas(chunk, numValues);
      case 5 -> wide(chunk, numValues);
      case 6 -> split(chunk, numValues);
      case 7, 8 -> compressed(id, type, chunk, numValues);
      default -> throw new AssertionError("form " + id);
    };
  }

  /** A whole chunk of ints, whose first byte is its id. */
  private static int[] ints(ByteBuffer chunk, int numValues) {
    final byte id = chunk.get();
    return INTS.get(id).readByTheBook(chunk.slice().order(chunk.order()), numValues);
  }

  private static long[] raw(NumberType type, ByteBuffer in, int numValues) {
    final long[] bits = new long[numValues];
    for (int i = 0; i < numValues; i++) {
      bits[i] = number(type, in);
    }
    return bits;
  }

  private static long number(NumberType type, ByteBuffer in) {
    return type == NumberType.FLOAT ? in.getInt() & 0xFFFF_FFFFL : in.getLong();
  }

  private static long[] wide(ByteBuffer in, int numValues) {
    final int width = in.get();
    final long base = in.getLong();
    return Arrays.stream(Reference.interleavedLongs(in, numValues, width)).map(above -> base + above).toArray();
  }

  private static long[] split(ByteBuffer in, int numValues) {
    final int width = in.get();
    final int upperBytes = in.getInt();
    final int[] uppers = ints(in.slice(in.position(), upperBytes).order(in.order()), numValues);
    final long[] bits = Reference.interleavedLongs(in.position(in.position() + upperBytes), numValues, width);
    for (int i = 0; i < numValues; i++) {
      bits[i] |= (long) uppers[i] << width;
    }
    return bits;
  }

  private static long[] compressed(byte id, NumberType type, ByteBuffer in, int numValues) {
    final int layout = in.get();
    final byte[] compressed = new byte[in.remaining()];
    in.get(compressed);
    final byte[] payload = new byte[numValues * type.bytes()];
    final long length = id == 7
        ? LZ4Factory.safeInstance().safeDecompressor().decompress(compressed, payload)
        : Zstd.decompress(payload, compressed);
    if (length != payload.length) {
      throw new AssertionError(length + " bytes");
    }
    if (layout == 0) {
      return raw(type, ByteBuffer.wrap(payload).order(in.order()), numValues);
    }
    final long[] bits = new long[numValues];
    for (int i = 0; i < payload.length; i++) {
      bits[i % numValues] |= (payload[i] & 0xFFL) << (8 * (i / numValues));
    }
    return bits;
  }

  private static long[] linear(NumberType type, ByteBuffer in, int numValues, boolean decimal) {
    final int flags = in.get();
    final int exponent = decimal ? in.get() : 0;
    final long base = (flags & 1) == 0 ? 0 : in.getLong();
    final long multiplier = (flags & 2) == 0 ? 1 : in.getLong();
    int[] positions = new int[0];
    long[] exceptions = new long[0];
    if ((flags & 4) != 0) {
      final int count = in.getShort() & 0xFFFF;
      positions = Reference.positions(in, in.get(), numValues, count);
      exceptions = raw(type, in, count);
    }
    final int[] ints = ints(in, numValues);
    final long[] bits = new long[numValues];
    for (int i = 0; i < numValues; i++) {
      final long integer = base + multiplier * ints[i];
      bits[i] = decimal ? quotient(type, integer, exponent) : integer;
    }
    for (int i = 0; i < positions.length; i++) {
      bits[positions[i]] = exceptions[i];
    }
    return bits;
  }

  /** Both are exact in their type, so that the quotient is rounded once. */
  static long quotient(NumberType type, long integer, int exponent) {
    final double power = POWERS[exponent];
    return type == NumberType.FLOAT
           ? NumberData.bits(type, (float) integer / (float) power)
           : NumberData.bits(type, integer / power);
  }

  private static long[] dictionary(NumberType type, ByteBuffer in, int numValues) {
    final long[] entries = raw(type, in, (in.getShort() & 0xFFFF) + 1);
    return Arrays.stream(ints(in, numValues)).mapToLong(code -> entries[code]).toArray();
  }

  private static long[] deltas(ByteBuffer in, int numValues) {
    final long minDelta = in.getLong();
    final long multiplier = in.getLong();
    final long base = in.getLong();
    final int width = in.get() & ~32;
    final int numBases = (numValues + VALUES_PER_BASE - 1) / VALUES_PER_BASE;
    final long[] bases = width == 64
        ? raw(NumberType.LONG, in, numBases)
        : Reference.longStream(in, numBases, width);
    final int[] deltas = ints(in.position(in.position() + 7), numValues);
    final long[] values = new long[numValues];
    for (int i = 0; i < numValues; i++) {
      values[i] = i % VALUES_PER_BASE == 0
                  ? base + bases[i / VALUES_PER_BASE]
                  : values[i - 1] + minDelta + multiplier * deltas[i];
    }
    return values;
  }
}
