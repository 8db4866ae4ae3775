// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;

/**
 * Form that a selector may choose, with its weight under the selector's target.
 *
 * @param factor   by which the size is multiplied, 1 or more
 * @param perValue bytes that are added for each value
 */
record Candidate<C extends Chunk>(Form<C, ?> form, double factor, double perValue) {
  double weight(int bytes, int numValues) {
    return bytes * factor + numValues * perValue;
  }
}
