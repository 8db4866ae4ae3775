// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;

class UnencodedFormTest extends FormContract {
  @Override
  IntForm form() {
    return new UnencodedForm();
  }

  @Override
  Estimate.Kind expectedEstimate(int[] values) {
    return values.length > 16_384 ? Estimate.Kind.SKIP : Estimate.Kind.EXACT;
  }

  @Override
  int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.bytePack(chunk, 4);
  }

  @Override
  boolean tellsNumValues(ByteBuffer chunk) {
    return true;
  }
}
