// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;

/**
 * Form that a selector may choose, with its costs under the selector's target.
 *
 * @param factor   factor of the size in the weight, 1 or more
 * @param perValue bytes per value that are added to the weight
 */
record Candidate<C extends Chunk>(Form<C, ?> form, double factor, double perValue) {
  double weight(int bytes, int numValues) {
    return bytes * factor + numValues * perValue;
  }
}
