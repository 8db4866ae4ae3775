// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.io.ByteStreams;
import com.google.common.math.LongMath;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Unpacks a segment's zip file, which may be damaged or made to do harm: no more is written than the file declares in
 * its directory, that only if there is room for all of it, and nothing outside the directory that it is unpacked into.
 */
final class SegmentZip {
  private static final String DAMAGED = "The zip file is damaged: fetch it again from deep storage";

  private SegmentZip() {}

  /**
   * Unpacks a zip file.
   *
   * @param zip       files that are in no folder, as Druid pushes them to deep storage
   * @param directory an empty directory
   * @throws ToolException if a file in it is not what the zip file declares, or there is no room for all of them
   * @throws IOException   if it is no zip file, or cannot be read or written
   */
  static void unpack(Path zip, Path directory) throws IOException {
    unpack(zip, directory, Files.getFileStore(directory).getUsableSpace());
  }

  /** Unpacks a zip file unless its files take more bytes than allowed. */
  static void unpack(Path zip, Path directory, long room) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      final List<? extends ZipEntry> entries = file.stream().filter(entry -> !entry.isDirectory()).toList();
      long size = 0;
      final Set<String> names = new HashSet<>();
      for (ZipEntry entry : entries) {
        requirePlainName(zip, entry.getName());
        if (!names.add(entry.getName())) {
          throw new ToolException(zip.toString(), "it has two entries named " + entry.getName(), DAMAGED);
        }
        size = LongMath.saturatedAdd(size, entry.getSize());
      }
      if (size > room) {
        throw new ToolException(
            zip.toString(),
            String.format(
                Locale.ROOT,
                "unzipped it takes %,d bytes, and there are %,d free in %s",
                size,
                room,
                directory.getParent()
            ),
            "Make room there, or keep temporary files elsewhere with SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER"
        );
      }
      for (ZipEntry entry : entries) {
        unpack(zip, file, entry, directory.resolve(entry.getName()));
      }
    }
  }

  private static void requirePlainName(Path zip, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/") || name.contains("\\")) {
      throw new ToolException(
          zip.toString(),
          "its entry " + name + " is not the name of a file alone",
          "Name an index.zip as Druid pushes it to deep storage, its files not in a folder"
      );
    }
  }

  private static void unpack(Path zip, ZipFile file, ZipEntry entry, Path to) throws IOException {
    final long size;
    final CRC32 checksum = new CRC32();
    try (InputStream in = new CheckedInputStream(file.getInputStream(entry), checksum);
         OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
      // One byte more than it declares is enough to know that there are more.
      size = ByteStreams.copy(ByteStreams.limit(in, entry.getSize() + 1), out);
    }
    if (size != entry.getSize()) {
      throw new ToolException(
          zip.toString(),
          String.format(
              Locale.ROOT,
              "its entry %s has %s the %,d bytes that it declares",
              entry.getName(),
              size > entry.getSize() ? "more than" : "less than",
              entry.getSize()
          ),
          DAMAGED
      );
    }
    if (checksum.getValue() != entry.getCrc()) {
      throw new ToolException(
          zip.toString(), "its entry " + entry.getName() + " has not the checksum that it declares", DAMAGED);
    }
  }
}
