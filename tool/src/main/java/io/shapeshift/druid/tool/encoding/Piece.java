// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import java.util.List;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * One shape-shifting column of a row part, which has one of them, or two where rows have several values.
 *
 * @param name     {@code ids} or {@code numbers}; {@code offsets} or {@code values} where rows have several values
 * @param data     its bytes and header
 * @param decoders the registry of its type
 * @param reader   of chunks of this type; it is used to name them only
 * @param <R>      the chunk readers of its type
 */
public record Piece<R extends ChunkReader>(
    String name,
    ColumnData<R> data,
    Function<Byte, ? extends FormDecoder<R>> decoders,
    R reader
) {
  /** The pieces of a row part, in the order of their bytes; none where it does not shape-shift. */
  public static List<Piece<?>> of(Supplier<?> column) {
    if (column instanceof ShapeShiftingColumnarIntsSupplier ids) {
      return List.of(ints("ids", ids));
    }
    if (column instanceof ShapeShiftingColumnarMultiIntsSupplier multi) {
      return List.of(ints("offsets", multi.offsets()), ints("values", multi.values()));
    }
    return column instanceof ShapeShiftingNumbersSupplier<?> numbers
           ? List.of(new Piece<>(
               "numbers", numbers.data(), NumberForms.byId(numbers.type()), NumberForms.reader(numbers.type())))
           : List.of();
  }

  private static Piece<IntChunkReader> ints(String name, ShapeShiftingColumnarIntsSupplier column) {
    return new Piece<>(name, column.data(), IntForms::byId, new IntChunkReader());
  }

  /**
   * The form of a chunk, with that of its child where it holds one: the name under which selection knows it.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the chunk is too short to tell
   */
  public String form(ChunkInfo chunk) {
    @Nullable final FormDecoder<R> decoder = decoders.apply(chunk.formId());
    if (decoder == null) {
      return "unknown (" + chunk.formId() + ")";
    }
    reader.startChunk(chunk.numValues());
    return decoder.nameOf(data.newView(), chunk.offset(), chunk.bytes(), reader);
  }

  /**
   * The form whose payload a codec has compressed in a chunk; null without a codec.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the chunk is too short to tell
   */
  @Nullable
  public String compressedForm(ChunkInfo chunk) {
    @Nullable final FormDecoder<R> decoder = decoders.apply(chunk.formId());
    if (decoder == null) {
      return null;
    }
    reader.startChunk(chunk.numValues());
    return decoder.compressedName(data.newView(), chunk.offset(), chunk.bytes(), reader);
  }
}
