// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.segment.nested.NestedDataComplexTypeSerde;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Written column of objects, with the values of its fields on the heap. */
final class ObjectColumn {
  final List<String> names;
  /** Values of the fields of each row. */
  final List<Map<Integer, Object>> fields = new ArrayList<>();
  /** Why the object of a row was kept; null if it was not; as the walker or the serializer says. */
  final List<Kept> kept = new ArrayList<>();
  final byte[] bytes;

  private ObjectColumn(List<?> objects, List<String> names, StructuresSerializer ours) throws IOException {
    this.names = names;
    ours.open();
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(names), (field, value) -> {
      fields.get(fields.size() - 1).put(field, value);
      return 1;
    });
    for (@Nullable final Object object : objects) {
      fields.add(new HashMap<>());
      if (object == null) {
        ours.addNull();
        kept.add(null);
      } else if (walker.walk(object)) {
        kept.add(ours.add(walker) ? null : Kept.NOT_ADMITTED);
      } else {
        ours.addKept();
        kept.add(walker.kept());
      }
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final long size = ours.getSerializedSize();
    ours.writeTo(Channels.newChannel(out));
    this.bytes = out.toByteArray();
    if (bytes.length != size) {
      throw new AssertionError(bytes.length + " bytes, said to be " + size);
    }
  }

  /** Writes objects whose fields are all that they have. */
  static ObjectColumn of(List<?> objects) throws IOException {
    return of(objects, namesOf(objects));
  }

  static ObjectColumn of(List<?> objects, List<String> names) throws IOException {
    return of(objects, names, OptimizationTarget.FASTBUTSMALLISH);
  }

  static ObjectColumn of(List<?> objects, List<String> names, OptimizationTarget target) throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      return new ObjectColumn(objects, names, new StructuresSerializer("c", medium, target, BlockSize.LARGE));
    }
  }

  static ObjectColumn of(List<?> objects, StructureSet.Bounds bounds) throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      return new ObjectColumn(
          objects,
          namesOf(objects),
          new StructuresSerializer("c", medium, OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE, bounds)
      );
    }
  }

  /** Paths of all fields of objects, sorted. */
  static List<String> namesOf(List<?> objects) {
    final TreeSet<String> names = new TreeSet<>();
    for (@Nullable final Object object : objects) {
      if (object != null) {
        names.addAll(DruidFields.of(object).keySet());
      }
    }
    return new ArrayList<>(names);
  }

  Structures structures() {
    return Structures.read("c", ByteBuffer.wrap(bytes), names.size());
  }

  @Nullable
  Object value(int field, int row) {
    return fields.get(row).get(field);
  }

  /** Object as it is read from Druid's column. */
  @Nullable
  static StructuredData throughSmile(@Nullable Object object) {
    final byte[] smile = smile(object);
    return (StructuredData) NestedDataComplexTypeSerde.INSTANCE.getObjectStrategy()
        .fromByteBuffer(ByteBuffer.wrap(smile), smile.length);
  }

  static byte[] smile(@Nullable Object object) {
    return NestedDataComplexTypeSerde.INSTANCE.toBytes(StructuredData.wrap(object));
  }
}
