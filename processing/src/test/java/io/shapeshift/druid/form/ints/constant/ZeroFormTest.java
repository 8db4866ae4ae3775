// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.constant;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.util.Arrays;

class ZeroFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new ZeroForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return Arrays.stream(values).allMatch(value -> value == 0) ? Estimate.Kind.TAKE : Estimate.Kind.SKIP;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return new int[numValues];
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }
}
