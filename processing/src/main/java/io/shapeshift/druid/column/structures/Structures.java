// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.roaringbitmap.IntIterator;

/**
 * Structures of a column's objects in a segment. Thread-safe. All bytes are little-endian, in segments of either byte
 * order.
 *
 * <pre>
 * | bytes  | field                                                                                           |
 * |--------|-------------------------------------------------------------------------------------------------|
 * | 1      | version, 1                                                                                      |
 * | 1 to 5 | number of null rows (VByte)                                                                     |
 * | 1 to 5 | number of kept rows (VByte)                                                                     |
 * | 1 to 5 | number of structures (VByte), at most {@value #MAX_STRUCTURES}                                  |
 * | 1 to 5 | bytes of the table (VByte), at most {@value #MAX_TABLE_BYTES}                                   |
 * | 1 to 5 | bytes of the table as it is stored (VByte); if they are fewer, it is a zstd frame               |
 * |        | table, see {@link StructureTable}                                                               |
 * |        | id of each row, a column of ints: 0 for null, 1 for kept, then the structures in their order    |
 * |        | posting lists of all ids, or none; then rows are found by a scan of the ids                     |
 * </pre>
 */
public final class Structures {
  /** Id of null rows. */
  public static final int NULL = 0;
  /** Id of rows whose objects are kept as a whole, because they cannot be rebuilt. */
  public static final int KEPT = 1;
  /** Id of the first structure. */
  static final int FIRST = 2;

  static final byte VERSION = 1;
  static final int MAX_STRUCTURES = 1 << 16;
  static final int MAX_TABLE_BYTES = 1 << 22;

  private static final int SCANNED_AT_ONCE = 1 << 10;

  private final String column;
  private final int numFields;
  private final int numNulls;
  private final int numKept;
  private final int numStructures;
  private final ByteBuffer stored;
  private final int tableBytes;
  private final ShapeShiftingColumnarIntsSupplier ids;
  private final PostingLists lists;
  private final int size;
  private volatile SoftReference<StructureTable> table = new SoftReference<>(null);

  private Structures(String column, ByteBuffer in, int numFields) {
    this.column = column;
    this.numFields = numFields;
    final byte version = in.get();
    if (version != VERSION) {
      throw ColumnFormatException.newer(
          column,
          "the version at offset 0 of its structures is " + version + ", this druid-shapeshift knows " + VERSION
      );
    }
    this.numNulls = Checks.readInt("number of null rows", in, 0, Integer.MAX_VALUE);
    this.numKept = Checks.readInt("number of kept rows", in, 0, Integer.MAX_VALUE);
    this.numStructures = Checks.readInt("number of structures", in, 0, MAX_STRUCTURES);
    this.tableBytes = Checks.readInt("bytes of the table", in, 0, MAX_TABLE_BYTES);
    final int storedBytes = Checks.readInt("stored bytes of the table", in, 0, Math.min(tableBytes, in.remaining()));
    this.stored = in.slice(in.position(), storedBytes);
    in.position(in.position() + storedBytes);
    this.ids = ShapeShiftingColumnarIntsSupplier.read(column, in);
    if (numNulls + (long) numKept > numRows() || numStructures > numRows()) {
      throw new MalformedChunkException("there are " + numNulls + " null rows, " + numKept + " kept ones and "
          + numStructures + " structures in " + numRows() + " rows");
    }
    this.lists = PostingLists.read(column, in, size(), numRows());
    this.size = in.position();
  }

