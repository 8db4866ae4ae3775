// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * IndexSpec that serves an aim, with its costs.
 *
 * <p>Bytes are those of all files, without the growth of descriptors and of the file of checksums. Read time is the sum
 * over all measured columns of the geometric mean of what is measured: a scan, reads of 0.1, 1, 10 and 100 % of the
 * rows, filters, a thousand texts, and the look-up of a key in columns that may be keys.
 *
 * @param aim         {@code size}, {@code speed} or {@code balance}; absent with a budget
 * @param budget      maximum number of bytes; absent with an aim
 * @param rows        number of rows of all segments
 * @param bytesToday  present size of all files in bytes
 * @param table       best single choice for all columns
 * @param tables      totals by the single choice for all columns
 * @param bytes       bytes with the advised indexSpec
 * @param nanos       nanoseconds with the advised indexSpec
 * @param columns     columns for which the advised choice is not the table's, the largest difference of bytes first
 * @param alternatives all columns in all choices
 * @param notes       remarks, sentence by sentence
 * @param indexSpec   advised indexSpec
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Advice(
    @Nullable String aim,
    @Nullable Long budget,
    long rows,
    long bytesToday,
    String table,
    Map<String, Total> tables,
    long bytes,
    double nanos,
    List<ColumnAdvice> columns,
    List<Alternative> alternatives,
    List<String> notes,
    Map<String, Object> indexSpec
) {
  /** Text for people: what the advice saves, its columns and remarks, and the indexSpec. */
  public String text() {
    return AdviceText.text(this);
  }

  /** Copy with more remarks. */
  public Advice plus(List<String> further) {
    return new Advice(
        aim,
        budget,
        rows,
        bytesToday,
        table,
        tables,
        bytes,
        nanos,
        columns,
        alternatives,
        Stream.concat(notes.stream(), further.stream()).toList(),
        indexSpec
    );
  }

  /**
   * Total of all columns.
   *
   * @param bytes bytes of all files
   * @param nanos nanoseconds; 0 if nothing was measured
   */
  public record Total(long bytes, double nanos) {}

  /**
   * Choice for a column, in all segments and projections.
   *
   * @param column     name of the column
   * @param choice     advised choice
   * @param bytes      bytes with it
   * @param tableBytes bytes with the table's choice
   * @param nanos      nanoseconds with the advised choice; absent if the column was not measured
   * @param tableNanos nanoseconds with the table's choice; absent if the column was not measured
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ColumnAdvice(
      String column,
      String choice,
      long bytes,
      long tableBytes,
      @Nullable Double nanos,
      @Nullable Double tableNanos
  ) {}

  /**
   * Column in one choice.
   *
   * @param column  name of the column
   * @param choice  name of the choice
   * @param advised whether it is the advised one
   * @param bytes   bytes with it
   * @param nanos   nanoseconds with it; absent if the column was not measured
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Alternative(String column, String choice, boolean advised, long bytes, @Nullable Double nanos) {}
}
