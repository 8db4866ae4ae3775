// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Contents of a segment, in the structure of {@code inspect}'s JSON.
 *
 * @param path      path of the segment
 * @param version   segment version, 9 or 10
 * @param rows      number of rows of the base table; 0 if a damaged column prevents reading it
 * @param interval  interval of the segment
 * @param bytes     total size of the segment's files
 * @param checksums whether the segment has checksums
 * @param columns   columns in the segment's order
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
  /** Copy without the chunks of its parts. */
  Inspection withoutChunks() {
    final List<ColumnInspection> without = columns.stream().map(ColumnInspection::withoutChunks).toList();
    return new Inspection(path, version, rows, interval, bytes, checksums, without);
  }

  /**
   * Contents of a column.
   *
   * @param name            name of the column; for a projection, preceded by the projection's name and a slash
   * @param type            Druid's name of the type
   * @param partType        type of its descriptor's first part, which determines how Druid reads the column
   * @param auto            whether the column has type {@code auto}
   * @param multiValue      whether rows may have several values
   * @param rows            number of rows of its table; 0 if a damaged column prevents reading it
   * @param cardinality     number of distinct values; absent without a dictionary
   * @param encoding        encoding of the row part; absent if the column has no row part known to this tool
   * @param bytes           total size of the column's files
   * @param dictionaryBytes size of the dictionaries
   * @param rowBytes        size of the row part
   * @param indexBytes      size of indexes
   * @param parts           pieces of the row part in stored order: {@code ids} or {@code numbers}; {@code offsets} and
   *     {@code values} for a multi-value column; {@code ids} and {@code numbers}, each in a file, for a numeric
   *     {@code auto} column. Then {@code index}, whose values are lists of rows, if the column has an index of values;
   *     and {@code elements}, the same for array elements. For numbers, {@code hashIndex}, whose values are its
   *     entries, and {@code hashLists}, the lists of keys that have one. For complex types, {@code objects}, whose
   *     chunks are its sections
   * @param fields          fields of nested data, the largest first; absent for other columns
   * @param problem         reason why the column could not be read; absent if it could
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
      @Nullable List<FieldInspection> fields,
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
          fields,
          problem
      );
    }
  }

  /**
   * Field of nested data.
   *
   * @param name            normalized path
   * @param types           types of its values
   * @param rows            rows that have a value, without those whose objects are kept
   * @param values          number of distinct values, including null
   * @param bytes           all bytes of the field
   * @param dictionaryBytes distinct values; of Druid's column, their ids in dictionaries of all fields
   * @param rowBytes        ids and numbers
   * @param indexBytes      bitmaps or posting lists
   */
  public record FieldInspection(
      String name,
      String types,
      int rows,
      int values,
      long bytes,
      long dictionaryBytes,
      long rowBytes,
      long indexBytes
  ) {}

  /**
   * Piece of a row part, or an index.
   *
   * @param name   {@code ids}, {@code numbers}, {@code offsets}, {@code values}, {@code index}, {@code elements},
   *     {@code hashIndex}, {@code hashLists} or {@code objects}
   * @param header fields of the header by name
   * @param forms  number of chunks and bytes of each form by name
   * @param chunks chunks; for stock columns, blocks
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

    /** Number of chunks of all forms. */
    int numChunks() {
      return forms.values().stream().mapToInt(FormInspection::chunks).sum();
    }
  }

  /**
   * Usage of a form.
   *
   * @param chunks number of chunks
   * @param values number of values in these chunks
   * @param bytes  size of these chunks
   */
  public record FormInspection(int chunks, long values, long bytes) {
    FormInspection plus(FormInspection other) {
      return new FormInspection(chunks + other.chunks, values + other.values, bytes + other.bytes);
    }
  }

  /**
   * Chunk of a piece.
   *
   * @param number       number of the chunk, starting at 0
   * @param offset       offset of the chunk in bytes from the start of the piece
   * @param firstValue   position of its first value in the piece; for a single-value column, its row
   * @param numValues    number of values
   * @param form         name of its form; for stock blocks, the codec
   * @param innerForm    name of the compressed inner form; absent if there is none
   * @param bytes        size in bytes
   * @param bitsPerValue size in bits per value
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
