// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.encoding.FormUsage;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Result of {@code analyze}, in the structure of its JSON. Other programs depend on it: properties may be added, but
 * never renamed or removed.
 *
 * @param jvm      JVM and operating system of the measurement
 * @param segments segments in the order in which they were found
 * @param totals   totals of all segments
 * @param speedMinRows minimum number of rows of a column for speed measurements; absent if speed was not requested
 * @param advice   indexSpec that serves an aim; absent if it was not requested
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Analysis(
    String jvm,
    List<SegmentAnalysis> segments,
    Totals totals,
    @Nullable Integer speedMinRows,
    @Nullable Advice advice
) {
  /** Copy with advice. */
  public Analysis with(Advice given) {
    return new Analysis(jvm, segments, totals, speedMinRows, given);
  }

  /** Number of columns of a segment that were too small for a speed measurement. */
  public long countTooSmall(SegmentAnalysis segment) {
    return speedMinRows == null
           ? 0
           : segment.columns().stream().filter(column -> column.isEncoded() && column.rows() < speedMinRows).count();
  }

  /** Whether a column could not be read. */
  public boolean hasProblems() {
    return segments.stream().flatMap(segment -> segment.columns().stream()).anyMatch(each -> each.problem() != null);
  }

  /**
   * Analysis of a segment.
   *
   * @param path      path of the segment
   * @param version   segment version, 9 or 10
   * @param rows      number of rows of the base table; 0 if a damaged column prevents reading it
   * @param interval  interval of the segment
   * @param bytes     total size of the segment's files
   * @param columns   columns of the segment and its projections, sorted by descending saving of shape-shifting
   * @param encodings sizes of the columns and of the whole segment by name of the encoding; stock encodings first
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
   * Size of a column by part, in bytes.
   *
   * @param total      all parts, without the descriptor
   * @param dictionary distinct values; for numeric {@code auto} columns, including the ids
   * @param values     row part: dictionary ids, numbers or objects; of a nested column, objects and rows of fields
   * @param index      bitmaps, spatial index, null bitmap and hash index
   * @param other      everything else
   */
  public record ColumnBytes(long total, long dictionary, long values, long index, long other) {}

  /**
   * Field of a nested column.
   *
   * @param name      normalized path
   * @param types     types of its values
   * @param rows      rows that have a value
   * @param values    number of distinct values, including null
   * @param bytes     present size in bytes. Druid's column has the values themselves in dictionaries of all fields
   * @param encodings size in bytes by name of the encoding
   */
  public record FieldAnalysis(
      String name,
      String types,
      int rows,
      int values,
      long bytes,
      Map<String, Long> encodings
  ) {}

  /**
   * Hash index that a number column could have.
   *
   * @param keys        number of distinct numbers
   * @param bytes       size of the index
   * @param bytesPerRow size of the index per row
   * @param lookUpNs    estimated nanoseconds to find the rows of a number by the index
   * @param scanNs      estimated nanoseconds to find them by a scan
   */
  public record HashIndexAnalysis(int keys, long bytes, double bytesPerRow, double lookUpNs, double scanNs) {}

  /**
   * Text index that a column of strings or nested data could have, under the default target.
   *
   * @param bytes    size by which the index makes the column larger; absent if there is none
   * @param none     reason why there is none; absent if there is one
   * @param present  whether the column has one today
   * @param searches measured searches for a part of texts, {@code fewHits} and {@code noHits}; absent if none was
   *     measured
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record TextIndexAnalysis(
      @Nullable Long bytes,
      @Nullable String none,
      boolean present,
      @Nullable Map<String, SearchAnalysis> searches
  ) {
    /** Shortest search in Druid's column, in nanoseconds, that is worth an index. */
    private static final double LEAST_NANOS = 1e6;

    /** Whether there is an index, and no search is known or Druid's takes long enough that the index is worth it. */
    @JsonIgnore
    public boolean isWorthIt() {
      return bytes != null
          && (searches == null || searches.values().stream().anyMatch(each -> each.druidNs >= LEAST_NANOS));
    }
  }

  /**
   * Measured search for a part of texts, from the filter to the last row found.
   *
   * @param condition filter in words
   * @param texts     number of texts with this part
   * @param rows      number of rows found
   * @param druidNs   nanoseconds in Druid's column
   * @param plainNs   nanoseconds in ours without a text index
   * @param indexedNs nanoseconds in ours with a text index
   */
  public record SearchAnalysis(
      String condition, int texts, long rows, double druidNs, double plainNs, double indexedNs) {}

  /**
   * Ways to store a column that an entry of its own in the indexSpec can request.
   *
   * @param encodings    analyses by name of the alternative, one of {@link Variants}
   * @param asLong       size in bytes of a string column as a column of longs with a hash index; absent unless all
   *     texts are longs and few rows are alike
   * @param hasHashIndex whether the column has a hash index today
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Alternatives(
      Map<String, EncodingAnalysis> encodings,
      @Nullable Long asLong,
      boolean hasHashIndex
  ) {}

  /**
   * Measured filter.
   *
   * @param condition filter in words
   * @param values    number of the column's values that match
   * @param rows      number of rows that match
   */
  public record FilterAnalysis(String condition, int values, long rows) {}

  /**
   * Analysis of a column in one encoding.
   *
   * @param bytes           size of the row part
   * @param indexBytes      size of the indexes
   * @param dictionaryBytes size of the dictionaries, and of ids that a column has in addition to numbers; for stock
   *     encodings, the string dictionary is utf8
   * @param totalBytes      size of the column, including all other parts
   * @param scanNsPerRow    nanoseconds per row to read all rows in vectors of 512; absent if not measured
   * @param selectNsPerRow  nanoseconds per row read, to read a share of the rows by position; by share ("0.001", ...);
   *     absent if not measured
   * @param filterNs        nanoseconds to get the rows of a filter from the index and iterate over them once, by kind
   *     of filter; absent if not measured
   * @param textNs          nanoseconds to read a text of the dictionary by its id; absent if not measured
   * @param dictionaryCoding coding of the texts in the column's own string dictionary; absent unless the dictionary
   *     shape-shifts
   * @param forms           usage of each form in the row part by name; absent unless it shape-shifts
   * @param indexForms      usage of each form of posting lists by name; absent without posting lists
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
      @Nullable Double textNs,
      @Nullable String dictionaryCoding,
      @Nullable Map<String, FormUsage> forms,
      @Nullable Map<String, FormUsage> indexForms
  ) {}

  /**
   * Sums over all segments.
   *
   * @param bytes     total size of all files
   * @param columns   number of columns counted in {@code encodings}: those of strings, numbers, complex
   *     types and nested data
   * @param encodings sizes of these columns and of whole segments by name of the encoding; stock encodings first
   */
  public record Totals(long bytes, int columns, Map<String, EncodingTotal> encodings) {}

  /**
   * Sum over columns in one encoding, in bytes.
   *
   * @param bytes           size of the row parts
   * @param indexBytes      size of the indexes
   * @param dictionaryBytes size of the dictionaries
   * @param totalBytes      size of the columns
   * @param segmentBytes    size of whole segments, with all other data unchanged
   */
  public record EncodingTotal(
      long bytes,
      long indexBytes,
      long dictionaryBytes,
      long totalBytes,
      long segmentBytes
  ) {
    /** Sum of columns in an encoding, for segments whose present total size is {@code segmentBytes}. */
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
        today += column.bytes().total;
      }
      return new EncodingTotal(bytes, indexBytes, dictionaryBytes, totalBytes, segmentBytes - today + totalBytes);
    }
  }
}
