// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.segment.DimensionIndexer;

/**
 * A dimension of a type that another extension brought: its values stay on the heap, and the slot says which. With
 * roll-up, values that are the same to the indexer's comparison are one, the first.
 */
final class ObjectDimension extends Dimension {
  /** Of an entry of a tree, and of the Integer that it has. */
  static final int TREE_ENTRY = 40 + 16;

  private final DimensionIndexer<?, Object, ?> indexer;
  private final ValueList values = new ValueList();
  /** The place of each value; null without roll-up. */
  @Nullable
  private final TreeMap<Object, Integer> places;

  @SuppressWarnings("unchecked")
  ObjectDimension(int index, DimensionIndexer<?, ?, ?> indexer, boolean rollUp) {
    super(index);
    this.indexer = (DimensionIndexer<?, Object, ?>) indexer;
    this.places = rollUp ? new TreeMap<>(this.indexer::compareUnsortedEncodedKeyComponents) : null;
  }

  @Override
  boolean isAllCounted() {
    return false;
  }

  @Override
  int slotBytes() {
    return Integer.BYTES;
  }

  @Override
  boolean isTagged() {
    return false;
  }

  @Override
  long hash(@Nullable Object value) {
    return value == null ? HASH_OF_NULL : mix(place(value));
  }

  @Override
  boolean isSame(@Nullable Object value, StoredRow row) {
    return row.intSlot(index()) == (value == null ? ABSENT : place(value));
  }

  @Override
  int write(@Nullable Object value, StoredRow row, int variable) {
    row.setIntSlot(index(), value == null ? ABSENT : place(value));
    // Values are where Druid's indexer took them to be; only the lists are ours.
    setHeapBytes(values.bytes() + (places == null ? 0L : (long) TREE_ENTRY * values.size()));
    return 0;
  }

  @Override
  @Nullable
  Object read(StoredRow row) {
    int place = row.intSlot(index());
    return place == ABSENT ? null : values.get(place);
  }

  @Override
  int compare(StoredRow left, StoredRow right) {
    Object leftValue = read(left);
    Object rightValue = read(right);
    if (leftValue == null || rightValue == null) {
      return Boolean.compare(leftValue != null, rightValue != null);
    }
    return indexer.compareUnsortedEncodedKeyComponents(leftValue, rightValue);
  }

  @Override
  long countedElsewhere(@Nullable Object value) {
    return 0;
  }

  private int place(Object value) {
    if (places == null) {
      return values.add(value);
    }
    Integer place = places.get(value);
    if (place == null) {
      place = values.add(value);
      places.put(value, place);
    }
    return place;
  }
}
