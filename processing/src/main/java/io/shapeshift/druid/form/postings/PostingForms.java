// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
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

  /** Forms of encodings of other jars, by name; replaced as a whole. */
  private static volatile Map<String, AddedPostingForm> added = Map.of();

  private PostingForms() {}

  /** Returns all forms and those of other jars, in the order in which selection tries them. */
  public static List<PostingForm> all() {
    return Stream.concat(ALL.stream(), added.values().stream()).toList();
  }

  /** Returns the form of an encoding of another jar; null if none of that name is installed. */
  @Nullable
  public static PostingForm added(String name) {
    return added.get(name);
  }

  /** Replaces the forms of other jars. Only for the one who installs forms of all types. */
  public static void install(Collection<AddedPostingForm> forms) {
    final Map<String, AddedPostingForm> byName = new TreeMap<>();
    forms.forEach(form -> byName.put(form.name(), form));
    added = byName;
  }

  /** Returns the form with an id, or null if the id is unknown. */
  @Nullable
  public static PostingForm byId(byte id) {
    return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
  }
}
