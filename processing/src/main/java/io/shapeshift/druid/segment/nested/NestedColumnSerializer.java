// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.column.structures.FieldPaths;
import io.shapeshift.druid.column.structures.ObjectWalker;
import io.shapeshift.druid.column.structures.StructuresSerializer;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import io.shapeshift.druid.segment.serde.LimitedSerializer;
import io.shapeshift.druid.segment.serde.Parts;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.NestedDataComplexTypeSerde;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Writer of a nested column: its fields, and the structures of its objects.
 *
 * @see NestedColumnFormat the format
 */
public final class NestedColumnSerializer implements Serializer {
  private final String column;
  private final List<String> names;
  private final List<FieldTypeInfo.TypeSet> types;
  private final NestedColumnValues values;
  private final EncodingStrategy strategy;
  private final NestedCommonFormatColumnFormatSpec format;
  private final SegmentWriteOutMedium medium;
  private final PresentValues[] present;
  private final ObjectWalker walker;
  private final StructuresSerializer structures;
  private final KeptObjects kept;
  private final int mostBytes;
  private boolean hasNulls;
  private int numRows;
  /** Files of the encoded fields, and the size of each field; null until the column is complete. */
  @Nullable
  private List<Serializer> files;
  /** File for the next field; null if there is none. */
  @Nullable
  private WriteOutBytes open;
  private final IntArrayList fieldsPerFile = new IntArrayList();
  private final IntArrayList sizes = new IntArrayList();
  @Nullable
  private StringDictionarySerializer nameDictionary;
  private boolean hasTextIndex;

  /**
   * Creates a writer.
   *
   * @param column name of the column's file
   * @param fields normalized paths of all fields, and the types of their values
   * @param values sorted values of all fields
   * @param format effective format of the column
   * @param medium keeps what is written until the column is complete
   */
  public NestedColumnSerializer(
      String column,
      SortedMap<String, FieldTypeInfo.MutableTypeSet> fields,
      NestedColumnValues values,
      EncodingStrategy strategy,
      NestedCommonFormatColumnFormatSpec format,
      SegmentWriteOutMedium medium
  ) throws IOException {
    this(column, fields, values, strategy, format, medium, LimitedSerializer.MAX_SIZE);
  }

  /** Creates a writer with a limit of a file other than 2 GiB, for tests. */
  @VisibleForTesting
  NestedColumnSerializer(
      String column,
      SortedMap<String, FieldTypeInfo.MutableTypeSet> fields,
      NestedColumnValues values,
      EncodingStrategy strategy,
      NestedCommonFormatColumnFormatSpec format,
      SegmentWriteOutMedium medium,
      int mostBytes
  ) throws IOException {
    this.column = column;
    this.names = new ArrayList<>(fields.keySet());
    this.types = types(fields.values(), medium);
    this.values = values;
    this.strategy = strategy;
    this.format = format;
    this.medium = medium;
    this.present = new PresentValues[names.size()];
    final WriteOutBytes shared = medium.makeWriteOutBytes();
    for (int field = 0; field < present.length; field++) {
      present[field] = new PresentValues(shared);
    }
    this.walker = new ObjectWalker(FieldPaths.of(names), this::addValue);
    this.structures = new StructuresSerializer(column, medium, strategy.optimizationTarget(), strategy.blockSize());
    structures.open();
    this.kept = new KeptObjects(column, medium, strategy.optimizationTarget(), mostBytes / 2);
    this.mostBytes = mostBytes;
  }

  /** Gives dictionaries of strings of the fields text indexes, or none. */
  public NestedColumnSerializer withTextIndex(boolean isAsked) {
    hasTextIndex = isAsked;
    return this;
  }

  /** Returns types as Druid stores them: empty arrays have the type of another value, or are longs. */
  private static List<FieldTypeInfo.TypeSet> types(
      Collection<FieldTypeInfo.MutableTypeSet> fields, SegmentWriteOutMedium medium) throws IOException {
    final FieldTypeInfo.Writer writer = new FieldTypeInfo.Writer(medium);
    writer.open();
    for (FieldTypeInfo.MutableTypeSet field : fields) {
      writer.write(field);
    }
    final ByteArrayOutputStream stored = new ByteArrayOutputStream();
    writer.writeTo(java.nio.channels.Channels.newChannel(stored), null);
    final List<FieldTypeInfo.TypeSet> types = new ArrayList<>();
    for (byte type : stored.toByteArray()) {
      types.add(new FieldTypeInfo.TypeSet(type));
    }
    return types;
  }

