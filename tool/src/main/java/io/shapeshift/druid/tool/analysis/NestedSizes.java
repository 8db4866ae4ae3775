// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import com.google.common.collect.Maps;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.FieldAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.nested.NestedRewrite;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sizes of a nested column.
 *
 * @param analyses analyses by name of the encoding
 * @param fields   fields, the largest of Druid's first
 * @param textIndex text indexes that the fields could have
 */
record NestedSizes(
    Map<String, EncodingAnalysis> analyses, List<FieldAnalysis> fields, TextIndexAnalysis textIndex) {
  private static final String NO_TEXT_INDEX = "no field has enough texts that differ";

  /**
   * Encodes a nested column.
   *
   * @param stored parts that it has
   * @throws IOException if the system's temporary directory is full
   */
  static NestedSizes of(SegmentColumn column, NestedPart stored, List<RowEncoding> encodings) throws IOException {
    final Map<String, NestedRewrite.Sizes> sizes = new LinkedHashMap<>();
    final boolean hasTextIndex = stored.hasTextIndex();
    long otherwise = 0;
    for (RowEncoding encoding : encodings) {
      if (!RowEncodings.withoutLongs(encoding.name()).equals(encoding.name())) {
        continue;
      }
      final Map<EncodedType, RowEncoding> ofRows =
          Maps.toMap(Set.of(EncodedType.INT, EncodedType.LONG, EncodedType.DOUBLE), type -> encoding);
      if (NestedRewrite.isWrittenSo(column, encoding, ofRows)) {
        sizes.put(encoding.name(), new NestedRewrite.Sizes(column.sizeInBytes(), stored));
        continue;
      }
      try (NestedRewrite rewrite = NestedRewrite.write(column, encoding, ofRows, hasTextIndex)) {
        sizes.put(encoding.name(), rewrite.sizes());
      }
      if (encoding.name().equals(Analyzer.DEFAULT_ENCODING)) {
        try (NestedRewrite rewrite = NestedRewrite.write(column, encoding, ofRows, !hasTextIndex)) {
          otherwise = rewrite.sizes().bytes();
        }
      }
    }
    final Map<String, EncodingAnalysis> analyses = new LinkedHashMap<>();
    sizes.forEach((encoding, each) -> analyses.put(encoding, analysis(each)));
    final long textIndexBytes = Math.abs(sizes.get(Analyzer.DEFAULT_ENCODING).bytes() - otherwise);
    return new NestedSizes(
        analyses, fields(stored, sizes), TextIndexTrial.analysis(textIndexBytes, NO_TEXT_INDEX, hasTextIndex, null));
  }

  private static EncodingAnalysis analysis(NestedRewrite.Sizes sizes) {
    final NestedPart parts = sizes.parts();
    return new EncodingAnalysis(
        parts.valueBytes(),
        parts.indexBytes(),
        parts.dictionaryBytes(),
        sizes.bytes(),
        null,
        null,
        null,
        null,
        null,
        null,
        null
    );
  }

  private static List<FieldAnalysis> fields(NestedPart stored, Map<String, NestedRewrite.Sizes> sizes) {
    final Map<String, Map<String, Long>> bytes = new LinkedHashMap<>();
    sizes.forEach((encoding, each) -> each.parts().fields().forEach(field ->
        bytes.computeIfAbsent(field.name(), name -> new LinkedHashMap<>()).put(encoding, field.bytes())));
    final List<FieldAnalysis> fields = new ArrayList<>();
    for (NestedPart.Field field : stored.fields()) {
      fields.add(new FieldAnalysis(
          field.name(),
          field.types(),
          field.rows(),
          field.values(),
          field.bytes(),
          bytes.getOrDefault(field.name(), Map.of())
      ));
    }
    fields.sort(Comparator.comparingLong(FieldAnalysis::bytes).reversed());
    return fields;
  }
}
