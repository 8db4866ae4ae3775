// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.Lists;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.SegmentUtils;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.file.SegmentFileContainerMetadata;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.file.SegmentFileMapperV10;
import org.apache.druid.segment.file.SegmentFileMetadata;
import org.apache.druid.segment.projections.Projections;
import org.joda.time.Interval;

/**
 * Segment of any version that Druid 37 can read, opened for its bytes: its columns, those of its projections, and their
 * files. Data that only an extension could read, such as aggregators or types of columns, stays JSON and bytes, so that
 * a missing extension does not matter.
 */
public final class Segment implements Closeable {
  /** Type of bitmaps, as JSON, for old segments and columns that have bitmaps and do not name their type. */
  static final JsonNode UNNAMED_BITMAPS = JsonNodeFactory.instance.objectNode().put("type", "concise");

  private static final String INDEX_FILE = "index.drd";
  /** Further files of Druid's column of complex objects, if they have more than 2 GiB. */
  private static final Pattern LARGE_OBJECTS = Pattern.compile("(.+)_(header|value_\\d+)", Pattern.DOTALL);
  private static final String METADATA_FILE = "metadata.drd";
  private static final String DAMAGED = "The segment is damaged: fetch it again from deep storage";

  private final Path path;
  private final Path directory;
  private final int version;
  private final SegmentFileMapper files;
  private final JsonNode metadata;
  private final Interval interval;
  private JsonNode bitmapKind = MissingNode.getInstance();
  private final List<SegmentColumn> columns = new ArrayList<>();
  private final Map<String, SegmentColumn> columnsByInternalFile = new HashMap<>();
  @Nullable
  private final AutoCloseable owned;

  private Segment(
      Path path,
      Path directory,
      int version,
      SegmentFileMapper files,
      JsonNode metadata,
      Interval interval,
      @Nullable AutoCloseable owned
  ) {
    this.path = path;
    this.directory = directory;
    this.version = version;
    this.files = files;
    this.metadata = metadata;
    this.interval = interval;
    this.owned = owned;
  }

  /**
   * Opens an unpacked segment.
   *
   * @throws ToolException if there is no segment, or its head cannot be read
   */
  public static Segment open(Path directory) {
    return open(directory, directory, null);
  }

  /**
   * Opens a segment.
   *
   * @param path      path that the user gave, for messages
   * @param directory directory of the unpacked segment
   * @param owned     resource to close with the segment, or null
   */
  static Segment open(Path path, Path directory, @Nullable AutoCloseable owned) {
    try {
      final int version = SegmentUtils.getVersionFromDir(directory.toFile());
      return switch (version) {
        case IndexIO.V9_VERSION -> openV9(path, directory, owned);
        case IndexIO.V10_VERSION -> openV10(path, directory, owned);
        default -> throw new ToolException(
            path.toString(),
            "its version is " + version + ", which this tool cannot read",
            "Segments of version 9 and 10 can be read; ingest older ones again with a Druid of today"
        );
      };
    } catch (ToolException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      final String reason = message(e).replaceFirst("\\.+$", "");
      throw new ToolException(path.toString(), "it cannot be opened: " + reason, DAMAGED, e);
    }
  }

