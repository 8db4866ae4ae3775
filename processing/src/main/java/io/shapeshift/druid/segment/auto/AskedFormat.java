// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde.FormatSpec;

/**
 * The format that was requested for nested and {@code auto} columns. A stored column has all options of its format, so
 * Druid's merge keeps the format of its first input, whatever its indexSpec requests. Compaction also copies all
 * options of the segments into its dimensionsSpec.
 */
final class AskedFormat {
  private AskedFormat() {}

  /**
   * Effective format of a merged column: the options of the column's own declaration, then those of the indexSpec.
   *
   * @param ofInput    options of the column that is merged
   * @param dimensions dimensions of the ingestion; null if unknown
   */
  static NestedCommonFormatColumnFormatSpec of(
      String column,
      @Nullable NestedCommonFormatColumnFormatSpec ofInput,
      @Nullable DimensionsSpec dimensions,
      IndexSpec indexSpec
  ) {
    @Nullable NestedCommonFormatColumnFormatSpec own = ofInput;
    // Other specs are those of rows in memory, or of a segment whose Druid stored none.
    if (ofInput instanceof FormatSpec) {
      own = dimensions == null ? ofInput : declared(dimensions.getSchema(column));
      if (own != null && isComplete(own)) {
        own = openOptions(own, indexSpec);
      }
    }
    return NestedCommonFormatColumnFormatSpec.getEffectiveFormatSpec(own, indexSpec);
  }

  @Nullable
  private static NestedCommonFormatColumnFormatSpec declared(@Nullable DimensionSchema schema) {
    if (schema instanceof AutoTypeColumnSchema auto) {
      return auto.getColumnFormatSpec();
    }
    return schema instanceof NestedDataColumnSchema nested
           ? nested.getColumnFormatSpec()
           // A discovered column.
           : IndexSpec.getDefault().getAutoColumnFormatSpec();
  }

  /** Whether a spec has all options, as only a copy of a stored column's spec has in practice. */
  private static boolean isComplete(NestedCommonFormatColumnFormatSpec spec) {
    return Stream.of(
        spec.getObjectFieldsDictionaryEncoding(),
        spec.getObjectStorageEncoding(),
        spec.getObjectStorageCompression(),
        spec.getStringDictionaryEncoding(),
        spec.getDictionaryEncodedColumnCompression(),
        spec.getLongColumnEncoding(),
        spec.getLongColumnCompression(),
        spec.getDoubleColumnCompression(),
        spec.getLongFieldBitmapIndexType(),
        spec.getDoubleFieldBitmapIndexType()
    ).allMatch(Objects::nonNull);
  }

  /** The options that an indexSpec may leave open. It always decides about the others: compressions and encodings. */
  private static NestedCommonFormatColumnFormatSpec openOptions(
      NestedCommonFormatColumnFormatSpec copied,
      IndexSpec indexSpec
  ) {
    @Nullable final NestedCommonFormatColumnFormatSpec asked = indexSpec.getAutoColumnFormatSpec();
    return NestedCommonFormatColumnFormatSpec
        .builder()
        .setObjectFieldsDictionaryEncoding(
            firstOf(asked, copied, NestedCommonFormatColumnFormatSpec::getObjectFieldsDictionaryEncoding))
        .setObjectStorageEncoding(firstOf(asked, copied, NestedCommonFormatColumnFormatSpec::getObjectStorageEncoding))
        .setLongFieldBitmapIndexType(
            firstOf(asked, copied, NestedCommonFormatColumnFormatSpec::getLongFieldBitmapIndexType))
        .setDoubleFieldBitmapIndexType(
            firstOf(asked, copied, NestedCommonFormatColumnFormatSpec::getDoubleFieldBitmapIndexType))
        .build();
  }

  private static <T> T firstOf(
      @Nullable NestedCommonFormatColumnFormatSpec asked,
      NestedCommonFormatColumnFormatSpec copied,
      Function<NestedCommonFormatColumnFormatSpec, T> option
  ) {
    return asked == null || option.apply(asked) == null ? option.apply(copied) : option.apply(asked);
  }
}
