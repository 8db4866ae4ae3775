// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;

/**
 * Form for one list that has more than half of the segment's rows: stores the rows that are not in the list.
 *
 * <pre>
 * | bytes | content                                                   |
 * |-------|-----------------------------------------------------------|
 * | 1     | form id, 6                                                |
 * | rest  | a chunk with one list of the missing rows, in form 1 or 2 |
 * </pre>
 */
final class ComplementForm implements PostingForm {
  static final byte ID = 6;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "complement";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Postings.COMPLEMENT_COST;
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    if (chunk.size() != 1 || chunk.numPostings() < chunk.numRows() - chunk.numPostings()) {
      return Estimate.SKIP;
    }
    final PostingChunk others = chunk.complement();
    return Estimate.exact(1 + InnerLists.bytes(others));
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    final PostingChunk others = chunk.complement();
    out.put(ID);
    InnerLists.encode(others, out);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, 2);
    if (reader.numLists() != 1) {
      throw new MalformedChunkException(name() + " has " + reader.numLists() + " lists, expected 1");
    }
    final RowLists others = InnerLists.transform(chunk, offset + 1, length - 1, reader);
    reader.transformTo((from, to, out) -> {
      if (from < to) {
        final RowSet without = new RowSet(reader.numRows());
        others.read(0, 1, without);
        out.addAllBut(without);
      }
    });
  }
}
