// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.SearchQueryDimFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.query.search.ContainsSearchQuerySpec;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.filter.AndFilter;
import org.apache.druid.segment.filter.NotFilter;

/**
 * Makes Druid's filters of a kind, each with other values.
 *
 * <table>
 *   <caption>Kinds</caption>
 *   <tr><th>name</th><th>rows that match</th></tr>
 *   <tr><td>{@code equality}</td><td>those of one value, that of a random row: frequent values are likelier</td></tr>
 *   <tr><td>{@code and}</td><td>those of one value each, chosen likewise, in two columns of the same shape</td></tr>
 *   <tr><td>{@code not}</td><td>all but those of one value</td></tr>
 *   <tr><td>{@code in-N}</td><td>those of N values, or of all if there are not as many</td></tr>
 *   <tr><td>{@code range-SHARE}</td><td>those of this share of the values, of one at least, which follow each
 *   other</td></tr>
 *   <tr><td>{@code prefix}</td><td>those of the values whose first digit is the same, about a tenth of them</td></tr>
 *   <tr><td>{@code contains}</td><td>those of the values whose last digit is the same, about a tenth of them, which a
 *   predicate finds in the whole dictionary</td></tr>
 * </table>
 */
final class IndexFilters {
  /** Names of the columns; only {@code and} uses the second. */
  static final List<String> COLUMNS = List.of("a", "b");
  /** Examples of all kinds. */
  static final List<String> KINDS =
      List.of("equality", "and", "not", "in-10", "in-1000", "range-0.01", "range-0.1", "prefix", "contains");
  private static final String AND = "and";
  private static final String IN = "in-";
  private static final String RANGE = "range-";
  /** Number of filters of a kind, so that no single one decides. */
  private static final int COUNT = 16;

  private final List<RowValues.Ids> columns;
  private final Random random = new Random(1);

  private IndexFilters(List<RowValues.Ids> columns) {
    this.columns = columns;
  }

  /** Number of columns that a kind of filter uses. */
  static int numColumns(String kind) {
    return kind.equals(AND) ? 2 : 1;
  }

  /**
   * Filters of a kind, the same at each call.
   *
   * @param columns the rows of as many columns as {@link #numColumns} says
   * @throws IllegalArgumentException if there is no such kind
   */
  static List<Filter> of(String kind, List<RowValues.Ids> columns) {
    final IndexFilters filters = new IndexFilters(columns);
    final IntFunction<Filter> filter = filters.kind(kind);
    return IntStream.range(0, COUNT).mapToObj(filter).toList();
  }

  private IntFunction<Filter> kind(String kind) {
    return switch (kind) {
      case "equality" -> i -> equality(0);
      case AND -> i -> new AndFilter(List.of(equality(0), equality(1)));
      case "not" -> i -> new NotFilter(equality(0));
      case "prefix" -> i -> prefix();
      case "contains" -> i -> contains();
      default -> numbered(kind);
    };
  }

  /** A kind that has a number in its name. */
  private IntFunction<Filter> numbered(String kind) {
    try {
      if (kind.startsWith(IN)) {
        final int count = Integer.parseInt(kind.substring(IN.length()));
        return i -> in(count);
      }
      if (kind.startsWith(RANGE)) {
        final double share = Double.parseDouble(kind.substring(RANGE.length()));
        if (share > 0 && share <= 1) {
          return i -> range(share);
        }
      }
    } catch (NumberFormatException e) {
      // The error below reports it.
    }
    throw new IllegalArgumentException(
        "There is no filter " + kind + ". There are " + String.join(", ", KINDS) + ", and others with other numbers");
  }

  private static Filter filter(DimFilter filter) {
    return filter.toFilter();
  }

  private Filter equality(int column) {
    return filter(new EqualityFilter(COLUMNS.get(column), ColumnType.STRING, value(column, anyId(column)), null));
  }

  private Filter in(int count) {
    final int cardinality = columns.get(0).cardinality();
    final List<String> values =
        (count >= cardinality ? IntStream.range(0, cardinality) : random.ints(0, cardinality).distinct().limit(count))
            .sorted()
            .mapToObj(id -> value(0, id))
            .toList();
    return filter(new TypedInFilter(COLUMNS.get(0), ColumnType.STRING, new ArrayList<>(values), null, null));
  }

  private Filter range(double share) {
    final int cardinality = columns.get(0).cardinality();
    final int length = (int) Math.max(1, Math.round(share * cardinality));
    final int from = random.nextInt(cardinality - length + 1);
    return filter(new RangeFilter(
        COLUMNS.get(0),
        ColumnType.STRING,
        value(0, from),
        value(0, from + length - 1),
        false,
        false,
        null
    ));
  }

  private Filter prefix() {
    return filter(new LikeDimFilter(COLUMNS.get(0), "item " + anyDigits().charAt(0) + "%", null, null));
  }

  private Filter contains() {
    final String digits = anyDigits();
    return filter(new SearchQueryDimFilter(
        COLUMNS.get(0),
        new ContainsSearchQuerySpec(digits.charAt(digits.length() - 1) + " of", true),
        null
    ));
  }

  /** The id of a random row. */
  private int anyId(int column) {
    final int[] ids = columns.get(column).ids();
    return ids[random.nextInt(ids.length)];
  }

  /** The digits of a random value. */
  private String anyDigits() {
    return value(0, random.nextInt(columns.get(0).cardinality())).split(" ", -1)[1];
  }

  private String value(int column, int id) {
    return IndexedColumn.value(id, columns.get(column).cardinality());
  }
}
