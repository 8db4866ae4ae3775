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
 * A dimension of a type that another extension brought: its values stay on the heap, and the slot says which. With
 * roll-up, values that are the same to the indexer's comparison are found as one, the first, but each row has its own.
 */
final class ObjectDimension extends Dimension {
  /** Of an entry of a tree, and of the Integer that it has. */
  static final int TREE_ENTRY = 40 + 16;

  private final DimensionIndexer<?, Object, ?> indexer;
  private final ValueList values = new ValueList();
  /** The place of each value; null without roll-up. */
  @Nullable
  private final TreeMap<Object, Integer> places;
  /** Of what is the same as another value to the comparison, but not equal, that one's place, by its own. */
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
    // Values are where Druid's indexer took them to be; only the lists are ours.
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

  /** The place of a value that is equal. */
  private int ownPlace(Object value) {
    final int place = place(value);
    if (Objects.deepEquals(values.get(place), value)) {
      return place;
    }
    final int own = values.add(value);
    firstPlaces.put(own, place);
    return own;
  }

  /** The place of a value that is the same to the comparison, which the list has then. */
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
