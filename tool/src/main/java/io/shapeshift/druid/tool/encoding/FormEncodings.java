// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.select.NoFormException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The encodings that are one form alone, of all forms that the registries have. */
public final class FormEncodings {
  private FormEncodings() {}

  /** The name of the encoding that is the form of a name alone. */
  public static String name(String form) {
    return RowEncodings.FORM + form;
  }

  /** One for each form of such values that columns may be in, in the order of the registry, whether or not it suits. */
  public static List<RowEncoding> of(RowValues values) {
    final List<? extends Form<?, ?>> forms =
        values instanceof RowValues.Numbers numbers ? NumberForms.of(numbers.type()) : IntForms.of(IntForm.Use.IDS);
    return forms.stream().map(form -> RowEncodings.parse(name(form.name()))).toList();
  }

  /**
   * Stores values in one form alone, which only doing it tells whether it can.
   *
   * @param form   one of {@link #of}
   * @param column name of the column, for messages
   * @return empty if the form cannot store all of the values
   * @throws IOException if there is no room for them where the system keeps temporary files
   */
  public static Optional<EncodedRows> encode(RowEncoding form, String column, RowValues values) throws IOException {
    try {
      return Optional.of(form.encode(column, values));
    } catch (NoFormException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether a form by itself can store all of the values.
   *
   * @param form one of {@link #of}
   * @throws IOException if there is no room for them where the system keeps temporary files
   */
  public static boolean canStore(RowEncoding form, RowValues values) throws IOException {
    final Optional<EncodedRows> encoded = encode(form, form.name(), values);
    encoded.ifPresent(EncodedRows::close);
    return encoded.isPresent();
  }
}
