// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntPools;
import io.shapeshift.druid.form.ints.IntStatistics;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.apache.druid.collections.ResourceHolder;

/**
 * Radix packing: several values of a small alphabet in one number, so that 3, 5 or 9 distinct values need not use whole
 * bits. The difference of a value from the base is a digit, from 0 to radix - 1. The digits of one lane in
 * {@code numDigits} consecutive rows, most significant first, form a number x. It is stored as a fraction f of
 * {@code width} bits: x * 2^width / radix^numDigits, rounded up, where radix^numDigits is at most 2^width.
 *
 * <p>Digit j is ((f * radix^j mod 2^width) * radix) >>> width, exactly. Proof: 2^width / radix^numDigits is at least 1,
 * so rounding up stays below (x + 1) * 2^width / radix^numDigits. Therefore f / 2^width is at least x / radix^numDigits
 * and less than (x + 1) / radix^numDigits, and every number in this range has the digits of x as its first fractional
 * digits in base radix. The power of the radix moves j digits before the point, the remainder drops them, and the last
 * product moves digit j before the point. The width is limited so that 2^width * radix is at most 2^32. Decoding is
 * therefore int arithmetic without a division, which C2 vectorises.
 *
 * <pre>
 * | bytes        | content                                                                                        |
 * |--------------|------------------------------------------------------------------------------------------------|
 * | 1            | form id, 16                                                                                    |
 * | 1            | numDigits, 2 or more: number of values in a fraction                                           |
 * | 1            | width: width of a fraction in bits                                                             |
 * | 2            | radix, 3 to 1,448                                                                              |
 * | 2            | lanes, 1 to 65,535                                                                             |
 * | 4            | base, the smallest value                                                                       |
 * | numWords * 4 | fractions in {@link InterleavedPacking} with these lanes: value i is digit (i / lanes) %       |
 * |              | numDigits of the fraction in row i / lanes / numDigits, lane i % lanes; digits without a value |
 * |              | are 0                                                                                          |
 * </pre>
 * Example, little-endian: 7 9 8 is {@code 10 02 04 03 00 10 00 07 00 00 00 00 00 00 00 0b 00 00 00 06} and 55 zero
 * bytes: a word of four bytes for each of 16 lanes, of which three have a value, in fractions of two digits. The 9 is
 * the digits 2 and 0 of radix 3, which are the number 6, and 6 * 16 / 9, rounded up, is 11.
 *
 * <p>The number of lanes is free, so that long rows can leave no unused bits in the last words: 16,384 values of radix
 * 3 are four rows of fractions of eight bits, with five digits each, in 820 words side by side.
 */
public final class RadixForm implements IntForm {
  static final byte ID = 16;
  /** Greatest radix: two digits make a fraction of 21 bits, which can be multiplied by the radix without overflow. */
  private static final int MAX_RADIX = 1448;
  private static final int MIN_RADIX = 3;
  private static final int HEADER_SIZE = 3 + 2 * Short.BYTES + Integer.BYTES;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "radix";
  }

  @Override
  public Set<Use> uses() {
    // For numbers, whole bits that are unpacked directly to longs are read twice as fast.
    return EnumSet.of(Use.IDS, Use.CODES);
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Radix.COST;
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return CostModel.Radix.SCAN_NANOS;
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    final IntStatistics statistics = chunk.statistics();
    final int numValues = chunk.size();
    final long radix = (long) statistics.max() - statistics.min() + 1;
    // If the radix is a power of two, whole bits waste nothing.
    if (numValues > Limits.MAX_DIRECT_INTS || radix < MIN_RADIX || radix > MAX_RADIX || Long.bitCount(radix) == 1) {
      return Estimate.SKIP;
    }
    final int bytes = HEADER_SIZE + Integer.BYTES * layout(statistics).numWords(numValues);
    final int ofBitPack = BitPackForm.size(chunk);
    return ofBitPack - bytes < ofBitPack / CostModel.Radix.SAVES ? Estimate.SKIP : Estimate.exact(bytes);
  }

  private RadixLayout layout(IntStatistics statistics) {
    return statistics.findings().once(
        this,
        RadixLayout.class,
        () -> RadixLayout.best(statistics.numValues(), statistics.max() - statistics.min() + 1));
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final IntStatistics statistics = chunk.statistics();
    final RadixLayout layout = layout(statistics);
    out.put(ID)
        .put((byte) layout.numDigits())
        .put((byte) layout.width())
        .putShort((short) layout.radix())
        .putShort((short) layout.lanes())
        .putInt(statistics.min());
    try (ResourceHolder<IntPools.PackingArrays> holder = IntPools.PACKING.take()) {
      final IntPools.PackingArrays arrays = holder.get();
      final long combinations = layout.numCombinations();
      final int rowsOfFraction = layout.numDigits() * layout.lanes();
      int numFractions = 0;
      for (int start = 0; start < chunk.size(); start += rowsOfFraction) {
        for (int lane = 0; lane < layout.lanes(); lane++) {
          final long number = number(chunk, layout, statistics.min(), start + lane);
          arrays.codes[numFractions++] = (int) (((number << layout.width()) + combinations - 1) / combinations);
        }
      }
      InterleavedPacking.pack(arrays.codes, numFractions, layout.lanes(), layout.width(), arrays.words, out);
    }
  }

  /** Returns the number whose digits are some values of one lane. */
  private static long number(IntChunk chunk, RadixLayout layout, int base, int first) {
    final int[] values = chunk.values();
    long number = 0;
    int i = first;
    for (int digit = 0; digit < layout.numDigits(); digit++) {
      number = number * layout.radix() + (i < chunk.size() ? values[i] - base : 0);
      i += layout.lanes();
    }
    return number;
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkNumValues(this, reader.numValues());
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE);
    final RadixLayout layout = new RadixLayout(
        chunk.getShort(offset + 5) & 0xFFFF, chunk.get(offset + 1), chunk.get(offset + 2), chunk.getShort(offset + 3));
    check(layout);
    final RadixInts fractions = reader.shape(RadixInts.class, RadixInts::new);
    fractions.read(
        chunk,
        offset + HEADER_SIZE,
        length - HEADER_SIZE,
        reader.numValues(),
        layout,
        chunk.getInt(offset + HEADER_SIZE - Integer.BYTES)
    );
    reader.transformTo(fractions);
  }

  /** Checks that fractions can hold their digits, and can be multiplied without overflow. */
  private void check(RadixLayout layout) {
    if (layout.lanes() == 0) {
      throw new MalformedChunkException(name() + " has no lanes");
    }
    if (layout.radix() < MIN_RADIX || layout.radix() > MAX_RADIX) {
      throw new MalformedChunkException(
          name() + " has digits of radix " + layout.radix() + ", expected " + MIN_RADIX + " to " + MAX_RADIX);
    }
    final int width = Checks.checkWidth(this, layout.width(), 1, RadixLayout.maxWidth(layout.radix()));
    long combinations = 1;
    for (int digit = 0; digit < layout.numDigits() && combinations <= 1L << width; digit++) {
      combinations *= layout.radix();
    }
    if (layout.numDigits() < 2 || combinations > 1L << width) {
      throw new MalformedChunkException(
          name() + " has " + layout.numDigits() + " digits of radix " + layout.radix() + " in " + width + " bits");
    }
  }
}
