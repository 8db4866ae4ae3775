// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.query.dimension.DimensionSpec;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.EncodedKeyComponent;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.data.CloseableIndexed;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRowHolder;

/**
 * Indexer whose selectors read single values from direct memory, so that a query on two columns reads two values per
 * row, not all. All other methods delegate to Druid's indexer.
 *
 * <p>Druid's selectors read values from the row of a holder. They get a {@link ValueHolder}, whose row has a single
 * dimension.
 */
final class StoredIndexer<E extends Comparable<E>, K, A extends Comparable<A>> implements DimensionIndexer<E, K, A> {
  private final DimensionIndexer<E, K, A> indexer;
  private final IncrementalIndex.DimensionDesc description;
  private final ValueReader values;
  /** Fills the bitmaps of all values at once; null if Druid's indexer fills them. */
  @Nullable
  private final Consumer<MutableBitmap[]> bitmaps;
  private final IntSupplier rowCount;
  /** Last result of {@link #getColumnCapabilities}. */
  @Nullable
  private Known known;

  private StoredIndexer(
      DimensionIndexer<E, K, A> indexer,
      IncrementalIndex.DimensionDesc description,
      ValueReader values,
      @Nullable Consumer<MutableBitmap[]> bitmaps,
      IntSupplier rowCount
  ) {
    this.indexer = indexer;
    this.description = description;
    this.values = values;
    this.bitmaps = bitmaps;
    this.rowCount = rowCount;
  }

  /** Returns a description of a dimension in which a stored indexer replaces the dimension's own indexer. */
  static IncrementalIndex.DimensionDesc describe(
      IncrementalIndex.DimensionDesc description,
      ValueReader values,
      @Nullable Consumer<MutableBitmap[]> bitmaps,
      IntSupplier rowCount
  ) {
    return new IncrementalIndex.DimensionDesc(
        description.getIndex(),
        description.getName(),
        description.getHandler(),
        of(description.getIndexer(), description, values, bitmaps, rowCount)
    );
  }

  private static <E extends Comparable<E>, K, A extends Comparable<A>> StoredIndexer<E, K, A> of(
      DimensionIndexer<E, K, A> indexer,
      IncrementalIndex.DimensionDesc description,
      ValueReader values,
      @Nullable Consumer<MutableBitmap[]> bitmaps,
      IntSupplier rowCount
  ) {
    return new StoredIndexer<>(indexer, description, values, bitmaps, rowCount);
  }

  @Override
  public DimensionSelector makeDimensionSelector(
      DimensionSpec spec,
      IncrementalIndexRowHolder currEntry,
      IncrementalIndex.DimensionDesc desc
  ) {
    final ValueHolder holder = new ValueHolder(currEntry, description, values);
    return indexer.makeDimensionSelector(spec, holder, holder.description());
  }

  @Override
  public ColumnValueSelector<?> makeColumnValueSelector(
      IncrementalIndexRowHolder currEntry,
      IncrementalIndex.DimensionDesc desc
  ) {
    final ValueHolder holder = new ValueHolder(currEntry, description, values);
    return indexer.makeColumnValueSelector(holder, holder.description());
  }

  @Override
  public EncodedKeyComponent<K> processRowValsToUnsortedEncodedKeyComponent(
      @Nullable Object dimValues,
      boolean reportParseExceptions
  ) {
    return indexer.processRowValsToUnsortedEncodedKeyComponent(dimValues, reportParseExceptions);
  }

  @Override
  public void setSparseIndexed() {
    indexer.setSparseIndexed();
  }

  @Override
  public E getUnsortedEncodedValueFromSorted(E sortedIntermediateValue) {
    return indexer.getUnsortedEncodedValueFromSorted(sortedIntermediateValue);
  }

  @Override
  public CloseableIndexed<A> getSortedIndexedValues() {
    return indexer.getSortedIndexedValues();
  }

  @Override
  public A getMinValue() {
    return indexer.getMinValue();
  }

  @Override
  public A getMaxValue() {
    return indexer.getMaxValue();
  }

  @Override
  public int getCardinality() {
    return indexer.getCardinality();
  }

  /** Capabilities, cached until something is added, because a persist requests them for each row. */
  @Override
  public ColumnCapabilities getColumnCapabilities() {
    if (bitmaps == null) {
      return indexer.getColumnCapabilities();
    }
    final int rows = rowCount.getAsInt();
    final int cardinality = indexer.getCardinality();
    Known last = known;
    if (last == null || last.rows != rows || last.cardinality != cardinality) {
      last = new Known(rows, cardinality, indexer.getColumnCapabilities());
      known = last;
    }
    return last.capabilities;
  }

  @Override
  public ColumnFormat getFormat() {
    return indexer.getFormat();
  }

  @Override
  public int compareUnsortedEncodedKeyComponents(@Nullable K lhs, @Nullable K rhs) {
    return indexer.compareUnsortedEncodedKeyComponents(lhs, rhs);
  }

  @Override
  public boolean checkUnsortedEncodedKeyComponentsEqual(@Nullable K lhs, @Nullable K rhs) {
    return indexer.checkUnsortedEncodedKeyComponentsEqual(lhs, rhs);
  }

  @Override
  public int getUnsortedEncodedKeyComponentHashCode(@Nullable K key) {
    return indexer.getUnsortedEncodedKeyComponentHashCode(key);
  }

  @Override
  public Object convertUnsortedEncodedKeyComponentToActualList(K key) {
    return indexer.convertUnsortedEncodedKeyComponentToActualList(key);
  }

  @Override
  @SuppressWarnings("rawtypes") // Same as in the interface.
  public ColumnValueSelector convertUnsortedValuesToSorted(ColumnValueSelector selectorWithUnsortedValues) {
    return indexer.convertUnsortedValuesToSorted(selectorWithUnsortedValues);
  }

  /**
   * Adds a row to the bitmaps of its values during a persist; or, in the first call, adds all rows. No row has the
   * value of the last element of Druid's array, so that element indicates whether the bitmaps are filled.
   */
  @Override
  public void fillBitmapsFromUnsortedEncodedKeyComponent(
      K key,
      int rowNum,
      MutableBitmap[] bitmapIndexes,
      BitmapFactory factory
  ) {
    if (bitmaps != null) {
      if (bitmapIndexes[bitmapIndexes.length - 1] == null) {
        bitmaps.accept(bitmapIndexes);
      }
      return;
    }
    indexer.fillBitmapsFromUnsortedEncodedKeyComponent(key, rowNum, bitmapIndexes, factory);
  }

  /** Capabilities of strings at a number of rows and of values. */
  private record Known(int rows, int cardinality, ColumnCapabilities capabilities) {}
}
