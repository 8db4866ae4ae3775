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
 * Temporary files that are made when something outgrows a few kilobytes of heap. Druid's medium of files keeps as much
 * on the heap, but makes and deletes a directory in any case, which takes longer than to encode a column of few rows.
 */
final class LazyMedium implements SegmentWriteOutMedium {
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
        // A directory of its own: Druid's media in one directory share their files' folder, and each deletes it.
        final TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-rows");
        closer.register(directory::close);
        files = closer.register(
            TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.path().toFile()));
      }
      return files.makeWriteOutBytes();
    } catch (ToolException e) {
      // As where a file in the directory cannot be written.
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
