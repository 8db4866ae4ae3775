// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Supplier;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.IAE;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FixedIndexedWriter;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexedWriter;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.nested.VariantColumnAndIndexSupplier;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against Druid's own bitmaps, and in Druid's supplier of the indexes of variants and arrays. */
@ExtendWith(RandomData.Seeded.class)
class BitmapsAsIndexedTest {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final int NUM_ARRAYS = 60;

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.segment.index.IndexComparison#serdes")
  void readsLikeStockBitmaps(BitmapSerdeFactory serde, RandomData random) {
    final List<ImmutableBitmap> bitmaps =
        ListedBitmaps.random(random, serde.getBitmapFactory(), 50, IndexComparison.NUM_ROWS);
    final GenericIndexed<ImmutableBitmap> stock = ListedBitmaps.stock(serde, bitmaps);
    final List<ListedBitmaps> given = new ArrayList<>();
    final BitmapsAsIndexed ours = new BitmapsAsIndexed(() -> give(given, serde, bitmaps), serde);
    final IndexComparison.Results results = new IndexComparison.Results(serde.getBitmapFactory());
    assertEquals(stock.getClazz(), ours.getClazz());
    assertEquals(stock.size(), ours.size());
    given.clear();
    final Indexed<ImmutableBitmap> view = ours.singleThreaded();
    for (int id = 0; id < stock.size(); id++) {
      assertEquals(results.wrapDimensionValue(stock.get(id)), results.wrapDimensionValue(ours.get(id)));
      assertEquals(results.wrapDimensionValue(stock.get(id)), results.wrapDimensionValue(view.get(id)));
    }
    assertEquals(stock.size(), given.get(0).countMade(), "all of the view");
    assertEquals(1 + stock.size(), given.size(), "one of its own for each bitmap that threads may ask for");
    assertEquals(results.unionDimensionValueBitmaps(stock), results.unionDimensionValueBitmaps(ours));
    assertEquals(results.unionDimensionValueBitmaps(stock), results.unionDimensionValueBitmaps(view));
    for (int id : new int[] {-1, stock.size()}) {
      final String message = assertThrows(IAE.class, () -> stock.get(id)).getMessage();
      assertEquals(message, assertThrows(IAE.class, () -> ours.get(id)).getMessage());
      assertEquals(message, assertThrows(IAE.class, () -> view.get(id)).getMessage());
    }
    assertThrows(UnsupportedOperationException.class, ours::getSerializedSize);
    assertThrows(UnsupportedOperationException.class, () -> ours.indexOf(stock.get(0)));
  }

