// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import com.github.luben.zstd.Zstd;
import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.postings.Inversion;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.select.FormSelectors;
import it.unimi.dsi.fastutil.ints.IntIterator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.data.FixedIndexedIntWriter;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Writer of the structures of a column. The ids of all rows are kept in the medium, the structures on the heap.
 *
 * <p>At most {@value Structures#MAX_STRUCTURES} structures are admitted, whose table has at most
 * {@value Structures#MAX_TABLE_BYTES} bytes. The objects of other structures are kept. Within these bounds any
 * structure is admitted, also one of a single row, because its object as a whole takes more bytes.
 *
 * <p>Under the target {@code smaller} there are no posting lists: they take more bytes than the ids.
 *
 * @see Structures the format
 */
public final class StructuresSerializer {
  private static final StructureSet.Bounds BOUNDS = new StructureSet.Bounds(
      Structures.MAX_STRUCTURES, Structures.MAX_TABLE_BYTES - StructureSet.UNCOUNTED_BYTES);
  private static final int ZSTD_LEVEL = 9;

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final OptimizationTarget target;
  private final BlockSize blockSize;
  private final StructureSet structures;
  /** Ids of all rows, in which structures are in the order of their appearance. */
  private final FixedIndexedIntWriter ids;
  /** Id of each structure in {@link #ids}, in the segment; null until the column is complete. */
  @Nullable
  private int[] finalIds;
  private int numRows;
  private int numNulls;
  private int numKept;
  /** Keys of the walker; null unless a structure was added. */
  @Nullable
  private List<String> keys;
  private ByteBuffer head;
  private ShapeShiftingColumnarIntsSerializer encodedIds;
  /** Posting lists; null if rows are found by a scan of the ids. */
  @Nullable
  private PostingListsSerializer lists;

  /**
   * Creates a serializer.
   *
   * @param column    name of the column, for messages
   * @param medium    keeps ids and posting lists until the column is written
   * @param target    optimization target
   * @param blockSize limit on the size of the chunks of ids
   */
  public StructuresSerializer(
      String column,
      SegmentWriteOutMedium medium,
      OptimizationTarget target,
      BlockSize blockSize
  ) {
    this(column, medium, target, blockSize, BOUNDS);
  }

  @VisibleForTesting
  StructuresSerializer(
      String column,
      SegmentWriteOutMedium medium,
      OptimizationTarget target,
      BlockSize blockSize,
      StructureSet.Bounds bounds
  ) {
    this.column = column;
    this.medium = medium;
    this.target = target;
    this.blockSize = blockSize;
    this.structures = new StructureSet(bounds);
    this.ids = new FixedIndexedIntWriter(medium, false);
  }

  /** Opens the column for rows. */
  public void open() throws IOException {
    ids.open();
  }

  /** Adds a null row. */
  public void addNull() throws IOException {
    addId(Structures.NULL);
    numNulls++;
  }

  /** Adds a row whose object is kept elsewhere. */
  public void addKept() throws IOException {
    addId(Structures.KEPT);
    numKept++;
  }

  /**
   * Adds a row whose object has the walker's structure. All objects of a column come from one walker.
   *
   * @return whether the structure was admitted; else the row was added as one whose object is kept, because of
   *     {@link Kept#NOT_ADMITTED}
   */
  public boolean add(ObjectWalker walker) throws IOException {
    keys = walker.keys();
    final int structure = structures.add(walker);
    if (structure == StructureSet.NONE) {
      addKept();
      return false;
    }
    addId(Structures.FIRST + structure);
    return true;
  }

  private void addId(int id) throws IOException {
    if (head != null) {
      throw new IllegalStateException("Column[" + column + "] was written already");
    }
    ids.write(id);
    numRows = Math.incrementExact(numRows);
  }

  /** Returns the number of rows. */
  public int numRows() {
    return numRows;
  }

  /** Returns the number of null rows. */
  public int numNulls() {
    return numNulls;
  }

  /** Returns the number of rows whose objects are kept. */
  public int numKept() {
    return numKept;
  }

  /** Returns the number of structures. */
  public int numStructures() {
    return structures.size();
  }

  /** Returns the number of ids: all structures, and the ids of null and of kept rows. */
  public int numIds() {
    return structures.size() + Structures.FIRST;
  }

  private void complete() throws IOException {
    if (head != null) {
      return;
    }
    final int[] order = structures.byRows();
    finalIds = new int[order.length + Structures.FIRST];
    finalIds[Structures.KEPT] = Structures.KEPT;
    for (int i = 0; i < order.length; i++) {
      finalIds[order[i] + Structures.FIRST] = i + Structures.FIRST;
    }
    encodeIds();
    head = encodeHead(structures.toTable(order, keys == null ? List.of() : keys));
  }

  private void encodeIds() throws IOException {
    encodedIds = new ShapeShiftingColumnarIntsSerializer(
        column,
        medium,
        blockSize,
        FormSelectors.forInts(target),
        finalIds.length,
        ByteOrder.LITTLE_ENDIAN
    );
    encodedIds.open();
    @Nullable final Inversion rows =
        target == OptimizationTarget.SMALLER ? null : new Inversion(medium, finalIds.length);
    final IntIterator each = ids.getIterator();
    while (each.hasNext()) {
      final int id = finalIds[each.nextInt()];
      encodedIds.addValue(id);
      if (rows != null) {
        rows.add(id);
      }
    }
    if (rows != null) {
      lists = new PostingListsSerializer(column, medium, target, numRows);
      lists.open();
      rows.forEachId(lists::add);
    }
  }

  /** Returns the id of each row in the segment. No rows can be added afterwards. */
  public int[] idsOfRows() throws IOException {
    complete();
    final int[] idsOfRows = new int[numRows];
    final IntIterator each = ids.getIterator();
    for (int row = 0; row < numRows; row++) {
      idsOfRows[row] = finalIds[each.nextInt()];
    }
    return idsOfRows;
  }

  private ByteBuffer noLists() {
    return PostingListsSerializer.bytesWithoutLists(numRows, numIds());
  }

  private ByteBuffer encodeHead(byte[] table) {
    final byte[] compressed = Zstd.compress(table, ZSTD_LEVEL);
    final byte[] stored = compressed.length < table.length ? compressed : table;
    final int[] numbers = {numNulls, numKept, structures.size(), table.length, stored.length};
    final ByteBuffer out = ByteBuffer.allocate(1 + numbers.length * (Integer.BYTES + 1) + stored.length);
    out.put(Structures.VERSION);
    for (int number : numbers) {
      VByte.writeInt(out, number);
    }
    return out.put(stored).flip();
  }

  /** Returns the size in bytes. */
  public long getSerializedSize() throws IOException {
    complete();
    return head.limit()
        + encodedIds.getSerializedSize()
        + (lists == null ? noLists().limit() : lists.getSerializedSize());
  }

  /** Writes the column. The caller accounts for its bytes. */
  public void writeTo(WritableByteChannel channel) throws IOException {
    complete();
    Channels.writeFully(channel, head.duplicate());
    encodedIds.writePartTo(channel);
    if (lists == null) {
      Channels.writeFully(channel, noLists());
    } else {
      lists.writeUncounted(channel);
    }
  }
}
