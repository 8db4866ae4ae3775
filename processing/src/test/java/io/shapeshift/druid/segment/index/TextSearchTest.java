// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.column.strings.TextIndexCheck;
import io.shapeshift.druid.column.strings.TextIndexes;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TextExpressions;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.extraction.UpperExtractionFn;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.search.ContainsSearchQuerySpec;
import org.apache.druid.query.search.FragmentSearchQuerySpec;
import org.apache.druid.query.search.InsensitiveContainsSearchQuerySpec;
import org.apache.druid.query.search.RegexSearchQuerySpec;
import org.apache.druid.query.search.SearchQuerySpec;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.filter.RegexFilter;
import org.apache.druid.segment.filter.SearchQueryFilter;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Searches for parts of texts find what Druid's own predicates match, one text after the other. */
@ExtendWith(RandomData.Seeded.class)
class TextSearchTest {
  private static final int QUERIES = Tier.pick(400, 20_000);
  /** Letters, among them such as equal others if case is ignored, and as regular expressions and {@code like} read. */
  private static final List<String> LETTERS = List.of(
      "a", "b", "c", "k", "K", "i", "I", "s", "S", "ab", "abc", "\u0130", "\u0131", "\u017F", "\u212A", "é", "É", "ß",
      "中", "\uD83D\uDE00", "\uD83D\uDE01", "\uD801\uDC00", ".", "%", "_", "\\", "(", "[", "\n", "\r\n", " ", "$", "\0"
  );
  private static final List<String> REGEX_PIECES = List.of(
      "a", "b", "abc", "k", "\\.", "\\\\", "\\(", ".", ".*", "^", "$", "[ab]", "[^]a]", "[\\]]", "(ab|c)", "(?:a)?",
      "\\d", "\\w+", "\\p{L}", "\\pL", "\\u0061", "\\uD83D\\uDE00", "\\b", "\\t", "a*", "ab?", "é+", "c{0,1}", "b{2}",
      "\uD83D\uDE00?", "a+?", "b*+", "|", "(?i)", "(\\c)", "[\\c]", "\\c(", "x)y)?",
      "\uD83D", "\\uD83D", "\\uDE00", "\\Qa.b\\E", "\\x61", "(a)\\1", "((a)[)])"
  );

  private static StringDictionaryReader dictionary(List<String> texts, OptimizationTarget target) throws IOException {
    final StringDictionarySerializer writer =
        new StringDictionarySerializer("c", new OnHeapMemorySegmentWriteOutMedium(), target);
    writer.open();
    for (String text : texts) {
      writer.write(text);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(writer.getSerializedSize() >= 0);
    writer.writeTo(Channels.newChannel(out), null);
    return StringDictionary.read("c", ByteBuffer.wrap(out.toByteArray())).get();
  }

  private static String text(RandomData random, int most) {
    final StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(random.oneOf(LETTERS));
    }
    return text.toString();
  }

  /** Part of one of the texts, which may begin or end with half of a surrogate pair. */
  private static String part(RandomData random, List<String> texts) {
    final String text = random.oneOf(texts);
    if (text == null || text.isEmpty() || random.nextInt(4) == 0) {
      return text(random, 3);
    }
    final int from = random.nextInt(text.length());
    final String part = text.substring(from, random.between(from, Math.min(text.length(), from + 6)));
    return random.nextInt(4) == 0 ? part.toUpperCase(Locale.ROOT) : part;
  }

  private static DruidPredicateFactory predicate(RandomData random, List<String> texts) {
    final TextExpressions expressions = new TextExpressions(random, () -> part(random, texts), true);
    return switch (random.nextInt(8)) {
      case 5, 6 -> {
        // Of expressions with arrays, no index is asked.
        DruidPredicateFactory asked = null;
        while (asked == null) {
          asked = predicateOf(expressions.filter("c").toFilter());
        }
        yield asked;
      }
      case 7 -> {
        final TextExpressions.Virtual filter = expressions.virtual("v", "c");
        yield new ComputedTexts(
            filter.column().getParsedExpression().get(),
            "c",
            filter.column().getOutputType(),
            predicateOf(filter.filter().toFilter())
        );
      }
      case 0 -> like((random.nextInt(2) == 0 ? "%" : "") + part(random, texts) + "%" + part(random, texts)
          + (random.nextInt(2) == 0 ? "%" : ""), random.nextInt(3) == 0 ? '\\' : null);
      case 1 -> search(new ContainsSearchQuerySpec(part(random, texts), random.nextInt(2) == 0));
      case 2 -> search(random.nextInt(2) == 0
          ? new InsensitiveContainsSearchQuerySpec(part(random, texts))
          : new FragmentSearchQuerySpec(List.of(part(random, texts), part(random, texts)), random.nextInt(2) == 0));
      default -> regex(random);
    };
  }