  private static ListedBitmaps give(
      List<ListedBitmaps> given,
      BitmapSerdeFactory serde,
      List<ImmutableBitmap> bitmaps
  ) {
    given.add(new ListedBitmaps(serde.getBitmapFactory(), bitmaps));
    return given.get(given.size() - 1);
  }

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.segment.index.IndexComparison#serdes")
  void indexesOfArraysAnswerAsStockOnes(BitmapSerdeFactory serde, RandomData random) throws IOException {
    final List<String> strings = Arrays.asList(null, "", "a", "b", "\uD83D\uDE00", "\uE000");
    final List<Long> longs = List.of(-7L, 0L, 1L, 1L << 53);
    final List<Double> doubles = List.of(Double.NEGATIVE_INFINITY, -0.0, 1.0, 1.5, Double.NaN);
    final int numScalars = strings.size() + longs.size() + doubles.size();
    for (ColumnType type : List.of(ColumnType.STRING_ARRAY, ColumnType.LONG_ARRAY, ColumnType.DOUBLE_ARRAY)) {
      final int firstElement = switch (type.getElementType().getType()) {
        case STRING -> 0;
        case LONG -> strings.size();
        default -> strings.size() + longs.size();
      };
      final List<?> elements = switch (type.getElementType().getType()) {
        case STRING -> strings;
        case LONG -> longs;
        default -> doubles;
      };
      final TreeSet<int[]> arrays = new TreeSet<>(FrontCodedIntArrayIndexedWriter.ARRAY_COMPARATOR);
      while (arrays.size() < NUM_ARRAYS) {
        arrays.add(IntStream.range(0, random.nextInt(4))
            .map(i -> random.nextInt(4) == 0 ? 0 : firstElement + random.nextInt(elements.size()))
            .toArray());
      }
      final TreeSet<Integer> elementIds = new TreeSet<>();
      arrays.forEach(array -> Arrays.stream(array).forEach(elementIds::add));

      final List<ImmutableBitmap> values = ListedBitmaps.random(
          random, serde.getBitmapFactory(), numScalars + arrays.size(), IndexComparison.NUM_ROWS);
      final List<ImmutableBitmap> ofElements = ListedBitmaps.random(
          random, serde.getBitmapFactory(), elementIds.size(), IndexComparison.NUM_ROWS);
      final Dictionaries dictionaries = new Dictionaries(
          GenericIndexed.fromIterable(
              strings.stream().map(StringUtils::toUtf8ByteBuffer).toList(),
              GenericIndexed.UTF8_STRATEGY
          )::singleThreaded,
          FixedIndexed.read(fixed(ColumnType.LONG, longs), ColumnType.LONG.getStrategy(), ORDER, Long.BYTES),
          FixedIndexed.read(fixed(ColumnType.DOUBLE, doubles), ColumnType.DOUBLE.getStrategy(), ORDER, Double.BYTES),
          FrontCodedIntArrayIndexed.read(arrays(arrays), ORDER),
          FixedIndexed.read(
              elementIds(elementIds), CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY, ORDER, Integer.BYTES)
      );
      final VariantColumnAndIndexSupplier stock = dictionaries.indexes(
          type, ListedBitmaps.stock(serde, values), ListedBitmaps.stock(serde, ofElements), serde);
      final VariantColumnAndIndexSupplier ours = dictionaries.indexes(
          type,
          new BitmapsAsIndexed(() -> new ListedBitmaps(serde.getBitmapFactory(), values), serde),
          new BitmapsAsIndexed(() -> new ListedBitmaps(serde.getBitmapFactory(), ofElements), serde),
          serde
      );

      final IndexComparison.Results results = new IndexComparison.Results(serde.getBitmapFactory());
      int matched = 0;
      for (boolean unknown : new boolean[] {false, true}) {
        assertEquals(
            stock.as(NullValueIndex.class).get().computeBitmapResult(results, unknown),
            ours.as(NullValueIndex.class).get().computeBitmapResult(results, unknown)
        );
        for (Object element : elements) {
          final IndexComparison.Result expected = stock.as(ArrayElementIndexes.class)
              .containsValue(element, type.getElementType())
              .computeBitmapResult(results, unknown);
          assertEquals(
              expected,
              ours.as(ArrayElementIndexes.class)
                  .containsValue(element, type.getElementType())
                  .computeBitmapResult(results, unknown)
          );
          matched += expected.rows().size();
        }
        for (int[] array : arrays) {
          final Object[] value =
              Arrays.stream(array).mapToObj(id -> id == 0 ? null : elements.get(id - firstElement)).toArray();
          final IndexComparison.Result expected =
              stock.as(ValueIndexes.class).forValue(value, type).computeBitmapResult(results, unknown);
          assertEquals(
              expected, ours.as(ValueIndexes.class).forValue(value, type).computeBitmapResult(results, unknown));
          matched += expected.rows().size();
        }
      }
      assertTrue(matched > 0);
    }
  }

  private static ByteBuffer arrays(Iterable<int[]> arrays) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      return write(new FrontCodedIntArrayIndexedWriter(medium, ORDER, 4), arrays);
    }
  }

  private static ByteBuffer elementIds(Iterable<Integer> ids) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      return write(
          new FixedIndexedWriter<>(
              medium, CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY, ORDER, Integer.BYTES, true),
          ids
      );
    }
  }

  /** A dictionary of numbers, which has null as its id 0. */
  private static <T> ByteBuffer fixed(ColumnType type, List<T> values) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      return write(new FixedIndexedWriter<T>(medium, type.getStrategy(), ORDER, Long.BYTES, true), values);
    }
  }

  private static <T> ByteBuffer write(DictionaryWriter<T> writer, Iterable<T> values) throws IOException {
    writer.open();
    for (T value : values) {
      writer.write(value);
    }
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.getSerializedSize();
    writer.writeTo(Channels.newChannel(bytes), null);
    return ByteBuffer.wrap(bytes.toByteArray()).order(ORDER);
  }

  /** What variants of Druid's are looked up in. */
  private record Dictionaries(
      Supplier<? extends Indexed<ByteBuffer>> strings,
      Supplier<FixedIndexed<Long>> longs,
      Supplier<FixedIndexed<Double>> doubles,
      Supplier<FrontCodedIntArrayIndexed> arrays,
      Supplier<FixedIndexed<Integer>> elements
  ) {
    private VariantColumnAndIndexSupplier indexes(
        ColumnType type,
        GenericIndexed<ImmutableBitmap> values,
        GenericIndexed<ImmutableBitmap> ofElements,
        BitmapSerdeFactory serde
    ) {
      return new VariantColumnAndIndexSupplier(
          type,
          null,
          strings,
          longs,
          doubles,
          arrays,
          elements,
          null,
          values,
          ofElements,
          serde.getBitmapFactory()
      );
    }
  }
}
