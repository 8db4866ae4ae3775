// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * What {@code analyze} found out, in the shape of its JSON, on which other programs may build: properties may be added,
 * none is renamed or removed.
 *
 * @param jvm      the Java that measured, and the system it ran on
 * @param segments the segments, in the order in which they were found
 * @param totals   of all segments
 * @param speedMinRows columns of fewer rows have no speed, as they are too small to be measured; absent if no speed was
 *                 asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Analysis(
    String jvm,
    List<SegmentAnalysis> segments,
    Totals totals,
    @Nullable Integer speedMinRows
) {
  /** How many columns of a segment were too small for their speed to be measured. */
  long countTooSmall(SegmentAnalysis segment) {
    return speedMinRows == null
           ? 0
           : segment.columns().stream().filter(column -> column.isEncoded() && column.rows() < speedMinRows).count();
  }

  /** Whether a column could not be read. */
  public boolean hasProblems() {
    return segments.stream().flatMap(segment -> segment.columns().stream()).anyMatch(each -> each.problem() != null);
  }

  /**
   * A segment.
   *
   * @param path      where it is
   * @param version   9 or 10
   * @param rows      rows of the base table; 0 if the column that tells is damaged
   * @param interval  of its data
   * @param bytes     size of all its files
   * @param columns   its columns and those of its projections; those first from which shape-shifting would take most
   * @param encodings by name of the encoding, what the columns and the whole segment would take; Druid's first
   */
  public record SegmentAnalysis(
      String path,
      int version,
      int rows,
      String interval,
      long bytes,
      List<ColumnAnalysis> columns,
      Map<String, EncodingTotal> encodings
  ) {}

  /**
   * A column.
   *
   * @param name        its name
   * @param projection  the projection that it is of; absent for the base table
   * @param type        as Druid names it
   * @param auto        whether Druid found out the type by itself
   * @param multiValue  whether rows may have several values
   * @param rows        its rows; 0 if the column that tells is damaged
   * @param cardinality distinct values, null among them; absent where there is no dictionary
   * @param encoding    how the row part is stored today; absent if there is no row part that this tool knows
   * @param bytes       its size today
   * @param encodings   by name of the encoding, what the column would be; Druid's first
   * @param filters     by kind, the filters whose time was measured; absent if none was
   * @param dictionaries by name of how strings are stored ({@code utf8} and {@code front-coded-16} of Druid's, ours as
   *                    in {@code encodings}), the bytes of its dictionary of strings; absent if it has none of its own
   * @param hashIndex   what a hash index of it would be; absent if it can have none
   * @param explanation why which form wins; absent unless asked for, and where nothing shape-shifts
   * @param problem     why it could not be read; absent if it could
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ColumnAnalysis(
      String name,
      @Nullable String projection,
      String type,
      boolean auto,
      boolean multiValue,
      int rows,
      @Nullable Integer cardinality,
      @Nullable String encoding,
      ColumnBytes bytes,
      Map<String, EncodingAnalysis> encodings,
      @Nullable Map<String, FilterAnalysis> filters,
      @Nullable Map<String, Integer> dictionaries,
      @Nullable HashIndexAnalysis hashIndex,
      @Nullable Explanation explanation,
      @Nullable String problem
  ) {
    /** Its name, behind that of its projection and a slash if it is of one. */
    String displayName() {
      return projection == null ? name : projection + "/" + name;
    }

    /** Whether it has rows that were encoded. */
    boolean isEncoded() {
      return !encodings.isEmpty();
    }

    /**
     * What the rows are in a segment of an encoding: those of Druid's for longs only leave all others as they are
     * without.
     */
    EncodingAnalysis encodingOrDefault(String encoding) {
      @Nullable final EncodingAnalysis own = encodings.get(encoding);
      return own == null ? encodings.get(RowEncodings.withoutLongs(encoding)) : own;
    }

    /** Its type, with what there is to say of it. */
    String displayType() {
      return type + (auto ? " (auto)" : "") + (multiValue ? " (multi-value)" : "");
    }
  }

  /**
   * The size of a column by part.
   *
   * @param total      all of them, without the descriptor
   * @param dictionary distinct values; of numeric columns of type {@code auto} with the ids that point to them
   * @param values     the row part: dictionary ids or numbers
   * @param index      bitmaps, spatial indexes, the bitmap of nulls, the hash index
   * @param other      what is none of these, such as all of a complex column
   */
  public record ColumnBytes(long total, long dictionary, long values, long index, long other) {}

  /**
   * A hash index that a column of numbers could have.
   *
   * @param keys        different numbers
   * @param bytes       size of the index
   * @param bytesPerRow the same for each row
   * @param lookUpNs    nanoseconds in which it finds the rows of a number, estimated
   * @param scanNs      nanoseconds in which a scan of the column finds them, estimated
   */
  public record HashIndexAnalysis(int keys, long bytes, double bytesPerRow, double lookUpNs, double scanNs) {}

  /**
   * A filter.
   *
   * @param condition the filter, for people
   * @param values    how many of the column's values it is for
   * @param rows      how many rows it finds
   */
  public record FilterAnalysis(String condition, int values, long rows) {}

  /**
   * A column in some encoding.
   *
   * @param bytes           size of the row part
   * @param indexBytes      size of what finds rows
   * @param dictionaryBytes size of the dictionaries, and of ids besides numbers; with Druid's encodings, that of
   *                        strings is utf8
   * @param totalBytes      size of the column, what is none of these three among it
   * @param scanNsPerRow    nanoseconds per row to read all rows in vectors of 512; absent if not measured
   * @param selectNsPerRow  nanoseconds per row that is read, to read by their positions a share of the rows: by share
   *                        ("0.001", ...); absent if not measured
   * @param filterNs        by kind, nanoseconds until a filter has its rows of the index and has gone through them
   *                        once; absent if not measured
   * @param forms           by name of the form, the chunks of the row part that have it; absent unless it shape-shifts
   * @param indexForms      by name of the form, the chunks of posting lists that have it; absent unless there are any
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record EncodingAnalysis(
      long bytes,
      long indexBytes,
      long dictionaryBytes,
      long totalBytes,
      @Nullable Double scanNsPerRow,
      @Nullable Map<String, Double> selectNsPerRow,
      @Nullable Map<String, Double> filterNs,
      @Nullable Map<String, FormUsage> forms,
      @Nullable Map<String, FormUsage> indexForms
  ) {}

  /**
   * Sums.
   *
   * @param bytes     size of all files of all segments
   * @param columns   number of columns that {@code encodings} counts: those of strings and numbers
   * @param encodings by name of the encoding, what these columns and the whole segments would take; Druid's first
   */
  public record Totals(long bytes, int columns, Map<String, EncodingTotal> encodings) {}

  /**
   * A sum of columns.
   *
   * @param bytes           size of their row parts
   * @param indexBytes      size of what finds rows
   * @param dictionaryBytes size of their dictionaries
   * @param totalBytes      their size
   * @param segmentBytes    size of whole segments, in which all else stays as it is
   */
  public record EncodingTotal(
      long bytes,
      long indexBytes,
      long dictionaryBytes,
      long totalBytes,
      long segmentBytes
  ) {
    /** The sum of columns in an encoding, in segments whose files have {@code bytes} bytes today. */
    static EncodingTotal of(String encoding, List<ColumnAnalysis> columns, long segmentBytes) {
      long bytes = 0;
      long indexBytes = 0;
      long dictionaryBytes = 0;
      long totalBytes = 0;
      long today = 0;
      for (ColumnAnalysis column : columns) {
        final EncodingAnalysis encoded = column.encodingOrDefault(encoding);
        bytes += encoded.bytes;
        indexBytes += encoded.indexBytes;
        dictionaryBytes += encoded.dictionaryBytes;
        totalBytes += encoded.totalBytes;
        today += column.bytes.total;
      }
      return new EncodingTotal(bytes, indexBytes, dictionaryBytes, totalBytes, segmentBytes - today + totalBytes);
    }
  }
}