  private static DruidPredicateFactory regex(RandomData random) {
    while (true) {
      final StringBuilder regex = new StringBuilder();
      for (int i = random.between(1, 5); i > 0; i--) {
        regex.append(random.oneOf(REGEX_PIECES));
      }
      try {
        return random.nextInt(2) == 0
               ? search(new RegexSearchQuerySpec(regex.toString()))
               : regex(Pattern.compile(regex.toString(), random.oneOf(
                   List.of(0, 0, Pattern.DOTALL, Pattern.CASE_INSENSITIVE, Pattern.MULTILINE, Pattern.LITERAL))));
      } catch (PatternSyntaxException e) {
        // Another one.
      }
    }
  }

  /** The predicate for which a filter asks an index, or null. */
  @Nullable
  private static DruidPredicateFactory predicateOf(Filter filter) {
    final List<DruidPredicateFactory> asked = new ArrayList<>();
    final DruidPredicateIndexes indexes = predicate -> {
      asked.add(predicate);
      return null;
    };
    filter.getBitmapColumnIndex(new ColumnIndexSelector() {
      @Override
      public int getNumRows() {
        return 0;
      }

      @Override
      public BitmapFactory getBitmapFactory() {
        return RoaringBitmapFactory.INSTANCE;
      }

      @Override
      public ColumnIndexSupplier getIndexSupplier(String column) {
        return new ColumnIndexSupplier() {
          @Override
          @Nullable
          public <T> T as(Class<T> type) {
            return type == DruidPredicateIndexes.class ? type.cast(indexes) : null;
          }
        };
      }

      @Nullable
      @Override
      public ColumnHolder getColumnHolder(String column) {
        return null;
      }

      @Nullable
      @Override
      public ColumnCapabilities getColumnCapabilities(String column) {
        return ColumnCapabilitiesImpl.createSimpleSingleValueStringColumnCapabilities();
      }
    });
    return asked.isEmpty() ? null : asked.get(0);
  }

  private static DruidPredicateFactory like(String pattern, @Nullable Character escape) {
    return LikeDimFilter.LikeMatcher.from(pattern, escape).predicateFactory(null);
  }

  private static DruidPredicateFactory search(SearchQuerySpec query) {
    return predicateOf(new SearchQueryFilter("c", query, null, null));
  }

  private static DruidPredicateFactory regex(Pattern pattern) {
    return predicateOf(new RegexFilter("c", pattern, null, null));
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void findsWhatDruidsPredicatesMatch(OptimizationTarget target, RandomData random) throws IOException {
    int found = 0;
    int known = 0;
    int indexed = 0;
    for (int numTexts : new int[] {0, 1, 5, 60, 700, 3000}) {
      final TreeSet<String> set = new TreeSet<>();
      for (int i = 0; i < numTexts; i++) {
        set.add(text(random, numTexts == 5 ? 30_000 : random.nextInt(20) == 0 ? 400 : 12));
      }
      final List<String> texts = new ArrayList<>(set);
      if (random.nextInt(2) == 0 || texts.isEmpty()) {
        texts.add(0, null);
      }
      final StringDictionaryReader dictionary = dictionary(texts, target);
      final List<ImmutableBitmap> rows = IntStream.range(0, texts.size()).mapToObj(id -> {
        final MutableBitmap row = RoaringBitmapFactory.INSTANCE.makeEmptyMutableBitmap();
        row.add(id);
        return RoaringBitmapFactory.INSTANCE.makeImmutableBitmap(row);
      }).toList();
      final DruidPredicateIndexes indexes = indexes(dictionary, rows);
      final StringDictionary withIndex =
          TextIndexes.read(TextIndexes.encode(texts, target, random.oneOf(List.of(1, 64, 1024))));
      indexed += withIndex.textIndex() == null ? 0 : 1;
      TextIndexCheck.check(withIndex, new OnHeapMemorySegmentWriteOutMedium());
      final DruidPredicateIndexes ofTrigrams = indexes(withIndex.get(), rows);
      for (int i = 0; i < QUERIES / 6; i++) {
        final DruidPredicateFactory predicate = predicate(random, texts);
        final boolean unknown = random.nextInt(2) == 0;
        final Object expected = orFailure(() -> IntStream.range(0, texts.size())
            .filter(id -> predicate.makeStringPredicate().apply(texts.get(id)).matches(unknown))
            .boxed()
            .toList());
        assertEquals(expected, orFailure(() -> found(indexes, predicate, unknown)), () -> tell(predicate));
        assertEquals(expected, orFailure(() -> found(ofTrigrams, predicate, unknown)), () -> tell(predicate));
        found += expected.equals(List.of()) ? 0 : 1;
        known += TextQuery.of(predicate) == null ? 0 : 1;
      }
    }
    assertTrue(found > QUERIES / 4, found + " found a text");
    assertTrue(known > QUERIES / 4, known + " searched for a part");
    assertTrue(indexed >= 4, indexed + " had a text index");
  }

  private static String tell(DruidPredicateFactory predicate) {
    return predicate + " searched for as " + TextParts.of(predicate);
  }

  /** The ids found, or the class of the exception of an expression. */
  private static Object orFailure(Supplier<List<Integer>> ids) {
    try {
      return ids.get();
    } catch (RuntimeException e) {
      return e.getClass();
    }
  }

  private static DruidPredicateIndexes indexes(StringDictionaryReader dictionary, List<ImmutableBitmap> rows) {
    return new StringIndexSupplier(() -> dictionary, () -> new ListedBitmaps(RoaringBitmapFactory.INSTANCE, rows))
        .as(DruidPredicateIndexes.class);
  }

  private static List<Integer> found(DruidPredicateIndexes indexes, DruidPredicateFactory predicate, boolean unknown) {
    final ImmutableBitmap bitmap = indexes.forPredicate(predicate)
        .computeBitmapResult(new DefaultBitmapResultFactory(RoaringBitmapFactory.INSTANCE), unknown);
    final List<Integer> ids = new ArrayList<>();
    for (var each = bitmap.iterator(); each.hasNext(); ) {
      ids.add(each.next());
    }
    return ids;
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
      "abc ~ abc ~ true",
      "a.c ~ a,c ~ false",
      "ab*c ~ a,c ~ false",
      "ab+c ~ ab,c ~ false",
      "ab{2}c ~ a,c ~ false",
      "ab??c ~ a,c ~ false",
      "^mimi[ck]atz$ ~ mimi,atz ~ false",
      "x(a|b)yz ~ x,yz ~ false",
      "(?:abc)+d ~ d ~ false",
      "C:\\\\Win.* ~ C:\\Win ~ false",
      "\\u0061\\.b ~ a.b ~ true",
      "error\\s+\\d+ms ~ error,ms ~ false",
      "\uD83D\uDE00?b ~ b ~ false",
      "a|b ~ `` ~ false",
      "(?i)abc ~ abc ~ true",
      "a(?i)bc ~ `` ~ false",
      "z(\\c)abc(\\c(x)y)? ~ `` ~ false",
      "(x[\\c])abc(]y) ~ `` ~ false",
      "\\uD83D\\uDE00 ~ \uD83D\uDE00 ~ true",
      "\\Qabc\\E ~ `` ~ false",
      "(?=abc)x ~ `` ~ false",
      "[a&&[b]]c ~ `` ~ false",
      "\\x61bc ~ `` ~ false",
      "(a)b\\1 ~ `` ~ false"
  })
  void partsOfRegularExpressions(String regex, String parts, boolean isLiteral) {
    final RegexParts.Result result = RegexParts.of(Pattern.compile(regex));
    assertEquals(parts.isEmpty() ? List.of() : Arrays.asList(parts.split(",")), result.parts());
    assertEquals(isLiteral, result.isLiteral());
  }

