// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import java.nio.ByteBuffer;

class BytePackFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new BytePackForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return values.length * Reference.bytesPerValue(values) > 65_536 ? Estimate.Kind.SKIP : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.bytePack(chunk, chunk.get());
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return true;
  }
}
