// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.Closeable;
import java.nio.file.Path;
import javax.annotation.Nullable;

/** Files of a segment before it is opened, which may be damaged. */
public final class SegmentFiles implements Closeable {
  private final Path path;
  private final Path directory;
  @Nullable
  private final TemporaryDirectory unpacked;

  SegmentFiles(Path path, Path directory, @Nullable TemporaryDirectory unpacked) {
    this.path = path;
    this.directory = directory;
    this.unpacked = unpacked;
  }

  /** Path that the user gave: a directory or a zip file. */
  public Path path() {
    return path;
  }

  /** Directory of the unpacked files. */
  public Path directory() {
    return directory;
  }

  /**
   * Opens the segment. These files must stay open as long as the segment.
   *
   * @throws ToolException if the segment cannot be read
   */
  public Segment open() {
    return Segment.open(path, directory, null);
  }

  @Override
  public void close() {
    if (unpacked != null) {
      unpacked.close();
    }
  }
}
