// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.constant;

import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import java.util.Arrays;

/** Shape for a chunk in which all values are equal. */
public final class ConstantInts extends IntShape {
  private int value;

  void read(int numValues, int value) {
    this.numValues = numValues;
    this.value = value;
  }

  @Override
  public int get(int index) {
    return value;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    Arrays.fill(out, offset, offset + length, value);
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    Arrays.fill(out, from, to, value);
  }

  @Override
  public long least() {
    return value;
  }

  @Override
  public long greatest() {
    return value;
  }

  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    matcher.betweenRuns(this, from, to, out);
  }

  @Override
  public int runs(int start, int length, int[] ends, int[] values) {
    ends[0] = length;
    values[0] = value;
    return 1;
  }
}
