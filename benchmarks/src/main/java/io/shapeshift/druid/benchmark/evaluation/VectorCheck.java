// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Doubles;
import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Longs;
import io.shapeshift.druid.benchmark.evaluation.PlainColumn.Texts;
import java.util.Arrays;
import java.util.function.IntPredicate;
import javax.annotation.Nullable;

/** Comparison of decoded vectors with the values that were written, bit by bit. */
final class VectorCheck implements VectorSink {
  private final PlainColumn expected;
  private int rows;
  private boolean differs;

  VectorCheck(PlainColumn expected) {
    this.expected = expected;
  }

  /** Whether all rows came, and none differs. */
  boolean hasAll() {
    return rows == expected.rows() && !differs;
  }

  @Override
  public void longs(long[] values, @Nullable boolean[] nulls, int length) {
    compare(nulls, length, i -> expected instanceof Longs longs && longs.values()[rows + i] == values[i]);
  }

  @Override
  public void doubles(double[] values, @Nullable boolean[] nulls, int length) {
    compare(nulls, length, i -> expected instanceof Doubles doubles
        && Double.doubleToRawLongBits(doubles.values()[rows + i]) == Double.doubleToRawLongBits(values[i]));
  }

  private void compare(@Nullable boolean[] nulls, int length, IntPredicate isEqual) {
    for (int i = 0; i < length; i++) {
      final boolean isNull = nulls != null && nulls[i];
      differs |= isNull != expected.nulls().get(rows + i) || (!isNull && !isEqual.test(i));
    }
    rows += length;
  }

  @Override
  public void texts(TextVector values, int length) {
    for (int i = 0; i < length; i++) {
      differs |= !(expected instanceof Texts texts) || !Arrays.equals(texts.values()[rows + i], values.copy(i));
    }
    rows += length;
  }
}
