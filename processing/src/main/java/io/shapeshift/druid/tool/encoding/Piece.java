// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import java.util.List;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * One shape-shifting column of a row part, which has one of them, or two where rows have several values.
 *
 * @param name  {@code ids} or {@code numbers}; {@code offsets} or {@code values} where rows have several values
 * @param data  its bytes and header
 * @param forms the registry of its type
 */
public record Piece(String name, ColumnData<?> data, Function<Byte, ? extends Form<?, ?>> forms) {
  /** The pieces of a row part, in the order of their bytes; none where it does not shape-shift. */
  public static List<Piece> of(Supplier<?> column) {
    if (column instanceof ShapeShiftingColumnarIntsSupplier ids) {
      return List.of(ints("ids", ids));
    }
    if (column instanceof ShapeShiftingColumnarMultiIntsSupplier multi) {
      return List.of(ints("offsets", multi.offsets()), ints("values", multi.values()));
    }
    return column instanceof ShapeShiftingNumbersSupplier<?> numbers
           ? List.of(new Piece("numbers", numbers.data(), NumberForms.byId(numbers.type())))
           : List.of();
  }

  private static Piece ints(String name, ShapeShiftingColumnarIntsSupplier column) {
    return new Piece(name, column.data(), IntForms::byId);
  }

  /** The form with an id, or null if there is none. */
  @Nullable
  public Form<?, ?> form(byte id) {
    return forms.apply(id);
  }
}
