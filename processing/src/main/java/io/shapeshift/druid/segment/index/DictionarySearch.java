// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.cost.CostModel;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import org.apache.druid.segment.data.Indexed;

/**
 * Search for the ids of many sorted values in a sorted dictionary, in one pass over both. The method depends on the
 * gap, the mean number of dictionary entries between consecutive values. With gaps below 4, all entries are read in
 * order, because an iterator is the fastest way to read a front-coded dictionary. With gaps below 32, the search
 * gallops: it probes one gap ahead of the last value, then ever farther, and finally bisects between the last two
 * probes. With larger gaps, each value is searched separately: galloping would save few probes, and a front-coded
 * dictionary probes only the first entries of its buckets, which need no decoding.
 *
 * <p>Nanoseconds per value in 500,000 strings, plain and front-coded in buckets of 4: with gaps of 100 separate
 * searches take 530 and 670, galloping 560 and 620; with gaps of 8 separate searches take 580 and 470, galloping 200
 * and 240, reading all entries 270 and 340; with gaps of 1 galloping takes 100 and 150, reading all 60 and 70.
 */
final class DictionarySearch {
  private DictionarySearch() {
  }

  /**
   * Adds the ids of the values that occur in the dictionary.
   *
   * @param dictionary sorted by {@code order}
   * @param order      order of the dictionary
   * @param values     values in this order; equal values are found once
   * @param ids        ascending ids, to which only ids larger than the last are added
   */
  static <T> void find(Indexed<T> dictionary, Comparator<? super T> order, Collection<T> values, IntArrayList ids) {
    final int gap = values.isEmpty() ? 0 : dictionary.size() / values.size();
    if (gap < CostModel.Indexes.GALLOPING_GAP) {
      readAll(dictionary, order, values, ids);
    } else if (gap < CostModel.Indexes.SINGLE_GAP) {
      gallop(dictionary, order, values, gap, ids);
    } else {
      findEach(dictionary, values, ids);
    }
  }

  /** Adds an id to ascending ids, unless it is not larger than the last. */
  static void add(IntArrayList ids, int id) {
    if (ids.isEmpty() || ids.getInt(ids.size() - 1) < id) {
      ids.add(id);
    }
  }

  private static <T> void readAll(
      Indexed<T> dictionary,
      Comparator<? super T> order,
      Collection<T> values,
      IntArrayList ids
  ) {
    final Iterator<T> entries = dictionary.iterator();
    int id = -1;
    T entry = null;
    for (T value : values) {
      int comparison = id < 0 ? -1 : order.compare(entry, value);
      while (comparison < 0) {
        if (!entries.hasNext()) {
          return;
        }
        entry = entries.next();
        id++;
        comparison = order.compare(entry, value);
      }
      if (comparison == 0) {
        add(ids, id);
      }
    }
  }

  private static <T> void gallop(
      Indexed<T> dictionary,
      Comparator<? super T> order,
      Collection<T> values,
      int gap,
      IntArrayList ids
  ) {
    final int size = dictionary.size();
    // Entries before start are less than the value; entries from end on are greater.
    int start = 0;
    for (T value : values) {
      int end = size;
      long step = gap;
      boolean found = false;
      while (start < end && !found) {
        // Probes gallop until an entry is greater than the value, and bisect from then on.
        final int probe = end == size ? (int) Math.min(start + step - 1, size - 1) : (start + end) >>> 1;
        final int comparison = order.compare(dictionary.get(probe), value);
        if (comparison < 0) {
          start = probe + 1;
          step *= 2;
        } else if (comparison > 0) {
          end = probe;
        } else {
          start = probe;
          found = true;
        }
      }
      if (found) {
        add(ids, start);
      }
    }
  }

  private static <T> void findEach(Indexed<T> dictionary, Collection<T> values, IntArrayList ids) {
    final int afterLast = -dictionary.size() - 1;
    for (T value : values) {
      final int id = dictionary.indexOf(value);
      if (id == afterLast) {
        return;
      }
      if (id >= 0) {
        add(ids, id);
      }
    }
  }
}
