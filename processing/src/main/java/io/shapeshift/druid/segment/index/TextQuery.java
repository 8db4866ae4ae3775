// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.column.strings.TextPart;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.query.extraction.ExtractionFn;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.search.ContainsSearchQuerySpec;
import org.apache.druid.query.search.FragmentSearchQuerySpec;
import org.apache.druid.query.search.InsensitiveContainsSearchQuerySpec;
import org.apache.druid.query.search.RegexSearchQuerySpec;
import org.apache.druid.query.search.SearchQuerySpec;

/**
 * Search for a part of texts: what {@code like}, {@code search} and {@code regex} filters look for. Druid hands over
 * their tests as predicates, in whose private fields it is.
 *
 * @param part    each text that the predicate matches contains it
 * @param isExact whether the predicate matches each text that contains the part
 */
record TextQuery(TextPart part, boolean isExact) {
  private static final Logger LOG = new Logger(TextQuery.class);
  private static final Field SEARCH = Field.of(
      "org.apache.druid.segment.filter.SearchQueryFilter$SearchQueryDruidPredicateFactory",
      "query",
      SearchQuerySpec.class
  );
  private static final Field REGEX = Field.of(
      "org.apache.druid.segment.filter.RegexFilter$PatternDruidPredicateFactory", "pattern", Pattern.class);
  private static final String LIKE =
      "org.apache.druid.query.filter.LikeDimFilter$LikeMatcher$PatternDruidPredicateFactory";
  private static final Field LIKE_PATTERNS = Field.of(LIKE, "pattern", List.class);
  private static final Field LIKE_EXTRACTION = Field.of(LIKE, "extractionFn", ExtractionFn.class);

  /** Returns what a predicate looks for, or null if that is not known. */
  @Nullable
  static TextQuery of(DruidPredicateFactory predicate) {
    if (SEARCH.isOf(predicate)) {
      return ofSearch((SearchQuerySpec) SEARCH.get(predicate));
    }
    if (REGEX.isOf(predicate)) {
      return ofPatterns(List.of((Pattern) REGEX.get(predicate)));
    }
    return LIKE_PATTERNS.isOf(predicate) && LIKE_EXTRACTION.get(predicate) == null
           ? ofPatterns((List<?>) LIKE_PATTERNS.get(predicate))
           : null;
  }

  /** Only of Druid's own classes: others may search otherwise. */
  @Nullable
  private static TextQuery ofSearch(SearchQuerySpec query) {
    if (query.getClass() == RegexSearchQuerySpec.class) {
      return ofPatterns(List.of(Pattern.compile(((RegexSearchQuerySpec) query).getPattern())));
    }
    if (query.getClass() == FragmentSearchQuerySpec.class) {
      final FragmentSearchQuerySpec fragments = (FragmentSearchQuerySpec) query;
      return fragments.getValues() == null ? null : of(fragments.getValues(), !fragments.isCaseSensitive(), false);
    }
    if (query.getClass() != ContainsSearchQuerySpec.class
        && query.getClass() != InsensitiveContainsSearchQuerySpec.class) {
      return null;
    }
    final ContainsSearchQuerySpec contains = (ContainsSearchQuerySpec) query;
    return contains.getValue() == null
           ? null
           : of(List.of(contains.getValue()), !contains.isCaseSensitive(), contains.isCaseSensitive());
  }

  /** Patterns of which each text that is matched has a match. */
  @Nullable
  private static TextQuery ofPatterns(List<?> patterns) {
    final List<String> parts = new ArrayList<>();
    boolean isLiteral = patterns.size() == 1;
    boolean ignoresCase = false;
    for (Object pattern : patterns) {
      final RegexParts.Result result = RegexParts.of((Pattern) pattern);
      parts.addAll(result.parts());
      isLiteral &= result.isLiteral();
      ignoresCase |= result.ignoresCase();
    }
    return of(parts, ignoresCase, isLiteral && !ignoresCase);
  }

  /**
   * Returns the search for the longest of some parts.
   *
   * @param isExact whether a text matches that contains all of these parts
   */
  @Nullable
  private static TextQuery of(List<String> parts, boolean ignoresCase, boolean isExact) {
    final List<String> known = parts.stream()
        .flatMap(part -> ignoresCase ? ascii(part) : wholeCharacters(part))
        .filter(part -> !part.isEmpty())
        .toList();
    if (known.isEmpty()) {
      return null;
    }
    final String longest = known.stream().max(Comparator.comparingInt(String::length)).orElseThrow();
    return new TextQuery(
        ignoresCase ? TextPart.ignoringCase(longest) : TextPart.of(longest),
        isExact && known.equals(parts)
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

  /** Private field of a class of Druid's; without an owner, this Druid has no such field, and no search is known. */
  private record Field(@Nullable Class<?> owner, @Nullable VarHandle handle) {
    static Field of(String owner, String name, Class<?> type) {
      try {
        final Class<?> ownerClass = Class.forName(owner);
        final MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(ownerClass, MethodHandles.lookup());
        return new Field(ownerClass, lookup.findVarHandle(ownerClass, name, type));
      } catch (ReflectiveOperationException e) {
        LOG.warn(e, "Filters test each text of a dictionary: this Druid has another " + owner);
        return new Field(null, null);
      }
    }

    boolean isOf(Object object) {
      return object.getClass() == owner;
    }

    @Nullable
    Object get(Object object) {
      return handle.get(object);
    }
  }
}
