// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.writeout.LazilyAllocatingHeapWriteOutBytes;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Medium that creates a temporary file only for output above a few kilobytes. Druid's file medium keeps the same amount
 * on the heap, but always creates and deletes a directory, which takes longer than encoding a column of few rows.
 */
public final class LazyMedium implements SegmentWriteOutMedium {
  private final Closer closer = Closer.create();
  @Nullable
  private SegmentWriteOutMedium files;

  @Override
  public WriteOutBytes makeWriteOutBytes() {
    return new LazilyAllocatingHeapWriteOutBytes(this::makeFile, closer);
  }

  private WriteOutBytes makeFile() {
    try {
      if (files == null) {
        // A separate directory: Druid's media in one directory share a folder of files, and each deletes it.
        final TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-rows");
        closer.register(directory::close);
        files = closer.register(
            TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.path().toFile()));
      }
      return files.makeWriteOutBytes();
    } catch (ToolException e) {
      // Same exception as for a file that cannot be written.
      throw new UncheckedIOException(new IOException(e.found(), e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public SegmentWriteOutMedium makeChildWriteOutMedium() {
    return closer.register(new LazyMedium());
  }

  @Override
  public Closer getCloser() {
    return closer;
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
