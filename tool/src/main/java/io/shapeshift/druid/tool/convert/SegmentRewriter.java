// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.convert.RowConverter.Converted;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.InternalFile;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/**
 * Writer of a converted segment, file by file in the order of the source. Files with rows of columns pass through a
 * {@link RowConverter}; all others are copied byte for byte.
 */
final class SegmentRewriter {
  private static final String CONTAINER_FILE = "\\d{5}\\.smoosh";
  /** Bytes at the start of a V10 segment: the version, and the compression of the metadata. */
  private static final int V10_PREFIX_SIZE = 2;

  private final Segment segment;
  private final Path out;
  private final TargetEncodings encodings;
  private final long maxFileSize;
  private final Progress progress;
  private final Map<SegmentColumn, ColumnConversion> summaries = new LinkedHashMap<>();
  /** Whether any column of the written segment shape-shifts. */
  private boolean isShapeShifting;

  private SegmentRewriter(Segment segment, Path out, TargetEncodings encodings, long maxFileSize, Progress progress) {
    this.segment = segment;
    this.out = out;
    this.encodings = encodings;
    this.maxFileSize = maxFileSize;
    this.progress = progress;
  }

  /**
   * Writes a converted segment.
   *
   * @param out         target, an empty directory
   * @param maxFileSize maximum size of a column's file in bytes
   * @return results of the columns with rows to convert, in the order of the segment's files
   * @throws IOException   if the disk is full, or a file cannot be read or written
   * @throws ToolException if a column's file would exceed the maximum, or the directory has other files than the
   *     segment's
   */
  static List<ColumnConversion> rewrite(
      Segment segment,
      Path out,
      TargetEncodings encodings,
      long maxFileSize,
      Progress progress
  ) throws IOException {
    final SegmentRewriter rewriter = new SegmentRewriter(segment, out, encodings, maxFileSize, progress);
    if (segment.version() == IndexIO.V9_VERSION) {
      rewriter.rewriteV9();
    } else {
      rewriter.rewriteV10();
    }
    rewriter.copyOtherFiles();
    if (rewriter.isShapeShifting) {
      SegmentChecksums.write(out);
    }
    return List.copyOf(rewriter.summaries.values());
  }

  private void rewriteV9() throws IOException {
    try (FileSmoosher files = new FileSmoosher(out.toFile())) {
      rewrite(files, (column, descriptor) -> {
        final byte[] json = Druid.json().writeValueAsBytes(descriptor);
        return ByteBuffer.allocate(Integer.BYTES + json.length).putInt(json.length).put(json).flip();
      });
    }
  }

  private void rewriteV10() throws IOException {
    final ObjectNode metadata = segment.metadata().deepCopy();
    final ObjectNode descriptors = (ObjectNode) metadata.path("columnDescriptors");
    final FileSmoosher files = new FileSmoosher(out.toFile(), Integer.MAX_VALUE, IndexIO.V10_FILE_NAME);
    try (files) {
      rewrite(files, (column, descriptor) -> {
        descriptors.set(column.file(), descriptor);
        return ByteBuffer.allocate(0);
      });
    }
    metadata.set("containers", Druid.json().valueToTree(files.getContainers()));
    metadata.set("files", Druid.json().valueToTree(files.getInternalFiles()));
    writeV10(metadata, files.getOutFiles());
  }

  /** Receiver of the new descriptors of columns. */
  private interface Descriptors {
    /** Returns the bytes to write before the contents of the column's own file. */
    ByteBuffer head(SegmentColumn column, JsonNode descriptor) throws IOException;
  }

  private void rewrite(FileSmoosher files, Descriptors descriptors) throws IOException {
    for (InternalFile internal : InternalFile.of(segment.directory())) {
      final String file = internal.name();
      @Nullable final SegmentColumn column = segment.column(file);
      if (column != null && encodings.of(column).isConvertedAsAWhole(column)) {
        progress.step(column.displayName());
        rewriteWhole(files, column, descriptors);
      } else if (column != null && isConverted(column)) {
        progress.step(column.displayName());
        rewriteColumn(files, column, descriptors);
      } else {
        isShapeShifting |= column != null && column.isShapeShifting();
        rewriteFile(files, file);
      }
    }
  }

