// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.druid.segment.IndexIO;

/**
 * Position of an internal file within a segment's files.
 *
 * @param name      name of the internal file
 * @param container number of the containing file, or of the part of that file
 * @param file      name of the containing file
 * @param start     offset of its first byte in the containing file
 * @param end       offset behind its last byte
 */
public record InternalFile(String name, int container, String file, long start, long end) {
  /** File of a V9 segment that lists the internal files. */
  public static final String META_FILE = "meta.smoosh";

  /**
   * All internal files of an unpacked segment, in stored order.
   *
   * @throws IOException      if their list cannot be read
   * @throws RuntimeException if their list is damaged
   */
  public static List<InternalFile> of(Path segment) throws IOException {
    final List<InternalFile> files =
        Files.exists(segment.resolve(IndexIO.V10_FILE_NAME)) ? ofV10(segment) : ofV9(segment);
    // An empty file starts at the same offset as the next file.
    files.sort(
        Comparator.comparingInt(InternalFile::container)
                  .thenComparingLong(InternalFile::start)
                  .thenComparing(InternalFile::name)
    );
    return files;
  }

  private static List<InternalFile> ofV9(Path segment) throws IOException {
    final List<InternalFile> files = new ArrayList<>();
    final List<String> lines = Files.readAllLines(segment.resolve(META_FILE));
    for (String line : lines.subList(1, lines.size())) {
      final List<String> fields = Splitter.on(',').splitToList(line);
      final int container = Integer.parseInt(fields.get(1));
      files.add(new InternalFile(
          fields.get(0),
          container,
          String.format(Locale.ROOT, "%05d.smoosh", container),
          Long.parseLong(fields.get(2)),
          Long.parseLong(fields.get(3))
      ));
    }
    return files;
  }

  private static List<InternalFile> ofV10(Path segment) throws IOException {
    final V10Head head = V10Head.read(segment.resolve(IndexIO.V10_FILE_NAME));
    final List<InternalFile> files = new ArrayList<>();
    for (var file : head.metadata().path("files").properties()) {
      final JsonNode place = file.getValue();
      final int container = place.path("container").asInt();
      final long start = head.size() + head.metadata().path("containers").path(container).path("startOffset").asLong()
          + place.path("startOffset").asLong();
      files.add(new InternalFile(
          file.getKey(), container, IndexIO.V10_FILE_NAME, start, start + place.path("size").asLong()));
    }
    return files;
  }
}
