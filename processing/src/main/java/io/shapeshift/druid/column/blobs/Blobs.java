// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Column of byte strings in a segment. Thread-safe; a {@link BlobsReader} is for one thread. All bytes are
 * little-endian, in segments of either byte order.
 *
 * <pre>
 * | bytes  | field                                                                                         |
 * |--------|-----------------------------------------------------------------------------------------------|
 * | 1      | version, 1                                                                                    |
 * | 1      | bit 0: whether there are nulls; bit 1: whether there are values without bytes                 |
 * | 1 to 5 | number of sections (VByte)                                                                    |
 * |        | sections, see {@link BlobSection}                                                             |
 * </pre>
 */
public final class Blobs {
  static final byte VERSION = 1;
  static final int HAS_NULLS = 1;
  static final int HAS_EMPTY = 2;

  private final String column;
  private final int flags;
  private final List<BlobSection> sections;
  /** First value of each section, and the number of all values. */
  private final int[] starts;
  /** Offset of each section, and the size of the column. */
  private final long[] offsets;

  private Blobs(String column, int flags, List<BlobSection> sections, long[] offsets) {
    this.column = column;
    this.flags = flags;
    this.sections = sections;
    this.offsets = offsets;
    this.starts = new int[sections.size() + 1];
    for (int i = 0; i < sections.size(); i++) {
      final long end = (long) starts[i] + sections.get(i).numValues();
      if (end > Integer.MAX_VALUE) {
        throw new MalformedChunkException("it has more than " + Integer.MAX_VALUE + " values");
      }
      starts[i + 1] = (int) end;
    }
  }

  /**
   * Reads the heads of a column, and advances the buffer past the column.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @throws ColumnFormatException if the version or a form is unknown, or the heads contradict each other or the buffer
   */
  public static Blobs read(String column, ByteBuffer buffer) {
    final ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      final Blobs blobs = read(column, in, in.limit());
      buffer.position(buffer.position() + (int) blobs.sizeInBytes());
      return blobs;
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(
          column, "its byte strings cannot be opened, at offset " + in.position() + ": ", e);
    }
  }

  private static Blobs read(String column, ByteBuffer in, int available) {
    final byte version = in.get();
    if (version != VERSION) {
      throw ColumnFormatException.newer(
          column,
          "the version at offset 0 of its byte strings is " + version + ", this druid-shapeshift knows " + VERSION
      );
    }
    final int flags = in.get();
    if ((flags & ~(HAS_NULLS | HAS_EMPTY)) != 0) {
      throw ColumnFormatException.newer(
          column, "the flags at offset 1 of its byte strings are " + flags + ", which this druid-shapeshift does not"
              + " know");
    }
    final int numSections = Checks.readInt("number of sections", in, 0, available);
    final List<BlobSection> sections = new ArrayList<>();
    final LongArrayList offsets = new LongArrayList(new long[]{in.position()});
    for (int i = 0; i < numSections; i++) {
      sections.add(BlobSection.ofColumn(column, in));
      offsets.add(in.position());
    }
    return new Blobs(column, flags, sections, offsets.toLongArray());
  }

  /**
   * Joins the values of a column that has several files, in their order.
   *
   * @param files at least one
   * @throws MalformedChunkException if there are too many values
   */
  public static Blobs join(List<Blobs> files) {
    int flags = 0;
    final List<BlobSection> sections = new ArrayList<>();
    final LongArrayList offsets = new LongArrayList(new long[]{files.get(0).offsets[0]});
    long end = 0;
    for (Blobs file : files) {
      flags |= file.flags;
      sections.addAll(file.sections);
      // The head of a file counts to the section before it.
      for (int i = 1; i < file.offsets.length; i++) {
        offsets.add(end + file.offsets[i]);
      }
      end += file.sizeInBytes();
    }
    return new Blobs(files.get(0).column, flags, sections, offsets.toLongArray());
  }

  /** Returns the name of the column, for messages. */
  String column() {
    return column;
  }

  /** Returns the number of values, including nulls. */
  public int size() {
    return starts[sections.size()];
  }

  /** Returns whether there may be nulls. */
  public boolean hasNulls() {
    return (flags & HAS_NULLS) != 0;
  }

  /** Returns whether there may be values without bytes, except nulls. */
  public boolean hasEmpty() {
    return (flags & HAS_EMPTY) != 0;
  }

  /** Returns the size of the column in bytes. */
  public long sizeInBytes() {
    return offsets[sections.size()];
  }

  List<BlobSection> sections() {
    return sections;
  }

  /** Returns the first value of a section; for the number of sections, the number of values. */
  int start(int section) {
    return starts[section];
  }

  /**
   * Part of a column in one form.
   *
   * @param offset     offset in the column in bytes
   * @param firstValue position of its first value
   * @param numValues  number of values
   * @param form       form, for people
   * @param bytes      size in bytes
   */
  public record Section(long offset, int firstValue, int numValues, String form, int bytes) {}

  /** Returns the sections, in the order of their values. */
  public List<Section> describe() {
    final List<Section> all = new ArrayList<>();
    for (int i = 0; i < sections.size(); i++) {
      final BlobSection section = sections.get(i);
      all.add(new Section(
          offsets[i], starts[i], section.numValues(), section.description(), (int) (offsets[i + 1] - offsets[i])));
    }
    return all;
  }

  /** Returns a reader of the values. */
  public BlobsReader reader() {
    return new BlobsReader(this);
  }

  /** Returns the positions of the nulls. */
  public RowSet nulls() {
    final RowSet rows = RowSet.inOrder(size());
    if (hasNulls()) {
      final BlobsReader reader = reader();
      try {
        reader.addNulls(rows);
      } finally {
        reader.close();
      }
    }
    return rows;
  }
}
