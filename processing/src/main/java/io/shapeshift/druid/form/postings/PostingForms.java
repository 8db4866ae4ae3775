// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import java.util.List;
import javax.annotation.Nullable;

/** The registry of forms of posting lists, in the order in which they are asked about a chunk. */
public final class PostingForms {
  /** All forms; of equally good ones the first wins, so faster ones come first. */
  public static final List<PostingForm> ALL = List.of(
      new RoaringForm(),
      InnerLists.PACKED_ROWS,
      new RunsForm(),
      new DeltaRowsForm(),
      InnerLists.ELIAS_FANO,
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
}
