// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.file.SegmentFileMapper;

/** Finds the file of a column, for error messages of columns whose descriptor and bytes do not have the name. */
public final class OwnFile {
  private OwnFile() {}

  /**
   * Name of the file that a column is read from. Druid does not pass the name to deserializers, so the file is
   * identified by its mapped bytes. Errors of other files are ignored here.
   *
   * @param bytes     bytes that the part's deserializer got
   * @param otherwise result if no file of the segment has these bytes, or several files have them
   */
  public static String name(ByteBuffer bytes, ColumnBuilder builder, String otherwise) {
    @Nullable final SegmentFileMapper files = builder.getFileMapper();
    if (files == null) {
      return otherwise;
    }
    // In version 9 the descriptor, which is read already, precedes the column in the file.
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
