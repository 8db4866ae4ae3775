// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import javax.annotation.Nullable;

/**
 * Form that was chosen for a chunk.
 *
 * @param form   null if none of the forms that were asked can store the chunk
 * @param bytes  size of the chunk in this form
 * @param weight which selection compares: the size times the cost of decoding, plus the cost per number; infinite
 *               without a form
 * @param isUnbeatable whether nothing can be smaller and faster
 */
record Choice<C extends Chunk>(@Nullable Form<C, ?> form, int bytes, double weight, boolean isUnbeatable) {
  static <C extends Chunk> Choice<C> none() {
    return new Choice<>(null, 0, Double.POSITIVE_INFINITY, false);
  }
}
