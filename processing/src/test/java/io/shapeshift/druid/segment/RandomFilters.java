// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.extraction.SubstringDimExtractionFn;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.BoundDimFilter;
import org.apache.druid.query.filter.ColumnComparisonDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.ExpressionDimFilter;
import org.apache.druid.query.filter.FalseDimFilter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.IsFalseDimFilter;
import org.apache.druid.query.filter.IsTrueDimFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.RegexDimFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.query.filter.TrueDimFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.query.ordering.StringComparator;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.segment.column.ColumnType;

/** Filters of all kinds on some columns, alone and as trees of and, or and not. */
public final class RandomFilters {
  /** Numbers at which types, casts and forms differ, as Druid gets them from queries. */
  private static final List<Object> BOUNDS = List.of(
      0L, 1L, -1L, 100L, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1,
      0.0, -0.0, .1, 1.25, 2.5, 99.99, 100.5, -1.5, 1e300, -1e300, 9e15, 9.3e18, -9.3e18, 1e-320,
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, Double.MIN_VALUE,
      0f, -0f, .1f, 1.25f, Float.MAX_VALUE, Float.MIN_VALUE, Float.NaN,
      "0", "0.0", "-0.0", "1.25", "1.250", "100", "100.0", "+100", "1e2", "NaN", "Infinity", "-Infinity", "x", "",
      "1767225600000", "1767226600001", 1767225900000L, 1767226600001.5, "200.5", "9007199254740993", "37.5", 37.5
  );
  private static final List<String> LITERALS = List.of("0", "100", "1.25", "'100'", "0.0");
  private static final List<StringComparator> ORDERS =
      List.of(StringComparators.NUMERIC, StringComparators.NUMERIC, StringComparators.LEXICOGRAPHIC);
  private static final List<ColumnType> NUMBERS = List.of(ColumnType.LONG, ColumnType.DOUBLE, ColumnType.FLOAT);

  private final RandomData random;
  private final List<String> columns;
  private final List<String> expressed;
  private final boolean areParts;
  private final Function<String, Object> valueOf;

  /**
   * Makes filters.
   *
   * @param columns   those to filter
   * @param expressed those of them to use in expressions, of which Druid says otherwise by vectors than by rows whether
   *                  NaN is greater than a number
   * @param areParts  whether filters are to be of one tree with others, on which it then depends whether Druid uses an
   *                  index: not such as it takes for unknown of nulls by one and for false by the other, which are
   *                  ranges that end before they start, and bounds of texts; and no values of which it says otherwise
   *                  by vectors than by rows what is equal to them
   * @param valueOf   a value, not null, to compare a column with
   */
  public RandomFilters(
      RandomData random,
      List<String> columns,
      List<String> expressed,
      boolean areParts,
      Function<String, Object> valueOf
  ) {
    this.random = random;
    this.columns = columns;
    this.expressed = expressed;
    this.areParts = areParts;
    this.valueOf = areParts
        ? column -> Stream.generate(() -> valueOf.apply(column)).dropWhile(value -> !isClear(value)).iterator().next()
        : valueOf;
  }

  /**
   * Whether Druid says alike by vectors and by rows which numbers are equal to a value. The parts of a tree of which an
   * index says that there are no rows decide whether there are vectors.
   */
  private static boolean isClear(Object value) {
    return !Set.of("NaN", "0", "0.0", "-0.0").contains(value.toString());
  }

  /** Values to compare any column with. */
  public static Object bound(RandomData random) {
    return random.oneOf(BOUNDS);
  }

