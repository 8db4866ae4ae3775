// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.Filter.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is measured is filters that a column can have, and all indexes find the same rows. */
@ExtendWith(RandomData.Seeded.class)
class FilterTest {
  private static GenericIndexed<ByteBuffer> dictionary(List<String> values) {
    final List<ByteBuffer> utf8 = new ArrayList<>();
    values.forEach(value -> utf8.add(value == null ? null : ByteBuffer.wrap(StringUtils.toUtf8(value))));
    return GenericIndexed.fromIterable(utf8, GenericIndexed.UTF8_STRATEGY);
  }

  /** As many rows of each value as are told, one value behind the other. */
  private static IndexValues index(int... counts) {
    final int[] ends = counts.clone();
    Arrays.parallelPrefix(ends, Integer::sum);
    final int rows = ends[ends.length - 1];
    return new IndexValues(
        rows,
        ends,
        IntStream.range(0, rows).toArray(),
        RoaringBitmapSerdeFactory.getInstance(),
        IndexValues.Owner.STRINGS
    );
  }

  private static Map<Kind, Filter> filters(List<String> values, IndexValues index) {
    return Filter.of(dictionary(values).singleThreaded(), index);
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> String.format(Locale.ROOT, "%06d", i)).toList();
  }

  @Test
  void aFilterOfEachKindSuitsTheColumn() {
    final Map<Kind, Filter> filters = filters(numbers(20_000), index(new int[20_000]));
    assertEquals(List.of(Kind.values()), List.copyOf(filters.keySet()));
    assertEquals(1, filters.get(Kind.EQUALITY).values());
    assertEquals(200, filters.get(Kind.RANGE).values());
    assertEquals("between '009900' and '010099'", filters.get(Kind.RANGE).condition());
    assertEquals(1000, filters.get(Kind.IN).values());
    assertEquals("in 1000 values", filters.get(Kind.IN).condition());
    // Of 1,000 and 10,000 values the former are nearer to 3 %.
    assertEquals("like '000%'", filters.get(Kind.PREFIX).condition());
    assertEquals(1000, filters.get(Kind.PREFIX).values());
  }

  @Test
  void theValueIsThatOfTheRowInTheMiddle() {
    final List<String> values = Arrays.asList(null, "a", "b", "c");
    assertEquals("= 'b'", filters(values, index(1000, 2, 2, 1)).get(Kind.EQUALITY).condition());
    assertEquals("= 'c'", filters(values, index(0, 1, 1, 3)).get(Kind.EQUALITY).condition());
    assertEquals("= 'a'", filters(values, index(9, 5, 1, 3)).get(Kind.EQUALITY).condition());
  }

  @Test
  void fewValuesHaveFiltersToo() {
    final Map<Kind, Filter> one = filters(List.of("\uD83D\uDE00".repeat(50)), index(3));
    one.values().forEach(filter -> assertEquals(1, filter.values()));
    assertEquals("= '" + "\uD83D\uDE00".repeat(40) + "...'", one.get(Kind.EQUALITY).condition());
    final Map<Kind, Filter> withNull = filters(Arrays.asList(null, "", "x"), index(1, 2, 3));
    assertEquals(2, withNull.get(Kind.IN).values());
    assertEquals("like 'x%'", withNull.get(Kind.PREFIX).condition(), "one of two values is nearer to 3 %");
    assertEquals(List.of(), List.copyOf(filters(Arrays.asList((String) null), index(7)).keySet()));
  }

  @Test
  void allIndexesFindTheSameRows(RandomData random) throws IOException {
    for (int cardinality : new int[]{1, 3, 700, 5000}) {
      final int[] ids = IntStream.range(0, 9000)
          .map(row -> row < cardinality ? row : random.nextInt(cardinality)).toArray();
      final RowValues.Ids values = new RowValues.Ids(ids, cardinality);
      final int[] ends = new int[cardinality];
      Arrays.stream(ids).forEach(id -> ends[id]++);
      Arrays.parallelPrefix(ends, Integer::sum);
      final int[] rows = IntStream.range(0, ids.length).boxed()
          .sorted((a, b) -> Integer.compare(ids[a], ids[b])).mapToInt(Integer::intValue).toArray();
      for (var bitmaps : List.of(RoaringBitmapSerdeFactory.getInstance(), new ConciseBitmapSerdeFactory())) {
        final IndexValues index = new IndexValues(ids.length, ends, rows, bitmaps, IndexValues.Owner.STRINGS);
        final GenericIndexed<ByteBuffer> dictionary = dictionary(numbers(cardinality));
        for (Filter filter : Filter.of(dictionary.singleThreaded(), index).values()) {
          @Nullable int[] expected = null;
          for (RowEncoding encoding : RowEncodings.all(BlockSize.LARGE)) {
            if (!encoding.supports(values)) {
              continue;
            }
            try (EncodedColumn encoded = EncodedColumn.encode("c", encoding, values, encoding, index)) {
              final ColumnIndexSupplier opened = encoded.open(dictionary::singleThreaded);
              final int[] actual = rows(filter.find(opened, bitmaps.getBitmapFactory()));
              assertTrue(actual.length > 0, filter.condition());
              expected = expected == null ? actual : expected;
              assertEquals(Arrays.toString(expected), Arrays.toString(actual), encoding.name() + filter.condition());
              assertEquals(actual.length, new FilterReads().read(filter, opened, bitmaps.getBitmapFactory()));
            }
          }
        }
      }
    }
  }

  private static int[] rows(ImmutableBitmap bitmap) {
    final int[] rows = new int[bitmap.size()];
    final var iterator = bitmap.iterator();
    Arrays.setAll(rows, i -> iterator.next());
    return rows;
  }
}
