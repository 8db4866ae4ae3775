// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.base.Supplier;
import com.google.common.base.Throwables;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.java.util.common.IAE;
import org.apache.druid.java.util.common.guava.Comparators;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FixedIndexedWriter;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.NumericRangeIndexes;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;
import org.apache.druid.segment.nested.ScalarDoubleColumnAndIndexSupplier;
import org.apache.druid.segment.nested.ScalarLongColumnAndIndexSupplier;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against Druid's own suppliers of the indexes of longs and doubles. */
@ExtendWith(RandomData.Seeded.class)
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
class NumberIndexSuppliersTest {
  /** From this many values on Druid looks at the least value of the column, and fails if there is none. */
  private static final int CUT = ValueSetIndexes.SIZE_WORTH_CHECKING_MIN;
  private static final List<Double> DOUBLES = List.of(
      Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -0.0, 0.0, Double.MIN_VALUE, Double.MAX_VALUE,
      -Double.MAX_VALUE, 0x1p53, 0x1p53 + 2, 0x1p63, -0x1p63, 1.5, -1.5, 1e300);
  private static final List<Long> LONGS = List.of(
      Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1, (1L << 53) + 1, -(1L << 53) - 1, 0L, -1L, 1L, 1L << 31);
  private static final List<String> TEXTS = List.of(
      "", "a", " 1", "1 ", "+1", "1.0", "-0", "-0.0", "1.5", "1e1", "0x10", "NaN", "Infinity", "-Infinity",
      "9223372036854775807", "9223372036854775808", "true");

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.segment.index.IndexComparison#serdes")
  void longsAnswerAsDruidDoes(BitmapSerdeFactory serde, RandomData random) throws IOException {
    compare(serde, random, ColumnType.LONG, NumberIndexSuppliersTest::randomLong);
  }

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.segment.index.IndexComparison#serdes")
  void doublesAnswerAsDruidDoes(BitmapSerdeFactory serde, RandomData random) throws IOException {
    compare(serde, random, ColumnType.DOUBLE, NumberIndexSuppliersTest::randomDouble);
  }

  private static <T extends Number & Comparable<T>> void compare(
      BitmapSerdeFactory serde,
      RandomData random,
      ColumnType type,
      Function<RandomData, T> number
  ) throws IOException {
    for (int numValues : new int[] {0, 1, 2, 3, 9, 40, 300, 2000}) {
      // Druid always writes null; what its indexes do without it is to be the same nevertheless.
      for (boolean withNull : numValues == 0 ? new boolean[] {true} : new boolean[] {false, true}) {
        final SortedSet<T> values = new TreeSet<>(type.getNullableStrategy());
        if (withNull) {
          values.add(null);
        }
        while (values.size() < numValues + (withNull ? 1 : 0)) {
          values.add(number.apply(random));
        }
        final ColumnConfig config = random.oneOf(List.of(ColumnConfig.DEFAULT, ColumnConfig.SELECTION_SIZE));
        final List<ImmutableBitmap> bitmaps =
            ListedBitmaps.random(random, serde.getBitmapFactory(), values.size(), IndexComparison.NUM_ROWS);
        final Supplier<FixedIndexed<T>> dictionary = dictionary(values, type);
        final IndexComparison comparison = new IndexComparison(
            stock(type, dictionary, ListedBitmaps.stock(serde, bitmaps), serde.getBitmapFactory(), config),
            ours -> ours(type, dictionary, ours, config),
            serde.getBitmapFactory(),
            bitmaps,
            random
        );
        comparison.assertSameKinds();
        for (int i = IndexComparison.filters(numValues); i > 0; i--) {
          compareFilters(comparison, new ArrayList<>(values), type, number, random);
        }
      }
    }
  }

