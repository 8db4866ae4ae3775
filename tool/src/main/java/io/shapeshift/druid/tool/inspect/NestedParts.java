// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import io.shapeshift.druid.segment.nested.NestedColumnDescription;
import io.shapeshift.druid.segment.nested.NestedColumnDescription.ObjectParts;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.inspect.Inspection.ChunkInspection;
import io.shapeshift.druid.tool.inspect.Inspection.FieldInspection;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.nested.NestedPart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Contents of nested columns. */
final class NestedParts {
  private NestedParts() {}

  /** Objects: Druid's as a whole, ours as those that structures tell, and those that are kept. */
  static PartInspection objects(NestedPart nested, int numRows) {
    final Map<String, Object> header = new LinkedHashMap<>();
    final List<ChunkInspection> chunks = new ArrayList<>();
    @Nullable final NestedColumnDescription ours = nested.ours();
    header.put("numRows", numRows);
    header.put("numFields", nested.fields().size());
    if (ours == null) {
      if (nested.objectBytes() > 0) {
        chunks.add(Inspector.chunk(0, 0, 0, numRows, "smile", null, nested.objectBytes()));
      }
      return Inspector.part(Inspector.OBJECTS, header, chunks);
    }
    final ObjectParts objects = ours.objects();
    header.put("numStructures", objects.number());
    header.put("entropy", Numbers.rounded(objects.entropy()));
    header.put("numNulls", objects.nullRows());
    header.put("numKept", objects.keptRows());
    header.put("tableBytes", objects.tableBytes());
    header.put("idBytes", objects.idBytes());
    header.put("listBytes", objects.listBytes());
    chunks.add(Inspector.chunk(
        0, 0, 0, numRows - objects.keptRows(), "structures", null, objects.tableBytes() + objects.idBytes()));
    if (objects.keptRows() > 0) {
      header.put("kept", ours.reasons());
      chunks.add(Inspector.chunk(1, 0, 0, objects.keptRows(), "kept", null, objects.keptBytes()));
    }
    return Inspector.part(Inspector.OBJECTS, header, chunks);
  }

  /** Fields, the largest first. */
  static List<FieldInspection> fields(NestedPart nested) {
    return nested.fields().stream()
        .map(field -> new FieldInspection(
            field.name(),
            field.types(),
            field.rows(),
            field.values(),
            field.bytes(),
            field.dictionaryBytes(),
            field.rowBytes(),
            field.indexBytes()
        ))
        .sorted(Comparator.comparingLong(FieldInspection::bytes).reversed())
        .toList();
  }
}
