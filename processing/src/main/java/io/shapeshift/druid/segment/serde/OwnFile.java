// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.file.SegmentFileMapper;

/** Tells errors which column they are about, where neither its descriptor nor its bytes do. */
public final class OwnFile {
  private OwnFile() {}

  /**
   * Name of the file that a column is read from: Druid does not tell it to those who read, but they have its bytes.
   * What is wrong with other files is nothing to tell here.
   *
   * @param bytes     as a part's deserializer gets them
   * @param otherwise where no file of the segment has these bytes, or several have
   */
  public static String name(ByteBuffer bytes, ColumnBuilder builder, String otherwise) {
    @Nullable final SegmentFileMapper files = builder.getFileMapper();
    if (files == null) {
      return otherwise;
    }
    // Version 9 has the descriptor in front, which was read.
    final ByteBuffer whole = bytes.duplicate().rewind();
    final List<String> same = files.getInternalFilenames().stream().filter(name -> has(files, name, whole)).toList();
    return same.size() == 1 ? same.get(0) : otherwise;
  }

  private static boolean has(SegmentFileMapper files, String name, ByteBuffer bytes) {
    try {
      return bytes.equals(files.mapFile(name));
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