  private void rewriteWhole(FileSmoosher files, SegmentColumn column, Descriptors descriptors) throws IOException {
    try (WholeColumn converted = encodings.of(column).convertAsAWhole(column)) {
      isShapeShifting |= converted.isShapeShifting();
      final ByteBuffer head = descriptors.head(column, Druid.json().valueToTree(converted.descriptor()));
      final long size = head.remaining() + converted.sizeInBytes();
      requireSize(column, size);
      final CountedFiles counted = new CountedFiles(files);
      try (SegmentFileChannel channel = files.addWithChannel(column.file(), size)) {
        Channels.writeFully(channel, head);
        converted.files().writeTo(channel, counted);
      }
      addSummary(column, converted.summary().apply(converted.sizeInBytes() + counted.bytes()));
    }
  }

  /** Whether the rows of a column are converted. Records the reason if they cannot be. */
  private boolean isConverted(SegmentColumn column) {
    if (!RowConverter.hasRows(column)) {
      return false;
    }
    @Nullable final String obstacle = RowConverter.obstacle(column);
    if (obstacle != null) {
      summaries.put(column, RowConverter.kept(column, obstacle));
    }
    return obstacle == null;
  }

  private void rewriteColumn(FileSmoosher files, SegmentColumn column, Descriptors descriptors) throws IOException {
    if (column.parts().body() == null) {
      add(files, column, column.file(), List.of(head(column, null, descriptors), column.body()));
      return;
    }
    try (Converted converted = encodings.of(column).convert(column)) {
      addSummary(column, converted.summary());
      final List<ByteBuffer> bytes = new ArrayList<>(converted.bytes());
      bytes.add(0, head(column, converted, descriptors));
      add(files, column, column.file(), bytes);
    }
  }

  private ByteBuffer head(SegmentColumn column, @Nullable Converted converted, Descriptors descriptors)
      throws IOException {
    final JsonNode descriptor = encodings.of(column).descriptor(column, converted);
    isShapeShifting |= SegmentColumn.isShapeShifting(descriptor);
    return descriptors.head(column, descriptor);
  }

  /** Writes a file that is not a column's own. It may hold the rows, the index or the dictionary of a column. */
  private void rewriteFile(FileSmoosher files, String file) throws IOException {
    @Nullable final SegmentColumn column = segment.columnOfInternalFile(file);
    if (column != null && encodings.of(column).isConvertedAsAWhole(column)) {
      // A further file of the column that is replaced.
      return;
    }
    if (column == null || !isConverted(column)) {
      copy(files, file);
      return;
    }
    final String suffix = file.substring(column.file().length() + 1);
    @Nullable final RowPart rows = column.parts().files().get(suffix);
    @Nullable final IndexPart index = column.parts().indexFiles().get(suffix);
    @Nullable final DictionaryPart dictionary =
        suffix.equals(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME) ? column.parts().dictionary() : null;
    @Nullable final NumberDictionaryPart numbers = column.parts().numbers().get(suffix);
    if (rows == null && index == null && dictionary == null && numbers == null) {
      copy(files, file);
      return;
    }
    final RowConverter converter = encodings.of(column);
    try (Converted converted = rows != null ? converter.convert(column, rows)
        : index != null ? converter.convert(column, index)
        : dictionary != null ? converter.convert(column, dictionary) : converter.convert(column, numbers)) {
      addSummary(column, converted.summary());
      add(files, column, file, converted.bytes());
    }
  }

  private void addSummary(SegmentColumn column, ColumnConversion summary) {
    summaries.merge(column, summary, ColumnConversion::plus);
  }

