// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.memory.HashTable;
import io.shapeshift.druid.incremental.row.Slot;
import io.shapeshift.druid.incremental.row.StoredRow;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Objects;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.segment.DimensionIndexer;

/**
 * Dimension of a type of another extension. Values stay on the heap in a list, and the slot holds the place. With
 * roll-up, the values that the indexer's comparison treats as equal share the place of the first in searches, but each
 * row keeps its own value.
 */
final class ObjectDimension extends Dimension {
  /** Heap bytes of an entry of a tree and its Integer. */
  static final int TREE_ENTRY = 40 + 16;

  private final DimensionIndexer<?, Object, ?> indexer;
  private final ValueList values = new ValueList();
  /** Place of each value; null without roll-up. */
  @Nullable
  private final TreeMap<Object, Integer> places;
  /** Place of the first value, by the place of a value that compares as equal but differs from it. */
  private final Int2IntOpenHashMap firstPlaces = new Int2IntOpenHashMap();

  @SuppressWarnings("unchecked")
  ObjectDimension(int index, DimensionIndexer<?, ?, ?> indexer, boolean rollUp) {
    super(index, Slot.INT);
    this.indexer = (DimensionIndexer<?, Object, ?>) indexer;
    this.places = rollUp ? new TreeMap<>(this.indexer::compareUnsortedEncodedKeyComponents) : null;
  }

  @Override
  public boolean isAllCounted() {
    return false;
  }

  @Override
  public long hash(@Nullable Object value) {
    return value == null ? HASH_OF_NULL : HashTable.mix(place(value));
  }

  @Override
  public boolean isSame(@Nullable Object value, StoredRow row) {
    final int slot = row.intSlot(index());
    if (value == null || slot == StoredRow.ABSENT) {
      return value == null && slot == StoredRow.ABSENT;
    }
    return firstPlaces.getOrDefault(slot, slot) == place(value);
  }

  @Override
  public int write(@Nullable Object value, StoredRow row, int variable) {
    row.setIntSlot(index(), value == null ? StoredRow.ABSENT : ownPlace(value));
    // The indexer's estimate covers the values; this one covers the lists.
    setHeapBytes(
        values.bytes()
            + (firstPlaces.isEmpty() ? 0 : TableBytes.of(firstPlaces.size()))
            + (places == null ? 0L : (long) TREE_ENTRY * places.size()));
    return 0;
  }

  @Override
  @Nullable
  public Object read(StoredRow row) {
    final int place = row.intSlot(index());
    return place == StoredRow.ABSENT ? null : values.get(place);
  }

  @Override
  public int compare(StoredRow left, StoredRow right) {
    final Object leftValue = read(left);
    final Object rightValue = read(right);
    if (leftValue == null || rightValue == null) {
      return Boolean.compare(leftValue != null, rightValue != null);
    }
    return indexer.compareUnsortedEncodedKeyComponents(leftValue, rightValue);
  }

  @Override
  public long countedElsewhere(@Nullable Object value) {
    return 0;
  }

  /** Place in the list of an equal value, which is added if there is none. */
  private int ownPlace(Object value) {
    final int place = place(value);
    if (Objects.deepEquals(values.get(place), value)) {
      return place;
    }
    final int own = values.add(value);
    firstPlaces.put(own, place);
    return own;
  }

  /** Place in the list of a value that compares as equal. The value is added if there is none. */
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
