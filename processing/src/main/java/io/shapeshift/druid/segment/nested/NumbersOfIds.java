// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ColumnFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.FixedIndexed;

/** Numbers of a field that stores no numbers, but ids: the entries of its dictionary, and 0 where a row has none. */
final class NumbersOfIds {
  /** Numbers of a dictionary that a reader copies to the heap. */
  static final int MOST_ON_HEAP = 1 << 12;

  private static final int VECTOR = 512;

  private final String name;
  private final ColumnarInts ids;
  /** The id of the first number. */
  private final int first;
  private final int[] vector = new int[VECTOR];

  /**
   * Creates a reader, for one thread.
   *
   * @param name  name of the column and the field, for messages
   * @param ids   closed with the numbers
   * @param first id of the first number
   */
  NumbersOfIds(String name, ColumnarInts ids, int first) {
    this.name = name;
    this.ids = ids;
    this.first = first;
  }

  private void close() {
    try {
      ids.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ColumnFormatException unknown(int id) {
    return ColumnFormatException.damaged(name, "a row has id " + id + ", which is that of no number");
  }

  /** Returns the longs. */
  ColumnarLongs longs(FixedIndexed<Long> dictionary) {
    final int size = dictionary.size();
    final long[] onHeap = new long[size <= MOST_ON_HEAP ? size : 0];
    Arrays.setAll(onHeap, dictionary::get);
    return new ColumnarLongs() {
      @Override
      public int size() {
        return ids.size();
      }

      @Override
      public long get(int index) {
        return ofId(ids.get(index));
      }

      private long ofId(int id) {
        if (id < first) {
          return 0;
        }
        final int number = id - first;
        if (number >= size) {
          throw unknown(id);
        }
        return onHeap.length > 0 ? onHeap[number] : dictionary.get(number);
      }

      @Override
      public void get(long[] out, int offset, int start, int length) {
        for (int done = 0, count; done < length; done += count) {
          count = Math.min(VECTOR, length - done);
          ids.get(vector, start + done, count);
          for (int i = 0; i < count; i++) {
            out[offset + done + i] = ofId(vector[i]);
          }
        }
      }

      @Override
      public void close() {
        NumbersOfIds.this.close();
      }
    };
  }

  /** Returns the doubles. */
  ColumnarDoubles doubles(FixedIndexed<Double> dictionary) {
    final int size = dictionary.size();
    final double[] onHeap = new double[size <= MOST_ON_HEAP ? size : 0];
    Arrays.setAll(onHeap, dictionary::get);
    return new ColumnarDoubles() {
      @Override
      public int size() {
        return ids.size();
      }

      @Override
      public double get(int index) {
        return ofId(ids.get(index));
      }

      private double ofId(int id) {
        if (id < first) {
          return 0;
        }
        final int number = id - first;
        if (number >= size) {
          throw unknown(id);
        }
        return onHeap.length > 0 ? onHeap[number] : dictionary.get(number);
      }

      @Override
      public void get(double[] out, int start, int length) {
        for (int done = 0, count; done < length; done += count) {
          count = Math.min(VECTOR, length - done);
          ids.get(vector, start + done, count);
          for (int i = 0; i < count; i++) {
            out[done + i] = ofId(vector[i]);
          }
        }
      }

      @Override
      public void close() {
        NumbersOfIds.this.close();
      }
    };
  }
}
