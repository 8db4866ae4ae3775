// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.numbers.NumberDictionarySerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.column.postings.Inversion;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.nested.NestedFieldFormat.Section;
import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelectors;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexedWriter;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Encoder of one field of a nested column. The ids that were collected are places in dictionaries of all fields; a
 * field is stored with a dictionary of its own.
 *
 * @see NestedFieldFormat the format
 */
final class NestedFieldEncoder {
  private static final int STOCK_DICTIONARY_HEADER = 6;
  private static final int BUCKET_OF_ARRAYS = 4;
  private static final int MOST_SIZE_BYTES = 5;

  private final String name;
  private final PresentValues present;
  private final NestedColumnValues values;
  private final int numRows;
  private final EncodingStrategy strategy;
  private final SegmentWriteOutMedium medium;
  private final ColumnType singleType;
  /** Values of the field, as places in the dictionaries of all fields, ascending. Numbers of values count from 1. */
  private final int[] distinct;
  private final int firstNumber;
  private final Map<Section, Serializer> sections = new EnumMap<>(Section.class);

  /**
   * Creates an encoder.
   *
   * @param name    name of the column and the field, for messages
   * @param present rows with a value
   * @param types   types of the values
   * @param values  dictionaries of all fields
   * @param medium  of this field, closed when it is written
   */
  NestedFieldEncoder(
      String name,
      PresentValues present,
      FieldTypeInfo.TypeSet types,
      NestedColumnValues values,
      int numRows,
      EncodingStrategy strategy,
      SegmentWriteOutMedium medium
  ) throws IOException {
    this.name = name;
    this.present = present;
    this.values = values;
    this.numRows = numRows;
    this.strategy = strategy;
    this.medium = medium;
    this.singleType = types.getSingleType();
    this.distinct = distinct(present, values);
    this.firstNumber = present.count() < numRows ? 0 : 1;
  }

  /** Returns the values of the rows, and of the elements of arrays among them. */
  private static int[] distinct(PresentValues present, NestedColumnValues values) throws IOException {
    final int[] ids = new int[present.count()];
    final int[] filled = {0};
    present.forEach((row, id) -> ids[filled[0]++] = id);
    final int[] rows = sorted(ids);
    final int firstArray = lowerBound(rows, values.firstArray());
    if (firstArray == rows.length) {
      return rows;
    }
    final IntOpenHashSet all = new IntOpenHashSet(rows);
    for (int i = firstArray; i < rows.length; i++) {
      for (int element : values.elements(rows[i])) {
        if (element > 0) {
          all.add(element);
        }
      }
    }
    return sorted(all.toIntArray());
  }

  /** Sorts ids, and drops those that repeat. */
  private static int[] sorted(int[] ids) {
    IntArrays.radixSort(ids);
    int length = 0;
    for (int i = 0; i < ids.length; i++) {
      if (i == 0 || ids[i] != ids[i - 1]) {
        ids[length++] = ids[i];
      }
    }
    return Arrays.copyOf(ids, length);
  }

  private static int lowerBound(int[] sorted, int least) {
    final int found = Arrays.binarySearch(sorted, least);
    return found < 0 ? -found - 1 : found;
  }

  /** Returns the number of a value within the field. */
  private int number(int id) {
    return id == 0 ? 0 : Arrays.binarySearch(distinct, id) + 1;
  }

  private int numIds() {
    return distinct.length + 1 - firstNumber;
  }

  /**
   * Encodes the field.
   *
   * @param isListed whether the rows of each value are wanted, and not only those of null
   */
  void encode(boolean isListed) throws IOException {
    final int firstLong = lowerBound(distinct, values.firstLong());
    final int firstDouble = lowerBound(distinct, values.firstDouble());
    final int firstArray = lowerBound(distinct, values.firstArray());
    addStrings(firstLong);
    if (firstDouble > firstLong) {
      final ByteBuffer longs = stockDictionary(firstDouble - firstLong);
      for (int i = firstLong; i < firstDouble; i++) {
        longs.putLong((Long) values.scalar(distinct[i]));
      }
      sections.put(Section.LONGS, NumberDictionarySerializer.ofLongs(longs.rewind(), longs.order()));
    }
    if (firstArray > firstDouble) {
      final ByteBuffer doubles = stockDictionary(firstArray - firstDouble);
      for (int i = firstDouble; i < firstArray; i++) {
        doubles.putDouble((Double) values.scalar(distinct[i]));
      }
      sections.put(Section.DOUBLES, NumberDictionarySerializer.ofDoubles(doubles.rewind(), doubles.order()));
    }
    addArrays(firstArray);
    if ((long) present.count() * NestedFieldFormat.ROWS_PER_LISTED_VALUE < numRows) {
      addLists(Section.LISTS, numIds(), listed((pairs, row, id) -> pairs.add(pair(number(id) - firstNumber, row))));
    } else {
      addRows(isListed);
    }
    if (firstArray < distinct.length && singleType != null) {
      addLists(Section.ELEMENT_LISTS, firstArray + 1, listed((pairs, row, id) -> {
        for (int element : values.elements(id)) {
          pairs.add(pair(number(element), row));
        }
      }));
    }
  }

