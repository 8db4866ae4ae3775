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
import io.shapeshift.druid.segment.serde.Parts;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelectors;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexedWriter;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Encoder of one field of a nested column. The ids that were collected are places in dictionaries of all fields; a
 * field is stored with a dictionary of its own.
 *
 * @see NestedFieldFormat the format
 */
final class NestedFieldEncoder implements Serializer {
  private static final int STOCK_DICTIONARY_HEADER = 6;
  private static final int BUCKET_OF_ARRAYS = 4;
  private static final int MOST_SIZE_BYTES = 5;
  private static final IndexedInts NO_ELEMENTS = new ArrayBasedIndexedInts();

  private final String name;
  private final PresentValues present;
  private final NestedColumnValues values;
  private final int numRows;
  private final EncodingStrategy strategy;
  private final OptimizationTarget target;
  private final SegmentWriteOutMedium medium;
  @Nullable
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
    this.target = strategy.optimizationTarget();
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

  /** Returns the numbers of an array's elements. */
  private int[] elements(int arrayId) {
    return Arrays.stream(values.elements(arrayId)).map(this::number).toArray();
  }

  private int numIds() {
    return distinct.length + 1 - firstNumber;
  }

  /**
   * Encodes the field.
   *
   * @param isListed     whether the rows of each value are wanted, and not only those of null
   * @param hasTextIndex whether strings get a text index
   * @param structures   structures of all rows
   */
  void encode(boolean isListed, boolean hasTextIndex, StructureIdsEncoder structures) throws IOException {
    final int firstLong = lowerBound(distinct, values.firstLong());
    final int firstDouble = lowerBound(distinct, values.firstDouble());
    final int firstArray = lowerBound(distinct, values.firstArray());
    addStrings(firstLong, hasTextIndex);
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
    addIds(isListed, structures);
    if (firstArray < distinct.length && singleType != null) {
      sections.put(Section.ELEMENT_LISTS, elementLists(firstArray + 1));
    }
  }

  /** Returns the rows of each value that can be an element of an array. */
  private PostingListsSerializer elementLists(int numElements) throws IOException {
    final long[] count = {0};
    present.forEach((row, id) -> count[0] += values.elements(id).length);
    if (count[0] * NestedFieldFormat.ROWS_PER_LISTED_VALUE < numRows) {
      final ListedRows rows = new ListedRows();
      present.forEach((row, id) -> {
        for (int element : elements(id)) {
          rows.add(element, row);
        }
      });
      return rows.addTo(lists(), numElements);
    }
    final Inversion rows = new Inversion(medium, numElements);
    final int[] next = {0};
    present.forEach((row, id) -> {
      addEmpty(next[0], row, rows);
      rows.add(new ArrayBasedIndexedInts(elements(id)));
      next[0] = row + 1;
    });
    addEmpty(next[0], numRows, rows);
    final PostingListsSerializer lists = lists();
    rows.forEachId(lists::add);
    return lists;
  }

  private static void addEmpty(int from, int to, Inversion rows) throws IOException {
    for (int row = from; row < to; row++) {
      rows.add(NO_ELEMENTS);
    }
  }

  /** Adds the ids of all rows, in the smallest layout. */
  private void addIds(boolean isListed, StructureIdsEncoder structures) throws IOException {
    final Map<Section, Serializer> followed = followed(structures);
    final long size = size(followed.values());
    if (!followed.isEmpty() && size < numRows / NestedFieldFormat.ROWS_PER_BYTE_OF_STRUCTURES) {
      sections.putAll(followed);
      return;
    }
    if ((long) present.count() * NestedFieldFormat.ROWS_PER_LISTED_VALUE < numRows) {
      final ListedRows rows = new ListedRows();
      present.forEach((row, id) -> rows.add(number(id) - firstNumber, row));
      sections.put(Section.LISTS, rows.addTo(lists(), numIds()));
    } else {
      addRows(isListed);
    }
    if (!followed.isEmpty()) {
      final Map<Section, Serializer> stored = new EnumMap<>(sections);
      stored.keySet().retainAll(NestedFieldFormat.ROWS);
      if (size < size(stored.values())) {
        sections.keySet().removeAll(NestedFieldFormat.ROWS);
        sections.putAll(followed);
      }
    }
  }

  /** Returns the sections of ids that follow from structures; none if they do not, or too many are exceptions. */
  private Map<Section, Serializer> followed(StructureIdsEncoder structures) throws IOException {
    final Map<Section, Serializer> followed = new EnumMap<>(Section.class);
    final int most = numRows / NestedFieldFormat.ROWS_PER_EXCEPTION;
    // Each value that is not that of a structure is an exception. A projection may have no row, and then no value.
    if (numIds() <= 1 || target == OptimizationTarget.FASTER || hasNumbers()
        || numIds() - structures.numStructures() > most) {
      return followed;
    }
    final int numExceptions = structures.vote(present, firstNumber == 0 ? 0 : distinct[0]);
    if (numExceptions > most) {
      return followed;
    }
    if (numExceptions > 0) {
      final ListedRows exceptions = new ListedRows();
      structures.forEachException(present, (row, id) -> exceptions.add(number(id) - firstNumber, row));
      followed.put(Section.LISTS, exceptions.addTo(lists(), numIds()));
    }
    followed.put(Section.STRUCTURE_IDS, structures.encode(id -> number(id) - firstNumber));
    return followed;
  }

