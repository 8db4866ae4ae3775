// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.delta;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntPools;
import java.nio.ByteBuffer;
import org.apache.druid.collections.ResourceHolder;

/**
 * Delta encoding: differences between neighbouring values above the smallest difference, for ordered values such as
 * offsets, counters and sorted ids. Each 128th value is stored itself as a base, so that a read adds up at most 127
 * differences.
 *
 * <pre>
 * | bytes                     | content                                                                 |
 * |---------------------------|-------------------------------------------------------------------------|
 * | 1                         | form id, 12                                                             |
 * | 1                         | width, 0 to 31 bits; plus 32 if no value is less than the one before it |
 * | 4                         | minDelta, the smallest of the stored differences (signed)               |
 * | 4 * ceil(numValues / 128) | the values 0, 128, 256, ...                                             |
 * | numWords * 4              | difference of each value from the one before it, less minDelta; 0       |
 * |                           | for the values stored themselves: see {@link InterleavedPacking}        |
 * </pre>
 * Example, little-endian: 10 12 11 13 is
 * {@code 0c 02 ff ff ff ff 0a 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 03} and 51 zero bytes: the differences 2 -1
 * 2 in two bits above -1, in a word of four bytes for each of the 16 lanes.
 */
public final class DeltaForm implements IntForm {
  static final byte ID = 12;
  private static final int ASCENDS = 32;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "delta";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Delta.COST;
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return CostModel.Delta.SCAN_NANOS;
  }

  @Override
  public double sparseNanos(IntChunk chunk) {
    return CostModel.Delta.SPARSE_NANOS;
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    final int numValues = chunk.size();
    if (numValues > Limits.MAX_DIRECT_INTS) {
      return Estimate.SKIP;
    }
    final int width = deltas(chunk).width();
    if (width > 31) {
      return Estimate.SKIP;
    }
    return Estimate.exact(
        DeltaInts.Header.SIZE
            + Integer.BYTES * (DeltaInts.numBases(numValues)
                + InterleavedPacking.numWords(numValues, width)));
  }

  private DeltaStatistics deltas(IntChunk chunk) {
    return chunk.statistics().findings()
        .once(this, DeltaStatistics.class, () -> DeltaStatistics.of(chunk.values(), chunk.size()));
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final DeltaStatistics deltas = deltas(chunk);
    final int width = deltas.width();
    final int minDelta = deltas.minDelta();
    final int[] values = chunk.values();
    try (ResourceHolder<IntPools.PackingArrays> holder = IntPools.PACKING.take()) {
      final IntPools.PackingArrays arrays = holder.get();
      out.put(ID).put((byte) (deltas.ascends() ? width | ASCENDS : width)).putInt(minDelta);
      for (int i = 0; i < chunk.size(); i++) {
        if (i % DeltaInts.VALUES_PER_BASE == 0) {
          out.putInt(values[i]);
          arrays.codes[i] = 0;
        } else {
          arrays.codes[i] = values[i] - values[i - 1] - minDelta;
        }
      }
      InterleavedPacking.pack(arrays.codes, chunk.size(), width, arrays.words, out);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    final int numValues = reader.numValues();
    Checks.checkLengthAtLeast(
        this, length, DeltaInts.Header.SIZE + Integer.BYTES * DeltaInts.numBases(numValues));
    final byte head = chunk.get(offset + 1);
    final int width = Checks.checkWidth(this, head & ~ASCENDS, 0, 31);
    final DeltaInts.Header header = new DeltaInts.Header(width, chunk.getInt(offset + 2), (head & ASCENDS) != 0);
    final DeltaInts deltas = reader.shape(DeltaInts.class, DeltaInts::new);
    deltas.read(chunk, offset, length, numValues, header);
    reader.transformTo(deltas);
  }
}