  /**
   * Reads the head of a column's structures, and advances the buffer past them.
   *
   * @param column    name of the column, for messages
   * @param buffer    in any byte order
   * @param numFields number of fields of the column
   * @throws ColumnFormatException if the version is unknown, or the head contradicts itself or the buffer
   */
  public static Structures read(String column, ByteBuffer buffer, int numFields) {
    final ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      final Structures structures = new Structures(column, in, numFields);
      buffer.position(buffer.position() + structures.size);
      return structures;
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(
          column, "its structures cannot be opened, at offset " + in.position() + ": ", e);
    }
  }

  /** Returns the number of rows. */
  public int numRows() {
    return ids.data().header().numValues();
  }

  /** Returns the number of ids: all structures, and the ids of null and of kept rows. */
  public int size() {
    return numStructures + FIRST;
  }

  /** Returns whether there are null rows. */
  public boolean hasNulls() {
    return numNulls > 0;
  }

  /** Returns the number of null rows. */
  public int numNulls() {
    return numNulls;
  }

  /** Returns the number of rows whose objects are kept. */
  public int numKept() {
    return numKept;
  }

  /** Returns the size in bytes. */
  public int sizeInBytes() {
    return size;
  }

  /** Returns the size of the table of structures in bytes, as it is stored. */
  public int tableBytes() {
    return stored.limit();
  }

  /** Returns the size of the posting lists in bytes. */
  public long listBytes() {
    return lists.sizeInBytes();
  }

  /** Returns a new reader of the ids of all rows, for one thread. */
  public ShapeShiftingColumnarInts ids() {
    return ids.get();
  }

  private StructureTable table() {
    @Nullable final StructureTable known = table.get();
    if (known != null) {
      return known;
    }
    try {
      final StructureTable read = StructureTable.read(
          tableContent(), numStructures, numRows() - numNulls - numKept, numFields);
      table = new SoftReference<>(read);
      return read;
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(column, "its table of structures, from offset 0: ", e);
    }
  }

  @VisibleForTesting
  Set<Integer> kinds() {
    return Arrays.stream(table().tokens).map(Tokens::kind).boxed().collect(Collectors.toSet());
  }

  private byte[] tableContent() {
    final byte[] bytes = new byte[stored.limit()];
    stored.get(0, bytes);
    if (bytes.length == tableBytes) {
      return bytes;
    }
    final byte[] content = new byte[tableBytes];
    try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
      final int found = context.decompressByteArray(content, 0, tableBytes, bytes, 0, bytes.length);
      if (found != tableBytes) {
        throw new MalformedChunkException("it decompresses to " + found + " bytes, expected " + tableBytes);
      }
      return content;
    } catch (ZstdException e) {
      throw new MalformedChunkException("it cannot be decompressed: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the number of rows with an id.
   *
   * @throws ColumnFormatException if the table of structures is damaged
   */
  public int numRowsOf(int id) {
    return switch (id) {
      case NULL -> numNulls;
      case KEPT -> numKept;
      default -> table().rows[id - FIRST];
    };
  }

  /**
   * Returns the number of rows whose structure has a value for the field, without kept rows.
   *
   * @throws ColumnFormatException if the table of structures is damaged
   */
  public int numRowsWith(int field) {
    final StructureTable known = table();
    int sum = 0;
    for (int i = 0; i < known.numStructuresWith(field); i++) {
      sum += known.rows[known.structureWith(field, i)];
    }
    return sum;
  }

  /**
   * Returns a structure for people, as JSON with kinds in the place of values: {@code {"a": integer, "b": [string]}}.
   *
   * @throws ColumnFormatException if the table of structures is damaged
   */
  public String describe(int id) {
    return switch (id) {
      case NULL -> "null row";
      case KEPT -> "kept";
      default -> table().describe(id - FIRST);
    };
  }

  /**
   * Returns the rows with an id.
   *
   * @throws ColumnFormatException if the posting lists or ids are damaged
   */
  public RowSet rowsOf(int id) {
    final RowSet rows = new RowSet(numRows());
    if (id >= FIRST || numRowsOf(id) > 0) {
      final BitSet wanted = new BitSet();
      wanted.set(id);
      add(wanted, rows);
    }
    return rows;
  }

  /** Returns whether there are posting lists; otherwise rows are found by a scan of the ids. */
  public boolean hasLists() {
    return lists.hasLists();
  }

  /**
   * Adds the rows whose structure has a value for the field, without kept rows.
   *
   * @throws ColumnFormatException if the table, posting lists or ids are damaged
   */
  public void addRowsWith(int field, RowSet out) {
    final StructureTable known = table();
    final BitSet wanted = new BitSet(size());
    for (int i = 0; i < known.numStructuresWith(field); i++) {
      wanted.set(known.structureWith(field, i) + FIRST);
    }
    addRowsOf(wanted, out);
  }

  /**
   * Adds the rows with one of several ids.
   *
   * @param wanted ids, less than {@link #size}
   * @throws ColumnFormatException if the table, posting lists or ids are damaged
   */
  public void addRowsOf(BitSet wanted, RowSet out) {
    // If most rows are wanted, the lists of the others are shorter.
    if (lists.hasLists() && numRowsOf(wanted) > numRows() / 2) {
      final BitSet unwanted = new BitSet(size());
      unwanted.set(0, size());
      unwanted.andNot(wanted);
      final RowSet others = new RowSet(numRows());
      add(unwanted, others);
      out.addAllBut(others);
    } else {
      add(wanted, out);
    }
  }

  private long numRowsOf(BitSet wanted) {
    long rows = 0;
    for (int id = wanted.nextSetBit(0); id >= 0; id = wanted.nextSetBit(id + 1)) {
      rows += numRowsOf(id);
    }
    return rows;
  }

  private void add(BitSet wanted, RowSet out) {
    if (!lists.hasLists()) {
      scan(wanted, out);
      return;
    }
    final PostingListsReader reader = lists.reader();
    for (int from = wanted.nextSetBit(0); from >= 0; ) {
      final int to = wanted.nextClearBit(from);
      reader.read(from, to, out);
      from = wanted.nextSetBit(to);
    }
  }

  private void scan(BitSet wanted, RowSet out) {
    final int[] found = new int[SCANNED_AT_ONCE];
    try (ShapeShiftingColumnarInts reader = ids()) {
      for (int start = 0; start < numRows(); start += SCANNED_AT_ONCE) {
        final int length = Math.min(SCANNED_AT_ONCE, numRows() - start);
        reader.get(found, start, length);
        int count = 0;
        for (int i = 0; i < length; i++) {
          final int id = checkId(found[i], start + i);
          found[count] = start + i;
          count += wanted.get(id) ? 1 : 0;
        }
        out.add(found, 0, count);
      }
    }
  }

  /**
   * Checks the id of a row, and returns it.
   *
   * @throws ColumnFormatException if there is no such id
   */
  public int checkId(int id, int row) {
    if (id < 0 || id >= size()) {
      throw ColumnFormatException.damaged(column, "row " + row + " has structure " + id + ", of " + size());
    }
    return id;
  }

  /**
   * Checks ids, numbers of rows and posting lists against each other, which queries do not. Needs 4 bytes per row.
   *
   * @throws ColumnFormatException if they contradict each other, or cannot be read
   */
  public void check() {
    final int[] idOfRow = new int[numRows()];
    try (ShapeShiftingColumnarInts reader = ids()) {
      reader.get(idOfRow, 0, idOfRow.length);
    }
    final int[] counts = new int[size()];
    for (int row = 0; row < idOfRow.length; row++) {
      counts[checkId(idOfRow[row], row)]++;
    }
    for (int id = 0; id < counts.length; id++) {
      if (counts[id] != numRowsOf(id)) {
        throw ColumnFormatException.damaged(
            column, "structure " + id + " is that of " + counts[id] + " rows, its number of rows is " + numRowsOf(id));
      }
      if (lists.hasLists()) {
        checkList(id, counts[id], idOfRow);
      }
    }
  }

  private void checkList(int id, int count, int[] idOfRow) {
    int found = 0;
    final IntIterator rows = rowsOf(id).toBitmap(RoaringBitmapFactory.INSTANCE).iterator();
    for (; rows.hasNext(); found++) {
      final int row = rows.next();
      if (idOfRow[row] != id) {
        throw ColumnFormatException.damaged(column, "row " + row + " has structure " + idOfRow[row]
            + ", but is in the posting list of structure " + id);
      }
    }
    if (found != count) {
      throw ColumnFormatException.damaged(
          column, "the posting list of structure " + id + " has " + found + " rows, of " + count);
    }
  }

  /**
   * Returns a builder of objects, for one thread.
   *
   * @param values values of the fields
   * @throws ColumnFormatException if the table of structures is damaged
   */
  public ObjectBuilder builder(FieldValues values) {
    return new ObjectBuilder(column, table(), values);
  }
}