  private void add(FileSmoosher files, SegmentColumn column, String file, List<ByteBuffer> parts) throws IOException {
    final long size = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    requireSize(column, size);
    write(files, file, size, parts);
  }

  private void requireSize(SegmentColumn column, long size) {
    if (size > maxFileSize) {
      throw new ToolException(
          column.where(),
          String.format(
              Locale.ROOT,
              "converted it takes %,d bytes in a file; a file in a segment can have at most %,d",
              size,
              maxFileSize
          ),
          RowConverter.TOO_LARGE
      );
    }
  }

  private void copy(FileSmoosher files, String file) throws IOException {
    final ByteBuffer bytes = segment.files().mapFile(file);
    write(files, file, bytes.remaining(), List.of(bytes));
  }

  /**
   * Writes a file. Druid's {@code add} writes a buffer only once, so that a full disk is reported as damage, and it
   * rejects names with a comma.
   */
  private static void write(FileSmoosher files, String file, long size, List<ByteBuffer> parts) throws IOException {
    try (SegmentFileChannel channel = files.addWithChannel(file, size)) {
      for (ByteBuffer part : parts) {
        Channels.writeFully(channel, part.duplicate());
      }
    }
  }


  private void writeV10(JsonNode metadata, List<File> containers) throws IOException {
    final byte[] prefix = new byte[V10_PREFIX_SIZE];
    try (RandomAccessFile source = new RandomAccessFile(
        segment.directory().resolve(IndexIO.V10_FILE_NAME).toFile(),
        "r"
    )) {
      source.readFully(prefix);
    }
    try (FileChannel channel = FileChannel.open(
        out.resolve(IndexIO.V10_FILE_NAME),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE
    )) {
      final byte[] json = Druid.json().writeValueAsString(metadata).getBytes(StandardCharsets.UTF_8);
      Channels.writeFully(channel, ByteBuffer.wrap(prefix));
      Channels.writeFully(channel, littleEndian(json.length));
      writeMetadata(channel, json, CompressionStrategy.forId(prefix[1]));
      for (File container : containers) {
        try (FileChannel in = FileChannel.open(container.toPath(), StandardOpenOption.READ)) {
          for (long at = 0; at < in.size(); ) {
            at += in.transferTo(at, in.size() - at, channel);
          }
        }
        Files.delete(container.toPath());
      }
    }
  }

  private static void writeMetadata(FileChannel channel, byte[] json, CompressionStrategy compression)
      throws IOException {
    if (compression == CompressionStrategy.NONE) {
      Channels.writeFully(channel, ByteBuffer.wrap(json));
      return;
    }
    try (Closer closer = Closer.create()) {
      final CompressionStrategy.Compressor compressor = compression.getCompressor();
      final ByteBuffer in = compressor.allocateInBuffer(json.length, closer).order(ByteOrder.nativeOrder());
      final ByteBuffer compressed = compressor.compress(
          in.put(json).flip(),
          compressor.allocateOutBuffer(json.length, closer).order(ByteOrder.nativeOrder())
      );
      Channels.writeFully(channel, littleEndian(compressed.remaining()));
      Channels.writeFully(channel, compressed);
    }
  }

  private static ByteBuffer littleEndian(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value).flip();
  }


  private void copyOtherFiles() throws IOException {
    try (Stream<Path> files = Files.list(segment.directory())) {
      for (Path file : files.toList()) {
        final String name = file.getFileName().toString();
        if (!Files.isRegularFile(file)) {
          throw new ToolException(
              segment.path().toString(),
              "there is " + name + " in it, which is no file and would be lost",
              "Move it elsewhere: a segment has files only"
          );
        }
        if (!name.equals(InternalFile.META_FILE)
            && !name.equals(IndexIO.V10_FILE_NAME)
            && !name.equals(SegmentChecksums.FILE)
            && !name.matches(CONTAINER_FILE)) {
          Files.copy(file, out.resolve(name));
        }
      }
    }
  }
}
