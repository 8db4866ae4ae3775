// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.added;

import io.shapeshift.druid.api.IntValues;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntStatistics;

/** View of a chunk's ints for encodings of other jars. They cannot change the chunk through it. */
final class IntValuesOfChunk implements IntValues {
  private final IntStatistics statistics;
  private final int[] values;
  private final int size;

  private IntValuesOfChunk(IntStatistics statistics) {
    this.statistics = statistics;
    this.values = statistics.values();
    this.size = statistics.numValues();
  }

  /** Returns the view, which all encodings share. */
  static IntValues of(IntChunk chunk) {
    final IntStatistics statistics = chunk.statistics();
    return statistics.findings()
        .once(IntValuesOfChunk.class, IntValues.class, () -> new IntValuesOfChunk(statistics));
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int get(int index) {
    return values[index];
  }

  @Override
  public void copy(int start, int[] out, int offset, int length) {
    System.arraycopy(values, start, out, offset, length);
  }

  @Override
  public int min() {
    return statistics.min();
  }

  @Override
  public int max() {
    return statistics.max();
  }

  @Override
  public int numRuns() {
    return statistics.numChanges() + 1;
  }

  @Override
  public int numDistinct(int most) {
    return statistics.countDistinct(most);
  }
}