  /** Compares filters of all kinds in a column of these values; {@code number} makes others. */
  static <T extends Number & Comparable<T>> void compareFilters(
      IndexComparison comparison,
      List<T> values,
      ColumnType type,
      Function<RandomData, T> number,
      RandomData random
  ) {
    final T value = random.oneOf(values);
    final long aLong = randomLong(random);
    final double aDouble = randomDouble(random);
    final String text = text(values, random);
    comparison.assertSame("= " + value, ValueIndexes.class, index -> index.forValue(value, type));
    comparison.assertSame("= long " + aLong, ValueIndexes.class, index -> index.forValue(aLong, ColumnType.LONG));
    comparison.assertSame(
        "= double " + aDouble, ValueIndexes.class, index -> index.forValue(aDouble, ColumnType.DOUBLE));
    comparison.assertSame("= string " + text, ValueIndexes.class, index -> index.forValue(text, ColumnType.STRING));
    comparison.assertSame(
        "= array " + aLong,
        ValueIndexes.class,
        index -> index.forValue(new Object[] {aLong}, ColumnType.LONG_ARRAY)
    );
    comparison.assertSame("= " + text, StringValueSetIndexes.class, index -> index.forValue(text));

    final boolean onlyNull = values.size() == 1 && values.get(0) == null;
    final int size = onlyNull
                     ? random.nextInt(CUT - 1)
                     : random.oneOf(List.of(0, 1, 2, 7, 8, 9, 30, 100, values.size() / 10, values.size()));
    compareSets(
        comparison,
        type,
        set(type, size, random, () -> random.nextInt(3) == 0 ? number.apply(random) : random.oneOf(values))
    );
    compareSets(
        comparison,
        ColumnType.LONG,
        set(ColumnType.LONG, size, random, () -> near(values, random).longValue())
    );
    compareSets(
        comparison,
        ColumnType.DOUBLE,
        set(ColumnType.DOUBLE, size, random, () -> near(values, random).doubleValue())
    );
    final List<String> texts = set(ColumnType.STRING, size, random, () -> text(values, random));
    compareSets(comparison, ColumnType.STRING, texts);
    final SortedSet<String> textSet = new TreeSet<>(Comparators.naturalNullsFirst());
    textSet.addAll(texts);
    comparison.assertSame(() -> "in " + texts, StringValueSetIndexes.class, index -> index.forSortedValues(textSet));

    final HashPredicate predicate = HashPredicate.random(random);
    comparison.assertSame(predicate.toString(), DruidPredicateIndexes.class, index -> index.forPredicate(predicate));

    final Number start = bound(values, random);
    final Number end = bound(values, random);
    final boolean startStrict = random.nextInt(2) == 0;
    final boolean endStrict = random.nextInt(2) == 0;
    comparison.assertSame(
        (startStrict ? "]" : "[") + start + " to " + end + (endStrict ? "[" : "]"),
        NumericRangeIndexes.class,
        index -> index.forRange(start, startStrict, end, endStrict)
    );
  }

  private static void compareSets(IndexComparison comparison, ColumnType type, List<?> values) {
    comparison.assertSame(
        () -> "in " + type + values, ValueSetIndexes.class, index -> index.forSortedValues(values, type));
  }

  /** A sorted set as a list, in one of two cases with null. */
  private static <V> List<V> set(ColumnType type, int size, RandomData random, Supplier<V> value) {
    final SortedSet<V> set = new TreeSet<>(type.getNullableStrategy());
    for (int i = 0; i < size; i++) {
      set.add(value.get());
    }
    set.remove(null);
    if (random.nextInt(2) == 0) {
      set.add(null);
    }
    return new ArrayList<>(set);
  }

  private static <T extends Number> Number near(List<T> values, RandomData random) {
    @Nullable final T value = random.oneOf(values);
    return value == null ? 0 : value.doubleValue() + random.between(-2, 2) / 2.0;
  }

  @Nullable
  private static <T extends Number> Number bound(List<T> values, RandomData random) {
    return switch (random.nextInt(6)) {
      case 0 -> null;
      case 1 -> randomLong(random);
      case 2 -> randomDouble(random);
      case 3 -> near(values, random);
      default -> random.oneOf(values);
    };
  }

