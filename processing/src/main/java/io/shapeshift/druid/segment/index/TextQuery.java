// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.form.strings.TextPart;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.DruidPredicateFactory;

/**
 * Search for parts of texts, as predicates of Druid's filters do it.
 *
 * @param parts   each text that the predicate matches contains all of them; for the others the predicate is false, not
 *                unknown; at least one
 * @param isExact whether the predicate matches each text that contains the only part, also if case is ignored
 */
record TextQuery(List<TextPart> parts, boolean isExact) {
  /** Returns what a predicate looks for, or null if that is not known. */
  @Nullable
  static TextQuery of(DruidPredicateFactory predicate) {
    @Nullable final TextParts parts = TextParts.of(predicate);
    return parts == null ? null : of(parts);
  }

  @Nullable
  private static TextQuery of(TextParts parts) {
    final List<String> known = parts.parts().stream()
        .flatMap(part -> parts.ignoresCase() ? ascii(part) : wholeCharacters(part))
        .filter(part -> !part.isEmpty())
        .toList();
    if (known.isEmpty()) {
      return null;
    }
    return new TextQuery(
        known.stream().map(part -> parts.ignoresCase() ? TextPart.ignoringCase(part) : TextPart.of(part)).toList(),
        parts.isExact() && known.equals(parts.parts())
    );
  }

  /** The parts of a text that are ASCII. What other characters equal if case is ignored, is not looked up. */
  private static Stream<String> ascii(String part) {
    return Stream.of(part.split("[^\\x00-\\x7F]+"));
  }

  /** The parts of a text without halves of surrogate pairs: Java finds a half in a pair, bytes of UTF-8 do not. */
  private static Stream<String> wholeCharacters(String part) {
    return Stream.of(part.split("\\p{Cs}+"));
  }
}
