// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;

/** Chunks of lists inside the chunks of other forms, in one of the two forms that store lists of any kind. */
final class InnerLists {
  static final PackedRowsForm PACKED_ROWS = new PackedRowsForm();
  static final EliasFanoForm ELIAS_FANO = new EliasFanoForm();

  private InnerLists() {}

  /** Returns the size in bytes in the smaller of the two forms. */
  static int bytes(PostingChunk chunk) {
    return Math.min(PACKED_ROWS.estimate(chunk).bytes(), ELIAS_FANO.size(chunk).bytes());
  }

  /** Writes a chunk in the smaller of the two forms. */
  static void encode(PostingChunk chunk, ByteBuffer out) {
    final boolean isPacked = PACKED_ROWS.estimate(chunk).bytes() <= ELIAS_FANO.size(chunk).bytes();
    final PostingForm form = isPacked ? PACKED_ROWS : ELIAS_FANO;
    form.encode(chunk, out);
  }

  /**
   * Transforms to an inner chunk that has as many lists as the outer chunk.
   *
   * @param outer reader of the outer chunk
   * @throws MalformedChunkException if the form is unknown, or is not one of these two
   */
  static RowLists transform(ByteBuffer chunk, int offset, int length, PostingChunkReader outer) {
    if (length < 1) {
      throw new MalformedChunkException("A chunk within a chunk has no bytes");
    }
    final byte id = chunk.get(offset);
    final PostingForm form;
    if (id == PACKED_ROWS.id()) {
      form = PACKED_ROWS;
    } else if (id == ELIAS_FANO.id()) {
      form = ELIAS_FANO;
    } else {
      throw MalformedChunkException.newer("A chunk within a chunk has form " + id + ", expected " + PACKED_ROWS.id()
          + " or " + ELIAS_FANO.id());
    }
    final PostingChunkReader inner = outer.inner();
    form.transform(chunk, offset, length, inner);
    return (RowLists) inner.shape();
  }
}
