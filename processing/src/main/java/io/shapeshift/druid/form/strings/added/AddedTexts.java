// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings.added;

import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.AddedForm;

/** Encoding of texts of another jar, with its name and cost. */
public record AddedTexts(TextEncoding encoding, String name, DecodeCost cost) {
  /** Asks an encoding for its name and cost. */
  public static AddedTexts of(TextEncoding encoding) {
    return new AddedTexts(encoding, encoding.name(), AddedForm.cost(encoding));
  }
}
