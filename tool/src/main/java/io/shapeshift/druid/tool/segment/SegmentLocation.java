// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.druid.segment.IndexIO;

/**
 * Location of a segment: a directory, or a zip file as in deep storage.
 *
 * @param path directory or zip file
 */
public record SegmentLocation(Path path) {
  private static final String VERSION_FILE = "version.bin";
  private static final String ZIP = ".zip";
  private static final String INDEX_ZIP = "index" + ZIP;

  /**
   * Finds all segments at paths and in the folders below them, sorted per path. A zip file in the directory of an
   * unpacked segment is a file of that segment.
   *
   * @throws ToolException if a path does not exist, has no segment at or below it, or has a folder that cannot be
   *     listed
   */
  public static List<SegmentLocation> find(List<Path> paths) {
    final Set<SegmentLocation> found = new LinkedHashSet<>();
    for (Path path : paths) {
      final List<SegmentLocation> below = find(path);
      if (below.isEmpty()) {
        throw new ToolException(
            path.toString(),
            "there is no segment here or below",
            "Name a directory with " + VERSION_FILE + " or " + IndexIO.V10_FILE_NAME
                + " in it, an index.zip from deep storage, or a folder of these"
        );
      }
      found.addAll(below);
    }
    return List.copyOf(found);
  }

  /**
   * Finds the only segment at a path.
   *
   * @throws ToolException if there is no segment or more than one
   */
  public static SegmentLocation one(Path path) {
    final List<SegmentLocation> found = find(List.of(path));
    if (found.size() > 1) {
      throw new ToolException(
          path.toString(),
          "there are " + found.size() + " segments below, such as " + found.get(0).path + " and " + found.get(1).path,
          "Name one of them"
      );
    }
    return found.get(0);
  }

  private static List<SegmentLocation> find(Path path) {
    if (!Files.exists(path)) {
      throw new ToolException(path.toString(), "there is no such file or directory", "");
    }
    if (Files.isRegularFile(path)) {
      final String name = path.getFileName().toString();
      if (name.endsWith(ZIP)) {
        return List.of(new SegmentLocation(path));
      }
      final Path directory = path.toAbsolutePath().getParent();
      return isSegment(directory) ? List.of(new SegmentLocation(directory)) : List.of();
    }
    final List<SegmentLocation> found = new ArrayList<>();
    try {
      Files.walkFileTree(path, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
          if (!directory.equals(path) && directory.getFileName().toString().startsWith(TemporaryDirectory.PREFIX)) {
            // A directory that another process is writing, or left behind when it was killed.
            return FileVisitResult.SKIP_SUBTREE;
          }
          if (isSegment(directory)) {
            found.add(new SegmentLocation(directory));
          }
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
          if (e instanceof FileSystemLoopException) {
            // This symbolic link points to a folder that is being listed, so the segments in it are found anyway.
            return FileVisitResult.CONTINUE;
          }
          throw new ToolException(
              file.toString(),
              "it cannot be read: " + Reason.of(e),
              "Allow it to be read, or name a folder that it is not below",
              e
          );
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          // Some deep storages put a number before the name.
          if (file.getFileName().toString().endsWith(INDEX_ZIP) && !isSegment(file.resolveSibling(""))) {
            found.add(new SegmentLocation(file));
          }
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (IOException e) {
      throw new ToolException(path.toString(), "it cannot be listed: " + Reason.of(e), "", e);
    }
    found.sort((a, b) -> a.path.compareTo(b.path));
    return found;
  }

  /** Whether a directory is an unpacked segment. */
  public static boolean isSegment(Path directory) {
    return Files.exists(directory.resolve(VERSION_FILE)) || Files.exists(directory.resolve(IndexIO.V10_FILE_NAME));
  }

  /** Whether the location is a zip file. */
  public boolean isZip() {
    return path.toString().endsWith(ZIP) && !Files.isDirectory(path);
  }

  /**
   * Directory that the segment would have below a folder if all segments there were unpacked. It is the segment's own
   * directory, or the directory of its {@code index.zip}. A zip file with another name, of which a directory may have
   * several, gives a directory with that name: {@code 0_index} for {@code 0_index.zip}.
   *
   * @param folder folder that contains the segment, or the segment's own directory
   * @return path relative to the folder; empty for the folder itself
   */
  public Path placeBelow(Path folder) {
    if (!isZip()) {
      return folder.relativize(path);
    }
    final String name = path.getFileName().toString();
    return folder.relativize(
        path.resolveSibling(name.equals(INDEX_ZIP) ? "" : name.substring(0, name.length() - ZIP.length())));
  }

  /**
   * Opens the segment. A zip file is unpacked into a temporary directory, which is deleted when the segment is closed.
   *
   * @throws ToolException if the segment cannot be read
   */
  public Segment open() {
    final SegmentFiles files = unpack();
    try {
      return Segment.open(path, files.directory(), files);
    } catch (RuntimeException e) {
      files.close();
      throw e;
    }
  }

  /**
   * Returns the segment's files, for work before it is opened. A zip file is unpacked into a temporary directory, which
   * is deleted when the files are closed.
   *
   * @throws ToolException if the zip file cannot be unpacked
   */
  public SegmentFiles unpack() {
    if (!isZip()) {
      return new SegmentFiles(path, path, null);
    }
    final TemporaryDirectory unpacked = TemporaryDirectory.create("shapeshift-unzip");
    try {
      SegmentZip.unpack(path, unpacked.path());
      if (!isSegment(unpacked.path())) {
        throw new ToolException(
            path.toString(),
            "there is no segment in this zip file",
            "Name an index.zip as Druid pushes it to deep storage"
        );
      }
      return new SegmentFiles(path, unpacked.path(), unpacked);
    } catch (ToolException e) {
      unpacked.close();
      throw e;
    } catch (IOException | RuntimeException e) {
      unpacked.close();
      throw new ToolException(
          path.toString(),
          "it cannot be unzipped: " + e.getMessage(),
          "Name an index.zip as Druid pushes it to deep storage, its files not in a folder; it takes room in "
              + unpacked.path().getParent(),
          e
      );
    }
  }
}
