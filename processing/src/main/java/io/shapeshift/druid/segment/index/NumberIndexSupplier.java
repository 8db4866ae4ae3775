// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.FixedIndexed;

/**
 * Supplier of the indexes of longs or doubles, in an {@code auto} column or in a field of a nested column.
 *
 * @param <T> type of the numbers
 */
public final class NumberIndexSupplier<T extends Number> implements QueriedRows.Indexes {
  private final Supplier<FixedIndexed<T>> dictionary;
  private final Supplier<? extends ValueBitmaps> bitmaps;
  private final ColumnConfig config;
  private final boolean isField;
  private final Maker<T> maker;

  /** Constructor of the indexes of a type. */
  private interface Maker<T extends Number> {
    NumberIndexes<T> make(FixedIndexed<T> dictionary, ValueBitmaps bitmaps, ColumnConfig config, boolean isField);
  }

  private NumberIndexSupplier(
      Supplier<FixedIndexed<T>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps,
      ColumnConfig config,
      boolean isField,
      Maker<T> maker
  ) {
    this.dictionary = dictionary;
    this.bitmaps = bitmaps;
    this.config = config;
    this.isField = isField;
    this.maker = maker;
  }

  /**
   * Creates a supplier for longs.
   *
   * @param dictionary null and the values, sorted; a field without null rows has no null
   * @param bitmaps    rows of each value
   * @param config     Druid's configuration, with the size of ranges above which an index does not pay
   * @param isField    whether this is a field of a nested column, on which some of Druid's filters differ
   */
  public static NumberIndexSupplier<Long> ofLongs(
      Supplier<FixedIndexed<Long>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps,
      ColumnConfig config,
      boolean isField
  ) {
    return new NumberIndexSupplier<>(dictionary, bitmaps, config, isField, LongIndexes::new);
  }

  /** Creates a supplier for doubles. The parameters are those of {@link #ofLongs}. */
  public static NumberIndexSupplier<Double> ofDoubles(
      Supplier<FixedIndexed<Double>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps,
      ColumnConfig config,
      boolean isField
  ) {
    return new NumberIndexSupplier<>(dictionary, bitmaps, config, isField, DoubleIndexes::new);
  }

  @Override
  public boolean dependOnRows() {
    return PostingIndex.isScanned(bitmaps);
  }

  @Override
  public ColumnIndexSupplier of(QueriedRows rows) {
    return bitmaps instanceof QueriedBitmaps index
           ? new NumberIndexSupplier<>(dictionary, () -> index.get(rows), config, isField, maker)
           : this;
  }

  @Nullable
  @Override
  public <X> X as(Class<X> clazz) {
    return (isField ? NumberIndexes.INTERFACES_OF_FIELD : NumberIndexes.INTERFACES).contains(clazz)
           ? clazz.cast(maker.make(dictionary.get(), bitmaps.get(), config, isField))
           : null;
  }
}
