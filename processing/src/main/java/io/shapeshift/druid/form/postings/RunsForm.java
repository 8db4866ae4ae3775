// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import org.apache.druid.segment.data.VByte;

/**
 * Form for runs of adjacent rows: the first row of each run, as lists of rows in another form, and its length.
 *
 * <pre>
 * | bytes                  | content                                                                     |
 * |------------------------|-----------------------------------------------------------------------------|
 * | 1                      | form id, 4                                                                  |
 * | 1                      | width, 0 to 31 bits                                                         |
 * | 1 to 5                 | number of runs in all lists (VByte)                                         |
 * | (runs * width + 7) / 8 | length less one of each run, the first in the lowest bits of the first byte |
 * | rest                   | a chunk with lists of the first rows of runs, in form 1 or 2                |
 * </pre>
 */
final class RunsForm implements PostingForm {
  static final byte ID = 4;
  private static final int FIXED_BYTES = 2;
  private static final int MAX_WIDTH = 31;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "runs";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Postings.RUNS_COST;
  }

  private static int width(int[] lengths) {
    int all = 0;
    for (int length : lengths) {
      all |= length;
    }
    return Integer.SIZE - Integer.numberOfLeadingZeros(all);
  }

  private static int lengthBytes(int numRuns, int width) {
    return (int) (((long) numRuns * width + 7) / 8);
  }

  /** Returns whether most rows are in runs; forms of single rows are then too slow to read. */
  static boolean isForRuns(PostingChunk chunk) {
    return chunk.numRuns() <= chunk.numPostings() / CostModel.Postings.POSTINGS_PER_RUN;
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    if (!isForRuns(chunk)) {
      return Estimate.SKIP;
    }
    final PostingChunk starts = chunk.runStarts();
    if (starts.isDense()) {
      return Estimate.SKIP;
    }
    return Estimate.exact(
        FIXED_BYTES
            + VByte.computeIntSize(chunk.numRuns())
            + lengthBytes(chunk.numRuns(), width(chunk.runLengths()))
            + InnerLists.bytes(starts)
    );
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    final int[] lengths = chunk.runLengths();
    final int width = width(lengths);
    out.put(ID);
    out.put((byte) width);
    VByte.writeInt(out, lengths.length);
    final BitWriter bits = new BitWriter(out);
    for (int length : lengths) {
      bits.put(length, width);
    }
    bits.finish();
    final PostingChunk starts = chunk.runStarts();
    InnerLists.encode(starts, out);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, FIXED_BYTES + 1);
    final int width = Checks.checkWidth(this, chunk.get(offset + 1), 0, MAX_WIDTH);
    chunk.limit(offset + length).position(offset + FIXED_BYTES);
    final int numRuns = PostingChunkReader.readInt(chunk);
    final int lengths = chunk.position();
    final long lengthBytes = ((long) numRuns * width + 7) / 8;
    if (lengthBytes >= offset + length - lengths) {
      throw new MalformedChunkException(numRuns + " lengths of " + width + " bits take " + lengthBytes
          + " bytes, but there are only " + (offset + length - lengths));
    }
    final RawBytes in = reader.wrap(chunk);
    final int startsOffset = lengths + (int) lengthBytes;
    final RowLists starts = InnerLists.transform(chunk, startsOffset, offset + length - startsOffset, reader);
    reader.transformTo((from, to, out) -> {
      final RowSet firsts = RowSet.inOrder(reader.numRows());
      starts.read(from, to, firsts);
      final int first = starts.first(from);
      final int count = firsts.count();
      if (first > numRuns - count) {
        throw new MalformedChunkException("There are more runs than their " + numRuns + " lengths");
      }
      read(in, lengths, first, width, firsts.rows(), count, out);
    });
  }

  private static void read(RawBytes in, int lengths, int first, int width, int[] starts, int count, RowSet out) {
    final int mask = (int) ((1L << width) - 1);
    final int[] ends = new int[count];
    long numRows = 0;
    long bit = (long) first * width;
    for (int i = 0; i < count; i++) {
      final int length = ((int) (in.getLong(lengths + (int) (bit >>> 3)) >>> (bit & 7)) & mask) + 1;
      // Checked when the run is added, even if the sum overflows an int.
      ends[i] = starts[i] + length;
      numRows += length;
      bit += width;
    }
    if (RowSet.areLong(numRows, count)) {
      for (int i = 0; i < count; i++) {
        out.addRun(starts[i], ends[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        out.addRows(starts[i], ends[i]);
      }
    }
  }
}