  /** {@code indexOf} does not know that the Kelvin sign is a k. */
  @Test
  void charactersThatEqualLettersIfCaseIsIgnored() throws IOException {
    final List<String> texts = new ArrayList<>();
    for (int c = 1; c < Character.MIN_SURROGATE; c++) {
      texts.add("-" + (char) c + "-");
    }
    Collections.sort(texts);
    final StringDictionaryReader dictionary = dictionary(texts, OptimizationTarget.FASTBUTSMALLISH);
    for (char letter = 1; letter < 0x80; letter++) {
      final String part = String.valueOf(letter);
      final SearchQuerySpec query = new InsensitiveContainsSearchQuerySpec(part);
      final TextQuery search = TextQuery.of(search(query));
      assertNotNull(search, part);
      final List<String> found = new ArrayList<>();
      dictionary.find(search.parts(), false, (id, run, index) -> {
        assertEquals(texts.get(id), run.string(index));
        found.add(texts.get(id));
      });
      assertTrue(found.containsAll(texts.stream().filter(query::accept).toList()), part);
    }
  }

  @Test
  void whatIsNotKnownIsLeftToDruid() {
    assertNull(TextQuery.of(new HashPredicate(3, 0, DruidPredicateMatch.TRUE)));
    assertNull(TextQuery.of(search(new ContainsSearchQuerySpec("", true))));
    assertNull(TextQuery.of(search(new ContainsSearchQuerySpec(null, true))));
    assertNull(TextQuery.of(search(new ContainsSearchQuerySpec("\uD83D", true))));
    assertNull(TextQuery.of(search(new InsensitiveContainsSearchQuerySpec("éß"))));
    assertNull(TextQuery.of(search(new FragmentSearchQuerySpec(null))));
    assertNull(TextQuery.of(regex(Pattern.compile("\uD83D" + "\\uDE00"))));
    assertNull(TextQuery.of(like("%", null)));
    assertNull(TextQuery.of(like("_", null)));
    assertNull(TextQuery.of(regex(Pattern.compile("a", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE))));
    assertFalse(TextQuery.of(regex(Pattern.compile("a", Pattern.CASE_INSENSITIVE))).isExact());
    assertNull(TextQuery.of(LikeDimFilter.LikeMatcher.from("%a%", null).predicateFactory(
        new UpperExtractionFn(null))));
    assertTrue(TextQuery.of(like("%mimikatz%", null)).isExact());
    assertFalse(TextQuery.of(like("%mimi%katz%", null)).isExact());
    assertEquals(2, TextQuery.of(like("%mimi%katz%", null)).parts().size());
    assertTrue(TextQuery.of(search(new ContainsSearchQuerySpec("a", true))).isExact());
  }
}
