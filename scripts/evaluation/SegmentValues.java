// SPDX-License-Identifier: Apache-2.0

import io.shapeshift.druid.tool.segment.Druid;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;

/**
 * Writes the values of a segment's columns, as a query reads them, for scripts/evaluate to compare with its input. A
 * column, by its number in the arguments, is three files of numbers with the low byte first:
 *
 * <pre>
 * N.present  a byte for each row: 0 if it is null, else 1
 * N.values   8 bytes for each row: a long or the bits of a double; of strings the end of its UTF-8 in N.bytes
 * N.bytes    UTF-8 of all strings
 * </pre>
 *
 * Arguments: the segment, the directory to write into, and the names of the columns.
 */
final class SegmentValues {
  public static void main(String[] args) throws IOException {
    try (QueryableIndex index = Druid.instance(IndexIO.class).loadIndex(Path.of(args[0]).toFile())) {
      for (int i = 2; i < args.length; i++) {
        try (BaseColumn column = index.getColumnHolder(args[i]).getColumn()) {
          write(column, index.getNumRows(), Path.of(args[1]), String.valueOf(i - 2));
        }
      }
    }
  }

  private static void write(BaseColumn column, int rows, Path directory, String name) throws IOException {
    final SimpleAscendingOffset offset = new SimpleAscendingOffset(rows);
    final ColumnValueSelector<?> selector = column.makeColumnValueSelector(offset);
    final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long end = 0;
    try (OutputStream present = open(directory, name + ".present");
        OutputStream values = open(directory, name + ".values");
        OutputStream bytes = open(directory, name + ".bytes")) {
      for (; offset.withinBounds(); offset.increment()) {
        final Object value = selector.getObject();
        long bits = 0;
        if (value instanceof Long) {
          bits = (Long) value;
        } else if (value instanceof Double) {
          bits = Double.doubleToRawLongBits((Double) value);
        } else if (value != null) {
          final byte[] utf8 = ((String) value).getBytes(StandardCharsets.UTF_8);
          bytes.write(utf8);
          end += utf8.length;
        }
        present.write(value == null ? 0 : 1);
        values.write(number.putLong(0, bits + end).array());
      }
    }
  }

  private static OutputStream open(Path directory, String name) throws IOException {
    return new BufferedOutputStream(Files.newOutputStream(directory.resolve(name)));
  }
}
