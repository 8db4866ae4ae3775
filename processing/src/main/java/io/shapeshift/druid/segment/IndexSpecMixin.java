// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.StringColumnFormatSpec;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.loading.SegmentizerFactory;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;

/** Makes Jackson read {@code intEncodingStrategy} wherever Druid reads an {@link IndexSpec}. */
@JsonDeserialize(converter = IndexSpecMixin.FromJson.class)
abstract class IndexSpecMixin {
  private IndexSpecMixin() {}

  /** All properties of an indexSpec: those of Druid 37, and ours. */
  record Json(IndexSpec base, @Nullable IntEncodingStrategy intEncodingStrategy) {
    @JsonCreator
    static Json create(
        @JsonProperty("bitmap") @Nullable BitmapSerdeFactory bitmap,
        @JsonProperty("metadataCompression") @Nullable CompressionStrategy metadataCompression,
        @JsonProperty("dimensionCompression") @Nullable CompressionStrategy dimensionCompression,
        @JsonProperty("stringDictionaryEncoding") @Nullable StringEncodingStrategy stringDictionaryEncoding,
        @JsonProperty("metricCompression") @Nullable CompressionStrategy metricCompression,
        @JsonProperty("longEncoding") @Nullable CompressionFactory.LongEncodingStrategy longEncoding,
        @JsonProperty("complexMetricCompression") @Nullable CompressionStrategy complexMetricCompression,
        @JsonProperty("jsonCompression") @Nullable CompressionStrategy jsonCompression,
        @JsonProperty("segmentLoader") @Nullable SegmentizerFactory segmentLoader,
        @JsonProperty("autoColumnFormatSpec") @Nullable NestedCommonFormatColumnFormatSpec autoColumnFormatSpec,
        @JsonProperty("stringColumnFormatSpec") @Nullable StringColumnFormatSpec stringColumnFormatSpec,
        @JsonProperty(IntEncodingStrategy.PROPERTY) @Nullable IntEncodingStrategy intEncodingStrategy
    ) {
      return new Json(
          new IndexSpec(
              bitmap,
              metadataCompression,
              dimensionCompression,
              stringDictionaryEncoding,
              metricCompression,
              longEncoding,
              complexMetricCompression,
              jsonCompression,
              segmentLoader,
              autoColumnFormatSpec,
              stringColumnFormatSpec
          ),
          intEncodingStrategy
      );
    }
  }

  /** Makes a spec by which segments are to be written. */
  static final class FromJson extends StdConverter<Json, IndexSpec> {
    @Override
    public IndexSpec convert(Json json) {
      return ShapeShiftIndexSpec.of(json.base, json.intEncodingStrategy);
    }
  }

  /** Makes a spec by which segments were written. */
  static final class FromWritten extends StdConverter<Json, IndexSpec> {
    @Override
    public IndexSpec convert(Json json) {
      return ShapeShiftIndexSpec.ofWritten(json.base, json.intEncodingStrategy);
    }
  }
}
