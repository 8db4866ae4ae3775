// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.base.Throwables;
import com.google.common.collect.Streams;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.serde.ColumnPartSerde;

/** Column of a segment, in the base table or in a projection. */
public final class SegmentColumn {
  /** Prefix of the types of the extension's parts. */
  private static final String OURS = "shapeshift.";
  /** Parts of numbers that Druid 28 and older wrote with zeros instead of nulls. They do not name a type of bitmaps. */
  private static final Set<String> NUMBERS_WITHOUT_NULLS = Set.of("long", "float", "double");

  private final Segment segment;
  private final String name;
  @Nullable
  private final Segment.Projection projection;
  private final String file;
  private final JsonNode descriptor;
  private final ByteBuffer body;
  private final Map<String, ByteBuffer> internalFiles = new TreeMap<>();
  private final Supplier<BaseColumnHolder> holder = Suppliers.memoize(this::readHolder);
  private final Supplier<ColumnParts> parts = Suppliers.memoize(this::readParts);

  SegmentColumn(
      Segment segment,
      String name,
      @Nullable Segment.Projection projection,
      String file,
      JsonNode descriptor,
      ByteBuffer body
  ) {
    this.segment = segment;
    this.name = name;
    this.projection = projection;
    this.file = file;
    this.descriptor = descriptor;
    this.body = body;
  }

  void addInternalFile(String suffix, ByteBuffer bytes) {
    internalFiles.put(suffix, bytes);
  }

  /** Segment of the column. */
  public Segment segment() {
    return segment;
  }

  /** Name of the column in its table. */
  public String name() {
    return name;
  }

  /** Projection of the column, or null for the base table. */
  @Nullable
  public Segment.Projection projection() {
    return projection;
  }

  /** Name of the column for people. For a projection, the projection's name and a slash precede it. */
  public String displayName() {
    return projection == null ? name : projection.name() + "/" + name;
  }

  /** Name of its file in the segment. */
  public String file() {
    return file;
  }

  /** Descriptor, as Druid wrote it. */
  public JsonNode descriptor() {
    return descriptor;
  }

  /** Bytes of the file after the descriptor, as Druid passes them to the deserializers of parts. */
  public ByteBuffer body() {
    return body.duplicate().order(ByteOrder.BIG_ENDIAN);
  }

  /** Additional files, by the suffix after the column's file name and a dot, such as {@code __encodedColumn}. */
  public Map<String, ByteBuffer> internalFiles() {
    return internalFiles;
  }

  /**
   * Additional file by suffix.
   *
   * @throws ToolException if there is no such file
   */
  ByteBuffer internalFile(String suffix) {
    @Nullable final ByteBuffer bytes = internalFiles.get(suffix);
    if (bytes == null) {
      throw damaged("it has no file " + suffix, null);
    }
    return bytes.duplicate();
  }

  /** Type of the first part of its descriptor, such as {@code stringDictionary} or {@code longV2}. */
  public String partType() {
    return partType(descriptor);
  }

  private static String partType(JsonNode descriptor) {
    return descriptor.path("parts").path(0).path("type").asText();
  }

  /** Stock part in the descriptor, also if a shape-shifting part contains it. */
  public JsonNode part() {
    final JsonNode part = descriptor.path("parts").path(0);
    return part.has("stock") ? part.path("stock") : part;
  }

  /** Druid's name of the type, such as {@code STRING}, {@code LONG} or {@code COMPLEX<hyperUnique>}. */
  public String type() {
    final JsonNode part = part();
    if (isNested()) {
      return ColumnType.NESTED_DATA.asTypeString();
    }
    if (part.path("logicalType").isTextual()) {
      return part.path("logicalType").asText();
    }
    if (part.has("typeName")) {
      return "COMPLEX<" + part.path("typeName").asText() + ">";
    }
    return descriptor.path("valueType").asText();
  }

  /**
   * Whether the column has type {@code auto}: Druid inferred its type from the values, and stores it in additional
   * files.
   */
  public boolean isAuto() {
    return partType().replace(OURS, "").equals("nestedCommonFormat");
  }

  /** Whether it is a nested column of ours. Those of Druid are {@link #isAuto auto} columns of nested values. */
  public boolean isNested() {
    return partType().equals(ShapeShiftNestedColumnPartSerde.TYPE);
  }

  /** Whether rows or indexes shape-shift, or at least one of the files that have them. */
  public boolean isShapeShifting() {
    return isShapeShifting(descriptor);
  }

  /** Whether the column of a descriptor shape-shifts. */
  public static boolean isShapeShifting(JsonNode descriptor) {
    return partType(descriptor).startsWith(OURS);
  }

