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
 * Unpacker of a segment's zip file, which may be damaged or malicious. It writes at most as many bytes as the file's
 * directory declares, starts only if the disk has space for all of them, and writes nothing outside of the target
 * directory.
 */
final class SegmentZip {
  private static final String DAMAGED = "The zip file is damaged: fetch it again from deep storage";

  private SegmentZip() {}

  /**
   * Unpacks a zip file.
   *
   * @param zip       zip file without folders, as Druid pushes it to deep storage
   * @param directory empty target directory
   * @throws ToolException if an entry differs from its declaration, or the disk has no space for all entries
   * @throws IOException   if the file is not a zip file, or a file cannot be read or written
   */
  static void unpack(Path zip, Path directory) throws IOException {
    unpack(zip, directory, Files.getFileStore(directory).getUsableSpace());
  }

  /** Unpacks a zip file, unless its files need more than {@code room} bytes. */
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
      // One byte more than declared suffices to detect more.
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
          zip.toString(), "its entry " + entry.getName() + " differs from the checksum that it declares", DAMAGED);
    }
  }
}