  @Nullable
  private static <T extends Number> String text(List<T> values, RandomData random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.oneOf(TEXTS);
      case 1 -> null;
      case 2 -> String.valueOf(near(values, random));
      default -> String.valueOf(random.oneOf(values));
    };
  }

  static Long randomLong(RandomData random) {
    return random.nextInt(10) == 0 ? random.oneOf(LONGS) : (long) random.between(-2000, 2000);
  }

  static Double randomDouble(RandomData random) {
    return random.nextInt(10) == 0 ? random.oneOf(DOUBLES) : random.between(-2000, 2000) / 2.0;
  }

  @SuppressWarnings("unchecked")
  private static <T> ColumnIndexSupplier ours(
      ColumnType type,
      Supplier<FixedIndexed<T>> dictionary,
      Supplier<ValueBitmaps> bitmaps,
      ColumnConfig config
  ) {
    return type.equals(ColumnType.LONG)
           ? NumberIndexSupplier.ofLongs(() -> (FixedIndexed<Long>) dictionary.get(), bitmaps, config, false)
           : NumberIndexSupplier.ofDoubles(() -> (FixedIndexed<Double>) dictionary.get(), bitmaps, config, false);
  }

  /** Druid makes its suppliers of the files of a segment only. */
  private static <T> ColumnIndexSupplier stock(
      ColumnType type,
      Supplier<FixedIndexed<T>> dictionary,
      GenericIndexed<ImmutableBitmap> bitmaps,
      BitmapFactory factory,
      ColumnConfig config
  ) {
    final Class<?> suppliers = type.equals(ColumnType.LONG)
                               ? ScalarLongColumnAndIndexSupplier.class
                               : ScalarDoubleColumnAndIndexSupplier.class;
    try {
      final Constructor<?> constructor = suppliers.getDeclaredConstructor(
          Supplier.class,
          Supplier.class,
          Supplier.class,
          GenericIndexed.class,
          BitmapFactory.class,
          ColumnConfig.class
      );
      constructor.setAccessible(true);
      return (ColumnIndexSupplier) constructor.newInstance(dictionary, null, null, bitmaps, factory, config);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(Throwables.getRootCause(e));
    }
  }

  private static <T> Supplier<FixedIndexed<T>> dictionary(Collection<T> values, ColumnType type) throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final FixedIndexedWriter<T> writer =
          new FixedIndexedWriter<>(medium, type.getStrategy(), ByteOrder.nativeOrder(), Long.BYTES, true);
      writer.open();
      for (T value : values) {
        writer.write(value);
      }
      writer.writeTo(Channels.newChannel(bytes), null);
    }
    return FixedIndexed.read(
        ByteBuffer.wrap(bytes.toByteArray()), type.getStrategy(), ByteOrder.nativeOrder(), Long.BYTES);
  }

  @Test
  void setsMatchInColumnsOfNullsWhereDruidFails() throws IOException {
    final RoaringBitmapSerdeFactory serde = RoaringBitmapSerdeFactory.getInstance();
    final MutableBitmap nulls = serde.getBitmapFactory().makeEmptyMutableBitmap();
    nulls.add(3);
    final List<ImmutableBitmap> bitmaps = List.of(serde.getBitmapFactory().makeImmutableBitmap(nulls));
    for (ColumnType type : List.of(ColumnType.LONG, ColumnType.DOUBLE)) {
      final Supplier<FixedIndexed<Number>> dictionary = dictionary(Collections.singletonList(null), type);
      final ValueSetIndexes ours = ours(
          type,
          dictionary,
          () -> new ListedBitmaps(serde.getBitmapFactory(), bitmaps),
          ColumnConfig.DEFAULT
      ).as(ValueSetIndexes.class);
      final List<Number> numbers = LongStream.range(0, CUT)
          .mapToObj(i -> type.equals(ColumnType.LONG) ? (Number) i : (Number) (double) i)
          .collect(Collectors.toCollection(ArrayList::new));
      final ValueSetIndexes stock =
          stock(type, dictionary, ListedBitmaps.stock(serde, bitmaps), serde.getBitmapFactory(), ColumnConfig.DEFAULT)
              .as(ValueSetIndexes.class);
      assertThrows(IAE.class, () -> stock.forSortedValues(numbers, type));
      assertRows(List.of(), ours.forSortedValues(numbers, type), false);
      assertRows(List.of(3), ours.forSortedValues(numbers, type), true);
      numbers.set(0, null);
      assertRows(List.of(3), ours.forSortedValues(numbers, type), false);
      assertRows(List.of(3), ours.forSortedValues(numbers, type), true);
    }
  }

  @Test
  void nothingMatchesInColumnsWithoutValues() throws IOException {
    final List<String> texts = List.of("1", "2");
    for (ColumnType type : List.of(ColumnType.LONG, ColumnType.DOUBLE)) {
      final ColumnIndexSupplier indexes = ours(
          type,
          dictionary(List.of(), type),
          () -> new ListedBitmaps(RoaringBitmapSerdeFactory.getInstance().getBitmapFactory(), List.of()),
          ColumnConfig.DEFAULT
      );
      for (BitmapColumnIndex index : List.of(
          indexes.as(NullValueIndex.class).get(),
          indexes.as(ValueIndexes.class).forValue(1L, ColumnType.LONG),
          indexes.as(ValueIndexes.class).forValue("a", ColumnType.STRING),
          indexes.as(StringValueSetIndexes.class).forValue(null),
          indexes.as(StringValueSetIndexes.class).forSortedValues(new TreeSet<>(texts)),
          indexes.as(ValueSetIndexes.class).forSortedValues(texts, ColumnType.STRING),
          indexes.as(NumericRangeIndexes.class).forRange(null, false, null, false),
          indexes.as(DruidPredicateIndexes.class).forPredicate(new HashPredicate(1, 0, DruidPredicateMatch.TRUE))
      )) {
        assertRows(List.of(), index, false);
        assertRows(List.of(), index, true);
      }
    }
  }

  private static void assertRows(List<Integer> rows, BitmapColumnIndex index, boolean includeUnknown) {
    final IndexComparison.Results results =
        new IndexComparison.Results(RoaringBitmapSerdeFactory.getInstance().getBitmapFactory());
    assertEquals(rows, index.computeBitmapResult(results, includeUnknown).rows());
  }
}
