// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.Closeable;
import java.nio.file.Path;
import javax.annotation.Nullable;

/** The files of a segment, which need not be in order yet: it is not opened. */
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

  /** Where the user said that it is: a directory or a zip file. */
  public Path path() {
    return path;
  }

  /** Where they lie unpacked. */
  public Path directory() {
    return directory;
  }

  /**
   * Opens the segment, which needs these as long as it is open.
   *
   * @throws ToolException if it cannot be read
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
