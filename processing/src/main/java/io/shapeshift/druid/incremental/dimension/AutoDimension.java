// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.memory.HashTable;
import io.shapeshift.druid.incremental.row.Slot;
import io.shapeshift.druid.incremental.row.StoredRow;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.nested.StructuredDataProcessor;

/**
 * Dimension of type {@code auto}: strings, numbers, arrays and objects in one column, unconverted. The slot holds a
 * long or a double, or the place of another value in a list of distinct values on the heap.
 *
 * <p>The indexer treats numbers of any class as equal if they are equal as doubles, and arrays and objects if their
 * hashes are equal, whatever the order of keys is. Rows nevertheless keep their own values, unless they are rolled up.
 */
final class AutoDimension extends Dimension {
  private static final int NULL = 0;
  private static final int LONG = 1;
  private static final int DOUBLE = 2;
  private static final int OBJECT = 3;
  private static final int UNKNOWN = -1;
  /** Heap bytes of a number that is neither a long nor a double. */
  private static final int NUMBER_BYTES = 24;

  /** Strings and numbers unconverted, all other values as {@link StructuredData}. */
  private final ValueList values = new ValueList();
  private final Object2IntOpenHashMap<Object> placesOfSimple = new Object2IntOpenHashMap<>();
  private final TreeMap<StructuredData, Integer> placesOfOthers = new TreeMap<>(StructuredData.COMPARATOR);
  /** Place of the first value, by the place of a value that differs from it only in the order of keys. */
  private final Int2IntOpenHashMap places = new Int2IntOpenHashMap();
  private long numberBytes;
  /** Value of the last look-up. It is cached because the same value is hashed, then compared, then written. */
  @Nullable
  private Object last;
  private int placeOfLast;

  AutoDimension(int index) {
    super(index, Slot.TAGGED_LONG);
    placesOfSimple.defaultReturnValue(UNKNOWN);
  }

  @Override
  public boolean isAllCounted() {
    return false;
  }

  @Override
  public long hash(@Nullable Object value) {
    if (value == null) {
      return HASH_OF_NULL;
    }
    final Object content = content(value);
    if (content instanceof Number number) {
      return HashTable.mix(Double.doubleToLongBits(number.doubleValue()));
    }
    return HashTable.mix(~(long) place(value));
  }

  @Override
  public boolean isSame(@Nullable Object value, StoredRow row) {
    final int tag = row.tag(index());
    if (value == null || tag == NULL) {
      return value == null && tag == NULL;
    }
    final Object content = content(value);
    if (content instanceof Number) {
      final Object ofRow = content(row, tag);
      return ofRow instanceof Number && compareNumbers(content, ofRow) == 0;
    }
    return tag == OBJECT && firstOf((int) row.longSlot(index())) == place(value);
  }

  @Override
  public int write(@Nullable Object value, StoredRow row, int variable) {
    final Object content = value == null ? null : content(value);
    if (value == null) {
      set(row, NULL, 0);
    } else if (content instanceof Long number) {
      set(row, LONG, number);
    } else if (content instanceof Double number) {
      set(row, DOUBLE, Double.doubleToRawLongBits(number));
    } else {
      set(row, OBJECT, placeInOrder(value));
    }
    return 0;
  }

  private void set(StoredRow row, int tag, long slot) {
    row.setTag(index(), tag);
    row.setLongSlot(index(), slot);
  }

  @Override
  @Nullable
  public Object read(StoredRow row) {
    final int tag = row.tag(index());
    return tag == NULL ? null : StructuredData.wrap(content(row, tag));
  }

  @Override
  public int compare(StoredRow left, StoredRow right) {
    return StructuredData.COMPARATOR.compare((StructuredData) read(left), (StructuredData) read(right));
  }

  @Override
  public DimensionOrder persistOrder() {
    final int size = values.size();
    final int[] sorted = new int[size];
    final StructuredData[] data = new StructuredData[size];
    for (int i = 0; i < size; i++) {
      sorted[i] = i;
      data[i] = StructuredData.wrap(values.get(i));
    }
    IntArrays.mergeSort(sorted, (a, b) -> data[a].compareTo(data[b]));
    final int[] ranks = new int[size];
    for (int i = 1; i < size; i++) {
      final boolean isSame = data[sorted[i - 1]].compareTo(data[sorted[i]]) == 0;
      ranks[sorted[i]] = ranks[sorted[i - 1]] + (isSame ? 0 : 1);
    }
    return (left, right) -> {
      if (left.tag(index()) == OBJECT && right.tag(index()) == OBJECT) {
        return Integer.compare(ranks[(int) left.longSlot(index())], ranks[(int) right.longSlot(index())]);
      }
      return compare(left, right);
    };
  }

