// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.file.SegmentFileMapper;

/**
 * The head of Druid's {@link GenericIndexed} in several files, which Druid writes beyond 2 GiB. It may stand where a
 * dictionary of ours would, which starts with another byte.
 *
 * <p>The head, big-endian: a byte 2; a byte of flags; the base 2 logarithm of the values of a file; the number of
 * values; the length of the name that the names of the files start with (ints); this name.
 */
public final class SeveralFiles {
  private static final byte VERSION = 2;
  private static final int FIXED_BYTES = 2 + 3 * Integer.BYTES;

  private SeveralFiles() {}

  /** Returns whether bytes begin with such a head. */
  public static boolean startWith(ByteBuffer bytes) {
    return bytes.hasRemaining() && bytes.get(bytes.position()) == VERSION;
  }

  /**
   * Checks such a head, if there is one. Druid, which reads it next, allocates as much memory as it says.
   *
   * @param name  name of the column or file, for messages
   * @param bytes in any byte order; not changed
   * @param files files of the segment; where there are none, Druid refuses such a head
   * @throws ColumnFormatException if the head ends too early, or needs more files than there are
   */
  public static void check(String name, ByteBuffer bytes, @Nullable SegmentFileMapper files) {
    if (files == null || !startWith(bytes)) {
      return;
    }
    final ByteBuffer head = bytes.slice().order(ByteOrder.BIG_ENDIAN);
    if (head.remaining() < FIXED_BYTES) {
      throw ColumnFormatException.damaged(
          name, "the head of its values in several files has " + head.remaining() + " bytes, expected " + FIXED_BYTES);
    }
    final int logValuesPerFile = head.getInt(2);
    final int numValues = head.getInt(2 + Integer.BYTES);
    final int nameBytes = head.getInt(2 + 2 * Integer.BYTES);
    final int left = head.remaining() - FIXED_BYTES;
    if (nameBytes < 0 || nameBytes > left) {
      throw ColumnFormatException.damaged(
          name, "the name of its files has " + nameBytes + " bytes, and " + left + " are left");
    }
    final int most = files.getInternalFilenames().size();
    if (logValuesPerFile < 0 || logValuesPerFile >= Integer.SIZE - 1 || numValues < 0
        || numValues >> logValuesPerFile > most) {
      throw ColumnFormatException.damaged(name, "its " + numValues + " values are in files of 2^" + logValuesPerFile
          + ", and the segment has " + most + " files");
    }
  }
}
