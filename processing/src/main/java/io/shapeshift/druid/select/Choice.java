// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import javax.annotation.Nullable;

/**
 * Form chosen for a chunk.
 *
 * @param form   chosen form; null if no candidate can store the chunk
 * @param bytes  size of the chunk in this form
 * @param weight value that selection minimizes: size times cost of decoding, plus a cost per number; infinite without a
 *     form
 * @param isUnbeatable whether no form can be both smaller and faster
 */
record Choice<C extends Chunk>(@Nullable Form<C, ?> form, int bytes, double weight, boolean isUnbeatable) {
  static <C extends Chunk> Choice<C> none() {
    return new Choice<>(null, 0, Double.POSITIVE_INFINITY, false);
  }
}
