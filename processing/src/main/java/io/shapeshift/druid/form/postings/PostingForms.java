// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import java.util.List;
import javax.annotation.Nullable;

/** The registry of forms of posting lists, in the order in which they are asked about a chunk. */
public final class PostingForms {
  static final PackedRowsForm PACKED_ROWS = new PackedRowsForm();
  static final EliasFanoForm ELIAS_FANO = new EliasFanoForm();

  /** All forms; of equally good ones the first wins, so faster ones come first. */
  public static final List<PostingForm> ALL = List.of(
      new RoaringForm(),
      PACKED_ROWS,
      new RunsForm(),
      new DifferencesForm(),
      ELIAS_FANO,
      new ComplementForm()
  );

  /** A row takes about 3.5 nanoseconds to decode. */
  private static final int ROWS_PER_DENSE_POSTING = 12;

  /** By id, which each list that is looked for asks. */
  private static final PostingForm[] BY_ID = new PostingForm[ALL.size() + 1];

  static {
    ALL.forEach(form -> BY_ID[form.id()] = form);
  }

  private PostingForms() {}

  /** The form with this id, or null if there is none. */
  @Nullable
  public static PostingForm byId(byte id) {
    return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
  }

  /**
   * Whether the rows of one list are so many that to decode them one by one takes longer than a scan of the column's
   * ids would, about .3 nanoseconds for each row of the segment. A bit set needs no decoding.
   */
  static boolean isDense(PostingChunk chunk) {
    return chunk.size() == 1
        && chunk.numPostings() > Math.max(PostingChunk.MAX_SHARED_ROWS, chunk.numRows() / ROWS_PER_DENSE_POSTING);
  }

  /** The smaller of the two forms that store lists of any kind, which store the lists within other forms. */
  static PostingForm smallest(PostingChunk chunk) {
    return PACKED_ROWS.estimate(chunk).bytes() <= ELIAS_FANO.size(chunk).bytes() ? PACKED_ROWS : ELIAS_FANO;
  }

  /** Bytes of the lists within another form. */
  static int bytesOfSmallest(PostingChunk chunk) {
    return Math.min(PACKED_ROWS.estimate(chunk).bytes(), ELIAS_FANO.size(chunk).bytes());
  }
}
