// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.GenericIndexed;

/**
 * Columns of a version 9 segment that have only null. They have no file, only a name in index.drd.
 *
 * @param names  names of the columns; empty for version 10, where they are ordinary columns
 * @param damage reason why the names cannot be read; null if they can
 */
record NullColumns(List<String> names, @Nullable String damage) {
  static final String INDEX_FILE = "index.drd";

  static NullColumns of(Segment segment) {
    if (segment.version() != IndexIO.V9_VERSION) {
      return new NullColumns(List.of(), null);
    }
    try {
      return new NullColumns(Damage.reading(INDEX_FILE, () -> read(segment)), null);
    } catch (Damage e) {
      return new NullColumns(List.of(), e.getMessage());
    }
  }

  private static List<String> read(Segment segment) throws IOException {
    final ByteBuffer index = segment.files().mapFile(INDEX_FILE);
    GenericIndexed.read(index, GenericIndexed.STRING_STRATEGY, segment.files());
    GenericIndexed.read(index, GenericIndexed.STRING_STRATEGY, segment.files());
    index.position(index.position() + 2 * Long.BYTES);
    if (index.hasRemaining()) {
      Segment.readString(index);
    }
    final List<String> names = new ArrayList<>();
    if (index.hasRemaining()) {
      // All other columns are null in this list.
      for (String name : GenericIndexed.read(index, GenericIndexed.STRING_STRATEGY, segment.files())) {
        if (name != null && segment.baseColumn(name) == null) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