  /**
   * A tree of filters.
   *
   * @param depth how many filters may contain each other; 0 for one that contains none
   */
  public DimFilter tree(int depth) {
    if (depth == 0) {
      return leaf();
    }
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> new AndDimFilter(trees(depth - 1));
      case 3, 4 -> new OrDimFilter(trees(depth - 1));
      case 5, 6 -> new NotDimFilter(tree(depth - 1));
      case 7 -> random.nextInt(2) == 0 ? IsTrueDimFilter.of(tree(depth - 1)) : IsFalseDimFilter.of(tree(depth - 1));
      default -> leaf();
    };
  }

  private List<DimFilter> trees(int depth) {
    return Stream.generate(() -> tree(depth)).limit(random.between(2, 4)).toList();
  }

  /** A filter that contains no other. */
  public DimFilter leaf() {
    final String column = random.oneOf(columns);
    return switch (random.nextInt(18)) {
      case 0 -> NullFilter.forColumn(column);
      case 1, 2 -> accepted(() -> new EqualityFilter(column, type(), valueOf.apply(column), null));
      case 3, 4, 5 -> accepted(() -> range(column));
      case 6, 7 -> bound(column);
      case 8 -> accepted(() -> new TypedInFilter(column, type(), listOrNull(column), null, null));
      case 9 -> new InDimFilter(column, new TreeSet<>(list(column).stream().map(Object::toString).toList()), null);
      case 10 -> new SelectorDimFilter(
          column,
          random.nextInt(9) == 0 ? null : text(column),
          random.nextInt(9) == 0 ? new SubstringDimExtractionFn(0, 2) : null
      );
      case 11 -> new LikeDimFilter(
          column, random.oneOf(List.of("", "", "%")) + text(column) + random.oneOf(List.of("", "%")), null, null);
      case 12 -> new RegexDimFilter(column, "[" + random.nextInt(10) + "]$", null);
      case 13 -> new ColumnComparisonDimFilter(
          List.of(DefaultDimensionSpec.of(column), DefaultDimensionSpec.of(random.oneOf(columns))));
      case 14 -> random.nextInt(9) == 0
                 ? random.nextInt(2) == 0 ? TrueDimFilter.instance() : FalseDimFilter.instance()
                 : expression(" < \"" + random.oneOf(expressed) + "\"");
      case 15, 16 -> search();
      default -> expression((random.nextInt(2) == 0 ? " == " : " > ") + random.oneOf(LITERALS));
    };
  }

  /** A value as text, whole numbers at times as none of their columns would write them. */
  private String text(String column) {
    final Object value = valueOf.apply(column);
    return value instanceof Long && random.nextInt(3) == 0 ? value + ".0" : value.toString();
  }

  private DimFilter expression(String comparison) {
    return new ExpressionDimFilter("\"" + random.oneOf(expressed) + "\"" + comparison, ExprMacroTable.nil());
  }

  /** An expression that looks for a part of a value. It fails on none: another filter may leave out such values. */
  private DimFilter search() {
    final String column = random.oneOf(expressed);
    return new TextExpressions(random, () -> partOf(text(column)), false).filter(column);
  }

  private String partOf(String text) {
    final int from = random.nextInt(text.length() + 1);
    return text.substring(from, random.between(from, text.length()));
  }

  /** A filter whose values Druid takes: it refuses what it cannot cast. */
  private static DimFilter accepted(Supplier<DimFilter> filter) {
    while (true) {
      try {
        return filter.get();
      } catch (RuntimeException e) {
        // Another one.
      }
    }
  }

  private ColumnType type() {
    return random.nextInt(5) == 0 ? ColumnType.STRING : random.oneOf(NUMBERS);
  }

  @Nullable
  private Object orNull(String column) {
    return random.nextInt(4) == 0 ? null : valueOf.apply(column);
  }

  private DimFilter range(String column) {
    final ColumnType type = type();
    final Object[] ends =
        ends(column, type.isNumeric() ? StringComparators.NUMERIC : StringComparators.LEXICOGRAPHIC);
    return new RangeFilter(column, type, ends[0], ends[1], random.nextInt(2) == 0, random.nextInt(2) == 0, null);
  }

  private DimFilter bound(String column) {
    final StringComparator order = areParts ? StringComparators.NUMERIC : random.oneOf(ORDERS);
    final Object[] ends = ends(column, order);
    return new BoundDimFilter(
        column,
        ends[0] == null ? null : ends[0].toString(),
        ends[1] == null ? null : ends[1].toString(),
        random.nextInt(2) == 0,
        random.nextInt(2) == 0,
        null,
        null,
        order
    );
  }

  /** The lower and the upper end of a range, one of which may be null. */
  private Object[] ends(String column, StringComparator order) {
    @Nullable final Object lower = orNull(column);
    @Nullable final Object upper = lower == null ? valueOf.apply(column) : orNull(column);
    final boolean isReverse =
        areParts && lower != null && upper != null && order.compare(lower.toString(), upper.toString()) > 0;
    return isReverse ? new Object[] {upper, lower} : new Object[] {lower, upper};
  }

  /** A few values or many, some of which columns may not have. */
  private Collection<Object> list(String column) {
    return Stream
        .generate(() -> switch (random.nextInt(4)) {
          case 0 -> random.nextInt(300);
          case 1 -> random.nextInt(300) / 4.0;
          default -> valueOf.apply(column);
        })
        .limit(random.between(1, random.nextInt(2) == 0 ? 4 : 150))
        .toList();
  }

  private List<Object> listOrNull(String column) {
    final List<Object> list = new ArrayList<>(list(column));
    if (random.nextInt(4) == 0) {
      list.set(random.nextInt(list.size()), null);
    }
    return list;
  }
}
