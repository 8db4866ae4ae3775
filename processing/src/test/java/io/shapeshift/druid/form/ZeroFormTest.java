// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import java.util.Arrays;

class ZeroFormTest extends FormContract {
  @Override
  IntForm form() {
    return new ZeroForm();
  }

  @Override
  Estimate.Kind expectedEstimate(int[] values) {
    return Arrays.stream(values).allMatch(value -> value == 0) ? Estimate.Kind.TAKE : Estimate.Kind.SKIP;
  }

  @Override
  int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return new int[numValues];
  }

  @Override
  boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }
}
