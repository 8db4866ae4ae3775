// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.Form;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Composition of a column: the number of chunks and bytes of each form, by form id.
 *
 * <pre>
 * | bytes per form | content                                         |
 * |----------------|-------------------------------------------------|
 * | 1              | id of the form, ascending                       |
 * | 4              | number of chunks in this form, at least 1       |
 * | 4              | bytes of these chunks, including their form ids |
 * </pre>
 */
public final class Composition {
  static final int ENTRY_SIZE = 1 + 2 * Integer.BYTES;

  private final Map<Byte, Entry> entries = new TreeMap<>();

  /**
   * Share of one form.
   *
   * @param formId id of the form
   * @param chunks number of chunks
   * @param bytes  size of the chunks
   */
  public record Entry(byte formId, int chunks, int bytes) {}

  /** Counts one more chunk. */
  void add(Form<?, ?> form, int bytes) {
    entries.merge(
        form.id(),
        new Entry(form.id(), 1, bytes),
        (a, b) -> new Entry(a.formId, a.chunks + b.chunks, a.bytes + b.bytes)
    );
  }

  /** Returns the share of each form, by ascending id. */
  public Collection<Entry> entries() {
    return entries.values();
  }

  /** Returns the number of chunks of all forms. */
  public long chunks() {
    return entries.values().stream().mapToLong(Entry::chunks).sum();
  }

  /** Returns the bytes of the chunks of all forms. */
  public long bytes() {
    return entries.values().stream().mapToLong(Entry::bytes).sum();
  }

  /** Returns the size of the composition in bytes. */
  int sizeInBytes() {
    return entries.size() * ENTRY_SIZE;
  }

  void writeTo(ByteBuffer out) {
    for (Entry entry : entries.values()) {
      out.put(entry.formId).putInt(entry.chunks).putInt(entry.bytes);
    }
  }

  /**
   * Reads the composition of a column.
   *
   * @param numForms number of entries; the buffer has room for them
   * @throws ColumnFormatException if form ids do not ascend, or an entry has no chunks
   */
  static Composition read(String column, ByteBuffer in, int offset, int numForms) {
    final Composition composition = new Composition();
    for (int i = offset; i < offset + numForms * ENTRY_SIZE; i += ENTRY_SIZE) {
      final Entry entry = new Entry(in.get(i), in.getInt(i + 1), in.getInt(i + 1 + Integer.BYTES));
      if (entry.chunks < 1 || entry.bytes < entry.chunks) {
        throw ColumnFormatException.damaged(column, "the composition at offset " + i + " says that form " + entry.formId
            + " has " + entry.chunks + " chunks of " + entry.bytes + " bytes");
      }
      if (i > offset && entry.formId <= in.get(i - ENTRY_SIZE)) {
        throw ColumnFormatException.damaged(column, "the composition at offset " + i + " names form " + entry.formId
            + " behind form " + in.get(i - ENTRY_SIZE));
      }
      composition.entries.put(entry.formId, entry);
    }
    return composition;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Composition other && entries.equals(other.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.values().toString();
  }
}
