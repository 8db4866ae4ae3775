// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.rows.RowSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.roaringbitmap.IntIterator;

/** Writes hash indexes of rows that are at hand, and looks keys up in them. */
public final class HashIndexes {
  static final String COLUMN = "id";

  private HashIndexes() {}

  /** A serializer that has these rows, of which some may be null. */
  static HashIndexSerializer serializer(List<Long> rows) throws IOException {
    final HashIndexSerializer serializer = new HashIndexSerializer(
        COLUMN, new OnHeapMemorySegmentWriteOutMedium(), OptimizationTarget.FASTBUTSMALLISH);
    serializer.open();
    for (@Nullable Long row : rows) {
      if (row == null) {
        serializer.addNull();
      } else {
        serializer.add(row);
      }
    }
    return serializer;
  }

  static byte[] write(List<Long> rows) throws IOException {
    final HashIndexSerializer serializer = serializer(rows);
    assertTrue(serializer.complete());
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    serializer.writeTo(Channels.newChannel(out), null);
    assertEquals(serializer.getSerializedSize(), out.size());
    return out.toByteArray();
  }

  /** Makes the checksums of an index anew that was changed but for them, so that they do not tell. */
  public static byte[] renewChecksums(byte[] bytes) {
    int size = bytes.length;
    while (size + BlockChecksums.bytes(size) > bytes.length) {
      size--;
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final BlockChecksums.Writer writer = new BlockChecksums.Writer(Channels.newChannel(out));
    try {
      writer.write(ByteBuffer.wrap(bytes, 0, size));
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static HashIndex read(byte[] bytes, int numRows) {
    return HashIndex.read(COLUMN, ByteBuffer.wrap(bytes), numRows);
  }

  /** A column whose rows of null have another number. */
  static IntToLongFunction column(List<Long> rows) {
    return row -> rows.get(row) == null ? Long.MIN_VALUE : rows.get(row);
  }

  /** The rows that have a key. */
  static List<Integer> find(HashIndexReader reader, long key, int numRows) {
    final RowSet found = new RowSet(numRows);
    reader.find(key, found);
    return rows(found);
  }

  /** The rows of a set, ascending. */
  static List<Integer> rows(RowSet found) {
    final List<Integer> rows = new ArrayList<>();
    for (IntIterator i = found.toBitmap(RoaringBitmapFactory.INSTANCE).iterator(); i.hasNext(); ) {
      rows.add(i.next());
    }
    return rows;
  }
}