  /**
   * Druid's estimate for strings and numbers, which rows do not hold as objects. The indexer's own dictionary remains
   * on the heap.
   */
  @Override
  public long countedElsewhere(@Nullable Object value) {
    final Object content = value == null ? null : content(value);
    if (content instanceof String text) {
      return StructuredDataProcessor.estimateStringSize(text);
    }
    if (content instanceof Number) {
      return StructuredDataProcessor.getLongObjectEstimateSize();
    }
    return 0;
  }

  /** Value of a row that is not null. */
  private Object content(StoredRow row, int tag) {
    final long slot = row.longSlot(index());
    return switch (tag) {
      case LONG -> (Object) slot;
      case DOUBLE -> (Object) Double.longBitsToDouble(slot);
      default -> values.get((int) slot);
    };
  }

  @Nullable
  private static Object content(Object value) {
    return ((StructuredData) value).getValue();
  }

  private static int compareNumbers(Object left, Object right) {
    return Double.compare(((Number) left).doubleValue(), ((Number) right).doubleValue());
  }

  /**
   * Place in the list of a value, or of one that differs only in the order of keys. Adds the value if there is none.
   */
  private int place(Object value) {
    if (value != last) {
      final int known = values.size();
      placeOfLast = find((StructuredData) value);
      last = value;
      countIfMoreThan(known);
    }
    return placeOfLast;
  }

  /**
   * Place in the list of a value with the same order of keys. Each row keeps its order of keys, as in Druid. Adds the
   * value if the list does not have it.
   */
  private int placeInOrder(Object value) {
    final int place = place(value);
    if (isSameInOrder(StructuredData.unwrap(values.get(place)), content(value))) {
      return place;
    }
    final int known = values.size();
    final int own = values.add(value);
    places.put(own, place);
    countIfMoreThan(known);
    return own;
  }

  private int firstOf(int place) {
    return places.isEmpty() ? place : places.getOrDefault(place, place);
  }

  private void countIfMoreThan(int known) {
    if (values.size() > known) {
      setHeapBytes(
          values.bytes() + numberBytes + TableBytes.of(placesOfSimple.size())
              + (places.isEmpty() ? 0 : TableBytes.of(places.size()))
              + (long) ObjectDimension.TREE_ENTRY * placesOfOthers.size()
      );
    }
  }

  private static boolean isSameInOrder(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Map<?, ?> leftMap && right instanceof Map<?, ?> rightMap) {
      return leftMap.size() == rightMap.size()
          && areSameInOrder(leftMap.keySet(), rightMap.keySet())
          && areSameInOrder(leftMap.values(), rightMap.values());
    }
    if (left instanceof List<?> leftList && right instanceof List<?> rightList) {
      return leftList.size() == rightList.size() && areSameInOrder(leftList, rightList);
    }
    if (left instanceof Object[] leftArray && right instanceof Object[] rightArray) {
      return leftArray.length == rightArray.length
          && areSameInOrder(Arrays.asList(leftArray), Arrays.asList(rightArray));
    }
    return Objects.equals(left, right);
  }

  /** Compares collections of equal size, element by element. */
  private static boolean areSameInOrder(Collection<?> left, Collection<?> right) {
    final Iterator<?> others = right.iterator();
    for (Object each : left) {
      if (!isSameInOrder(each, others.next())) {
        return false;
      }
    }
    return true;
  }

  private int find(StructuredData value) {
    final Object content = value.getValue();
    if (content instanceof String || content instanceof Number) {
      int place = placesOfSimple.getInt(content);
      if (place == UNKNOWN) {
        place = values.add(content);
        placesOfSimple.put(content, place);
        // The indexer's dictionary shares the string and has counted it.
        numberBytes += content instanceof String ? 0 : NUMBER_BYTES;
      }
      return place;
    }
    Integer place = placesOfOthers.get(value);
    if (place == null) {
      place = values.add(value);
      placesOfOthers.put(value, place);
    }
    return place;
  }
}
