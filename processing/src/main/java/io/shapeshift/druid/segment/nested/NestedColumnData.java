// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.blobs.Blobs;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.column.structures.Structures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/**
 * A nested column in a segment, for all queries. Its fields are opened when they are first read.
 *
 * @see NestedColumnFormat the format
 */
final class NestedColumnData implements Supplier<NestedCommonFormatColumn> {
  private final String column;
  private final SegmentFileMapper files;
  private final ByteOrder order;
  private final NestedCommonFormatColumnFormatSpec format;
  private final ColumnConfig config;
  private final int numStrings;
  private final int numLongs;
  private final int numDoubles;
  private final int numArrays;
  private final byte[] types;
  /** First field of each file, and the number of all fields. */
  private final int[] firstFields;
  /** Start of each field in its file, and the end of the last one. */
  private final int[] ends;
  private final StringDictionary names;
  private final Structures structures;
  @Nullable
  private final Blobs kept;
  private final AtomicReferenceArray<NestedField> fields;
  /** The path that was looked up last; null before the first. A query looks its path up several times. */
  @Nullable
  private volatile FoundPath lastFound;
  private final Supplier<ImmutableBitmap> nulls;

  private record FoundPath(List<NestedPathPart> path, int field) {}

  private NestedColumnData(
      String column,
      ByteBuffer buffer,
      SegmentFileMapper files,
      ByteOrder order,
      NestedCommonFormatColumnFormatSpec format,
      ColumnConfig config
  ) throws IOException {
    this.column = column;
    this.files = files;
    this.order = order;
    this.format = format;
    this.config = config;
    final ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    final byte version = in.get();
    if (version != NestedColumnFormat.VERSION) {
      throw ColumnFormatException.newer(
          column, "the version at offset 0 is " + version + ", this druid-shapeshift knows "
              + NestedColumnFormat.VERSION);
    }
    final int numKeptFiles = count(in, "files of kept objects", Integer.MAX_VALUE);
    this.numStrings = count(in, "strings", Integer.MAX_VALUE);
    this.numLongs = count(in, "longs", Integer.MAX_VALUE);
    this.numDoubles = count(in, "doubles", Integer.MAX_VALUE);
    this.numArrays = count(in, "arrays", Integer.MAX_VALUE);
    this.types = new byte[count(in, "fields", in.remaining())];
    in.get(types);
    final int numFiles = count(in, "files of fields", types.length);
    this.firstFields = new int[numFiles + 1];
    for (int file = 0; file < numFiles; file++) {
      firstFields[file + 1] = firstFields[file] + count(in, "fields in a file", types.length - firstFields[file]);
    }
    if (firstFields[numFiles] != types.length) {
      throw ColumnFormatException.damaged(
          column, "its files have " + firstFields[numFiles] + " fields, expected " + types.length);
    }
    this.ends = new int[types.length];
    for (int file = 0; file < numFiles; file++) {
      int end = 0;
      for (int field = firstFields[file]; field < firstFields[file + 1]; field++) {
        end += count(in, "bytes of a field", Integer.MAX_VALUE - end);
        ends[field] = end;
      }
    }
    this.names = StringDictionary.read(column, in);
    if (names.size() != types.length) {
      throw ColumnFormatException.damaged(
          column, "it has " + names.size() + " names of fields, expected " + types.length);
    }
    this.structures = Structures.read(column, in, types.length);
    ColumnFormatException.requireEnd(column, in);
    buffer.position(buffer.limit());
    this.kept = numKeptFiles == 0 ? null : readKept(numKeptFiles);
    this.fields = new AtomicReferenceArray<>(types.length);
    this.nulls = Suppliers.memoize(
        () -> structures.rowsOf(Structures.NULL).toBitmap(format.getBitmapEncoding().getBitmapFactory()));
  }

