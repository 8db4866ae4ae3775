// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.TextRun;
import javax.annotation.Nullable;

/** Receiver of the texts that a search finds. */
@FunctionalInterface
public interface FoundText {
  /**
   * Receives the id of a text, and where it is in a run.
   *
   * @param run null if the search is exact and the text has the part; otherwise the text is to be tested
   */
  void accept(int id, @Nullable TextRun run, int index);
}