  private void addStrings(int count) throws IOException {
    if (count == 0) {
      return;
    }
    final StringDictionarySerializer strings =
        new StringDictionarySerializer(name, medium, strategy.optimizationTarget());
    strings.open();
    strings.write(null);
    for (int i = 0; i < count; i++) {
      strings.write((String) values.scalar(distinct[i]));
    }
    sections.put(Section.STRINGS, strings);
  }

  private static ByteBuffer stockDictionary(int count) {
    final ByteBuffer numbers =
        ByteBuffer.allocate(STOCK_DICTIONARY_HEADER + Long.BYTES * count).order(IndexIO.BYTE_ORDER);
    return numbers.put((byte) 0).put(FixedIndexed.IS_SORTED_MASK).putInt(count);
  }

  private void addArrays(int firstArray) throws IOException {
    if (firstArray == distinct.length) {
      return;
    }
    final FrontCodedIntArrayIndexedWriter arrays =
        new FrontCodedIntArrayIndexedWriter(medium, IndexIO.BYTE_ORDER, BUCKET_OF_ARRAYS);
    arrays.open();
    for (int i = firstArray; i < distinct.length; i++) {
      final int[] elements = values.elements(distinct[i]);
      final int[] numbers = new int[elements.length];
      Arrays.setAll(numbers, element -> number(elements[element]));
      arrays.write(numbers);
    }
    sections.put(Section.ARRAYS, arrays);
  }

  private void addRows(boolean isListed) throws IOException {
    final OptimizationTarget target = strategy.optimizationTarget();
    final ShapeShiftingColumnarIntsSerializer ids = ids(target);
    // As for strings: without lists the ids are scanned, in forms that are scanned fast.
    @Nullable
    final ShapeShiftingColumnarIntsSerializer scanned =
        isListed && target == OptimizationTarget.SMALLER ? ids(OptimizationTarget.FASTBUTSMALLISH) : null;
    @Nullable final Inversion rows = isListed ? new Inversion(medium, numIds()) : null;
    final Numbers numbers = new Numbers();
    final int[] next = {0};
    present.forEach((row, id) -> {
      addNulls(next[0], row, ids, scanned, rows, numbers);
      final int own = number(id) - firstNumber;
      ids.addValue(own);
      if (scanned != null) {
        scanned.addValue(own);
      }
      if (rows != null) {
        rows.add(own);
      }
      numbers.add(id);
      next[0] = row + 1;
    });
    addNulls(next[0], numRows, ids, scanned, rows, numbers);
    sections.put(Section.IDS, ids);
    if (rows != null) {
      final PostingListsSerializer lists = lists();
      final int[] id = {firstNumber};
      rows.forEachId((list, from, to) -> lists.add(list, id[0]++ == 0 ? to : from, to));
      sections.put(Section.LISTS, lists);
      doWithoutLists(ids, scanned, lists);
    }
  }

  private static void addNulls(
      int from,
      int to,
      ShapeShiftingColumnarIntsSerializer ids,
      @Nullable ShapeShiftingColumnarIntsSerializer scanned,
      @Nullable Inversion rows,
      Numbers numbers
  ) throws IOException {
    for (int row = from; row < to; row++) {
      ids.addValue(0);
      if (scanned != null) {
        scanned.addValue(0);
      }
      if (rows != null) {
        rows.add(0);
      }
      numbers.addNull();
    }
  }

  private void doWithoutLists(
      ShapeShiftingColumnarIntsSerializer ids,
      @Nullable ShapeShiftingColumnarIntsSerializer scanned,
      PostingListsSerializer lists
  ) throws IOException {
    if (scanned == null) {
      return;
    }
    final Serializer none = PostingListsSerializer.withoutLists(numRows, numIds(), lists.stockBytes());
    if (scanned.getSerializedSize() + none.getSerializedSize()
        <= ids.getSerializedSize() + lists.getSerializedSize()) {
      sections.put(Section.IDS, scanned);
      sections.put(Section.LISTS, none);
    }
  }

