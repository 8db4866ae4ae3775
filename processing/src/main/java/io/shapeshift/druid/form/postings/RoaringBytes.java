// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RoaringContainers;
import io.shapeshift.druid.rows.RowSet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writer, checks and reader of serialized Roaring bitmaps (https://github.com/RoaringBitmap/RoaringFormatSpec). A
 * bitmap is checked before it is read.
 */
final class RoaringBytes {
  /** Bytes of a bitmap without rows. */
  static final int EMPTY_SIZE = 8;

  private static final int COOKIE = 12346;
  private static final int COOKIE_WITH_RUNS = 12347;
  /** Least number of containers with offsets in a bitmap that has a run container. */
  private static final int LEAST_WITH_OFFSETS = 4;
  private static final int LOG_CONTAINER = 16;
  private static final int MAX_ARRAY = 4096;
  private static final int BITSET_BYTES = 1 << 13;
  private static final int WORDS = BITSET_BYTES / Long.BYTES;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private RoaringBytes() {}

  /** Returns the size in bytes of a bitmap of ascending rows, with run containers where they are smaller. */
  static int size(int[] rows, int from, int to) {
    int containers = 0;
    boolean hasRuns = false;
    long data = 0;
    for (int start = from; start < to; ) {
      final int end = RoaringContainers.endOfContainer(rows, start, to);
      final int direct = directBytes(end - start);
      final int runs = runBytes(rows, start, end);
      data += Math.min(direct, runs);
      hasRuns |= runs < direct;
      containers++;
      start = end;
    }
    return Math.toIntExact(headerBytes(containers, hasRuns) + data);
  }

  private static int directBytes(int cardinality) {
    return cardinality > MAX_ARRAY ? BITSET_BYTES : Short.BYTES * cardinality;
  }

  private static int runBytes(int[] rows, int start, int end) {
    int runs = 1;
    for (int i = start + 1; i < end; i++) {
      runs += rows[i] == rows[i - 1] + 1 ? 0 : 1;
    }
    return Short.BYTES + 2 * Short.BYTES * runs;
  }

  private static int headerBytes(int containers, boolean hasRuns) {
    return hasRuns
           ? Integer.BYTES + (containers + 7) / 8 + 2 * Short.BYTES * containers
               + (containers >= LEAST_WITH_OFFSETS ? Integer.BYTES * containers : 0)
           : 2 * Integer.BYTES + (2 * Short.BYTES + Integer.BYTES) * containers;
  }

  /** Serializes ascending rows, with run containers where they are smaller. */
  static byte[] of(int[] rows, int count) {
    int containers = 0;
    boolean hasRuns = false;
    int data = 0;
    for (int start = 0; start < count; containers++) {
      final int end = RoaringContainers.endOfContainer(rows, start, count);
      final int direct = directBytes(end - start);
      final int runs = runBytes(rows, start, end);
      data = Math.addExact(data, Math.min(direct, runs));
      hasRuns |= runs < direct;
      start = end;
    }
    final Writer out = new Writer(containers, hasRuns, data);
    for (int start = 0; start < count; ) {
      final int end = RoaringContainers.endOfContainer(rows, start, count);
      final int cardinality = end - start;
      final boolean isRuns = runBytes(rows, start, end) < directBytes(cardinality);
      out.startContainer(rows[start] >>> LOG_CONTAINER, cardinality, isRuns);
      if (isRuns) {
        out.runs(rows, start, end);
      } else if (cardinality > MAX_ARRAY) {
        out.bitset(rows, start, end);
      } else {
        out.array(rows, start, end);
      }
      start = end;
    }
    return out.bytes;
  }

  /**
   * Checks a bitmap's header, so that reads stay within its bytes, and that its last row is a row of the segment.
   *
   * @throws MalformedChunkException if the bitmap fails a check
   */
  static void check(ByteBuffer bytes, int numRows) {
    final int size = bytes.limit();
    final int cookie = bytes.getInt(0);
    final boolean hasRuns = (cookie & 0xFFFF) == COOKIE_WITH_RUNS;
    if (!hasRuns && cookie != COOKIE) {
      throw new MalformedChunkException("A bitmap starts with " + cookie + ", expected " + COOKIE + " or "
          + COOKIE_WITH_RUNS);
    }
    final int containers = hasRuns ? (cookie >>> 16) + 1 : bytes.getInt(Integer.BYTES);
    if (containers < 0 || containers > 1 << LOG_CONTAINER || headerBytes(containers, hasRuns) > size) {
      throw new MalformedChunkException(
          "A bitmap of " + size + " bytes has " + containers + " containers, which do not fit");
    }
    final int keys = hasRuns ? Integer.BYTES + (containers + 7) / 8 : 2 * Integer.BYTES;
    final int offsets = keys + 2 * Short.BYTES * containers;
    final boolean hasOffsets = !hasRuns || containers >= LEAST_WITH_OFFSETS;
    int at = headerBytes(containers, hasRuns);
    int lastKey = -1;
    for (int i = 0; i < containers; i++) {
      final int key = bytes.getShort(keys + 2 * Short.BYTES * i) & 0xFFFF;
      final int cardinality = (bytes.getShort(keys + 2 * Short.BYTES * i + Short.BYTES) & 0xFFFF) + 1;
      final boolean isRuns = hasRuns && (bytes.get(Integer.BYTES + i / 8) >>> (i & 7) & 1) != 0;
      if (isRuns && at > size - Short.BYTES) {
        throw new MalformedChunkException("A bitmap ends within its container " + i);
      }
      final int length = isRuns
                         ? Short.BYTES + 2 * Short.BYTES * (bytes.getShort(at) & 0xFFFF)
                         : directBytes(cardinality);
      if (key <= lastKey || length > size - at
          || (hasOffsets && bytes.getInt(offsets + Integer.BYTES * i) != at)) {
        throw new MalformedChunkException("A bitmap of " + size + " bytes has container " + i + " with key " + key
            + " behind " + lastKey + ", of " + length + " bytes from " + at + " on, which cannot be");
      }
      lastKey = key;
      // Rows of earlier containers are in the segment if the last container is, unless a run leaves its container.
      final int low = isRuns || i == containers - 1 ? lastOf(bytes, at, length, cardinality, isRuns) : 0;
      final long last = ((long) key << LOG_CONTAINER) + low;
      if (last >= numRows) {
        throw new MalformedChunkException("A bitmap has row " + last + ", of " + numRows);
      }
      at += length;
    }
    if (at != size) {
      throw new MalformedChunkException("A bitmap takes " + size + " bytes, expected " + at);
    }
  }

  /**
   * Adds a bitmap's rows to a set.
   *
   * @param in     bytes that contain a checked bitmap
   * @param offset position of the bitmap
   */
  static void addTo(RowSet out, RawBytes in, int offset) {
    final int cookie = in.getInt(offset);
    final boolean hasRuns = (cookie & 0xFFFF) == COOKIE_WITH_RUNS;
    final int containers = hasRuns ? (cookie >>> 16) + 1 : in.getInt(offset + Integer.BYTES);
    final int keys = offset + (hasRuns ? Integer.BYTES + (containers + 7) / 8 : 2 * Integer.BYTES);
    int at = offset + headerBytes(containers, hasRuns);
    for (int i = 0; i < containers; i++) {
      final int first = in.getShort(keys + 2 * Short.BYTES * i) << LOG_CONTAINER;
      final int cardinality = in.getShort(keys + 2 * Short.BYTES * i + Short.BYTES) + 1;
      if (hasRuns && (in.getByte(offset + Integer.BYTES + i / 8) >>> (i & 7) & 1) != 0) {
        at += addRuns(out, in, at, first, cardinality);
      } else if (cardinality > MAX_ARRAY) {
        addBitset(out.bits(), in, at, first);
        at += BITSET_BYTES;
      } else {
        addArray(out, in, at, first, cardinality);
        at += Short.BYTES * cardinality;
      }
    }
  }

  private static int addRuns(RowSet out, RawBytes in, int offset, int first, int cardinality) {
    final int numRuns = in.getShort(offset);
    final boolean areLong = RowSet.areLong(cardinality, numRuns);
    final int end = offset + Short.BYTES + 2 * Short.BYTES * numRuns;
    for (int at = offset + Short.BYTES; at < end; at += 2 * Short.BYTES) {
      final int start = first + in.getShort(at);
      final int endOfRun = start + in.getShort(at + Short.BYTES) + 1;
      if (areLong) {
        out.addRun(start, endOfRun);
      } else {
        out.addRows(start, endOfRun);
      }
    }
    return end - offset;
  }

  private static void addBitset(long[] words, RawBytes in, int at, int first) {
    final int firstWord = first >>> 6;
    final int length = Math.min(WORDS, words.length - firstWord);
    for (int word = 0; word < length; word++) {
      words[firstWord + word] |= in.getLong(at + Long.BYTES * word);
    }
  }

  private static void addArray(RowSet out, RawBytes in, int at, int first, int cardinality) {
    if (out.isBits()) {
      final long[] words = out.bits();
      for (int i = 0; i < cardinality; i++) {
        final int row = first + in.getShort(at + Short.BYTES * i);
        words[row >>> 6] |= 1L << row;
      }
      return;
    }
    final int[] rows = out.room(cardinality);
    final int start = out.count();
    final int numRows = out.numRows();
    int outside = 0;
    for (int i = 0; i < cardinality; i++) {
      final int row = first + in.getShort(at + Short.BYTES * i);
      rows[start + i] = row;
      outside |= RowSet.outside(row, numRows);
    }
    out.added(cardinality, outside | RowSet.descent(rows, start, start + cardinality), true);
  }

  /** Returns the greatest row of a container, without relying on its order. */
  private static int lastOf(ByteBuffer bytes, int at, int length, int cardinality, boolean isRuns) {
    if (isRuns) {
      return lastOfRuns(bytes, at + Short.BYTES, at + length);
    }
    if (cardinality <= MAX_ARRAY) {
      int last = 0;
      for (int i = at; i < at + length; i += Short.BYTES) {
        last = Math.max(last, bytes.getShort(i) & 0xFFFF);
      }
      return last;
    }
    for (int i = BITSET_BYTES - Long.BYTES; i >= 0; i -= Long.BYTES) {
      final long word = bytes.getLong(at + i);
      if (word != 0) {
        return i * Byte.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(word);
      }
    }
    return 0;
  }

  private static int lastOfRuns(ByteBuffer bytes, int from, int to) {
    int last = -1;
    for (int i = from; i < to; i += 2 * Short.BYTES) {
      final int start = bytes.getShort(i) & 0xFFFF;
      final int end = start + (bytes.getShort(i + Short.BYTES) & 0xFFFF);
      if (start <= last || end >= 1 << LOG_CONTAINER) {
        throw new MalformedChunkException("A bitmap has a run from " + start + " to " + end + " behind " + last);
      }
      last = end;
    }
    return Math.max(0, last);
  }

  /** Appends containers to a bitmap whose header and container sizes are known in advance. */
  private static final class Writer {
    private final byte[] bytes;
    private final boolean hasRuns;
    private final int keys;
    private final int offsets;
    private int container;
    private int at;

    Writer(int containers, boolean hasRuns, int data) {
      this.hasRuns = hasRuns;
      this.at = headerBytes(containers, hasRuns);
      this.bytes = new byte[Math.addExact(at, data)];
      if (hasRuns) {
        INTS.set(bytes, 0, COOKIE_WITH_RUNS | (containers - 1) << 16);
        this.keys = Integer.BYTES + (containers + 7) / 8;
      } else {
        INTS.set(bytes, 0, COOKIE);
        INTS.set(bytes, Integer.BYTES, containers);
        this.keys = 2 * Integer.BYTES;
      }
      this.offsets = !hasRuns || containers >= LEAST_WITH_OFFSETS ? keys + 2 * Short.BYTES * containers : -1;
    }

    void startContainer(int key, int cardinality, boolean isRuns) {
      SHORTS.set(bytes, keys + 2 * Short.BYTES * container, (short) key);
      SHORTS.set(bytes, keys + 2 * Short.BYTES * container + Short.BYTES, (short) (cardinality - 1));
      if (hasRuns && isRuns) {
        bytes[Integer.BYTES + container / 8] |= (byte) (1 << (container & 7));
      }
      if (offsets >= 0) {
        INTS.set(bytes, offsets + Integer.BYTES * container, at);
      }
      container++;
    }

    void array(int[] rows, int start, int end) {
      array(rows, start, end, bytes, at);
      at += Short.BYTES * (end - start);
    }

    private static void array(int[] rows, int start, int end, byte[] bytes, int at) {
      for (int i = start; i < end; i++) {
        SHORTS.set(bytes, at + Short.BYTES * (i - start), (short) rows[i]);
      }
    }

    void bitset(int[] rows, int start, int end) {
      for (int i = start; i < end; i++) {
        final int bit = rows[i] & 0xFFFF;
        bytes[at + (bit >>> 3)] |= (byte) (1 << (bit & 7));
      }
      at += BITSET_BYTES;
    }

    void run(int start, int end) {
      SHORTS.set(bytes, at, (short) start);
      SHORTS.set(bytes, at + Short.BYTES, (short) (end - 1 - start));
      at += 2 * Short.BYTES;
    }

    void runs(int[] rows, int start, int end) {
      final int count = at;
      at += Short.BYTES;
      int numRuns = 0;
      for (int i = start; i < end; numRuns++) {
        final int first = i;
        do {
          i++;
        } while (i < end && rows[i] == rows[i - 1] + 1);
        run(rows[first], rows[i - 1] + 1);
      }
      SHORTS.set(bytes, count, (short) numRuns);
    }
  }
}
