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

  /** The smaller of the two forms that store lists of any kind, which store the lists within other forms. */
  static PostingForm smallest(PostingChunk chunk) {
    return PACKED_ROWS.estimate(chunk).bytes() <= ELIAS_FANO.estimate(chunk).bytes() ? PACKED_ROWS : ELIAS_FANO;
  }
}