  private ShapeShiftingColumnarIntsSerializer ids(OptimizationTarget target) throws IOException {
    final ShapeShiftingColumnarIntsSerializer ids = new ShapeShiftingColumnarIntsSerializer(
        name,
        medium,
        strategy.blockSize(),
        FormSelectors.forInts(target),
        numIds(),
        IndexIO.BYTE_ORDER
    );
    ids.open();
    return ids;
  }

  private PostingListsSerializer lists() throws IOException {
    final PostingListsSerializer lists =
        new PostingListsSerializer(name, medium, strategy.optimizationTarget(), numRows);
    lists.open();
    return lists;
  }

  /** Adds a list and a row for each value. */
  @FunctionalInterface
  private interface Lister {
    void add(LongArrayList pairs, int row, int id);
  }

  private static long pair(int list, int row) {
    return (long) list << Integer.SIZE | row;
  }

  /** Returns pairs of a list and a row, sorted. */
  private long[] listed(Lister lister) throws IOException {
    final LongArrayList pairs = new LongArrayList(present.count());
    present.forEach((row, id) -> lister.add(pairs, row, id));
    final long[] sorted = pairs.toLongArray();
    LongArrays.radixSort(sorted);
    return sorted;
  }

  private void addLists(Section section, int numLists, long[] pairs) throws IOException {
    final PostingListsSerializer lists = lists();
    int[] rows = new int[8];
    int at = 0;
    for (int list = 0; list < numLists; list++) {
      int length = 0;
      for (; at < pairs.length && pairs[at] >> Integer.SIZE == list; at++) {
        final int row = (int) pairs[at];
        // An element that an array has twice.
        if (length == 0 || rows[length - 1] != row) {
          rows = IntArrays.grow(rows, length + 1);
          rows[length++] = row;
        }
      }
      lists.add(rows, 0, length);
    }
    sections.put(section, lists);
  }

  /**
   * The numbers of a field that has only longs, or only doubles, in all rows. Few distinct numbers are read by their
   * ids about as fast, and under {@code smaller} all are.
   */
  private final class Numbers {
    @Nullable
    private final ShapeShiftingNumbersSerializer out;
    private final NumberOfRow number = new NumberOfRow();

    private Numbers() throws IOException {
      final boolean isWanted = switch (strategy.optimizationTarget()) {
        case SMALLER -> false;
        case FASTBUTSMALLISH -> distinct.length > NumbersOfIds.MOST_ON_HEAP;
        case FASTER -> true;
      } && singleType != null;
      if (isWanted && singleType.is(ValueType.LONG)) {
        out = NumberKind.LONG.open(name, medium, strategy, false);
        sections.put(Section.LONG_VALUES, out);
      } else if (isWanted && singleType.is(ValueType.DOUBLE)) {
        out = NumberKind.DOUBLE.open(name, medium, strategy, false);
        sections.put(Section.DOUBLE_VALUES, out);
      } else {
        out = null;
      }
    }

    private void addNull() throws IOException {
      if (out != null) {
        out.addNull();
      }
    }

    private void add(int id) throws IOException {
      if (out != null) {
        number.value = (Number) values.scalar(id);
        out.add(number);
      }
    }
  }

  /** Selector of the number that is added. */
  private static final class NumberOfRow implements ColumnValueSelector<Number> {
    private Number value = 0;

    @Override
    public long getLong() {
      return value.longValue();
    }

    @Override
    public double getDouble() {
      return value.doubleValue();
    }

    @Override
    public float getFloat() {
      return value.floatValue();
    }

    @Override
    public boolean isNull() {
      return false;
    }

    @Override
    public Number getObject() {
      return value;
    }

    @Override
    public Class<Number> classOfObject() {
      return Number.class;
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
  }

  /** Writes the field. */
  void writeTo(WritableByteChannel out) throws IOException {
    int mask = 0;
    for (Section section : sections.keySet()) {
      mask |= section.bit();
    }
    final ByteBuffer head = ByteBuffer
        .allocate(1 + Short.BYTES + (1 + sections.size()) * MOST_SIZE_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(NestedFieldFormat.VERSION)
        .putShort((short) mask);
    VByte.writeInt(head, numIds());
    for (Serializer section : sections.values()) {
      VByte.writeInt(head, Math.toIntExact(section.getSerializedSize()));
    }
    Channels.writeFully(out, head.flip());
    for (Serializer section : sections.values()) {
      section.writeTo(out, null);
    }
  }

  /** Returns the size of the field in bytes, or more. */
  long mostBytes() throws IOException {
    long size = 1 + Short.BYTES + (1L + sections.size()) * MOST_SIZE_BYTES;
    for (Serializer section : sections.values()) {
      size += section.getSerializedSize();
    }
    return size;
  }
}
