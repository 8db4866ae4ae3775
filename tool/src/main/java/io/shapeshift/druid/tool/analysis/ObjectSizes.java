// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.encoding.EncodedObjects;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.ObjectPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sizes of a column of objects of a complex type.
 *
 * @param analyses analyses by name of the encoding. Druid's are alike: it does not compress such columns by default
 * @param objects  size in bytes by name of the encoding of objects, Druid's first
 */
record ObjectSizes(Map<String, EncodingAnalysis> analyses, Map<String, Long> objects) {
  /**
   * Encodes the objects of a column.
   *
   * @throws IOException if the system's temporary directory is full
   */
  static ObjectSizes of(SegmentColumn column, ObjectPart part, List<RowEncoding> encodings) throws IOException {
    final EncodedObjects encoded;
    try {
      encoded = EncodedObjects.encode(column.file(), column.complexType(), column.bitmapsOfSegment(), part);
    } catch (Damage e) {
      throw column.damaged("its objects cannot be read: " + e.getMessage(), e);
    }
    final Map<String, EncodingAnalysis> analyses = new LinkedHashMap<>();
    final Map<String, Long> objects = new LinkedHashMap<>(encoded.stock());
    for (RowEncoding encoding : encodings) {
      final String name = encoding.name();
      if (encoding instanceof ShapeShiftEncoding ours) {
        final EncodedObjects.Ours shifted = encoded.ours().get(ours.target());
        analyses.put(name, analysis(shifted.bytes(), shifted.forms()));
        objects.put(name, shifted.bytes());
      } else if (RowEncodings.withoutLongs(name).equals(name)) {
        analyses.put(name, analysis(encoded.stock().get(EncodedObjects.UNCOMPRESSED), Map.of()));
      }
    }
    return new ObjectSizes(analyses, objects);
  }

  private static EncodingAnalysis analysis(long bytes, Map<String, FormUsage> forms) {
    return new EncodingAnalysis(bytes, 0, 0, bytes, null, null, null, null, null, forms.isEmpty() ? null : forms, null);
  }
}