  /** Message of a Druid exception, or its class if it has none. */
  public static String message(Throwable e) {
    if (e instanceof JsonProcessingException json) {
      return json.getOriginalMessage();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  // Version 9: index.drd names the columns, and each file starts with its descriptor.

  /** Checks the numbers of containers, because Druid allocates lists of that size before it checks them. */
  private static void checkContainers(Path directory) throws IOException {
    final Path meta = directory.resolve("meta.smoosh");
    if (!Files.exists(meta)) {
      return;
    }
    try (BufferedReader lines = Files.newBufferedReader(meta, StandardCharsets.ISO_8859_1)) {
      @Nullable final String[] files = directory.toFile().list();
      // The last of three fields is the number of containers, and the second of four is a file's container. Druid
      // reports all other errors of this file.
      @Nullable String line = lines.readLine();
      final int containers = line == null ? 0 : number(line, 3, 2);
      if (files != null && containers > files.length) {
        throw new IOException(
            "meta.smoosh names " + containers + " containers, in a directory of " + files.length + " files");
      }
      while ((line = lines.readLine()) != null) {
        if (number(line, 4, 1) > containers) {
          throw new IOException("meta.smoosh has a file in another than the " + containers + " containers: " + line);
        }
      }
    }
  }

  /** Field of a line, split as in Druid; 0 if it is not a number. */
  private static int number(String line, int parts, int index) {
    // Drops empty fields at the end.
    final String[] split = line.split(",", 0);
    try {
      return split.length == parts ? Integer.parseInt(split[index]) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Reads names, which Druid always stores in a single file. */
  private static Indexed<String> readNames(ByteBuffer index, SmooshedFileMapper files) throws IOException {
    if (index.get(index.position()) != 1) {
      throw new IOException(INDEX_FILE + " has names of version " + index.get(index.position()));
    }
    return GenericIndexed.read(index, NameStrategy.INSTANCE, files);
  }

  private static Segment openV9(Path path, Path directory, @Nullable AutoCloseable owned) throws IOException {
    checkContainers(directory);
    final SmooshedFileMapper files = SmooshedFileMapper.load(directory.toFile());
    try {
      final ByteBuffer index = require(path, files, INDEX_FILE);
      final List<String> names = Lists.newArrayList(readNames(index, files));
      readNames(index, files);
      final Interval interval = Intervals.utc(index.getLong(), index.getLong());
      JsonNode bitmapKind = MissingNode.getInstance();
      if (index.hasRemaining()) {
        bitmapKind = Druid.json().readTree(readString(index));
        if (index.hasRemaining()) {
          // List with the positions of columns that have only null; all other columns are null in it. Older segments do
          // not have it.
          final Indexed<String> all = readNames(index, files);
          for (int i = 0; i < all.size(); i++) {
            if (all.get(i) != null) {
              names.add(i, all.get(i));
            }
          }
        }
      }
      @Nullable final ByteBuffer metadataBytes = files.mapFile(METADATA_FILE);
      final JsonNode metadata =
          metadataBytes == null ? MissingNode.getInstance() : Druid.json().readTree(bytes(metadataBytes));

      final Segment segment =
          new Segment(path, directory, IndexIO.V9_VERSION, files, metadata, interval, owned);
      segment.bitmapKind = bitmapKind;
      segment.addV9(ColumnHolder.TIME_COLUMN_NAME, null, ColumnHolder.TIME_COLUMN_NAME);
      for (String name : names) {
        if (files.getInternalFilenames().contains(name)) {
          segment.addV9(name, null, name);
        }
      }
      for (JsonNode projection : metadata.path("projections")) {
        final String projectionName = projection.path("schema").path("name").asText();
        for (String name : columnsOf(projection.path("schema"))) {
          segment.addV9(
              name,
              new Projection(projectionName, projection.path("numRows").asInt()),
              projectionName + "/" + name
          );
        }
      }
      segment.addInternalFiles();
      return segment;
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  /** Columns of a projection: its grouping columns and its aggregators. */
  private static List<String> columnsOf(JsonNode schema) {
    final List<String> names = new ArrayList<>();
    schema.path("groupingColumns").forEach(name -> names.add(name.asText()));
    schema.path("aggregators").forEach(aggregator -> names.add(aggregator.path("name").asText()));
    return names;
  }

  private void addV9(String name, @Nullable Projection projection, String file) throws IOException {
    final ByteBuffer buffer = require(path, files, file);
    final JsonNode descriptor;
    try {
      descriptor = Druid.json().readTree(readString(buffer));
    } catch (IOException | RuntimeException e) {
      throw new ToolException(path + ", column " + file, "its descriptor cannot be read: " + message(e), DAMAGED, e);
    }
    add(name, projection, file, descriptor, buffer.slice());
  }

  // Version 10: a single file, with the descriptors in its metadata.

  private static Segment openV10(Path path, Path directory, @Nullable AutoCloseable owned) throws IOException {
    final File file = directory.resolve(IndexIO.V10_FILE_NAME).toFile();
    final V10Head head = V10Head.read(file.toPath());
    // Descriptors and projections stay JSON, because their types may belong to an extension.
    final SegmentFileMetadata contents = Druid.json().treeToValue(
        head.metadata().deepCopy().retain("containers", "files", "interval", "bitmapEncoding"),
        SegmentFileMetadata.class
    );
    final List<MappedByteBuffer> containers = new ArrayList<>();
    try (FileChannel in = FileChannel.open(file.toPath())) {
      for (SegmentFileContainerMetadata container : contents.getContainers()) {
        final long start = head.size() + container.getStartOffset();
        if (start + container.getSize() > in.size()) {
          throw new ToolException(
              path.toString(),
              "it ends at offset " + in.size() + ", before its last container does at offset "
                  + (start + container.getSize()),
              DAMAGED
          );
        }
        containers.add(in.map(FileChannel.MapMode.READ_ONLY, start, container.getSize()));
      }
      final Segment segment = new Segment(
          path,
          directory,
          IndexIO.V10_VERSION,
          new SegmentFileMapperV10(file, contents, containers, Map.of()),
          head.metadata(),
          Intervals.of(contents.getInterval()),
          owned
      );
      segment.bitmapKind = head.metadata().path("bitmapEncoding");
      segment.addV10Columns();
      segment.addInternalFiles();
      return segment;
    } catch (IOException | RuntimeException e) {
      containers.forEach(ByteBufferUtils::unmap);
      throw e;
    }
  }

  private void addV10Columns() throws IOException {
    if (metadata.path("columnDescriptors").isEmpty() || metadata.path("projections").isEmpty()) {
      throw new ToolException(path.toString(), "its metadata names no columns, or no table that has them", DAMAGED);
    }
    final Map<String, Projection> projections = new LinkedHashMap<>();
    for (JsonNode projection : metadata.path("projections")) {
      final String name = projection.path("schema").path("name").asText();
      projections.put(name + "/", new Projection(name, projection.path("numRows").asInt()));
    }
    for (var projection : projections.entrySet()) {
      final String prefix = projection.getKey();
      final boolean isBase = projection.getValue().name().equals(Projections.BASE_TABLE_PROJECTION_NAME);
      for (var descriptor : metadata.path("columnDescriptors").properties()) {
        final String file = descriptor.getKey();
        if (prefix.equals(longestPrefix(file, projections.keySet()))) {
          add(
              file.substring(prefix.length()),
              isBase ? null : projection.getValue(),
              file,
              descriptor.getValue(),
              require(path, files, file)
          );
        }
      }
    }
  }

  /**
   * Longest matching prefix. A projection's name may contain slashes, so its columns' names may also start with the
   * name of another projection.
   */
  @Nullable
  private static String longestPrefix(String file, Set<String> prefixes) {
    return prefixes.stream().filter(file::startsWith).max(Comparator.comparingInt(String::length)).orElse(null);
  }


  /**
   * Projection of the segment.
   *
   * @param name    name of the projection
   * @param numRows number of its rows
   */
  public record Projection(String name, int numRows) {}

  private void add(
      String name,
      @Nullable Projection projection,
      String file,
      JsonNode descriptor,
      ByteBuffer body
  ) {
    columns.add(new SegmentColumn(this, name, projection, file, descriptor, body));
  }

  /** Assigns each file that is not a column's own to the column with whose name it starts, before a dot. */
  private void addInternalFiles() throws IOException {
    final Map<String, SegmentColumn> byFile = new LinkedHashMap<>();
    columns.forEach(column -> byFile.put(column.file(), column));
    for (String file : files.getInternalFilenames()) {
      if (byFile.containsKey(file)) {
        continue;
      }
      for (int dot = file.lastIndexOf('.'); dot > 0; dot = file.lastIndexOf('.', dot - 1)) {
        @Nullable final SegmentColumn column = byFile.get(file.substring(0, dot));
        if (column != null) {
          addInternalFile(column, file);
          break;
        }
      }
      final Matcher large = LARGE_OBJECTS.matcher(file);
      if (large.matches() && byFile.containsKey(large.group(1)) && byFile.get(large.group(1)).complexType() != null) {
        addInternalFile(byFile.get(large.group(1)), file);
      }
    }
  }

  private void addInternalFile(SegmentColumn column, String file) throws IOException {
    column.addInternalFile(file.substring(column.file().length() + 1), require(path, files, file));
    columnsByInternalFile.put(file, column);
  }

  private static ByteBuffer require(Path path, SegmentFileMapper files, String file) throws IOException {
    try {
      @Nullable final ByteBuffer buffer = files.mapFile(file);
      if (buffer == null) {
        throw new ToolException(path.toString(), "there is no file " + file + " in it", DAMAGED);
      }
      return buffer;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ToolException(
          path.toString(),
          "the place of file " + file + " is beyond the end: " + message(e),
          DAMAGED,
          e
      );
    }
  }

  /**
   * Reads a text after its length. Unlike Druid, checks the length before it allocates an array.
   *
   * @throws IOException if the text is incomplete
   */
  public static String readString(ByteBuffer buffer) throws IOException {
    final int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt(buffer.position());
    if (length < 0 || length > buffer.remaining() - Integer.BYTES) {
      throw new IOException("a text of " + length + " bytes is in " + buffer.remaining() + " bytes");
    }
    return IndexMerger.SERIALIZER_UTILS.readString(buffer);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Path that the user gave: a directory or a zip file. */
  public Path path() {
    return path;
  }

  /** Directory of the unpacked segment. */
  public Path directory() {
    return directory;
  }

  /** Segment version, 9 or 10. */
  public int version() {
    return version;
  }

  /** Interval of the segment. */
  public Interval interval() {
    return interval;
  }

  /** Internal files. */
  public SegmentFileMapper files() {
    return files;
  }

  /** Druid's metadata of the segment: metadata.drd in version 9, all metadata in version 10. */
  public JsonNode metadata() {
    return metadata;
  }

  /** Metadata of the base table: all metadata in version 9, the schema of the table in version 10. */
  private JsonNode tableMetadata() {
    return version == IndexIO.V10_VERSION ? metadata.path("projections").path(0).path("schema") : metadata;
  }

  /**
   * Names of the columns by which the rows of the base table are sorted: {@code __time} and all dimensions. Segments
   * of older releases do not say them: all columns but the aggregated ones, the time first.
   */
  public List<String> ordering() {
    final List<String> names = new ArrayList<>();
    tableMetadata().path("ordering").forEach(column -> names.add(column.path("columnName").asText()));
    if (names.isEmpty()) {
      final Set<String> aggregated = aggregators().keySet();
      columns.stream().filter(column -> column.projection() == null).map(SegmentColumn::name)
          .filter(name -> !aggregated.contains(name)).forEach(names::add);
    }
    return names;
  }

  /** Aggregators of the base table as JSON, by the name of their column; empty if the segment does not say them. */
  public Map<String, JsonNode> aggregators() {
    final Map<String, JsonNode> aggregators = new LinkedHashMap<>();
    tableMetadata().path("aggregators").forEach(each -> aggregators.put(each.path("name").asText(), each));
    return aggregators;
  }

  /** Type of the bitmaps that queries combine, as JSON; the same for the indexes of all columns. */
  JsonNode bitmapKind() {
    return bitmapKind.isObject() ? bitmapKind : UNNAMED_BITMAPS;
  }

  /** Parses a type of bitmaps. */
  static BitmapSerdeFactory bitmaps(JsonNode kind) throws JsonProcessingException {
    return Druid.json().treeToValue(kind, BitmapSerdeFactory.class);
  }

  /**
   * Factory of the bitmaps that queries combine.
   *
   * @throws ToolException if the type of bitmaps is unknown
   */
  public BitmapFactory bitmapFactory() {
    try {
      return bitmaps(bitmapKind()).getBitmapFactory();
    } catch (JsonProcessingException e) {
      throw new ToolException(
          path.toString(), "its kind of bitmaps cannot be read: " + e.getOriginalMessage(), DAMAGED, e);
    }
  }

  /** Total size of all unpacked files in bytes. */
  public long sizeInBytes() {
    try {
      // The size of a symbolic link would be 0.
      return FileUtils.sizeOfDirectory(directory.toRealPath().toFile());
    } catch (IOException e) {
      throw new ToolException(path.toString(), "it cannot be read any more: " + Reason.of(e), "", e);
    }
  }

  /** Columns: {@code __time} and those of the base table in the segment's order, then those of projections. */
  public List<SegmentColumn> columns() {
    return columns;
  }

  /** Column by the name of its file, or null if there is none. */
  @Nullable
  public SegmentColumn column(String file) {
    return columns.stream().filter(column -> column.file().equals(file)).findFirst().orElse(null);
  }

  /** Column that has an additional file of this name, or null if no column has it. */
  @Nullable
  public SegmentColumn columnOfInternalFile(String file) {
    return columnsByInternalFile.get(file);
  }

  /** Column of this segment with the table and name of another segment's column, or null if there is none. */
  @Nullable
  public SegmentColumn column(SegmentColumn other) {
    return columns.stream().filter(column -> column.displayName().equals(other.displayName())).findFirst().orElse(null);
  }

  /** Column of the base table by name, or null if there is none. */
  @Nullable
  public SegmentColumn baseColumn(String name) {
    return columns.stream()
        .filter(column -> column.projection() == null && column.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Number of rows of the base table. */
  public int numRows() {
    return version == IndexIO.V10_VERSION
           ? metadata.path("projections").path(0).path("numRows").asInt()
           : Objects.requireNonNull(baseColumn(ColumnHolder.TIME_COLUMN_NAME)).holder().getLength();
  }

  /**
   * Number of rows of the base table; empty if it cannot be read from a damaged column, which is reported separately.
   */
  public OptionalInt knownRows() {
    try {
      return OptionalInt.of(Damage.reading("the number of rows", this::numRows));
    } catch (Damage | OutOfMemoryError e) {
      return OptionalInt.empty();
    }
  }

  @Override
  public void close() {
    files.close();
    if (owned != null) {
      try {
        owned.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
