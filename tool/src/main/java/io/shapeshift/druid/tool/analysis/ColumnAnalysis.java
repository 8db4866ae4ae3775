// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.analysis.Analysis.Alternatives;
import io.shapeshift.druid.tool.analysis.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.FieldAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Analysis of a column.
 *
 * @param name        name of the column
 * @param projection  projection of the column; absent for the base table
 * @param type        Druid's name of the type
 * @param auto        whether the column has type {@code auto}
 * @param multiValue  whether rows may have several values
 * @param rows        number of rows; 0 if a damaged column prevents reading it
 * @param cardinality number of distinct values, including null; absent without a dictionary
 * @param encoding    present encoding of the row part; absent if the column has no row part known to this tool
 * @param bytes       present size of the column
 * @param encodings   analysis of the column by name of the encoding; stock encodings first
 * @param filters     measured filters by kind; absent if none was measured
 * @param dictionaries size in bytes of the column's string dictionary by name of its encoding (for stock,
 *     {@code utf8} and {@code front-coded-16}; otherwise as in {@code encodings}); absent if the column has no
 *     dictionary of its own
 * @param objects     size in bytes of a column of a complex type by name of its encoding (for stock,
 *     {@code uncompressed}, Druid's default, and {@code lz4}; otherwise as in {@code encodings}); absent for others
 * @param fields      fields of a nested column, the largest first; absent if they were not requested
 * @param hashIndex   hash index that the column could have; absent if it can have none
 * @param textIndex   text index that the column could have; absent if it has no dictionary of its own that could
 *     shape-shift
 * @param alternatives other ways to store the column; absent if no advice was requested or there are none
 * @param explanation explanation of the choice of forms; absent if it was not requested or nothing shape-shifts
 * @param notCounted  reason why a column of a complex type that could be read has no encodings; absent for others
 * @param problem     reason why the column could not be read; absent if it could
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
    @Nullable Map<String, Long> objects,
    @Nullable List<FieldAnalysis> fields,
    @Nullable HashIndexAnalysis hashIndex,
    @Nullable TextIndexAnalysis textIndex,
    @Nullable Alternatives alternatives,
    @Nullable Explanation explanation,
    @Nullable String notCounted,
    @Nullable String problem
) {
  /** Name of the column. For a projection, the projection's name and a slash precede it. */
  public String displayName() {
    return projection == null ? name : projection + "/" + name;
  }

  /** Whether the column has rows that were encoded. */
  @JsonIgnore
  public boolean isEncoded() {
    return !encodings.isEmpty();
  }

  /**
   * Analysis of the rows in a segment of an encoding. Stock encodings of longs only leave all other columns in the
   * encoding without them.
   */
  public EncodingAnalysis encodingOrDefault(String encoding) {
    @Nullable final EncodingAnalysis own = encodings.get(encoding);
    return own == null ? encodings.get(RowEncodings.withoutLongs(encoding)) : own;
  }

  /** Type of the column with its attributes. */
  public String displayType() {
    return type + (auto ? " (auto)" : "") + (multiValue ? " (multi-value)" : "");
  }

  /** Builder of the analysis of a segment's column, which has its name, type and number of rows. */
  static Builder builder(SegmentColumn column, ColumnBytes bytes) {
    @Nullable final String projection = column.projection() == null ? null : column.projection().name();
    return new Builder(column.name(), projection, column.type(), column.knownRows().orElse(0), bytes)
        .auto(column.isAuto());
  }

  /** Builder of a copy. */
  public Builder toBuilder() {
    return new Builder(name, projection, type, rows, bytes)
        .auto(auto)
        .multiValue(multiValue)
        .cardinality(cardinality)
        .encoding(encoding)
        .encodings(encodings)
        .filters(filters)
        .dictionaries(dictionaries)
        .objects(objects)
        .fields(fields)
        .hashIndex(hashIndex)
        .textIndex(textIndex)
        .alternatives(alternatives)
        .explanation(explanation)
        .notCounted(notCounted)
        .problem(problem);
  }

  /**
   * Builder of a column's analysis. It has the record's components by name; those that are not set are absent, empty or
   * false.
   */
  public static final class Builder {
    private final String name;
    @Nullable
    private final String projection;
    private final String type;
    private final int rows;
    private final ColumnBytes bytes;
    private boolean auto;
    private boolean multiValue;
    @Nullable
    private Integer cardinality;
    @Nullable
    private String encoding;
    private Map<String, EncodingAnalysis> encodings = Map.of();
    @Nullable
    private Map<String, FilterAnalysis> filters;
    @Nullable
    private Map<String, Integer> dictionaries;
    @Nullable
    private Map<String, Long> objects;
    @Nullable
    private List<FieldAnalysis> fields;
    @Nullable
    private HashIndexAnalysis hashIndex;
    @Nullable
    private TextIndexAnalysis textIndex;
    @Nullable
    private Alternatives alternatives;
    @Nullable
    private Explanation explanation;
    @Nullable
    private String notCounted;
    @Nullable
    private String problem;

    /** Builder of a column without encodings; the arguments are components of the record. */
    public Builder(String name, @Nullable String projection, String type, int rows, ColumnBytes bytes) {
      this.name = name;
      this.projection = projection;
      this.type = type;
      this.rows = rows;
      this.bytes = bytes;
    }

    public Builder auto(boolean value) {
      auto = value;
      return this;
    }

    public Builder multiValue(boolean value) {
      multiValue = value;
      return this;
    }

    public Builder cardinality(@Nullable Integer value) {
      cardinality = value;
      return this;
    }

    public Builder encoding(@Nullable String value) {
      encoding = value;
      return this;
    }

    public Builder encodings(Map<String, EncodingAnalysis> value) {
      encodings = value;
      return this;
    }

    public Builder filters(@Nullable Map<String, FilterAnalysis> value) {
      filters = value;
      return this;
    }

    public Builder dictionaries(@Nullable Map<String, Integer> value) {
      dictionaries = value;
      return this;
    }

    public Builder objects(@Nullable Map<String, Long> value) {
      objects = value;
      return this;
    }

    public Builder fields(@Nullable List<FieldAnalysis> value) {
      fields = value;
      return this;
    }

    public Builder hashIndex(@Nullable HashIndexAnalysis value) {
      hashIndex = value;
      return this;
    }

    public Builder textIndex(@Nullable TextIndexAnalysis value) {
      textIndex = value;
      return this;
    }

    public Builder alternatives(@Nullable Alternatives value) {
      alternatives = value;
      return this;
    }

    public Builder explanation(@Nullable Explanation value) {
      explanation = value;
      return this;
    }

    public Builder notCounted(@Nullable String value) {
      notCounted = value;
      return this;
    }

    public Builder problem(@Nullable String value) {
      problem = value;
      return this;
    }

    /** Builds the analysis. */
    public ColumnAnalysis build() {
      return new ColumnAnalysis(
          name,
          projection,
          type,
          auto,
          multiValue,
          rows,
          cardinality,
          encoding,
          bytes,
          encodings,
          filters,
          dictionaries,
          objects,
          fields,
          hashIndex,
          textIndex,
          alternatives,
          explanation,
          notCounted,
          problem
      );
    }
  }
}