  private void addStrings(int count, boolean hasTextIndex) throws IOException {
    if (count == 0) {
      return;
    }
    final StringDictionarySerializer strings =
        new StringDictionarySerializer(name, medium, target, hasTextIndex);
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
      arrays.write(elements(distinct[i]));
    }
    sections.put(Section.ARRAYS, arrays);
  }

  private void addRows(boolean isListed) throws IOException {
    final ShapeShiftingColumnarIntsSerializer ids = ids(target);
    // As for strings: without lists the ids are scanned, in forms that are scanned fast.
    @Nullable
    final ShapeShiftingColumnarIntsSerializer scanned =
        isListed && target == OptimizationTarget.SMALLER ? ids(OptimizationTarget.FASTBUTSMALLISH) : null;
    @Nullable final Inversion rows = isListed ? new Inversion(medium, numIds()) : null;
    @Nullable final RowNumbers numbers = hasNumbers() ? openNumbers() : null;
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
      if (numbers != null) {
        numbers.add((Number) values.scalar(id));
      }
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
      @Nullable RowNumbers numbers
  ) throws IOException {
    for (int row = from; row < to; row++) {
      ids.addValue(0);
      if (scanned != null) {
        scanned.addValue(0);
      }
      if (rows != null) {
        rows.add(0);
      }
      if (numbers != null) {
        numbers.addNull();
      }
    }
  }

  /**
   * Returns whether numbers are stored in addition to ids. Few distinct numbers are read by their ids about as fast,
   * and under {@code smaller} all are.
   */
  private boolean hasNumbers() {
    final boolean isNumber = singleType != null && (singleType.is(ValueType.LONG) || singleType.is(ValueType.DOUBLE));
    return isNumber && switch (target) {
      case SMALLER -> false;
      case FASTBUTSMALLISH -> distinct.length > NumbersOfIds.MOST_ON_HEAP;
      case FASTER -> true;
    };
  }

  private RowNumbers openNumbers() throws IOException {
    final boolean isLong = singleType.is(ValueType.LONG);
    final NumberKind kind = isLong ? NumberKind.LONG : NumberKind.DOUBLE;
    final ShapeShiftingNumbersSerializer out = kind.open(name, medium, strategy, false);
    sections.put(isLong ? Section.LONG_VALUES : Section.DOUBLE_VALUES, out);
    return new RowNumbers(out);
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
    final PostingListsSerializer lists = new PostingListsSerializer(name, medium, target, numRows);
    lists.open();
    return lists;
  }

  private static long size(Collection<Serializer> sections) throws IOException {
    long size = 0;
    for (Serializer section : sections) {
      size += section.getSerializedSize();
    }
    return size;
  }

  /**
   * Makes the field small enough for a file: a dictionary of strings for which there is no room becomes Druid's own, in
   * files of its own.
   *
   * @param most  most bytes of the field
   * @param files start of the names of the dictionary's files
   * @param other keeps the dictionary until it is written
   */
  void fitInto(int most, String files, SegmentWriteOutMedium other) throws IOException {
    if (sections.get(Section.STRINGS) instanceof StringDictionarySerializer strings) {
      sections.remove(Section.STRINGS);
      final long bytes = getSerializedSize() + MOST_SIZE_BYTES;
      sections.put(Section.STRINGS, strings.fitsInto(most - bytes) ? strings : stock(strings, most, files, other));
    }
  }

  private static DictionaryWriter<String> stock(
      StringDictionarySerializer strings, int most, String files, SegmentWriteOutMedium medium) throws IOException {
    // Never in one file: readers know such a dictionary by that.
    final int mostInFile = (int) Math.min(most, strings.stockBytes() - 1);
    final DictionaryWriter<String> stock =
        new GenericIndexedWriter<>(medium, files, GenericIndexed.STRING_STRATEGY, mostInFile);
    stock.open();
    strings.copyTo(stock);
    return stock;
  }

  /** Returns whether the dictionary of strings has files of its own. */
  boolean hasFurtherFiles() {
    return sections.get(Section.STRINGS) instanceof GenericIndexedWriter<?>;
  }

  /**
   * Returns the same field, whose parts do not depend on the field's medium.
   *
   * @param others keeps all sections behind the dictionary of strings, which has files of its own
   */
  Serializer detach(WriteOutBytes others) throws IOException {
    final ByteBuffer head = head();
    final Serializer strings = sections.remove(Section.STRINGS);
    for (Serializer section : sections.values()) {
      section.writeTo(others, null);
    }
    return new Parts(List.of(Parts.of(head), strings, Parts.of(others)));
  }

  private ByteBuffer head() throws IOException {
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
      // With a larger section the field is too large, and not written.
      VByte.writeInt(head, (int) Math.min(Integer.MAX_VALUE, section.getSerializedSize()));
    }
    return head.flip();
  }

  @Override
  public long getSerializedSize() throws IOException {
    return head().remaining() + size(sections.values());
  }

  @Override
  public void writeTo(WritableByteChannel channel, @Nullable SegmentFileBuilder files) throws IOException {
    Channels.writeFully(channel, head());
    for (Serializer section : sections.values()) {
      section.writeTo(channel, files);
    }
  }
}
