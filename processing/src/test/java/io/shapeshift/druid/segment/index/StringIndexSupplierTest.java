// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Supplier;
import com.google.common.collect.Lists;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.guava.Comparators;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.filter.DruidObjectPredicate;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.FrontCodedIndexed;
import org.apache.druid.segment.data.FrontCodedIndexedWriter;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.LexicographicalRangeIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.Utf8ValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against Druid's own supplier of the indexes of strings. */
@ExtendWith(RandomData.Seeded.class)
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
class StringIndexSupplierTest {
  /** Among them such as sort otherwise as UTF-8 than as UTF-16. */
  private static final List<String> LETTERS =
      List.of("a", "b", "ab", " ", "\0", "é", "中", "\uD83D\uDE00", "\uD800\uDC00", "\uE000", "\uFB01", "\uFFFF");
  private static final List<String> NUMBERS =
      List.of("0", "1", "-5", "1.0", "1.5", "NaN", "Infinity", "-0.0", "007", "1e3", "9223372036854775807", "true");

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.segment.index.IndexComparison#serdes")
  void answersAsDruidDoes(BitmapSerdeFactory serde, RandomData random) throws IOException {
    for (int numValues : new int[] {0, 1, 2, 3, 9, 40, 300, 2000}) {
      for (boolean withNull : numValues == 0 ? new boolean[] {true} : new boolean[] {false, true}) {
        final SortedSet<String> values = set();
        if (withNull) {
          values.add(null);
        }
        while (values.size() < numValues + (withNull ? 1 : 0)) {
          values.add(text(random));
        }
        final int bucketSize = random.oneOf(List.of(0, 1, 4, 16));
        final Supplier<? extends Indexed<ByteBuffer>> dictionary = dictionary(values, bucketSize);
        final List<ImmutableBitmap> bitmaps =
            ListedBitmaps.random(random, serde.getBitmapFactory(), values.size(), IndexComparison.NUM_ROWS);
        final IndexComparison comparison = new IndexComparison(
            new StringUtf8ColumnIndexSupplier<>(
                serde.getBitmapFactory(),
                dictionary::get,
                // Druid's own view for one thread cannot read a bitmap without rows behind one that has some.
                new BitmapsAsIndexed(() -> new ListedBitmaps(serde.getBitmapFactory(), bitmaps), serde),
                null
            ),
            ours -> new StringIndexSupplier(dictionary, ours),
            serde.getBitmapFactory(),
            bitmaps,
            random
        );
        comparison.assertSameKinds();
        for (int i = IndexComparison.filters(numValues); i > 0; i--) {
          compareFilters(comparison, new ArrayList<>(values), random);
        }
      }
    }
  }

  @Test
  void nothingMatchesInColumnsWithoutValues() throws IOException {
    final Supplier<? extends Indexed<ByteBuffer>> dictionary = dictionary(List.of(), 0);
    final StringIndexSupplier indexes = new StringIndexSupplier(
        dictionary, () -> new ListedBitmaps(RoaringBitmapFactory.INSTANCE, List.of()));
    final SortedSet<String> set = set("a", "b", "c", "d", "e", "f", "g", "h");
    final LexicographicalRangeIndexes ranges = indexes.as(LexicographicalRangeIndexes.class);
    for (BitmapColumnIndex index : List.of(
        indexes.as(NullValueIndex.class).get(),
        indexes.as(StringValueSetIndexes.class).forValue(null),
        indexes.as(StringValueSetIndexes.class).forSortedValues(set),
        indexes.as(ValueSetIndexes.class).forSortedValues(new ArrayList<>(set), ColumnType.STRING),
        indexes.as(ValueSetIndexes.class).forSortedValues(List.of(1L), ColumnType.LONG),
        indexes.as(DruidPredicateIndexes.class).forPredicate(new HashPredicate(1, 0, DruidPredicateMatch.TRUE)),
        ranges.forRange(null, false, null, false),
        ranges.forRange("a", false, "b", false, value -> DruidPredicateMatch.TRUE)
    )) {
      for (boolean unknown : new boolean[] {false, true}) {
        assertEquals(
            0,
            index.computeBitmapResult(new DefaultBitmapResultFactory(RoaringBitmapFactory.INSTANCE), unknown).size()
        );
      }
    }
  }

