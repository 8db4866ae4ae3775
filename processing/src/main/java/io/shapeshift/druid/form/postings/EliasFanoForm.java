// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.data.VByte;

/**
 * Form for ascending rows in Elias-Fano coding (Elias 1974, Fano 1971). The lower bits of each row have a fixed width.
 * For each value of the upper bits, the number of its rows is stored in unary. Each list has the same number of buckets
 * of {@code 2^lowWidth} rows of the segment, so the start of a list is found by counting zeros, and no list offsets are
 * stored. For random rows no code is smaller by more than half a bit per row.
 *
 * <pre>
 * | bytes                     | content                                                                    |
 * |---------------------------|----------------------------------------------------------------------------|
 * | 1                         | form id, 2                                                                 |
 * | 1                         | lowWidth, 0 to 30                                                          |
 * | 1 to 5                    | number of rows in all lists (VByte)                                        |
 * | {@link UnaryCounts}       | number of rows in each bucket, list by list                                |
 * | (rows * lowWidth + 7) / 8 | the lower bits of each row, the first in the lowest bits of the first byte |
 * </pre>
 * Example: in a segment of 16 rows the list 3, 8, 9 is {@code 02 02 83 19 13}.
 */
final class EliasFanoForm implements PostingForm {
  static final byte ID = 2;
  private static final int FIXED_BYTES = 2;
  private static final int MAX_LOW_WIDTH = 30;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "eliasfano";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Postings.ELIAS_FANO_COST;
  }

  /** Returns the number of buckets of each list. */
  private static int buckets(int numRows, int lowWidth) {
    return numRows == 0 ? 1 : ((numRows - 1) >>> lowWidth) + 1;
  }

  private static long bytes(PostingChunk chunk, int lowWidth) {
    final int count = chunk.numPostings();
    return FIXED_BYTES + VByte.computeIntSize(count)
        + UnaryCounts.numBytes(
            chunk.size() > 1, count, (long) chunk.size() * buckets(chunk.numRows(), lowWidth))
        + ((long) count * lowWidth + 7) / 8;
  }

  private static int lowWidth(PostingChunk chunk) {
    // The best width is next to the logarithm of the mean gap, on either side.
    final long distance = (long) chunk.size() * chunk.numRows() / Math.max(1, chunk.numPostings());
    final int logDistance = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(distance | 1));
    int best = Math.min(logDistance, MAX_LOW_WIDTH);
    for (int width = Math.max(0, logDistance - 2); width <= Math.min(logDistance + 2, MAX_LOW_WIDTH); width++) {
      if (bytes(chunk, width) < bytes(chunk, best)) {
        best = width;
      }
    }
    return best;
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    return chunk.isDense() ? Estimate.SKIP : size(chunk);
  }

  /** Returns the size of the lists, however dense they are. */
  Estimate size(PostingChunk chunk) {
    final int lowWidth = lowWidth(chunk);
    final long bytes = bytes(chunk, lowWidth);
    return bytes > Integer.MAX_VALUE || (long) chunk.size() * buckets(chunk.numRows(), lowWidth) > Integer.MAX_VALUE
           ? Estimate.SKIP
           : Estimate.exact((int) bytes);
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    final int lowWidth = lowWidth(chunk);
    final int buckets = buckets(chunk.numRows(), lowWidth);
    final int count = chunk.numPostings();
    out.put(ID);
    out.put((byte) lowWidth);
    VByte.writeInt(out, count);
    final UnaryCounts.Writer counts =
        new UnaryCounts.Writer(chunk.size() > 1, count, (long) chunk.size() * buckets);
    for (int list = 0; list < chunk.size(); list++) {
      for (int i = chunk.start(list); i < chunk.end(list); i++) {
        counts.add((long) list * buckets + (chunk.rows()[i] >>> lowWidth));
      }
    }
    counts.writeTo(out);
    final BitWriter lows = new BitWriter(out);
    final int mask = (1 << lowWidth) - 1;
    for (int i = 0; i < count; i++) {
      lows.put(chunk.rows()[i] & mask, lowWidth);
    }
    lows.finish();
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, FIXED_BYTES + 1);
    final int lowWidth = Checks.checkWidth(this, chunk.get(offset + 1), 0, MAX_LOW_WIDTH);
    chunk.limit(offset + length).position(offset + FIXED_BYTES);
    final int count = PostingChunkReader.readInt(chunk);
    final int buckets = buckets(reader.numRows(), lowWidth);
    if ((long) reader.numLists() * buckets > Integer.MAX_VALUE) {
      throw new MalformedChunkException(reader.numLists() + " lists have " + buckets + " buckets each, too many");
    }
    reader.wrap(chunk);
    final EliasFanoRows rows = reader.eliasFano();
    int at = chunk.position();
    at += rows.counts().read(
        at, offset + length - at, reader.numLists() > 1, count, (long) reader.numLists() * buckets);
    final long expected = ((long) count * lowWidth + 7) / 8;
    if (expected != offset + length - at) {
      throw new MalformedChunkException(count + " rows with " + lowWidth + " lower bits take "
          + (offset + length - at) + " bytes, expected " + expected);
    }
    rows.read(buckets, lowWidth, at);
    reader.transformTo(rows);
  }
}
