// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import java.util.List;
import javax.annotation.Nullable;

/** Registry of the forms of posting lists, in the order in which selection tries them. */
public final class PostingForms {
  /** All forms. The first wins a tie, so faster forms come first. */
  public static final List<PostingForm> ALL = List.of(
      new RoaringForm(),
      InnerLists.PACKED_ROWS,
      new RunsForm(),
      new DeltaRowsForm(),
      InnerLists.ELIAS_FANO,
      new ComplementForm()
  );

  /** Forms by id, because each look-up of a list needs one. */
  private static final PostingForm[] BY_ID = new PostingForm[ALL.size() + 1];

  static {
    ALL.forEach(form -> BY_ID[form.id()] = form);
  }

  private PostingForms() {}

  /** Returns the form with an id, or null if the id is unknown. */
  @Nullable
  public static PostingForm byId(byte id) {
    return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
  }
}
