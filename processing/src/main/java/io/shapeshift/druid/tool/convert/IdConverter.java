// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.segment.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.verify.Damage;
import io.shapeshift.druid.tool.verify.RowReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde.Feature;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde.VERSION;

/** Stores the dictionary ids of string columns anew, and leaves all other bytes of them as they are. */
final class IdConverter {
  /** Druid's files of ids that do not fit into one are named so, behind the column's name and a dot. */
  private static final String SPLIT_IDS = "forward_dim_";

  private final RowEncoding encoding;

  /**
   * Makes a converter.
   *
   * @param encoding of dictionary ids
   */
  IdConverter(RowEncoding encoding) {
    if (!encoding.supports(new RowValues.Ids(new int[0], 0))) {
      throw new IllegalArgumentException(encoding.name() + " is no encoding of dictionary ids");
    }
    this.encoding = encoding;
  }

  /**
   * A column with its ids stored anew.
   *
   * @param descriptor its descriptor
   * @param body       the bytes of its file behind the descriptor
   * @param summary    what became of the ids
   */
  record Converted(JsonNode descriptor, List<ByteBuffer> body, ColumnConversion summary, EncodedRows rows)
      implements Closeable {
    /** Number of bytes of the body. */
    long sizeInBytes() {
      return body.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  /** Whether a column has dictionary ids to convert. */
  static boolean hasIds(SegmentColumn column) {
    return column.parts().string() != null;
  }

  /** Why the ids of a column cannot be stored anew, or null if they can. */
  @Nullable
  static String obstacle(SegmentColumn column) {
    if (column.parts().string().order() != IndexIO.BYTE_ORDER) {
      return "kept: written on a machine of byte order " + column.parts().string().order();
    }
    return column.internalFiles().keySet().stream().anyMatch(file -> file.startsWith(SPLIT_IDS))
           ? "kept: its ids take more than one file"
           : null;
  }

  /** The summary of a column that stays as it is. */
  static ColumnConversion kept(SegmentColumn column, String note) {
    final String encoding = column.parts().rows().encoding();
    final long bytes = column.parts().rows().bytes().remaining();
    return summary(column, encoding, bytes, column.parts().rows().forms(), note);
  }

  private static ColumnConversion summary(
      SegmentColumn column,
      String encoding,
      long bytes,
      Map<String, FormUsage> forms,
      @Nullable String note
  ) {
    return new ColumnConversion(
        column.name(),
        column.projection() == null ? null : column.projection().name(),
        column.parts().rows().encoding(),
        encoding,
        column.parts().rows().bytes().remaining(),
        bytes,
        forms,
        note
    );
  }

  /**
   * Stores the ids of a column anew.
   *
   * @throws IOException if there is no room for them where the system keeps temporary files
   */
  Converted convert(SegmentColumn column) throws IOException {
    final ColumnParts.StringParts parts = column.parts().string();
    final EncodedRows rows = encoding.encode(column.file(), read(column));
    return new Converted(
        descriptor(column),
        List.of(head(parts, column.parts().multiValue()), parts.dictionary(), rows.bytes(), parts.indexes()),
        summary(column, encoding.storedAs(), rows.sizeInBytes(), rows.forms(), null),
        rows
    );
  }

  private static RowValues read(SegmentColumn column) {
    try {
      return RowReader.read(column);
    } catch (Damage e) {
      throw column.damaged(e.getMessage(), e);
    }
  }

  /** Version and flags as {@link DictionaryEncodedColumnPartSerde.SerializerBuilder} has them. */
  private ByteBuffer head(ColumnParts.StringParts parts, boolean multiValue) {
    final boolean compressed = !encoding.storedAs().equals(CompressionStrategy.UNCOMPRESSED.toString());
    int flags = parts.flags() & Feature.NO_BITMAP_INDEX.getMask();
    if (multiValue) {
      flags |= (compressed ? Feature.MULTI_VALUE_V3 : Feature.MULTI_VALUE).getMask();
    }
    final VERSION version;
    if (compressed) {
      version = VERSION.COMPRESSED;
    } else if (Feature.NO_BITMAP_INDEX.isSet(flags)) {
      version = VERSION.UNCOMPRESSED_WITH_FLAGS;
    } else {
      version = multiValue ? VERSION.UNCOMPRESSED_MULTI_VALUE : VERSION.UNCOMPRESSED_SINGLE_VALUE;
    }
    final ByteBuffer head = ByteBuffer.allocate(1 + Integer.BYTES).put(version.asByte());
    return version.compareTo(VERSION.COMPRESSED) < 0 ? head.flip() : head.putInt(flags).flip();
  }

  private JsonNode descriptor(SegmentColumn column) {
    final ObjectNode descriptor = column.descriptor().deepCopy();
    final JsonNode old = descriptor.path("parts").path(0);
    final ObjectNode part = JsonNodeFactory.instance.objectNode();
    part.put("type", encoding.isShapeShifting() ? ShapeShiftStringColumnPartSerde.TYPE : "stringDictionary");
    if (encoding.isShapeShifting()) {
      part.put("columnName", column.file());
    }
    // Where Druid once wrote none it meant Concise.
    part.set("bitmapSerdeFactory", old.hasNonNull("bitmapSerdeFactory")
                                   ? old.get("bitmapSerdeFactory")
                                   : JsonNodeFactory.instance.objectNode().put("type", "concise"));
    part.set("byteOrder", old.get("byteOrder"));
    descriptor.putArray("parts").add(part);
    return descriptor;
  }
}
