// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.blobs.BlobsReader;
import io.shapeshift.druid.column.structures.ObjectBuilder;
import io.shapeshift.druid.column.structures.Structures;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.nested.NestedDataComplexTypeSerde;
import org.apache.druid.segment.nested.StructuredData;

/** Reader of the objects of a nested column, for one thread. Objects are rebuilt from their structure and fields. */
final class ObjectReader implements Closeable {
  private static final ObjectStrategy<Object> SMILE = NestedDataComplexTypeSerde.INSTANCE.getObjectStrategy();

  private final NestedColumnData column;
  private final Closer closer = Closer.create();
  private final ColumnarInts structures;
  private final ObjectBuilder builder;
  private final FieldReader[] fields;
  @Nullable
  private final BlobsReader kept;
  /** Structure of the object that is rebuilt. */
  private int structure;

  ObjectReader(NestedColumnData column) {
    this.column = column;
    this.structures = closer.register(column.structures().ids());
    this.fields = new FieldReader[column.numFields()];
    this.builder = column.structures().builder(this::value);
    this.kept = column.kept() == null ? null : closer.register(column.kept().reader());
  }

  private Object value(int field, int row) {
    if (fields[field] == null) {
      fields[field] = closer.register(new FieldReader(column.field(field)));
    }
    @Nullable final Object value = fields[field].get(row, structure);
    if (value == null) {
      throw ColumnFormatException.damaged(
          column.field(field).name(), "row " + row + " has no value, and the structure of its object has the field");
    }
    return value;
  }

  /** Returns the object of a row; null if the row is null. */
  @Nullable
  StructuredData get(int row) {
    structure = structures.get(row);
    if (structure == Structures.KEPT) {
      return kept(row);
    }
    return structure == Structures.NULL ? null : StructuredData.wrap(builder.build(row, structure));
  }

  private StructuredData kept(int row) {
    @Nullable final ByteBuffer bytes = kept == null ? null : kept.get(row, false);
    if (bytes == null) {
      throw ColumnFormatException.damaged(column.column(), "the object of row " + row + " is not kept");
    }
    final int length = bytes.remaining();
    try {
      return (StructuredData) SMILE.fromByteBuffer(bytes, length);
    } catch (RuntimeException e) {
      throw ColumnFormatException.damaged(
          column.column(), "the " + length + " bytes of the object of row " + row + " are no SMILE: " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
