// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Supplier;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.IAE;
import org.apache.druid.query.BitmapResultFactory;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedValueIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.LexicographicalRangeIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.NumericRangeIndexes;
import org.apache.druid.segment.index.semantic.SpatialIndex;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.Utf8ValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;

/** Compares the indexes of a column with Druid's own of the same values in the same rows. */
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
final class IndexComparison {
  static final int NUM_ROWS = 500;

  private final ColumnIndexSupplier stock;
  private final ColumnIndexSupplier ours;
  private final BitmapFactory factory;
  private final RandomData random;
  private final int numRows;
  private final int numValues;
  private final boolean givesBitmaps;
  private final List<ListedBitmaps> given = new ArrayList<>();

  /**
   * Makes a comparison of indexes over the same dictionary, which counts how many bitmaps ours make.
   *
   * @param stock   Druid's indexes
   * @param ours    makes ours over these bitmaps
   * @param bitmaps the rows of each id
   */
  IndexComparison(
      ColumnIndexSupplier stock,
      Function<Supplier<ValueBitmaps>, ColumnIndexSupplier> ours,
      BitmapFactory factory,
      List<ImmutableBitmap> bitmaps,
      RandomData random
  ) {
    this.stock = stock;
    this.ours = ours.apply(() -> {
      given.add(new ListedBitmaps(factory, bitmaps));
      return given.get(given.size() - 1);
    });
    this.factory = factory;
    this.random = random;
    this.numRows = NUM_ROWS;
    this.numValues = bitmaps.size();
    this.givesBitmaps = true;
  }

  /** Makes a comparison of indexes as they are in segments. */
  IndexComparison(
      ColumnIndexSupplier stock,
      ColumnIndexSupplier ours,
      BitmapFactory factory,
      int numRows,
      int numValues,
      RandomData random
  ) {
    this.stock = stock;
    this.ours = ours;
    this.factory = factory;
    this.random = random;
    // Druid does not invert bitmaps of no rows.
    this.numRows = Math.max(1, numRows);
    this.numValues = numValues;
    this.givesBitmaps = false;
  }

  static Stream<BitmapSerdeFactory> serdes() {
    return Stream.of(RoaringBitmapSerdeFactory.getInstance(), new ConciseBitmapSerdeFactory());
  }

  private <I> I ours(Class<I> kind) {
    given.clear();
    final I indexes = ours.as(kind);
    assertEquals(givesBitmaps && indexes != null ? 1 : 0, given.size(), "made for " + kind);
    return indexes;
  }

  /** How many bitmaps were made since this was last asked, as far as they were given here. */
  private int countMade() {
    return givesBitmaps ? given.get(0).countMade() : 0;
  }

  /** How often to compare filters of each kind in a column of so many values; Druid's indexes are slow with many. */
  static int filters(int numValues) {
    return Tier.pick(numValues > 100 ? 5 : 15, 300);
  }

  /** Asserts that Druid's index and ours answer alike in all ways in which they can be asked. */
  <I> void assertSame(String filter, Class<I> kind, Function<I, BitmapColumnIndex> index) {
    assertSame(() -> filter, kind, index);
  }

  /** As the other, of a filter whose text is long. */
  <I> void assertSame(Supplier<String> filter, Class<I> kind, Function<I, BitmapColumnIndex> index) {
    final BitmapColumnIndex expected = index.apply(stock.as(kind));
    final BitmapColumnIndex actual = index.apply(ours(kind));
    if (expected == null) {
      assertNull(actual, filter);
      return;
    }
    // A scan costs at least as much as one bitmap.
    assertEquals(
        Math.max(expected.estimatedComputeCost(), givesBitmaps ? 0 : 1),
        Math.max(actual.estimatedComputeCost(), givesBitmaps ? 0 : 1),
        () -> "cost of " + filter.get()
    );
    assertEquals(
        expected.getIndexCapabilities().isInvertible(), actual.getIndexCapabilities().isInvertible(), filter);
    assertEquals(expected.getIndexCapabilities().isExact(), actual.getIndexCapabilities().isExact(), filter);
    final Results results = new Results(factory, numRows);
    final Result known = expected.computeBitmapResult(results, false);
    final Result orUnknown = expected.computeBitmapResult(results, true);
    for (boolean unknown : new boolean[] {false, true, false}) {
      countMade();
      final Result result = actual.computeBitmapResult(results, unknown);
      assertEquals(unknown ? orUnknown : known, result, () -> filter.get() + (unknown ? " or unknown" : ""));
      final int made = countMade();
      assertTrue(made <= (unknown ? 2 : 1), () -> made + " bitmaps were made for " + filter.get());
    }
    final int cost = expected.estimatedComputeCost();
    final var bitmaps = new DefaultBitmapResultFactory(factory);
    for (int applied : new int[] {0, 1, cost - 1, cost, cost + 1, 10 * cost, numValues, random.nextInt(numRows)}) {
      final int total = random.nextInt(2) == 0 ? applied : numRows;
      final boolean unknown = random.nextInt(2) == 0;
      final boolean isWorthIt = expected.computeBitmapResult(bitmaps, applied, total, unknown) != null;
      final Result result = actual.computeBitmapResult(results, applied, total, unknown);
      // A scan is worth it where Druid would unite too many bitmaps, and without lists not worth it for few rows.
      if (result != null || (isWorthIt && givesBitmaps)) {
        assertEquals(
            unknown ? orUnknown : known, result, () -> filter.get() + " applied to " + applied + " of " + total);
      }
    }
  }

