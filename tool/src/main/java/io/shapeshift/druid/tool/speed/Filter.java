// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import io.shapeshift.druid.tool.encoding.IndexValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.LexicographicalRangeIndexes;
import org.apache.druid.segment.index.semantic.Utf8ValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;

/**
 * Filter on a string column, which uses the column's index as Druid's filter of this kind does.
 *
 * @param condition filter in words; long values are cut
 * @param values    number of the column's values that match
 * @param index     function that gets the rows from a column's index
 */
public record Filter(
    String condition,
    int values,
    Function<ColumnIndexSupplier, BitmapColumnIndex> index
) {
  /** Kinds of filters, in the order of reports. */
  public enum Kind {
    /** One value. If the rows are sorted by value, it is the value of the middle row. */
    EQUALITY,
    /** 1 % of the values: adjacent ones in the middle of the dictionary. */
    RANGE,
    /** 1,000 values at equal distances in the dictionary, or all if there are fewer. */
    IN,
    /** Values with a common prefix: 1 to 10 % of the values if possible, as close to 3 % as possible. */
    PREFIX;

    /** Name in JSON. */
    public String json() {
      return Ascii.toLowerCase(name());
    }
  }

  private static final int VALUES_PER_RANGE = 100;
  private static final int MAX_VALUES_OF_IN = 1000;
  private static final double LEAST_OF_PREFIX = .01;
  private static final double MOST_OF_PREFIX = .1;
  private static final double SHARE_OF_PREFIX = .03;
  private static final int LONGEST_PREFIX = 16;
  private static final int LONGEST_IN_CONDITION = 40;

  /**
   * Creates one filter of each kind for a column, in the order of the kinds; none if all values are null.
   *
   * @param dictionary sorted values of the column in UTF-8
   * @param index      rows of each value
   */
  public static Map<Kind, Filter> of(Indexed<ByteBuffer> dictionary, IndexValues index) {
    final int first = index.size() > 0 && dictionary.get(0) == null ? 1 : 0;
    final int count = index.size() - first;
    return count == 0
           ? Map.of()
           : ImmutableMap.of(
               Kind.EQUALITY, equality(value(dictionary, middle(index, first))),
               Kind.RANGE, range(dictionary, first, count),
               Kind.IN, in(dictionary, first, count),
               Kind.PREFIX, prefix(dictionary, first)
           );
  }

  /**
   * Creates a filter for texts with a part.
   *
   * @param values number of the column's values with this part
   */
  static Filter containing(String part, int values) {
    // Same as Druid's filter.
    final LikeDimFilter.LikeMatcher like =
        LikeDimFilter.LikeMatcher.from("%" + part.replaceAll("[%_\\\\]", "\\\\$0") + "%", '\\');
    return new Filter(
        "like " + quoted("%" + part + "%"),
        values,
        indexes -> indexes.as(DruidPredicateIndexes.class).forPredicate(like.predicateFactory(null))
    );
  }

  /**
   * Rows that the filter finds.
   *
   * @return rows; null if the index leaves such filters to a matcher
   */
  @Nullable
  ImmutableBitmap find(ColumnIndexSupplier indexes, BitmapFactory bitmaps) {
    @Nullable final BitmapColumnIndex found = index.apply(indexes);
    return found == null ? null : found.computeBitmapResult(new DefaultBitmapResultFactory(bitmaps), false);
  }

  private static String value(Indexed<ByteBuffer> dictionary, int id) {
    return StringUtils.fromUtf8(dictionary.get(id).duplicate());
  }

  private static int middle(IndexValues index, int first) {
    final int start = index.start(first);
    final int middle = start + (index.rows().length - start) / 2;
    int id = first;
    while (id < index.size() - 1 && index.ends()[id] <= middle) {
      id++;
    }
    return id;
  }

  private static Filter equality(String value) {
    return new Filter(
        "= " + quoted(value),
        1,
        indexes -> indexes.as(ValueIndexes.class).forValue(value, ColumnType.STRING)
    );
  }

  private static Filter range(Indexed<ByteBuffer> dictionary, int first, int count) {
    final int values = Math.max(1, count / VALUES_PER_RANGE);
    final int from = first + (count - values) / 2;
    final String least = value(dictionary, from);
    final String most = value(dictionary, from + values - 1);
    return new Filter(
        "between " + quoted(least) + " and " + quoted(most),
        values,
        indexes -> indexes.as(LexicographicalRangeIndexes.class).forRange(least, false, most, false)
    );
  }

  private static Filter in(Indexed<ByteBuffer> dictionary, int first, int count) {
    final int values = Math.min(MAX_VALUES_OF_IN, count);
    final List<ByteBuffer> wanted = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      wanted.add(ByteBuffer.wrap(StringUtils.toUtf8(value(dictionary, first + (int) ((long) i * count / values)))));
    }
    return new Filter(
        "in " + values + " values",
        values,
        indexes -> indexes.as(Utf8ValueSetIndexes.class).forSortedValuesUtf8(wanted)
    );
  }

  /** Lengthens the prefix until it has the intended share of the values. */
  private static Filter prefix(Indexed<ByteBuffer> dictionary, int first) {
    final List<String> values =
        IntStream.range(first, dictionary.size()).mapToObj(id -> value(dictionary, id)).toList();
    String best = "";
    int ofBest = values.size();
    for (int length = 1; length <= LONGEST_PREFIX && !isAskedFor(ofBest, values.size()); length++) {
      for (int from = 0, to; from < values.size(); from = to) {
        final String prefix = start(values.get(from), length);
        to = from + 1;
        if (prefix.codePointCount(0, prefix.length()) < length) {
          continue;
        }
        while (to < values.size() && values.get(to).startsWith(prefix)) {
          to++;
        }
        if (distance(to - from, values.size()) < distance(ofBest, values.size())) {
          best = prefix;
          ofBest = to - from;
        }
      }
    }
    final String prefix = best;
    return new Filter(
        "like " + quoted(prefix + "%"),
        ofBest,
        // Same as Druid's filter.
        indexes -> indexes.as(LexicographicalRangeIndexes.class)
                          .forRange(prefix, false, prefix + Character.MAX_VALUE, false)
    );
  }

  private static boolean isAskedFor(int values, int all) {
    return values >= LEAST_OF_PREFIX * all && values <= MOST_OF_PREFIX * all;
  }

  private static double distance(int values, int all) {
    return Math.abs(Math.log(values / (SHARE_OF_PREFIX * all)));
  }

  private static String start(String value, int length) {
    return value.codePointCount(0, value.length()) <= length
           ? value
           : value.substring(0, value.offsetByCodePoints(0, length));
  }

  private static String quoted(String value) {
    final String start = start(value, LONGEST_IN_CONDITION);
    return "'" + start + (start.length() < value.length() ? "..." : "") + "'";
  }
}
