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
 * Form for one list as gaps (the number of rows between two rows of the list), in patched blocks of 256 rows (PFOR: M.
 * Zukowski et al., Super-Scalar RAM-CPU Cache Compression, ICDE 2006). Each block has its own width. A gap that is
 * wider stores its lower bits among the others, and its upper bits after them as an exception.
 *
 * <pre>
 * | bytes                         | content                                                                    |
 * |-------------------------------|----------------------------------------------------------------------------|
 * | 1                             | form id, 5                                                                 |
 * | 1 to 5                        | number of rows (VByte), 1 or more                                          |
 * | for each block:               |                                                                            |
 * | 1                             | width, 0 to 31 bits                                                        |
 * | 1                             | number of exceptions                                                       |
 * | 1                             | upperWidth, width of the exceptions' upper bits; absent without exceptions |
 * | (rows * width + 7) / 8        | lower bits of each gap, the first in the lowest bits of the first          |
 * |                               | byte; 0 stands for the next row, and the first gap is counted from row 0   |
 * | exceptions                    | index of each exception within the block                                   |
 * | (exceptions * upperWidth + 7) | upper bits of each exception                                               |
 * | / 8                           |                                                                            |
 * </pre>
 */
final class DeltaRowsForm implements PostingForm {
  static final byte ID = 5;
  private static final int BLOCK = 1 << 8;
  private static final int MAX_WIDTH = 31;
  /** Greatest width with which one word holds four gaps, at any bit offset in its first byte. */
  private static final int MAX_WIDTH_OF_FOUR = 14;
  private static final int MAX_EXCEPTIONS = 255;

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
    return CostModel.Postings.DELTA_COST;
  }

  /** Layout of a block. */
  private record Block(int start, int length, int width, int numExceptions, int upperWidth) {
    static Block of(int[] rows, int start, int count) {
      final int length = Math.min(BLOCK, count - start);
      final int[] widths = new int[MAX_WIDTH + 1];
      int most = 0;
      for (int i = start; i < start + length; i++) {
        final int width = Integer.SIZE - Integer.numberOfLeadingZeros(distance(rows, i));
        widths[width]++;
        most = Math.max(most, width);
      }
      Block best = new Block(start, length, most, 0, 0);
      int wider = 0;
      for (int width = most - 1; width >= 0; width--) {
        wider += widths[width + 1];
        if (wider > MAX_EXCEPTIONS) {
          break;
        }
        final Block block = new Block(start, length, width, wider, most - width);
        if (block.bytes() < best.bytes()) {
          best = block;
        }
      }
      return best;
    }

    int bytes() {
      return 2 + (length * width + 7) / 8
          + (numExceptions == 0 ? 0 : 1 + numExceptions + (numExceptions * upperWidth + 7) / 8);
    }
  }

  private static int distance(int[] rows, int i) {
    return i == 0 ? rows[0] : rows[i] - rows[i - 1] - 1;
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    if (chunk.size() != 1 || chunk.numPostings() == 0 || RunsForm.isForRuns(chunk)
        || chunk.numPostings() > chunk.numRows() / CostModel.Postings.ROWS_PER_DELTA) {
      return Estimate.SKIP;
    }
    long bytes = 1L + VByte.computeIntSize(chunk.numPostings());
    for (int start = 0; start < chunk.numPostings(); start += BLOCK) {
      bytes += Block.of(chunk.rows(), start, chunk.numPostings()).bytes();
    }
    return bytes > Integer.MAX_VALUE ? Estimate.SKIP : Estimate.exact((int) bytes);
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    final int[] rows = chunk.rows();
    out.put(ID);
    VByte.writeInt(out, chunk.numPostings());
    for (int start = 0; start < chunk.numPostings(); start += BLOCK) {
      encode(rows, Block.of(rows, start, chunk.numPostings()), out);
    }
  }

  private static void encode(int[] rows, Block block, ByteBuffer out) {
    out.put((byte) block.width);
    out.put((byte) block.numExceptions);
    if (block.numExceptions > 0) {
      out.put((byte) block.upperWidth);
    }
    final int mask = (int) ((1L << block.width) - 1);
    final BitWriter lows = new BitWriter(out);
    for (int i = block.start; i < block.start + block.length; i++) {
      lows.put(distance(rows, i) & mask, block.width);
    }
    lows.finish();
    final BitWriter uppers = new BitWriter(out);
    for (int i = 0; i < block.length && block.numExceptions > 0; i++) {
      if (distance(rows, block.start + i) > mask) {
        out.put((byte) i);
      }
    }
    for (int i = 0; i < block.length && block.numExceptions > 0; i++) {
      final int distance = distance(rows, block.start + i);
      if (distance > mask) {
        uppers.put(distance >>> block.width, block.upperWidth);
      }
    }
    uppers.finish();
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, 2);
    if (reader.numLists() != 1) {
      throw new MalformedChunkException(name() + " has " + reader.numLists() + " lists, expected 1");
    }
    chunk.limit(offset + length).position(offset + 1);
    final int count = PostingChunkReader.readInt(chunk);
    final int start = chunk.position();
    final int end = offset + length;
    final RawBytes in = reader.wrap(chunk);
    reader.transformTo((from, to, out) -> {
      if (from < to) {
        read(in, start, end, count, out);
      }
    });
  }

  private static void read(RawBytes in, int start, int end, int count, RowSet out) {
    int at = start;
    long row = -1;
    for (int done = 0; done < count; done += BLOCK) {
      final int length = Math.min(BLOCK, count - done);
      // A block of one row with width 0 has two bytes.
      check(at + 2, end);
      final int width = in.getByte(at);
      final int numExceptions = in.getByte(at + 1);
      final int upperWidth = numExceptions == 0 ? 0 : in.getByte(at + 2);
      at += numExceptions == 0 ? 2 : 3;
      final int lowBytes = (length * width + 7) / 8;
      check((long) at + lowBytes + numExceptions + (numExceptions * upperWidth + 7) / 8, end);
      if (width + upperWidth > MAX_WIDTH) {
        throw new MalformedChunkException("Distances have " + (width + upperWidth) + " bits, expected at most "
            + MAX_WIDTH);
      }
      final int[] rows = out.room(length, count - done);
      final int first = out.count();
      row = numExceptions == 0
            ? decode(in, at, width, rows, first, length, row)
            : decodeWithExceptions(in, at, width, rows, first, length, row, at + lowBytes, numExceptions, upperWidth);
      at += lowBytes + numExceptions + (numExceptions * upperWidth + 7) / 8;
      // Rows ascend, so all are rows of the segment if the last is.
      out.added(length, row < out.numRows() ? 0 : -1, true);
    }
    if (at != end) {
      throw new MalformedChunkException(count + " rows take " + (at - start) + " bytes, expected " + (end - start));
    }
  }

  private static void check(long at, int end) {
    if (at > end) {
      throw new MalformedChunkException("The chunk ends within a block");
    }
  }

  /** Decodes rows and returns the last. Rows ascend, so all are rows of the segment if the last is. */
  private static long decode(RawBytes in, int at, int width, int[] rows, int first, int length, long before) {
    final int mask = (int) ((1L << width) - 1);
    final int end = first + length;
    long row = before;
    int bit = 0;
    int i = first;
    if (width <= MAX_WIDTH_OF_FOUR) {
      for (; i <= end - 4; i += 4) {
        final long four = in.getLong(at + (bit >>> 3)) >>> (bit & 7);
        final int second = ((int) four & mask) + 1;
        final int third = second + ((int) (four >>> width) & mask) + 1;
        final int fourth = third + ((int) (four >>> (2 * width)) & mask) + 1;
        rows[i] = (int) row + second;
        rows[i + 1] = (int) row + third;
        rows[i + 2] = (int) row + fourth;
        row += fourth + ((int) (four >>> (3 * width)) & mask) + 1;
        rows[i + 3] = (int) row;
        bit += 4 * width;
      }
    }
    for (; i < end; i++) {
      row += ((int) (in.getLong(at + (bit >>> 3)) >>> (bit & 7)) & mask) + 1;
      rows[i] = (int) row;
      bit += width;
    }
    return row;
  }

  private static void unpack(RawBytes in, int at, int width, int[] out, int first, int length) {
    final int mask = (int) ((1L << width) - 1);
    final int end = first + length;
    int bit = 0;
    int i = first;
    if (width <= MAX_WIDTH_OF_FOUR) {
      for (; i <= end - 4; i += 4) {
        final long four = in.getLong(at + (bit >>> 3)) >>> (bit & 7);
        out[i] = (int) four & mask;
        out[i + 1] = (int) (four >>> width) & mask;
        out[i + 2] = (int) (four >>> (2 * width)) & mask;
        out[i + 3] = (int) (four >>> (3 * width)) & mask;
        bit += 4 * width;
      }
    }
    for (; i < end; i++) {
      out[i] = (int) (in.getLong(at + (bit >>> 3)) >>> (bit & 7)) & mask;
      bit += width;
    }
  }

  private static long decodeWithExceptions(
      RawBytes in,
      int at,
      int width,
      int[] rows,
      int first,
      int length,
      long before,
      int exceptions,
      int numExceptions,
      int upperWidth
  ) {
    unpack(in, at, width, rows, first, length);
    final int upperMask = (int) ((1L << upperWidth) - 1);
    final int uppers = exceptions + numExceptions;
    int bit = 0;
    for (int i = 0; i < numExceptions; i++) {
      final int index = in.getByte(exceptions + i);
      if (index >= length) {
        throw new MalformedChunkException("An exception is at " + index + ", of " + length + " rows");
      }
      final int upper = (int) (in.getLong(uppers + (bit >>> 3)) >>> (bit & 7)) & upperMask;
      rows[first + index] |= upper << width;
      bit += upperWidth;
    }
    // Rows ascend until one overflows an int, and that one is negative.
    int row = (int) before;
    int all = 0;
    for (int i = first; i < first + length; i++) {
      row += rows[i] + 1;
      rows[i] = row;
      all |= row;
    }
    return all < 0 ? Long.MAX_VALUE : row;
  }
}