  private int addValue(int field, Object value) throws IOException {
    final int id = values.id(value);
    if (id > 0) {
      present[field].add(numRows, id);
    }
    return id;
  }

  /** Adds a row. */
  public void add(@Nullable StructuredData row) throws IOException {
    boolean isKept = false;
    if (row == null) {
      structures.addNull();
      hasNulls = true;
    } else if (walker.walk(row.getValue())) {
      isKept = !structures.add(walker);
    } else {
      structures.addKept();
      isKept = true;
    }
    if (isKept) {
      kept.add(numRows, NestedDataComplexTypeSerde.INSTANCE.toBytes(row));
    }
    numRows++;
  }

  /** Returns whether a row is null. */
  public boolean hasNulls() {
    return hasNulls;
  }

  /** Encodes all fields, and frees their values. No rows can be added afterwards. */
  public void complete() throws IOException {
    if (files != null) {
      return;
    }
    files = new ArrayList<>();
    kept.complete(numRows);
    final StructureIdsEncoder structureIds = new StructureIdsEncoder(structures.idsOfRows(), structures.numIds());
    for (int field = 0; field < present.length; field++) {
      try (SegmentWriteOutMedium own = medium.makeChildWriteOutMedium()) {
        final NestedFieldEncoder encoder = new NestedFieldEncoder(
            column + " " + names.get(field), present[field], types.get(field), values, numRows, strategy, own);
        encoder.encode(isListed(types.get(field)), hasTextIndex, structureIds);
        encoder.fitInto(mostBytes, NestedColumnFormat.stringsFiles(column, field), medium);
        append(names.get(field), encoder);
      }
    }
    values.close();
    nameDictionary = new StringDictionarySerializer(column, medium, strategy.optimizationTarget());
    nameDictionary.open();
    for (String name : names) {
      nameDictionary.write(name);
    }
  }

  private boolean isListed(FieldTypeInfo.TypeSet field) {
    return NestedColumnFormat.isListed(field, format);
  }

  private void append(String name, NestedFieldEncoder field) throws IOException {
    final long size = field.getSerializedSize();
    if (size > mostBytes) {
      throw ColumnFormatException.tooLarge(
          column, size + " bytes of the field " + name + "; a field can have at most " + mostBytes);
    }
    sizes.add((int) size);
    if (field.hasFurtherFiles()) {
      addFile(field.detach(medium.makeWriteOutBytes()));
      open = null;
      return;
    }
    if (open == null || open.size() + size > mostBytes) {
      open = medium.makeWriteOutBytes();
      addFile(Parts.of(open));
    } else {
      fieldsPerFile.set(files.size() - 1, fieldsPerFile.getInt(files.size() - 1) + 1);
    }
    field.writeTo(open, null);
  }

  /** Adds a file with one field. */
  private void addFile(Serializer file) {
    files.add(file);
    fieldsPerFile.add(1);
  }

  private ByteBuffer head() {
    final int numFields = names.size();
    final ByteBuffer head = ByteBuffer.allocate(1 + 5 * (7 + files.size() + numFields) + numFields);
    head.put(NestedColumnFormat.VERSION);
    VByte.writeInt(head, kept.numFiles());
    VByte.writeInt(head, values.firstLong());
    VByte.writeInt(head, values.firstDouble() - values.firstLong());
    VByte.writeInt(head, values.firstArray() - values.firstDouble());
    VByte.writeInt(head, values.size() - values.firstArray());
    VByte.writeInt(head, numFields);
    types.forEach(type -> head.put(type.getByteValue()));
    VByte.writeInt(head, files.size());
    fieldsPerFile.forEach(count -> VByte.writeInt(head, count));
    sizes.forEach(size -> VByte.writeInt(head, size));
    return head.flip();
  }

  @Override
  public long getSerializedSize() throws IOException {
    complete();
    return head().remaining() + nameDictionary.getSerializedSize() + structures.getSerializedSize();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    complete();
    Channels.writeFully(channel, head());
    nameDictionary.writeTo(channel, fileBuilder);
    structures.writeTo(channel);
    WrittenSegment.addPart(
        SegmentPart.STRUCTURES, structures.getSerializedSize(), "structures", WrittenSegment.UNKNOWN);
    for (int file = 0; file < files.size(); file++) {
      ColumnSerializerUtils.writeInternal(
          fileBuilder, files.get(file), column, NestedColumnFormat.fieldsFile(file));
    }
    kept.writeTo(fileBuilder);
  }
}
