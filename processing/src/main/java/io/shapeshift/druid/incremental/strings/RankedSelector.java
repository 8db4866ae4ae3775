// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import javax.annotation.Nullable;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.ValueMatcher;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.IdLookup;
import org.apache.druid.segment.data.IndexedInts;

/**
 * Selector of persisted rows that returns ranks instead of ids. Druid's own selector looks up the row and the order of
 * all strings in each call of {@code size} and {@code get}, which mergers call up to four times per row.
 */
final class RankedSelector implements DimensionSelector, IndexedInts {
  private final DimensionSelector unsorted;
  private final int[] ranks;
  /** Ids of the row of the last {@link #getRow} call. */
  private IndexedInts ids = IndexedInts.empty();

  RankedSelector(DimensionSelector unsorted, int[] ranks) {
    this.unsorted = unsorted;
    this.ranks = ranks;
  }

  @Override
  public IndexedInts getRow() {
    ids = unsorted.getRow();
    return this;
  }

  @Override
  public int size() {
    return ids.size();
  }

  @Override
  public int get(int index) {
    return ranks[ids.get(index)];
  }

  @Override
  public int getValueCardinality() {
    return unsorted.getValueCardinality();
  }

  @Override
  @Nullable
  public Object getObject() {
    return unsorted.getObject();
  }

  @Override
  public Class<?> classOfObject() {
    return unsorted.classOfObject();
  }

  @Override
  public ValueMatcher makeValueMatcher(@Nullable String value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ValueMatcher makeValueMatcher(DruidPredicateFactory predicateFactory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String lookupName(int id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean nameLookupPossibleInAdvance() {
    throw new UnsupportedOperationException();
  }

  @Override
  public IdLookup idLookup() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("unsorted", unsorted);
  }
}
