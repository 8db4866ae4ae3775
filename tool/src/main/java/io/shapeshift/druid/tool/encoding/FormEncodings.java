// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.select.NoFormException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Encodings that consist of a single form or of some forms, to measure what a form brings. */
public final class FormEncodings {
  private FormEncodings() {}

  /** Name of the encoding that consists of a form. */
  public static String name(String form) {
    return RowEncodings.FORM + form;
  }

  /**
   * Encoding that selects among some of the forms as columns select among all.
   *
   * @param name  name of the encoding
   * @param keeps test of the name of a form; at least one form that it keeps must store all values
   */
  public static RowEncoding among(String name, OptimizationTarget target, Predicate<String> keeps) {
    return new ShapeShiftEncoding(name, new ShapeShiftEncoding.SomeForms(target, keeps), BlockSize.LARGE);
  }

  /** Encoding that selects as columns do, but also forms that are read more slowly than Druid's columns. */
  public static RowEncoding ofAnySpeed(OptimizationTarget target) {
    return new ShapeShiftEncoding(
        RowEncodings.shapeShiftName(target), new ShapeShiftEncoding.AnySpeed(target), BlockSize.LARGE);
  }

  /**
   * Encodings for such values, one per form that columns may use, in the order of the registry, whether or not the form
   * suits the values.
   */
  public static List<RowEncoding> of(RowValues values) {
    final List<? extends Form<?, ?>> forms =
        values instanceof RowValues.Numbers numbers ? NumberForms.of(numbers.type()) : IntForms.of(IntForm.Use.IDS);
    return forms.stream().map(form -> RowEncodings.parse(name(form.name()))).toList();
  }

  /**
   * Encodes values in a single form. Only the attempt shows whether the form can store them.
   *
   * @param form   encoding from {@link #of}
   * @param column name of the column, for messages
   * @return empty if the form cannot store all of the values
   * @throws IOException if the system's temporary directory is full
   */
  public static Optional<EncodedRows> encode(RowEncoding form, String column, RowValues values) throws IOException {
    try {
      return Optional.of(form.encode(column, values));
    } catch (NoFormException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether a single form can store all of the values.
   *
   * @param form encoding from {@link #of}
   * @throws IOException if the system's temporary directory is full
   */
  public static boolean canStore(RowEncoding form, RowValues values) throws IOException {
    final Optional<EncodedRows> encoded = encode(form, form.name(), values);
    encoded.ifPresent(EncodedRows::close);
    return encoded.isPresent();
  }
}
