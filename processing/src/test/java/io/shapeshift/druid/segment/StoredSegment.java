// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.file.SegmentFileMapperV10;

/** The columns of a segment as they are stored: what Druid no longer shows of them once it has read them. */
public final class StoredSegment implements Closeable {
  /** The files of version 9 that are no column's. */
  private static final Set<String> OTHER_FILES = Set.of("index.drd", "metadata.drd");

  private final SegmentFileMapper files;
  private final Map<String, Column> columns = new TreeMap<>();

  private StoredSegment(SegmentFileMapper files) {
    this.files = files;
  }

  /** Opens a segment of version 9 or 10. */
  public static StoredSegment open(File directory) throws IOException {
    final File v10 = new File(directory, IndexIO.V10_FILE_NAME);
    return v10.exists() ? openV10(v10) : openV9(directory);
  }

  /** Each column's file starts with its descriptor. */
  private static StoredSegment openV9(File directory) throws IOException {
    final StoredSegment segment = new StoredSegment(SmooshedFileMapper.load(directory));
    final Set<String> names = new TreeSet<>(segment.files.getInternalFilenames());
    names.removeAll(OTHER_FILES);
    final Set<String> all = Set.copyOf(names);
    names.removeIf(name -> owner(name, all) != null);
    for (String name : names) {
      final ByteBuffer bytes = segment.files.mapFile(name);
      final JsonNode descriptor = TestSegments.JSON.readTree(IndexMerger.SERIALIZER_UTILS.readString(bytes));
      segment.add(name, descriptor, bytes.slice());
    }
    return segment;
  }

  /** The descriptors stand together in the metadata. */
  private static StoredSegment openV10(File file) throws IOException {
    final SegmentFileMapperV10 files = SegmentFileMapperV10.create(file, TestSegments.JSON);
    final StoredSegment segment = new StoredSegment(files);
    for (var descriptor : files.getSegmentFileMetadata().getColumnDescriptors().entrySet()) {
      segment.add(
          descriptor.getKey(),
          TestSegments.JSON.valueToTree(descriptor.getValue()),
          files.mapFile(descriptor.getKey())
      );
    }
    return segment;
  }

  private void add(String file, JsonNode descriptor, ByteBuffer body) throws IOException {
    final Map<String, ByteBuffer> further = new TreeMap<>();
    for (String name : files.getInternalFilenames()) {
      if (file.equals(owner(name, Set.of(file)))) {
        further.put(name.substring(file.length() + 1), files.mapFile(name));
      }
    }
    columns.put(file, new Column(file, descriptor, body, further));
  }

  /** The file, of some, that a further file of the same column is named after, or null if it is none of theirs. */
  @Nullable
  private static String owner(String name, Set<String> files) {
    for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      if (files.contains(name.substring(0, dot))) {
        return name.substring(0, dot);
      }
    }
    return null;
  }

  /** The segment's internal files. */
  public SegmentFileMapper files() {
    return files;
  }

  /** The columns of the base table and of projections. */
  public List<Column> columns() {
    return List.copyOf(columns.values());
  }

  /** The column of a file, which must be there. */
  public Column column(String file) {
    if (!columns.containsKey(file)) {
      throw new IllegalArgumentException("file[" + file + "], there are " + columns.keySet());
    }
    return columns.get(file);
  }

  @Override
  public void close() {
    files.close();
  }

  /**
   * A column.
   *
   * @param file       the name of its own file, which begins with that of its table where a segment has several
   * @param descriptor what Druid needs to know to read it
   * @param body       see {@link #body()}
   * @param files      its further files, by what stands behind the dot after the name of its own file
   */
  public record Column(String file, JsonNode descriptor, ByteBuffer body, Map<String, ByteBuffer> files) {
    /** The bytes of its own file behind the descriptor, as Druid gives them to the descriptor's parts to read. */
    @Override
    public ByteBuffer body() {
      return body.duplicate();
    }

    /** Its name in its table. */
    public String name() {
      return file.substring(file.lastIndexOf('/') + 1);
    }

    /** The first part of its descriptor. */
    public JsonNode part() {
      return descriptor.path("parts").path(0);
    }

    /** The type of this part, such as {@code stringDictionary} or {@code longV2}. */
    public String partType() {
      return part().path("type").asText();
    }

    /** Its type as Druid names it, such as {@code STRING}, {@code LONG} or {@code COMPLEX<hyperUnique>}. */
    public String type() {
      return part().has("typeName")
             ? "COMPLEX<" + part().path("typeName").asText() + ">"
             : descriptor.path("valueType").asText();
    }
  }
}