  /**
   * Opens a column.
   *
   * @param column name of the column's file
   * @param buffer the file, without its descriptor; the position is moved to its end
   * @param files  files of the segment
   * @param format format that the column's part has
   * @throws ColumnFormatException if it is damaged
   */
  static NestedColumnData read(
      String column,
      ByteBuffer buffer,
      SegmentFileMapper files,
      ByteOrder order,
      NestedCommonFormatColumnFormatSpec format,
      ColumnConfig config
  ) {
    try {
      return new NestedColumnData(column, buffer, files, order, format, config);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int count(ByteBuffer in, String what, int most) {
    final int offset = in.position();
    final int count = VByte.readInt(in);
    if (count < 0 || count > most) {
      throw ColumnFormatException.damaged(
          column, "the number of " + what + " at offset " + offset + " is " + count + ", expected 0 to " + most);
    }
    return count;
  }

  private Blobs readKept(int numFiles) throws IOException {
    final List<Blobs> parts = new ArrayList<>();
    long numRows = 0;
    for (int file = 0; file < numFiles; file++) {
      final String suffix = NestedColumnFormat.keptFile(file);
      final ByteBuffer bytes = map(suffix);
      final String name = column + "." + suffix;
      parts.add(Blobs.read(name, bytes));
      ColumnFormatException.requireEnd(name, bytes);
      numRows += parts.get(file).size();
    }
    if (numRows != structures.numRows()) {
      throw ColumnFormatException.damaged(
          column, "its " + numFiles + " files " + NestedColumnFormat.keptFile(0) + " have " + numRows
              + " rows, expected " + structures.numRows());
    }
    return Blobs.join(parts);
  }

  private ByteBuffer map(String suffix) throws IOException {
    final String file = ColumnSerializerUtils.getInternalFileName(column, suffix);
    @Nullable final ByteBuffer bytes = files.mapFile(file);
    if (bytes == null) {
      throw ColumnFormatException.damaged(column, "the segment does not have its file " + file);
    }
    return bytes;
  }

  /** Returns the name of the column's file. */
  String column() {
    return column;
  }

  /** Returns the number of rows. */
  int numRows() {
    return structures.numRows();
  }

  /** Returns the number of fields. */
  int numFields() {
    return types.length;
  }

  /** Returns the number of distinct strings in all fields, with null. */
  int numStrings() {
    return numStrings;
  }

  /** Returns the number of distinct longs in all fields. */
  int numLongs() {
    return numLongs;
  }

  /** Returns the number of distinct doubles in all fields. */
  int numDoubles() {
    return numDoubles;
  }

  /** Returns the number of distinct arrays in all fields. */
  int numArrays() {
    return numArrays;
  }

  /** Returns the structures of the objects. */
  Structures structures() {
    return structures;
  }

  /** Returns the rows that are null. */
  ImmutableBitmap nulls() {
    return nulls.get();
  }

  /** Returns the objects that cannot be rebuilt; null if there are none. */
  @Nullable
  Blobs kept() {
    return kept;
  }

  /** Returns the names of the fields, sorted. */
  StringDictionaryReader names() {
    return names.get();
  }

  /** Returns the field of a path, or a negative number if there is none. */
  int indexOf(List<NestedPathPart> path) {
    @Nullable final FoundPath last = lastFound;
    if (last != null && last.path.equals(path)) {
      return last.field;
    }
    final int field = names.get().indexOf(StringUtils.toUtf8ByteBuffer(NestedPathFinder.toNormalizedJsonPath(path)));
    lastFound = new FoundPath(List.copyOf(path), field);
    return field;
  }

  /** Returns the bytes of the names. */
  long nameBytes() {
    return names.sizeInBytes();
  }

  /** Returns the bytes of a field, without those of its strings that have files of their own. */
  int fieldBytes(int field) {
    return Arrays.binarySearch(firstFields, field) >= 0 ? ends[field] : ends[field] - ends[field - 1];
  }

  /** Returns the bytes of the strings of a field in files of their own. */
  long bytesOfStringsInFiles(int field) throws IOException {
    if (!field(field).hasStringsInFiles()) {
      return 0;
    }
    final String start = NestedColumnFormat.stringsFiles(column, field) + "_";
    long bytes = 0;
    for (String file : files.getInternalFilenames()) {
      if (file.startsWith(start)) {
        bytes += files.mapFile(file).remaining();
      }
    }
    return bytes;
  }

  /** Returns the types of a field. */
  FieldTypeInfo.TypeSet types(int field) {
    return new FieldTypeInfo.TypeSet(types[field]);
  }

  /** Returns a field. */
  NestedField field(int field) {
    @Nullable final NestedField open = fields.get(field);
    if (open != null) {
      return open;
    }
    final NestedField read = read(field);
    // Another thread may have opened it meanwhile.
    return fields.compareAndSet(field, null, read) ? read : fields.get(field);
  }

  private NestedField read(int field) {
    int file = 0;
    while (firstFields[file + 1] <= field) {
      file++;
    }
    final String name = column + " " + names.get().getString(field);
    try {
      final ByteBuffer bytes = map(NestedColumnFormat.fieldsFile(file));
      final int start = field == firstFields[file] ? 0 : ends[field - 1];
      if (ends[field] > bytes.remaining()) {
        throw ColumnFormatException.damaged(
            name, "it ends at byte " + ends[field] + " of a file of " + bytes.remaining() + " bytes");
      }
      return new NestedField(
          name, types(field), bytes.slice(bytes.position() + start, ends[field] - start), structures, order, files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether a field has an index of its values, and not only of null. */
  boolean isListed(int field) {
    return NestedColumnFormat.isListed(types(field), format);
  }

  /** Returns the type of the bitmaps that queries get. */
  BitmapSerdeFactory bitmaps() {
    return format.getBitmapEncoding();
  }

  ColumnConfig config() {
    return config;
  }

  @Override
  public NestedCommonFormatColumn get() {
    return new ShapeShiftNestedColumn(this);
  }
}