  /** Whether an additional file shape-shifts. */
  public boolean isShapeShifting(String suffix) {
    for (JsonNode file : descriptor.path("parts").path(0).path("files")) {
      if (file.asText().equals(suffix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a part of a string column shape-shifts. If the descriptor lists no parts, the ids do. */
  public boolean isShapeShifting(StringColumnPart part) {
    if (!isShapeShifting()) {
      return false;
    }
    final JsonNode parts = part().path("parts");
    if (parts.isMissingNode()) {
      return part == StringColumnPart.IDS;
    }
    return Streams.stream(parts).anyMatch(each -> each.asText().equals(part.json()));
  }

  /** Byte order of the rows. */
  public ByteOrder order() {
    return part().path("byteOrder").asText().equals("BIG_ENDIAN")
           ? ByteOrder.BIG_ENDIAN
           : ByteOrder.LITTLE_ENDIAN;
  }

  /** Type of the column's bitmaps, as JSON. */
  public JsonNode bitmapKind() {
    final JsonNode kind = part().path("bitmapSerdeFactory");
    if (kind.isObject()) {
      return kind;
    }
    // These have no bitmap. If another part has bitmaps of an unnamed type, Druid reads them as Concise.
    return NUMBERS_WITHOUT_NULLS.contains(partType()) ? segment.bitmapKind() : Segment.UNNAMED_BITMAPS;
  }

  /** Type of the column's bitmaps. */
  BitmapSerdeFactory bitmaps() {
    try {
      return Segment.bitmaps(bitmapKind());
    } catch (JsonProcessingException e) {
      throw damaged("its kind of bitmaps cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Type of the bitmaps of the segment's other columns, for a column without bitmaps. */
  public BitmapSerdeFactory bitmapsOfSegment() {
    try {
      return Segment.bitmaps(segment.bitmapKind());
    } catch (JsonProcessingException e) {
      throw damaged("its segment's kind of bitmaps cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Name of its complex type, if its values are objects of the type's own bytes or it has a column of its own. */
  @Nullable
  public String complexType() {
    return partType().equals("complex") || partType().equals(ShapeShiftComplexColumnPartSerde.TYPE)
           ? part().path("typeName").asText()
           : null;
  }

  /** Number of rows of its table. */
  public int numRows() {
    return projection == null ? segment.numRows() : projection.numRows();
  }

  /** Number of rows of its table; empty if only a damaged column has it. */
  public OptionalInt knownRows() {
    return projection == null ? segment.knownRows() : OptionalInt.of(projection.numRows());
  }

  /** Total size of the column's files in bytes, without the descriptor. */
  public long sizeInBytes() {
    return body.remaining() + internalFiles.values().stream().mapToLong(ByteBuffer::remaining).sum();
  }

  /** Column of the base table whose dictionary this column shares, or null if it has its own. */
  @Nullable
  public SegmentColumn parent() {
    return projection == null ? null : segment.baseColumn(name);
  }

  /**
   * Column as read by Druid.
   *
   * @throws ToolException if the column cannot be read
   */
  public BaseColumnHolder holder() {
    return holder.get();
  }

  /**
   * First part of its descriptor.
   *
   * @throws ToolException if its type is unknown
   */
  public ColumnPartSerde serde() {
    try {
      return Druid.json().treeToValue(descriptor, ColumnDescriptor.class).getParts().get(0);
    } catch (JsonProcessingException e) {
      throw unknownType(e);
    }
  }

  private ToolException unknownType(JsonProcessingException e) {
    return new ToolException(
        where(),
        "its type " + partType() + " is unknown: " + e.getOriginalMessage(),
        "It is of an extension that this tool does not have; name the other columns with --columns",
        e
    );
  }

  private BaseColumnHolder readHolder() {
    try {
      @Nullable final SegmentColumn parent = parent();
      if (isAuto()) {
        checkName();
      }
      return Druid.json()
                  .treeToValue(descriptor, ColumnDescriptor.class)
                  .read(body(), ColumnConfig.DEFAULT, segment.files(), parent == null ? null : parent.holder());
    } catch (JsonProcessingException e) {
      throw unknownType(e);
    } catch (ToolException e) {
      throw e;
    } catch (RuntimeException e) {
      throw damaged("it cannot be read: " + Segment.message(e), e);
    }
  }

  /** Checks the length of the column's name, because Druid allocates an array before it checks the length. */
  private void checkName() {
    final ByteBuffer head = body();
    // Version.
    head.get();
    final int length = VByte.readInt(head);
    if (length < 0 || length > head.remaining()) {
      throw damaged("its name has " + length + " bytes, but " + head.remaining() + " are left", null);
    }
  }

  /**
   * Parts of the column.
   *
   * @throws ToolException if the column cannot be read
   */
  public ColumnParts parts() {
    return parts.get();
  }

  private ColumnParts readParts() {
    try {
      return ColumnParts.of(this);
    } catch (ToolException e) {
      throw e;
    } catch (RuntimeException e) {
      throw damaged("it cannot be read: " + Segment.message(e), e);
    }
  }

  /** Segment and column, for messages. */
  public String where() {
    return segment.path() + ", column " + displayName();
  }

  /**
   * Creates an exception that names the segment and the column. It says that the segment is damaged, unless the cause
   * is an encoding of another jar, which is not loaded or has a fault.
   */
  public ToolException damaged(String found, @Nullable Throwable cause) {
    final boolean saysWhatToDo = found.contains("segment is damaged")
        || ColumnFormatException.isMissingEncoding(cause)
        || Throwables.getCausalChain(cause == null ? new Damage(found) : cause).stream()
            .anyMatch(EncodingException.class::isInstance);
    return new ToolException(
        where(), found, saysWhatToDo ? "" : "The segment is damaged: fetch it again from deep storage", cause);
  }
}
