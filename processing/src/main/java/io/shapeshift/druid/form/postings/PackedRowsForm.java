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
 * Form for the rows of all lists, one list after another, in a fixed width. The lengths of the lists are stored,
 * except if each list has exactly one row or if there is only one list. If the segment is sorted by the column, row i
 * is {@code base + i}, and the width is 0.
 *
 * <pre>
 * | bytes                     | content                                                                  |
 * |---------------------------|--------------------------------------------------------------------------|
 * | 1                         | form id, 1                                                               |
 * | 1                         | flags: 1 if there are several lists, not all with exactly one row; 2 if  |
 * |                           | row i is stored as its difference from base + i, not from base           |
 * | 1                         | width, 0 to 31 bits                                                      |
 * | 4                         | base (int), which may be negative                                        |
 * | 0, or 1 to 5              | number of rows (VByte), unless there are several lists with one row each |
 * | 0, or {@link UnaryCounts} | number of rows in each list, if flag 1 is set                            |
 * | (rows * width + 7) / 8    | differences of the rows, the first in the lowest bits of the first byte  |
 * </pre>
 * Example: of three lists 7, 9 and 12 is {@code 01 02 02 07 00 00 00 34}.
 */
final class PackedRowsForm implements PostingForm {
  static final byte ID = 1;
  private static final int COUNTED = 1;
  private static final int STEPPED = 2;
  private static final int FIXED_BYTES = 7;
  private static final int MAX_WIDTH = 31;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "packedrows";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Postings.PACKED_COST;
  }

  /** Layout of a chunk. */
  private record Layout(boolean counted, boolean single, int step, int base, int width) {
    static Layout of(PostingChunk chunk) {
      final Layout plain = of(chunk, 0);
      final Layout stepped = of(chunk, 1);
      return stepped.width < plain.width ? stepped : plain;
    }

    private static Layout of(PostingChunk chunk, int step) {
      final int[] rows = chunk.rows();
      int min = Integer.MAX_VALUE;
      int max = Integer.MIN_VALUE;
      for (int i = 0; i < chunk.numPostings(); i++) {
        final int above = rows[i] - step * i;
        min = Math.min(min, above);
        max = Math.max(max, above);
      }
      final boolean single = chunk.size() == 1;
      return min > max
             ? new Layout(!single, single, step, 0, 0)
             : new Layout(
                 !single && !chunk.isSingles(), single, step, min,
                 Long.SIZE - Long.numberOfLeadingZeros((long) max - min));
    }

    boolean hasCount() {
      return counted || single;
    }

    long bytes(PostingChunk chunk) {
      final int count = chunk.numPostings();
      return FIXED_BYTES
          + (hasCount() ? VByte.computeIntSize(count) : 0)
          + (counted ? UnaryCounts.numBytes(true, count, chunk.size()) : 0)
          + ((long) count * width + 7) / 8;
    }
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    final Layout layout = Layout.of(chunk);
    final long bytes = layout.bytes(chunk);
    return layout.width > MAX_WIDTH || bytes > Integer.MAX_VALUE ? Estimate.SKIP : Estimate.exact((int) bytes);
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    final Layout layout = Layout.of(chunk);
    final int count = chunk.numPostings();
    out.put(ID);
    out.put((byte) ((layout.counted ? COUNTED : 0) | (layout.step == 1 ? STEPPED : 0)));
    out.put((byte) layout.width);
    out.putInt(layout.base);
    if (layout.hasCount()) {
      VByte.writeInt(out, count);
    }
    if (layout.counted) {
      final UnaryCounts.Writer counts = new UnaryCounts.Writer(true, count, chunk.size());
      for (int list = 0; list < chunk.size(); list++) {
        for (int i = chunk.start(list); i < chunk.end(list); i++) {
          counts.add(list);
        }
      }
      counts.writeTo(out);
    }
    final BitWriter bits = new BitWriter(out);
    for (int i = 0; i < count; i++) {
      bits.put(chunk.rows()[i] - layout.step * i - layout.base, layout.width);
    }
    bits.finish();
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, FIXED_BYTES);
    final int flags = chunk.get(offset + 1);
    final int width = Checks.checkWidth(this, chunk.get(offset + 2), 0, MAX_WIDTH);
    if ((flags & ~(COUNTED | STEPPED)) != 0) {
      throw new MalformedChunkException(name() + " has flags " + flags + ", expected 0 to 3");
    }
    final boolean counted = (flags & COUNTED) != 0;
    final int base = chunk.getInt(offset + 3);
    int numItems = reader.numLists();
    int at = offset + FIXED_BYTES;
    if (counted || reader.numLists() == 1) {
      chunk.limit(offset + length).position(at);
      numItems = PostingChunkReader.readInt(chunk);
      at = chunk.position();
    }
    if (reader.numLists() == 1 && numItems > reader.numRows()) {
      throw new MalformedChunkException("A list has " + numItems + " rows, of " + reader.numRows());
    }
    reader.wrap(chunk);
    final PackedRows rows = reader.packedRows();
    if (counted) {
      at += rows.counts().read(at, offset + length - at, true, numItems, reader.numLists());
    }
    final long expected = ((long) numItems * width + 7) / 8;
    if (expected != offset + length - at) {
      throw new MalformedChunkException(numItems + " rows of " + width + " bits take " + (offset + length - at)
          + " bytes, expected " + expected);
    }
    rows.read(counted, reader.numLists(), numItems, base, (flags & STEPPED) != 0 ? 1 : 0, width, at);
    reader.transformTo(rows);
  }
}
