// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.numbers.NumberForms;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Shape-shifting column within a row part. The row part of a multi-value column has two pieces, all others have one.
 *
 * @param name     {@code ids} or {@code numbers}; {@code offsets} or {@code values} for a multi-value column
 * @param data     bytes and header of the piece
 * @param reader   reader of its chunks; used only to name their forms
 * @param <R>      type of its chunk readers
 */
public record Piece<R extends ChunkReader>(
    String name,
    ColumnData<R> data,
    R reader
) {
  /** Pieces of a row part, in the order of their bytes; empty unless it shape-shifts. */
  public static List<Piece<?>> of(Supplier<?> column) {
    if (column instanceof ShapeShiftingColumnarIntsSupplier ids) {
      return List.of(ints("ids", ids));
    }
    if (column instanceof ShapeShiftingColumnarMultiIntsSupplier multi) {
      return List.of(ints("offsets", multi.offsets()), ints("values", multi.values()));
    }
    return column instanceof ShapeShiftingNumbersSupplier<?> numbers
           ? List.of(new Piece<>("numbers", numbers.data(), NumberForms.reader(numbers.type())))
           : List.of();
  }

  private static Piece<IntChunkReader> ints(String name, ShapeShiftingColumnarIntsSupplier column) {
    return new Piece<>(name, column.data(), new IntChunkReader());
  }

  /**
   * Name of a chunk's form, including the form of its child if it has one. Selection uses the same name.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the chunk is too short
   */
  public String form(ChunkInfo chunk) {
    return data.formOf(chunk, reader);
  }

  /**
   * Name of the inner form whose payload a codec has compressed; null without a codec.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the chunk is too short
   */
  @Nullable
  public String compressedForm(ChunkInfo chunk) {
    return data.compressedFormOf(chunk, reader);
  }
}