  /**
   * Where Druid has an index, all texts are tested as Druid's rule has it, also if there are no lists: to read the text
   * of each row takes far longer. Where it has none, only a few texts are, and all
   * where texts are read by the block.
   */
  @Test
  void allTextsAreTestedWhereDruidTestsThem(@TempDir File folder) {
    final int numRows = 4000;
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new StringDimensionSchema("indexed"),
            new StringDimensionSchema("unindexed", null, false),
            new StringDimensionSchema("unindexedInBlocks", null, false)
        )))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < numRows; i++) {
      // Digits at random, which are stored as a pattern.
      final String text = StringUtils.format("%016x", i * 0x9E3779B97F4A7C15L);
      rows.add(Map.of(
          "time", DateTimes.utc(i).toString(),
          "indexed", text,
          "unindexed", text,
          "unindexedInBlocks", words(i)
      ));
    }
    final IndexSpec spec = ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(
            EncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.SMALL), Map.of()));
    try (QueryableIndex segment = TestSegments.open(TestSegments.persist(
             TestSegments.rowsInMemory(schema, rows), new File(folder, "segment"), spec, TestSegments.Version.V9))) {
      final QueriedRows all = QueriedRows.all(numRows);
      final QueriedRows some = new QueriedRows(0, 100, 0);
      final QueriedRows untilALimit = new QueriedRows(0, numRows, QueriedRows.NEVER);
      assertTrue(isTested(segment, "indexed", all, numRows));
      assertTrue(isTested(segment, "indexed", untilALimit, numRows));
      assertFalse(isTested(segment, "indexed", some, numRows));
      assertFalse(isTested(segment, "indexed", all, numRows - 1));
      for (QueriedRows queried : List.of(all, some, untilALimit)) {
        assertFalse(isTested(segment, "unindexed", queried, numRows));
      }
      assertFalse(isTested(segment, "unindexedInBlocks", some, numRows));
      assertFalse(isTested(segment, "unindexedInBlocks", untilALimit, numRows));
      assertTrue(isTested(segment, "unindexedInBlocks", all, numRows));
    }
  }

  private static String words(int number) {
    final List<String> words =
        List.of("regular", "deposits", "sleep", "furiously", "among", "final", "packages", "bold");
    final StringBuilder text = new StringBuilder();
    for (int left = number * 7919; left > 0; left /= words.size()) {
      text.append(words.get(left % words.size())).append(' ');
    }
    return text.append(number).toString();
  }

  /** Whether there is an index of a test for a query, of which other filters have left so many rows. */
  private static boolean isTested(QueryableIndex segment, String column, QueriedRows queried, int applied) {
    final QueriedRows.Indexes indexes =
        assertInstanceOf(QueriedRows.Indexes.class, segment.getColumnHolder(column).getIndexSupplier());
    assertTrue(indexes.dependOnRows());
    return indexes
        .of(queried)
        .as(DruidPredicateIndexes.class)
        .forPredicate(new HashPredicate(3, 0, DruidPredicateMatch.TRUE))
        .computeBitmapResult(
            new DefaultBitmapResultFactory(RoaringBitmapFactory.INSTANCE), applied, segment.getNumRows(), false)
        != null;
  }

  @Test
  void theDictionaryMustBeSorted() {
    final Supplier<Indexed<ByteBuffer>> unsorted = () -> GenericIndexed.fromIterable(
        List.of(StringUtils.toUtf8ByteBuffer("b"), StringUtils.toUtf8ByteBuffer("a")), GenericIndexed.UTF8_STRATEGY);
    final StringIndexSupplier indexes = new StringIndexSupplier(
        unsorted,
        () -> new ListedBitmaps(
            RoaringBitmapFactory.INSTANCE,
            Collections.nCopies(2, RoaringBitmapFactory.INSTANCE.makeEmptyImmutableBitmap())
        )
    );
    assertThrows(IllegalArgumentException.class, () -> indexes.as(ValueIndexes.class));
  }

  /** Compares filters of all kinds in a column of these values. */
  static void compareFilters(IndexComparison comparison, List<String> values, RandomData random) {
    final String value = probe(values, random);
    comparison.assertSame("= " + value, StringValueSetIndexes.class, index -> index.forValue(value));
    comparison.assertSame(
        "= string " + value, ValueIndexes.class, index -> index.forValue(value, ColumnType.STRING));
    final long number = random.between(-5, 5);
    comparison.assertSame("= " + number, ValueIndexes.class, index -> index.forValue(number, ColumnType.LONG));
    comparison.assertSame(
        "= double " + number, ValueIndexes.class, index -> index.forValue(number / 2.0, ColumnType.DOUBLE));
    comparison.assertSame(
        "= array " + value,
        ValueIndexes.class,
        index -> index.forValue(new Object[] {value}, ColumnType.STRING_ARRAY)
    );

    final SortedSet<String> set = set();
    final int size = random.oneOf(List.of(0, 1, 2, 7, 8, 9, 30, 100, values.size() / 10, values.size()));
    for (int i = 0; i < size; i++) {
      set.add(probe(values, random));
    }
    if (random.nextInt(2) == 0) {
      set.remove(null);
    }
    final List<String> sorted = new ArrayList<>(set);
    comparison.assertSame(() -> "in " + set, StringValueSetIndexes.class, index -> index.forSortedValues(set));
    comparison.assertSame(
        () -> "in list " + set, ValueSetIndexes.class, index -> index.forSortedValues(sorted, ColumnType.STRING));
    comparison.assertSame(
        () -> "in UTF-8 " + set,
        Utf8ValueSetIndexes.class,
        index -> index.forSortedValuesUtf8(new ArrayList<>(Lists.transform(sorted, StringUtils::toUtf8ByteBuffer)))
    );
    final List<Long> numbers = new ArrayList<>(random.nextInt(2) == 0 ? Collections.singletonList(null) : List.of());
    for (long i = random.between(-9, 9); i < 9; i += 1 + random.nextInt(3)) {
      numbers.add(i);
    }
    comparison.assertSame(
        "in numbers " + numbers, ValueSetIndexes.class, index -> index.forSortedValues(numbers, ColumnType.LONG));

    final HashPredicate predicate = HashPredicate.random(random);
    comparison.assertSame(
        predicate.toString(), DruidPredicateIndexes.class, index -> index.forPredicate(predicate));

    final String start = probe(values, random);
    final String end = random.nextInt(3) == 0 && start != null ? start + Character.MAX_VALUE : probe(values, random);
    final boolean startStrict = random.nextInt(2) == 0;
    final boolean endStrict = random.nextInt(2) == 0;
    final String range = (startStrict ? "]" : "[") + start + " to " + end + (endStrict ? "[" : "]");
    comparison.assertSame(
        range,
        LexicographicalRangeIndexes.class,
        index -> index.forRange(start, startStrict, end, endStrict)
    );
    final DruidObjectPredicate<String> matcher = predicate.makeStringPredicate();
    comparison.assertSame(
        range + predicate,
        LexicographicalRangeIndexes.class,
        index -> index.forRange(start, startStrict, end, endStrict, matcher)
    );
  }

  /** One of the values, or one that is near it, or another. */
  @Nullable
  private static String probe(List<String> values, RandomData random) {
    final String value = random.oneOf(values);
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> text(random);
      case 2 -> value == null ? "" : value + random.oneOf(LETTERS);
      case 3 -> value == null ? "" : value.substring(0, value.offsetByCodePoints(0, value.isEmpty() ? 0 : 1));
      default -> value;
    };
  }

  private static String text(RandomData random) {
    if (random.nextInt(20) == 0) {
      return random.oneOf(NUMBERS);
    }
    final StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(random.oneOf(LETTERS));
    }
    return text.toString();
  }

  /** The strings in the order of Druid's dictionaries. */
  private static SortedSet<String> set(String... values) {
    final SortedSet<String> set = new TreeSet<>(Comparators.naturalNullsFirst());
    set.addAll(List.of(values));
    return set;
  }

  /** A dictionary, front-coded unless the size of its buckets is 0. */
  private static Supplier<? extends Indexed<ByteBuffer>> dictionary(Collection<String> values, int bucketSize)
      throws IOException {
    if (bucketSize == 0) {
      final List<ByteBuffer> utf8 = values.stream().map(StringUtils::toUtf8ByteBuffer).toList();
      return GenericIndexed.fromIterable(utf8, GenericIndexed.UTF8_STRATEGY)::singleThreaded;
    }
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final FrontCodedIndexedWriter writer =
          new FrontCodedIndexedWriter(medium, ByteOrder.LITTLE_ENDIAN, bucketSize, FrontCodedIndexed.V1);
      writer.open();
      for (String value : values) {
        writer.write(StringUtils.toUtf8Nullable(value));
      }
      writer.getSerializedSize();
      writer.writeTo(Channels.newChannel(bytes), null);
    }
    return FrontCodedIndexed.read(
        ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN), ByteOrder.LITTLE_ENDIAN);
  }
}
