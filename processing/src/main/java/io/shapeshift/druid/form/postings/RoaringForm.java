// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * Form for one list as the Roaring bitmap that Druid itself would store. Druid uses the bitmap in place, without
 * decoding, which is much faster than any other form for a dense list.
 *
 * <pre>
 * | bytes | content                                                                          |
 * |-------|----------------------------------------------------------------------------------|
 * | 1     | form id, 3                                                                       |
 * | rest  | the bitmap in Roaring's serialized format, each container as the smallest of its |
 * |       | types (https://github.com/RoaringBitmap/RoaringFormatSpec)                       |
 * </pre>
 */
final class RoaringForm implements PostingForm {
  static final byte ID = 3;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "roaring";
  }

  @Override
  public DecodeCost cost() {
    return DecodeCost.NONE;
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    return chunk.size() == 1
           ? Estimate.exact(1 + RoaringBytes.size(chunk.rows(), 0, chunk.numPostings()))
           : Estimate.SKIP;
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    out.put(ID);
    out.put(RoaringBytes.of(chunk.rows(), chunk.numPostings()));
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, 1 + RoaringBytes.EMPTY_SIZE);
    final ByteBuffer bytes = chunk.slice(offset + 1, length - 1).order(ByteOrder.LITTLE_ENDIAN);
    RoaringBytes.check(bytes, reader.numRows());
    final RawBytes in = reader.wrap(chunk);
    final ImmutableRoaringBitmap bitmap = new ImmutableRoaringBitmap(bytes);
    reader.transformTo(new PostingShape() {
      @Override
      public void read(int from, int to, RowSet out) {
        if (from < to) {
          RoaringBytes.addTo(out, in, offset + 1);
        }
      }

      @Nullable
      @Override
      public ImmutableRoaringBitmap bitmap() {
        return bitmap;
      }
    });
  }
}
