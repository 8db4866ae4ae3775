// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/** Heads of values in a section of words, read alone or for a block of values. For one thread. */
final class WordHeads {
  private final BlobSection section;
  private final BlobSection.Reader reader;
  /** Ids of the heads; null if heads are not kept by their ids. */
  @Nullable
  private final ShapeShiftingColumnarInts ids;
  /** Bytes of the distinct heads or of the heads of a block, and {@value RawBytes#STEP} more. */
  private byte[] bytes = new byte[RawBytes.STEP];
  /** Start of each distinct head, and the end of the last; null until they are read. */
  @Nullable
  private int[] startsById;
  private long numLoaded;
  private final int[] starts = new int[Positions.VALUES_PER_BASE];
  private final int[] lengths = new int[Positions.VALUES_PER_BASE];

  WordHeads(BlobSection section) {
    this.section = section;
    this.reader = section.reader();
    this.ids = section instanceof DistinctBlobs distinct && isKept(distinct.values()) ? distinct.codes() : null;
  }

  private static boolean isKept(BlobSection distinct) {
    return distinct.numValues() <= CostModel.Blobs.MOST_HEADS
        && distinct.sizeInBytes() <= CostModel.Blobs.MOST_HEAD_BYTES;
  }

  /** Returns a head until the next is read; null if it is null. */
  @Nullable
  ByteBuffer get(int index) {
    return reader.get(index, false);
  }

  /** Reads the heads of a block of values. */
  void load(int first, int count) {
    if (ids == null || !hasDistinct(count)) {
      loadEach(first, count);
      return;
    }
    ids.get(starts, first, count);
    for (int i = 0; i < count; i++) {
      final int id = starts[i] - 1;
      if (id < BlobSpill.NULL || id >= startsById.length - 1) {
        throw new MalformedChunkException("a value has head " + id + ", of " + (startsById.length - 1));
      }
      starts[i] = id < 0 ? 0 : startsById[id];
      lengths[i] = id < 0 ? BlobSpill.NULL : startsById[id + 1] - starts[i];
    }
  }

  /** Returns whether the distinct heads are read, which they are as soon as enough heads were. */
  private boolean hasDistinct(int count) {
    if (startsById == null) {
      final BlobSection distinct = ((DistinctBlobs) section).values();
      numLoaded += count;
      startsById = numLoaded > distinct.numValues() / CostModel.Blobs.WORDS_PER_LOOK_UP ? readDistinct(distinct) : null;
    }
    return startsById != null;
  }

  private void loadEach(int first, int count) {
    int end = 0;
    for (int i = 0; i < count; i++) {
      starts[i] = end;
      @Nullable final ByteBuffer head = get(first + i);
      lengths[i] = head == null ? BlobSpill.NULL : head.remaining();
      end = head == null ? end : append(head, end);
    }
  }

  private int[] readDistinct(BlobSection distinct) {
    final BlobSection.Reader values = distinct.reader();
    final int[] found = new int[distinct.numValues() + 1];
    try {
      for (int id = 0; id < distinct.numValues(); id++) {
        @Nullable final ByteBuffer head = values.get(id, false);
        if (head == null) {
          throw new MalformedChunkException("head " + id + " is null");
        }
        found[id + 1] = append(head, found[id]);
      }
    } finally {
      values.close();
    }
    return found;
  }

  /** Appends a head to the bytes, and returns the new end. */
  private int append(ByteBuffer head, int end) {
    final int length = head.remaining();
    if (bytes.length - RawBytes.STEP - end < length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + length + RawBytes.STEP));
    }
    head.get(head.position(), bytes, end, length);
    return end + length;
  }

  /** Returns the length of each head in the block, {@link BlobSpill#NULL} for null. */
  int[] lengths() {
    return lengths;
  }

  /** Copies a head in the block, and up to seven bytes after it. */
  void copy(int inBlock, byte[] out, int at) {
    for (int i = 0; i < lengths[inBlock]; i += Long.BYTES) {
      RawBytes.putLong(out, at + i, Words.get8(bytes, starts[inBlock] + i));
    }
  }

  void addNulls(int firstRow, RowSet out) {
    reader.addNulls(firstRow, out);
  }

  void close() {
    reader.close();
    if (ids != null) {
      ids.close();
    }
  }
}
