// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.Streams;
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
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.VByte;

/** A column of a segment: of the base table, or of a projection. */
public final class SegmentColumn {
  /** The types of our parts start so. */
  private static final String OURS = "shapeshift.";
  /** Parts of numbers that Druid 28 and older wrote where nulls were zeros, and that name no kind of bitmaps. */
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

  /** The segment that it is in. */
  public Segment segment() {
    return segment;
  }

  /** Its name in its table. */
  public String name() {
    return name;
  }

  /** The projection that it is of, or null for the base table. */
  @Nullable
  public Segment.Projection projection() {
    return projection;
  }

  /** Its name for people: that in its table, behind that of the projection and a slash if it is of one. */
  public String displayName() {
    return projection == null ? name : projection.name() + "/" + name;
  }

  /** Name of its file in the segment. */
  public String file() {
    return file;
  }

  /** Its descriptor, as Druid writes it. */
  public JsonNode descriptor() {
    return descriptor;
  }

  /** The bytes of its file behind the descriptor, as Druid gives them to the descriptor's parts to read. */
  public ByteBuffer body() {
    return body.duplicate().order(ByteOrder.BIG_ENDIAN);
  }

  /** Its further files, by what stands behind the dot after its own file's name, such as {@code __encodedColumn}. */
  public Map<String, ByteBuffer> internalFiles() {
    return internalFiles;
  }

  /**
   * One of these files.
   *
   * @throws ToolException if there is none
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

  /** What Druid's own part says in its descriptor, also where ours is around it. */
  public JsonNode part() {
    final JsonNode part = descriptor.path("parts").path(0);
    return part.has("stock") ? part.path("stock") : part;
  }

  /** Its type as Druid names it, such as {@code STRING}, {@code LONG} or {@code COMPLEX<hyperUnique>}. */
  public String type() {
    final JsonNode part = part();
    if (part.path("logicalType").isTextual()) {
      return part.path("logicalType").asText();
    }
    if (part.has("typeName")) {
      return "COMPLEX<" + part.path("typeName").asText() + ">";
    }
    return descriptor.path("valueType").asText();
  }

  /** Whether Druid found out its type from its values, and stores it in files of its own: type {@code auto}. */
  public boolean isAuto() {
    return partType().replace(OURS, "").equals("nestedCommonFormat");
  }

  /** Whether its rows shape-shift, or some of them where they are in several files, or its indexes. */
  public boolean isShapeShifting() {
    return isShapeShifting(descriptor);
  }

  /** The same of the column that a descriptor is of. */
  public static boolean isShapeShifting(JsonNode descriptor) {
    return partType(descriptor).startsWith(OURS);
  }

  /** Whether one of its further files shape-shifts. */
  public boolean isShapeShifting(String suffix) {
    for (JsonNode file : descriptor.path("parts").path(0).path("files")) {
      if (file.asText().equals(suffix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a part of a column of strings shape-shifts; where the descriptor names none it is the ids. */
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

  /** Byte order of its rows. */
  public ByteOrder order() {
    return part().path("byteOrder").asText().equals("BIG_ENDIAN")
           ? ByteOrder.BIG_ENDIAN
           : ByteOrder.LITTLE_ENDIAN;
  }

  /** The kind of its bitmaps, as JSON. */
  public JsonNode bitmapKind() {
    final JsonNode kind = part().path("bitmapSerdeFactory");
    if (kind.isObject()) {
      return kind;
    }
    // These have no bitmap. Where another part has some and does not name their kind, Druid reads Concise.
    return NUMBERS_WITHOUT_NULLS.contains(partType()) ? segment.bitmapKind() : Segment.UNNAMED_BITMAPS;
  }

  /** The kind of its bitmaps. */
  BitmapSerdeFactory bitmaps() {
    try {
      return Segment.bitmaps(bitmapKind());
    } catch (JsonProcessingException e) {
      throw damaged("its kind of bitmaps cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Rows of its table. */
  public int numRows() {
    return projection == null ? segment.numRows() : projection.numRows();
  }

  /** Rows of its table, unless nothing but a damaged column tells. */
  public OptionalInt knownRows() {
    return projection == null ? segment.knownRows() : OptionalInt.of(projection.numRows());
  }

  /** Bytes of all its files, without the descriptor. */
  public long sizeInBytes() {
    return body.remaining() + internalFiles.values().stream().mapToLong(ByteBuffer::remaining).sum();
  }

  /** The column of the base table whose dictionary this one shares, or null if it has a dictionary of its own. */
  @Nullable
  public SegmentColumn parent() {
    return projection == null ? null : segment.baseColumn(name);
  }

  /**
   * The column as Druid reads it.
   *
   * @throws ToolException if it cannot be read
   */
  public BaseColumnHolder holder() {
    return holder.get();
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
      throw new ToolException(
          where(),
          "its type " + partType() + " is unknown: " + e.getOriginalMessage(),
          "It is of an extension that this tool does not have; name the other columns with --columns",
          e
      );
    } catch (ToolException e) {
      throw e;
    } catch (RuntimeException e) {
      throw damaged("it cannot be read: " + Segment.message(e), e);
    }
  }

  /** Checks the length of the column's name, for which Druid makes an array before it looks whether it is possible. */
  private void checkName() {
    final ByteBuffer head = body();
    // The version.
    head.get();
    final int length = VByte.readInt(head);
    if (length < 0 || length > head.remaining()) {
      throw damaged("its name has " + length + " bytes, but " + head.remaining() + " are left", null);
    }
  }

  /**
   * What it consists of.
   *
   * @throws ToolException if it cannot be read
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

  /** An exception that names segment and column. */
  public ToolException damaged(String found, @Nullable Throwable cause) {
    return new ToolException(
        where(),
        found,
        found.contains("segment is damaged") ? "" : "The segment is damaged: fetch it again from deep storage",
        cause
    );
  }
}
