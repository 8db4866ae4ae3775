// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.PositionsWriter;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntPools;
import io.shapeshift.druid.form.ints.IntStatistics;
import java.nio.ByteBuffer;
import org.apache.druid.collections.ResourceHolder;

/**
 * Run-end encoding: run length encoding that is read in place. It stores the end and the value of each run of equal
 * values. The run of a position is the number of runs that end at or before it.
 *
 * <pre>
 * | bytes                       | content                                                            |
 * |-----------------------------|--------------------------------------------------------------------|
 * | 1                           | form id, 11                                                        |
 * | 1                           | width, 1 to 31 bits                                                |
 * | 1                           | layout of the ends, 0 to 2                                         |
 * | 2                           | numRuns (unsigned short), at least 2                               |
 * | 4                           | base: the chunk's smallest value                                   |
 * | see {@link SortedPositions} | end of each run except the last: the position after its last value |
 * | numRuns * width bits        | values of the runs less the base: see {@link BitStream}            |
 * | 7                           | zero                                                               |
 * </pre>
 * Example, little-endian: 9 9 9 9 9 300 300 300 2 2 2 2 is
 * {@code 0b 09 00 03 00 02 00 00 00 05 00 08 00 07 54 02 00 00 00 00 00 00 00 00}: the ends 5 and 8, and 7, 298 and 0
 * above 2 in nine bits.
 *
 * @see <a href="https://arrow.apache.org/docs/format/Columnar.html#run-end-encoded-layout">Apache Arrow's run-end
 *     encoded layout</a>, which has ends of fixed width
 */
public final class RunEndForm implements IntForm {
  static final byte ID = 11;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "runend";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Runs.COST;
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return CostModel.Runs.SCAN_NANOS + CostModel.Runs.RUN_NANOS * (chunk.statistics().numChanges() + 1) / chunk.size();
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    final IntStatistics statistics = chunk.statistics();
    if (chunk.size() > Limits.MAX_DIRECT_INTS || statistics.isConstant()
        || statistics.numChanges() > chunk.size() / 4 * CostModel.Runs.MOST_CHANGES) {
      return Estimate.SKIP;
    }
    final int numEnds = statistics.numChanges();
    return Estimate.exact(
        RunEndInts.Header.SIZE
            + PositionsWriter.size(PositionsWriter.layout(chunk.size(), numEnds), chunk.size(), numEnds)
            + BitStream.numBytes(numEnds + 1, statistics.width())
            + BitStream.SLACK);
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final IntStatistics statistics = chunk.statistics();
    final int size = chunk.size();
    try (ResourceHolder<IntPools.PackingArrays> holder = IntPools.PACKING.take()) {
      final IntPools.PackingArrays arrays = holder.get();
      final int[] values = chunk.values();
      int numEnds = 0;
      arrays.codes[0] = values[0];
      for (int i = 1; i < size; i++) {
        if (values[i] != values[i - 1]) {
          arrays.positions[numEnds++] = i;
          arrays.codes[numEnds] = values[i];
        }
      }
      out.put(ID).put((byte) statistics.width()).put((byte) PositionsWriter.layout(size, numEnds));
      out.putShort((short) (numEnds + 1)).putInt(statistics.min());
      PositionsWriter.encode(arrays.positions, numEnds, size, out);
      BitStream.pack(arrays.codes, numEnds + 1, statistics.min(), statistics.width(), out);
      out.put(new byte[BitStream.SLACK]);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, RunEndInts.Header.SIZE);
    final int numValues = reader.numValues();
    final RunEndInts.Header header = header(chunk, offset, numValues);
    Checks.checkLength(this, length, header.chunkSize(numValues));
    final RunEndInts runs = reader.shape(RunEndInts.class, RunEndInts::new);
    runs.read(chunk, offset, numValues, header);
    reader.transformTo(runs);
  }

  private RunEndInts.Header header(ByteBuffer chunk, int offset, int numValues) {
    final int width = Checks.checkWidth(this, chunk.get(offset + 1), 1, 31);
    final int layout = chunk.get(offset + 2);
    SortedPositions.checkLayout(layout);
    final int numRuns = chunk.getShort(offset + 3) & 0xFFFF;
    if (numRuns < 2 || numRuns > numValues) {
      throw new MalformedChunkException(
          "runend has " + numRuns + " runs, expected 2 to " + numValues);
    }
    return new RunEndInts.Header(width, layout, numRuns, chunk.getInt(offset + 5));
  }
}
