// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Writer of a column of byte strings. Values are kept in the medium, where they can be read again until it is closed.
 * As soon as there are {@link CostModel.Blobs#SECTION_BYTES} of them they are encoded, so that the heap is bounded.
 *
 * @see Blobs the format
 */
public final class BlobsSerializer {
  private static final byte[] NONE = {};

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final Encoder encoder;
  /**
   * Parent of the media that keep what is encoded for the choice of a form. It is never closed alone: Druid deletes
   * the directory that it shares with other children of the medium.
   */
  @Nullable
  private SegmentWriteOutMedium scratch;
  private final int sectionBytes;
  private final List<BlobSpill> spills = new ArrayList<>();
  private final List<EncodedBlobs> sections = new ArrayList<>();
  @Nullable
  private BlobSpill spill;
  private boolean complete;

  /**
   * Creates a serializer.
   *
   * @param column name of the column, for messages
   * @param medium keeps values and encoded sections
   * @param target optimization target for the choice of forms
   */
  public BlobsSerializer(String column, SegmentWriteOutMedium medium, OptimizationTarget target) {
    this(
        column,
        medium,
        (values, scratch) -> new BlobChoice(column, scratch, target).of(values),
        CostModel.Blobs.SECTION_BYTES
    );
  }

  /** Creates a serializer with sections of another form or size, for tests. */
  @VisibleForTesting
  BlobsSerializer(String column, SegmentWriteOutMedium medium, Encoder encoder, int sectionBytes) {
    this.column = column;
    this.medium = medium;
    this.encoder = encoder;
    this.sectionBytes = sectionBytes;
  }

  /** Encoder of a section, whose parts it keeps in the given medium. */
  @FunctionalInterface
  interface Encoder {
    EncodedBlobs encode(BlobSpill values, SegmentWriteOutMedium medium) throws IOException;
  }

  /** Adds the next value, or null. */
  public void add(@Nullable byte[] value) throws IOException {
    add(value == null ? NONE : value, 0, value == null ? BlobSpill.NULL : value.length);
  }

  /** Adds the bytes from a buffer's position to its limit, or null; the position does not move. */
  public void add(@Nullable ByteBuffer value) throws IOException {
    if (value != null && value.hasArray()) {
      add(value.array(), value.arrayOffset() + value.position(), value.remaining());
    } else if (value != null) {
      final byte[] bytes = new byte[value.remaining()];
      value.get(value.position(), bytes);
      add(bytes);
    } else {
      add(NONE, 0, BlobSpill.NULL);
    }
  }

  private void add(byte[] bytes, int offset, int length) throws IOException {
    if (complete) {
      throw new IllegalStateException("Column[" + column + "] was written already");
    }
    if (spill != null && spill.numBytes() > 0 && spill.numBytes() + length > sectionBytes) {
      encode();
    }
    if (spill == null) {
      spill = new BlobSpill(medium);
      spills.add(spill);
    }
    spill.add(bytes, offset, length);
  }

  private void encode() throws IOException {
    spill.complete();
    if (scratch == null) {
      scratch = medium.makeChildWriteOutMedium();
    }
    // Each of the forms that are compared has several files, which would stay open until the segment is complete.
    try (SegmentWriteOutMedium ofSection = scratch.makeChildWriteOutMedium()) {
      sections.add(encoder.encode(spill, ofSection).copyTo(medium.makeWriteOutBytes()));
    }
    spill = null;
  }

  private void complete() throws IOException {
    if (!complete) {
      if (spill != null) {
        encode();
      }
      complete = true;
    }
  }

  /** Returns the number of values, including nulls. */
  public int size() {
    return Math.toIntExact(spills.stream().mapToLong(BlobSpill::size).sum());
  }

  /** Returns the number of nulls. */
  public int numNulls() {
    return Math.toIntExact(spills.stream().mapToLong(BlobSpill::numNulls).sum());
  }

  /** Returns the bytes of all values. */
  public long numBytes() {
    return spills.stream().mapToLong(BlobSpill::numBytes).sum();
  }

  /** Consumer of values. */
  @FunctionalInterface
  public interface Consumer {
    /** Gets the next value, or null, and returns whether it wants more. */
    boolean accept(@Nullable byte[] value) throws IOException;
  }

  /** Passes all values to a consumer, in order; no value can be added afterwards. */
  public void forEach(Consumer consumer) throws IOException {
    complete();
    for (BlobSpill values : spills) {
      try (BlobSpill.Values each = values.values()) {
        while (each.next()) {
          if (!consumer.accept(each.copy())) {
            return;
          }
        }
      }
    }
  }

  /** Returns the size of the column in bytes, which may exceed what a file can have. */
  public long getSerializedSize() throws IOException {
    complete();
    long size = head().limit();
    for (EncodedBlobs section : sections) {
      size += section.size();
    }
    return size;
  }

  /** Returns the sections, in the order of their values. */
  public List<Blobs.Section> describe() throws IOException {
    complete();
    final List<Blobs.Section> all = new ArrayList<>();
    long offset = head().limit();
    int first = 0;
    for (EncodedBlobs section : sections) {
      final int bytes = (int) section.size();
      all.add(new Blobs.Section(offset, first, section.numValues(), section.label(), bytes));
      offset += bytes;
      first += section.numValues();
    }
    return all;
  }

  /** Returns whether the column is proven not to be larger than Druid's column of its values under LZ4. */
  public boolean isProven() {
    // A single section was compared with the blocks of Druid's column.
    return sections.size() <= 1;
  }

  private ByteBuffer head() {
    final boolean hasNulls = spills.stream().anyMatch(values -> values.numNulls() > 0);
    final boolean hasEmpty = spills.stream().anyMatch(values -> values.numEmpty() > 0);
    final ByteBuffer head = ByteBuffer.allocate(2 + 5);
    head.put(Blobs.VERSION).put((byte) ((hasNulls ? Blobs.HAS_NULLS : 0) | (hasEmpty ? Blobs.HAS_EMPTY : 0)));
    VByte.writeInt(head, sections.size());
    return head.flip();
  }

  /** Writes the column; no value can be added afterwards. */
  public void writeTo(WritableByteChannel channel) throws IOException {
    complete();
    Channels.writeFully(channel, head());
    for (EncodedBlobs section : sections) {
      section.writeTo(channel);
    }
  }
}
