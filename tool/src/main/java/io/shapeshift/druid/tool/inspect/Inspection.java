// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * What a segment consists of, in the shape of {@code inspect}'s JSON.
 *
 * @param path      where it is
 * @param version   9 or 10
 * @param rows      rows of the base table; 0 if the column that tells is damaged
 * @param interval  of its data
 * @param bytes     size of all its files
 * @param checksums whether there are checksums of them
 * @param columns   its columns, in its order
 */
public record Inspection(
    String path,
    int version,
    int rows,
    String interval,
    long bytes,
    boolean checksums,
    List<ColumnInspection> columns
) {
  /** The same, but for the chunks of its parts. */
  Inspection withoutChunks() {
    final List<ColumnInspection> without = columns.stream().map(ColumnInspection::withoutChunks).toList();
    return new Inspection(path, version, rows, interval, bytes, checksums, without);
  }

  /**
   * What a column consists of.
   *
   * @param name            its name, behind that of its projection and a slash if it is of one
   * @param type            as Druid names it
   * @param partType        type of its descriptor's first part, which says how Druid reads it
   * @param auto            whether Druid found out the type by itself
   * @param multiValue      whether rows may have several values
   * @param rows            rows of its table; 0 if the column that tells is damaged
   * @param cardinality     distinct values; absent where there is no dictionary
   * @param encoding        how the row part is stored; absent if there is none that this tool knows
   * @param bytes           size of all its files
   * @param dictionaryBytes size of distinct values
   * @param rowBytes        size of the row part
   * @param indexBytes      size of indexes
   * @param parts           the row part, in pieces, one stored behind the other: {@code ids} or {@code numbers};
   *                        {@code offsets} and {@code values} where rows have several values; of numeric columns of
   *                        type {@code auto} {@code ids} and {@code numbers}, each a file; then {@code index}, whose
   *                        values are lists of rows, if there is an index of values, and {@code elements}, the same of
   *                        the elements of arrays; of numbers {@code hashIndex}, whose values are its entries, and
   *                        {@code hashLists}, the lists of keys that have one
   * @param problem         why it could not be read; absent if it could
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ColumnInspection(
      String name,
      String type,
      String partType,
      boolean auto,
      boolean multiValue,
      int rows,
      @Nullable Integer cardinality,
      @Nullable String encoding,
      long bytes,
      long dictionaryBytes,
      long rowBytes,
      long indexBytes,
      List<PartInspection> parts,
      @Nullable String problem
  ) {
    private ColumnInspection withoutChunks() {
      return new ColumnInspection(
          name,
          type,
          partType,
          auto,
          multiValue,
          rows,
          cardinality,
          encoding,
          bytes,
          dictionaryBytes,
          rowBytes,
          indexBytes,
          parts.stream().map(PartInspection::withoutChunks).toList(),
          problem
      );
    }
  }

  /**
   * A piece of a row part, or the index.
   *
   * @param name   {@code ids}, {@code numbers}, {@code offsets}, {@code values}, {@code index}, {@code elements},
   *               {@code hashIndex} or {@code hashLists}
   * @param header its header's fields, by name
   * @param forms  how many chunks and bytes each form took, by name of the form
   * @param chunks its chunks; of Druid's columns its blocks
   */
  public record PartInspection(
      String name,
      Map<String, Object> header,
      Map<String, FormInspection> forms,
      List<ChunkInspection> chunks
  ) {
    private PartInspection withoutChunks() {
      return new PartInspection(name, header, forms, List.of());
    }

    /** How many chunks all forms took. */
    int numChunks() {
      return forms.values().stream().mapToInt(FormInspection::chunks).sum();
    }
  }

  /**
   * The share of a form.
   *
   * @param chunks how many there are
   * @param values how many values they hold
   * @param bytes  their size
   */
  public record FormInspection(int chunks, long values, long bytes) {
    FormInspection plus(FormInspection other) {
      return new FormInspection(chunks + other.chunks, values + other.values, bytes + other.bytes);
    }
  }

  /**
   * A chunk.
   *
   * @param number       counted from 0
   * @param offset       where it starts, in bytes from the start of the piece
   * @param firstValue   position in the piece of its first value, which is the row where rows have one value
   * @param numValues    its values
   * @param form         name of its form; the codec of Druid's blocks
   * @param innerForm    name of the form that is compressed in it; absent if none is
   * @param bytes        its size
   * @param bitsPerValue its size per value
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ChunkInspection(
      int number,
      long offset,
      long firstValue,
      int numValues,
      String form,
      @Nullable String innerForm,
      long bytes,
      double bitsPerValue
  ) {}
}
