// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import java.util.Map;

/**
 * What a dictionary-encoded string column of a segment consists of. Sizes are those within the column's own file: of a
 * part that Druid puts into further files, as it does beyond 2 GiB, only the head counts.
 *
 * @param name            the column
 * @param multiValue      whether a row may hold several values
 * @param rows            rows of the segment
 * @param cardinality     distinct values, null among them
 * @param encoding        how the dictionary ids are stored: {@code lz4}, {@code zstd}, ..., or {@code shapeshift}
 * @param dictionaryBytes size of the sorted values
 * @param valueBytes      size of the rows' dictionary ids: the part that shape-shifts
 * @param indexBytes      size of the bitmap and spatial indexes
 * @param forms           per form, by name, what it holds; empty unless the column is shape-shifting
 */
public record ColumnLayout(
    String name,
    boolean multiValue,
    int rows,
    int cardinality,
    String encoding,
    long dictionaryBytes,
    long valueBytes,
    long indexBytes,
    Map<String, FormUsage> forms
) {
  /**
   * The share of one form in a column.
   *
   * @param chunks how many chunks are in this form
   * @param bytes  their size, with the byte that names the form
   */
  public record FormUsage(int chunks, long bytes) {}
}
