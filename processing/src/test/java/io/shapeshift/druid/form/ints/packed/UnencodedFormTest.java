// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import java.nio.ByteBuffer;

class UnencodedFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new UnencodedForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return values.length > 16_384 ? Estimate.Kind.SKIP : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.bytePack(chunk, 4);
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return true;
  }
}
