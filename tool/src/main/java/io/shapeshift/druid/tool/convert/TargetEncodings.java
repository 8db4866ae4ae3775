// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.google.common.collect.Maps;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.druid.segment.IndexSpec;

/** Encodings that a conversion gives to columns, by the name of the column. */
public final class TargetEncodings {
  private final Function<String, RowConverter> converters;
  private final Set<String> named;
  private final Map<String, RowConverter> byColumn = new HashMap<>();

  private TargetEncodings(Function<String, RowConverter> converters, Set<String> named) {
    this.converters = converters;
    this.named = named;
  }

  /** The same encodings for all columns, by type. Hash and text indexes are kept. */
  static TargetEncodings of(Map<EncodedType, RowEncoding> encodings) {
    final RowConverter converter = new RowConverter(encodings, null, null);
    return new TargetEncodings(column -> converter, Set.of());
  }

  /** Encodings that an indexSpec requests. Hash and text indexes are kept where it says nothing about them. */
  public static TargetEncodings of(IndexSpec indexSpec) {
    final IndexSpec effective = indexSpec.getEffectiveSpec();
    final Map<String, ColumnOptions> options = ShapeShiftIndexSpec.strategiesOf(indexSpec).ofColumns();
    return new TargetEncodings(
        column -> new RowConverter(
            Maps.asMap(EnumSet.allOf(EncodedType.class), type -> RowEncodings.of(
                ShapeShiftIndexSpec.encodingOf(effective, column, type),
                effective.getDimensionCompression(),
                effective.getMetricCompression(),
                effective.getLongEncoding()
            )),
            options.getOrDefault(column, ColumnOptions.NONE).hashIndex(),
            options.getOrDefault(column, ColumnOptions.NONE).textIndex()
        ),
        options.keySet()
    );
  }

  /** Converter of a column. */
  RowConverter of(SegmentColumn column) {
    return byColumn.computeIfAbsent(column.name(), converters);
  }

  /** Names of the columns that have an entry of their own. */
  public Set<String> named() {
    return named;
  }
}
