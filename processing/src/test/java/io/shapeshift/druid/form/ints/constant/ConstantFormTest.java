// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.constant;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ConstantFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new ConstantForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return Arrays.stream(values).distinct().count() == 1 ? Estimate.Kind.TAKE : Estimate.Kind.SKIP;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return RandomData.constant(numValues, Reference.word(chunk, 4));
  }

  @Test
  void refusesNegativeValues() {
    assertRefused("01 ff ff ff ff", 3, "constant has the value -1, expected none below 0");
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }
}