  /** Asserts that the column has indexes of the same kinds, of nulls, and of the values all in order if it has them. */
  void assertSameKinds() {
    for (Class<?> kind : List.of(
        NullValueIndex.class,
        ValueIndexes.class,
        ValueSetIndexes.class,
        StringValueSetIndexes.class,
        Utf8ValueSetIndexes.class,
        LexicographicalRangeIndexes.class,
        NumericRangeIndexes.class,
        DruidPredicateIndexes.class,
        DictionaryEncodedStringValueIndex.class,
        DictionaryEncodedValueIndex.class,
        ArrayElementIndexes.class,
        SpatialIndex.class,
        Object.class
    )) {
      assertEquals(stock.as(kind) == null, ours(kind) == null, kind.toString());
    }
    assertSame("null", NullValueIndex.class, NullValueIndex::get);

    final DictionaryEncodedValueIndex<?> expected = stock.as(DictionaryEncodedStringValueIndex.class);
    if (expected == null) {
      return;
    }
    final DictionaryEncodedValueIndex<?> actual = ours(DictionaryEncodedValueIndex.class);
    assertEquals(expected.getCardinality(), actual.getCardinality());
    assertEquals(expected.getBitmapFactory(), actual.getBitmapFactory());
    assertEquals(texts(expected), texts(actual));
    final Results results = new Results(factory, numRows);
    for (int id = -2; id < numValues; id++) {
      assertEquals(
          results.wrapDimensionValue(expected.getBitmap(id)), results.wrapDimensionValue(actual.getBitmap(id)));
      if (id >= 0) {
        assertEquals(expected.getValue(id), actual.getValue(id));
      }
    }
    assertEquals(
        assertThrows(IAE.class, () -> expected.getBitmap(numValues)).getMessage(),
        assertThrows(IAE.class, () -> actual.getBitmap(numValues)).getMessage()
    );
  }

  private static List<String> texts(DictionaryEncodedValueIndex<?> index) {
    final List<String> texts = new ArrayList<>();
    index.getValueIterator().forEachRemaining(value -> texts.add("-" + value));
    return texts;
  }

  /** The rows of a result, and whether it says of itself that there can be none. */
  record Result(boolean allFalse, IntArrayList rows) {
  }

  /** Makes what can be compared, by way of what Druid makes of bitmaps. */
  static final class Results implements BitmapResultFactory<Result> {
    private final BitmapFactory factory;
    private final int numRows;
    private final DefaultBitmapResultFactory stock;

    Results(BitmapFactory factory) {
      this(factory, NUM_ROWS);
    }

    private Results(BitmapFactory factory, int numRows) {
      this.factory = factory;
      this.numRows = numRows;
      this.stock = new DefaultBitmapResultFactory(factory);
    }

    private Result result(boolean allFalse, ImmutableBitmap bitmap) {
      assertNotNull(bitmap);
      // Such casts as these make fail for bitmaps of other classes.
      final ImmutableBitmap same = factory.complement(factory.union(List.of(bitmap, bitmap)), numRows);
      final IntArrayList rows = new IntArrayList();
      for (var i = bitmap.iterator(); i.hasNext(); ) {
        rows.add(i.next());
      }
      assertEquals(numRows, same.size() + rows.size());
      return new Result(allFalse, rows);
    }

    @Override
    public Result wrapDimensionValue(ImmutableBitmap bitmap) {
      return result(false, bitmap);
    }

    @Override
    public Result wrapAllFalse(ImmutableBitmap allFalseBitmap) {
      return result(true, allFalseBitmap);
    }

    @Override
    public Result unionDimensionValueBitmaps(Iterable<ImmutableBitmap> dimensionValueBitmaps) {
      return result(false, stock.unionDimensionValueBitmaps(dimensionValueBitmaps));
    }

    @Override
    public Result wrapAllTrue(ImmutableBitmap allTrueBitmap) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isEmpty(Result bitmapResult) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Result intersection(Iterable<Result> bitmapResults) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Result union(Iterable<Result> bitmapResults) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Result complement(Result bitmapResult, int numRows) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ImmutableBitmap toImmutableBitmap(Result bitmapResult) {
      throw new UnsupportedOperationException();
    }
  }
}
