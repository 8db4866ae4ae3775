// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

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
 * The indexer of a dimension, whose selectors read the value of a row out of direct memory when they need it: a query
 * on two columns reads two, not all. All else is Druid's indexer's.
 *
 * <p>Druid's selectors take values out of a row that a holder has. They get a holder of their own, with a row of a
 * single dimension.
 */
final class StoredIndexer<E extends Comparable<E>, K, A extends Comparable<A>> implements DimensionIndexer<E, K, A> {
  private final DimensionIndexer<E, K, A> indexer;
  private final IncrementalIndex.DimensionDesc description;
  private final ValueReader values;

  private StoredIndexer(
      DimensionIndexer<E, K, A> indexer,
      IncrementalIndex.DimensionDesc description,
      ValueReader values
  ) {
    this.indexer = indexer;
    this.description = description;
    this.values = values;
  }

  /** A dimension, described as before but for its indexer. */
  static IncrementalIndex.DimensionDesc describe(IncrementalIndex.DimensionDesc description, ValueReader values) {
    return new IncrementalIndex.DimensionDesc(
        description.getIndex(),
        description.getName(),
        description.getHandler(),
        of(description.getIndexer(), description, values)
    );
  }

  private static <E extends Comparable<E>, K, A extends Comparable<A>> StoredIndexer<E, K, A> of(
      DimensionIndexer<E, K, A> indexer,
      IncrementalIndex.DimensionDesc description,
      ValueReader values
  ) {
    return new StoredIndexer<>(indexer, description, values);
  }

  @Override
  public DimensionSelector makeDimensionSelector(
      DimensionSpec spec,
      IncrementalIndexRowHolder currEntry,
      IncrementalIndex.DimensionDesc desc
  ) {
    ValueHolder holder = new ValueHolder(currEntry, description, values);
    return indexer.makeDimensionSelector(spec, holder, holder.description());
  }

  @Override
  public ColumnValueSelector<?> makeColumnValueSelector(
      IncrementalIndexRowHolder currEntry,
      IncrementalIndex.DimensionDesc desc
  ) {
    ValueHolder holder = new ValueHolder(currEntry, description, values);
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

  @Override
  public ColumnCapabilities getColumnCapabilities() {
    return indexer.getColumnCapabilities();
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
  @SuppressWarnings("rawtypes") // As the interface has it.
  public ColumnValueSelector convertUnsortedValuesToSorted(ColumnValueSelector selectorWithUnsortedValues) {
    return indexer.convertUnsortedValuesToSorted(selectorWithUnsortedValues);
  }

  @Override
  public void fillBitmapsFromUnsortedEncodedKeyComponent(
      K key,
      int rowNum,
      MutableBitmap[] bitmapIndexes,
      BitmapFactory factory
  ) {
    indexer.fillBitmapsFromUnsortedEncodedKeyComponent(key, rowNum, bitmapIndexes, factory);
  }
}
