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
 * Where a segment is: a directory, or a zip file as in deep storage.
 *
 * @param path the directory or the zip file
 */
public record SegmentLocation(Path path) {
  private static final String VERSION_FILE = "version.bin";
  private static final String ZIP = ".zip";
  private static final String INDEX_ZIP = "index" + ZIP;

  /**
   * Finds all segments: at the paths and in the folders below them, sorted within each. Zip files in the directory of
   * an unpacked segment are files of that segment.
   *
   * @throws ToolException if a path does not exist, there is no segment at or below it, or a folder below it cannot be
   *                       listed
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
   * The one segment at a path.
   *
   * @throws ToolException if there is none or more than one
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
            // What another process is writing now, or left when it was killed.
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
            // A symbolic link to a folder that is being listed, where all that is below it is found.
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
          // Some deep storages have a number in front.
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

  private static boolean isSegment(Path directory) {
    return Files.exists(directory.resolve(VERSION_FILE)) || Files.exists(directory.resolve(IndexIO.V10_FILE_NAME));
  }

  /** Whether the segment is a zip file. */
  public boolean isZip() {
    return path.toString().endsWith(ZIP) && !Files.isDirectory(path);
  }

  /**
   * The directory that the segment would have below a folder if all segments there were unpacked: its own, that of its
   * {@code index.zip}, or one named after the zip file where it has another name, as several in a directory do:
   * {@code 0_index} for {@code 0_index.zip}.
   *
   * @param folder a folder that the segment is in, or the segment's own directory
   * @return the path relative to the folder; empty for the folder itself
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
   * Opens the segment. A zip file is unpacked into a temporary directory, which goes when the segment is closed.
   *
   * @throws ToolException if it cannot be read
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
   * Gives the segment's files, for what is done before it is opened. A zip file is unpacked into a temporary directory,
   * which goes when they are closed.
   *
   * @throws ToolException if it cannot be unpacked
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
