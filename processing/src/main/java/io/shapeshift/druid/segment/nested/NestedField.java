// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.NumberDictionary;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.segment.index.BitmapsAsIndexed;
import io.shapeshift.druid.segment.index.NumberIndexSupplier;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.QueriedBitmaps;
import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import io.shapeshift.druid.segment.nested.NestedFieldFormat.Section;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.column.TypeStrategy;
import org.apache.druid.segment.column.Types;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedFieldColumnIndexSupplier;
import org.apache.druid.segment.nested.NestedFieldDictionaryEncodedColumn;

/**
 * One field of a nested column in a segment, for all queries. Druid's own classes read it, with dictionaries that have
 * the values of this field only.
 *
 * @see NestedFieldFormat the format
 */
final class NestedField {
  private static final SoftReference<ListedIds> NOT_READ = new SoftReference<>(null);
  private static final SoftReference<FollowedIds> NOT_FOLLOWED = new SoftReference<>(null);
  private static final Supplier<FixedIndexed<Long>> NO_LONGS =
      FixedIndexed.read(noNumbers(), TypeStrategies.LONG, ByteOrder.LITTLE_ENDIAN, Long.BYTES);
  private static final Supplier<FixedIndexed<Double>> NO_DOUBLES =
      FixedIndexed.read(noNumbers(), TypeStrategies.DOUBLE, ByteOrder.LITTLE_ENDIAN, Double.BYTES);

  private final String name;
  private final FieldTypeInfo.TypeSet types;
  private final Structures structures;
  private final Map<Section, ByteBuffer> sections = new EnumMap<>(Section.class);
  /** Strings; null if there are none, or too many for a dictionary of our own. */
  @Nullable
  private final StringDictionary texts;
  private final Supplier<? extends Indexed<ByteBuffer>> strings;
  private final Supplier<FixedIndexed<Long>> longs;
  private final Supplier<FixedIndexed<Double>> doubles;
  @Nullable
  private final FieldArrays arrays;
  private final int numIds;
  private final int numStrings;
  private final int numLongs;
  private final int numDoubles;
  private final int firstNumber;
  private final Supplier<FixedIndexed<Integer>> numbersOfIds;
  @Nullable
  private final PostingLists lists;
  private final Supplier<? extends ColumnarInts> ids;
  @Nullable
  private final Supplier<? extends ColumnarLongs> longValues;
  @Nullable
  private final Supplier<? extends ColumnarDoubles> doubleValues;
  private volatile SoftReference<ListedIds> listed = NOT_READ;
  private volatile SoftReference<FollowedIds> followed = NOT_FOLLOWED;
  /** Indexes of the values and of the elements of arrays; null until a query has opened the field. */
  @Nullable
  private volatile Indexes indexes;

  /**
   * Opens a field.
   *
   * @param name       name of the column and the field, for messages
   * @param bytes      of the field
   * @param structures structures of the column's objects
   * @param order      byte order of the column
   * @param files      files of the segment
   * @throws ColumnFormatException if it is damaged
   */
  NestedField(
      String name,
      FieldTypeInfo.TypeSet types,
      ByteBuffer bytes,
      Structures structures,
      ByteOrder order,
      SegmentFileMapper files
  ) {
    this.name = name;
    this.types = types;
    this.structures = structures;
    if (FieldTypeInfo.convertToSet(types.getByteValue()).isEmpty()) {
      throw ColumnFormatException.damaged(name, "its types are " + types.getByteValue() + ", which are none");
    }
    this.numIds = readHead(bytes.slice().order(ByteOrder.LITTLE_ENDIAN));
    this.strings = has(Section.STRINGS) ? readStrings(files, order) : () -> NoStrings.INSTANCE;
    this.texts = strings instanceof StringDictionary dictionary ? dictionary : null;
    this.longs = has(Section.LONGS) ? NumberDictionary.longs(name, bytes(Section.LONGS), order) : NO_LONGS;
    this.doubles = has(Section.DOUBLES) ? NumberDictionary.doubles(name, bytes(Section.DOUBLES), order) : NO_DOUBLES;
    this.numStrings = texts == null ? strings.get().size() : texts.size();
    this.numLongs = sizeWithoutNull(longs.get());
    this.numDoubles = sizeWithoutNull(doubles.get());
    this.arrays = has(Section.ARRAYS) ? new FieldArrays(name, bytes(Section.ARRAYS), order, numElements()) : null;
    final int numArrays = arrays == null ? 0 : arrays.size();
    this.firstNumber = firstNumber((long) numStrings + numLongs + numDoubles + numArrays);
    this.numbersOfIds = NumberDictionary.range(firstNumber, numIds);
    this.lists = has(Section.LISTS) ? lists(Section.LISTS, numIds) : null;
    final boolean hasLists = lists != null && lists.hasLists();
    if (has(Section.IDS) && !has(Section.STRUCTURE_IDS)) {
      this.ids = rows(
          Section.IDS,
          (column, in) -> ShapeShiftingColumnarIntsSupplier.read(column, in.order(order)),
          read -> read.data().header().numValues()
      );
    } else if (has(Section.STRUCTURE_IDS) && !has(Section.IDS) && hasLists == (lists != null)) {
      this.ids = () -> followedIds().get();
    } else if (hasLists && firstNumber == 0 && !has(Section.STRUCTURE_IDS)) {
      this.ids = () -> listedIds().reader();
    } else {
      throw ColumnFormatException.damaged(
          name, "its sections " + sections.keySet() + " do not tell the ids of its rows");
    }
    this.longValues = has(Section.LONG_VALUES)
                      ? rows(
                          Section.LONG_VALUES,
                          (column, in) -> ShapeShiftingColumnarLongsSupplier.read(column, in.order(order)),
                          read -> read.data().header().numValues())
                      : null;
    this.doubleValues = has(Section.DOUBLE_VALUES)
                        ? rows(
                            Section.DOUBLE_VALUES,
                            (column, in) -> ShapeShiftingColumnarDoublesSupplier.read(column, in.order(order)),
                            read -> read.data().header().numValues())
                        : null;
  }

  private Supplier<? extends Indexed<ByteBuffer>> readStrings(SegmentFileMapper files, ByteOrder order) {
    return hasStringsInFiles()
           ? whole(Section.STRINGS, (column, head) -> StringsInFiles.read(column, head, order, files))
           : whole(Section.STRINGS, StringDictionary::read);
  }

  /** Returns whether the strings are Druid's dictionary, in files of their own. */
  boolean hasStringsInFiles() {
    return has(Section.STRINGS) && SeveralFiles.startWith(bytes(Section.STRINGS));
  }

  /** Returns the size of a dictionary of numbers, which has no null, because the strings have it. */
  private int sizeWithoutNull(FixedIndexed<?> numbers) {
    if (numbers.size() > 0 && numbers.get(0) == null) {
      throw ColumnFormatException.damaged(name, "one of its dictionaries of numbers has null");
    }
    return numbers.size();
  }

  private static ByteBuffer noNumbers() {
    return ByteBuffer.wrap(new byte[]{0, FixedIndexed.IS_SORTED_MASK, 0, 0, 0, 0}).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the head, and returns the number of ids. */
  private int readHead(ByteBuffer in) {
    try {
      final byte version = in.get();
      if (version != NestedFieldFormat.VERSION) {
        throw ColumnFormatException.newer(
            name, "the version at offset 0 of the field is " + version + ", this druid-shapeshift knows "
                + NestedFieldFormat.VERSION);
      }
      final int mask = Short.toUnsignedInt(in.getShort());
      if (mask >>> Section.values().length != 0) {
        throw ColumnFormatException.newer(
            name, "the sections at offset 1 of the field are " + mask + ", which this druid-shapeshift does not know");
      }
      final int count = VByte.readInt(in);
      final Map<Section, Integer> sizes = new EnumMap<>(Section.class);
      for (Section section : Section.values()) {
        if ((mask & section.bit()) != 0) {
          sizes.put(section, VByte.readInt(in));
        }
      }
      sizes.forEach((section, size) -> {
        if (size < 0 || size > in.remaining()) {
          throw ColumnFormatException.damaged(name, "its section " + section + " has " + size + " bytes, at offset "
              + in.position() + " of " + in.limit());
        }
        sections.put(section, in.slice().limit(size));
        in.position(in.position() + size);
      });
      ColumnFormatException.requireEnd(name, in);
      return count;
    } catch (RuntimeException e) {
      throw e instanceof ColumnFormatException ? e : ColumnFormatException.notOpened(name, in, e);
    }
  }

  private int firstNumber(long numValues) {
    final long first = numValues - numIds;
    if (first != 0 && first != 1) {
      throw ColumnFormatException.damaged(
          name, "it has " + numIds + " ids, expected " + numValues + ", or one less if there is no null");
    }
    return (int) first;
  }

  private boolean has(Section section) {
    return sections.containsKey(section);
  }

  private ByteBuffer bytes(Section section) {
    return sections.get(section).duplicate();
  }

  private <T> T whole(Section section, BiFunction<String, ByteBuffer, T> reader) {
    final ByteBuffer bytes = bytes(section);
    final T read = reader.apply(name, bytes);
    ColumnFormatException.requireEnd(name, bytes);
    return read;
  }

  /** Reads a section that has a value for each row. */
  private <T> T rows(Section section, BiFunction<String, ByteBuffer, T> reader, ToIntFunction<T> size) {
    final T read = whole(section, reader);
    final int found = size.applyAsInt(read);
    if (found != structures.numRows()) {
      throw ColumnFormatException.damaged(
          name, "its section " + section + " has " + found + " rows, expected " + structures.numRows());
    }
    return read;
  }

  private PostingLists lists(Section section, int numLists) {
    return whole(section, (column, in) -> PostingLists.read(column, in, numLists, structures.numRows()));
  }

  private ListedIds listedIds() {
    @Nullable ListedIds read = listed.get();
    if (read == null) {
      read = ListedIds.of(name, lists);
      listed = new SoftReference<>(read);
    }
    return read;
  }

  private FollowedIds followedIds() {
    @Nullable FollowedIds read = followed.get();
    if (read == null) {
      read = new FollowedIds(
          structures,
          StructureIds.read(name, bytes(Section.STRUCTURE_IDS), structures.size(), numIds),
          lists == null ? null : listedIds()
      );
      followed = new SoftReference<>(read);
    }
    return read;
  }

  /** Returns the name of the column and the field, for messages. */
  String name() {
    return name;
  }

  /** Returns the types of the values. */
  FieldTypeInfo.TypeSet types() {
    return types;
  }

  /** Returns the size of each section in bytes. */
  Map<Section, ByteBuffer> sections() {
    return sections;
  }

  /** Returns the type of the field's column: that of all values, or the one to which all can be cast. */
  ColumnType logicalType() {
    @Nullable final ColumnType single = types.getSingleType();
    return single == null
           ? ColumnType.leastRestrictiveType(FieldTypeInfo.convertToSet(types.getByteValue()))
           : single;
  }

  /** Returns the number of distinct values, including null if there is one. */
  int numIds() {
    return numIds;
  }

  /** Returns the dictionary of the strings; null if there are none, or it is Druid's own. */
  @Nullable
  StringDictionary dictionary() {
    return texts;
  }

  /** Returns whether there are strings. */
  boolean hasTexts() {
    return texts != null;
  }

  /** Returns the strings, with null as the first. */
  Indexed<ByteBuffer> strings() {
    return strings.get();
  }

  /** Returns the longs. */
  FixedIndexed<Long> longs() {
    return longs.get();
  }

  /** Returns the doubles. */
  FixedIndexed<Double> doubles() {
    return doubles.get();
  }

  /** Returns the arrays, as the numbers of their elements; null if there are none. */
  @Nullable
  FrontCodedIntArrayIndexed arrays() {
    return arrays == null ? null : arrays.get();
  }

  /** Returns a reader of the ids. */
  ColumnarInts ids() {
    return ids.get();
  }

  /** Returns the number of id 0: 1 if every row has a value, else 0, which is null. */
  int firstNumber() {
    return firstNumber;
  }

  /**
   * Creates the column and its indexes as Druid's queries want them, for one query.
   *
   * @param isListed whether the values have an index, or only null has
   * @param closer   closes the column
   */
  BaseColumnHolder open(BitmapSerdeFactory bitmaps, ColumnConfig config, boolean isListed, Closer closer) {
    final Indexes known = indexes(bitmaps);
    final Supplier<ImmutableBitmap> nulls = Suppliers.memoize(() -> firstNumber == 0
        ? known.values.get().get(0)
        : bitmaps.getBitmapFactory().makeEmptyImmutableBitmap());
    final ColumnBuilder builder = new ColumnBuilder()
        .setHasMultipleValues(false)
        .setType(logicalType())
        .setHasNulls(firstNumber == 0)
        .setDictionaryEncodedColumnSupplier(() -> closer.register(column(nulls.get())));
    if (isListed) {
      builder.setIndexSupplier(
          new FieldIndexes(
              this,
              indexes(known.values, config),
              Suppliers.memoize(() -> stockIndexes(known, bitmaps, config)),
              bitmaps.getBitmapFactory()
          ),
          true,
          false
      );
    } else {
      builder.setNullValueIndexSupplier(nulls.get());
    }
    return builder.build();
  }

  /**
   * Indexes, which keep the rows of null for all queries.
   *
   * @param elements null if there are no arrays, or if not all values are
   */
  private record Indexes(QueriedBitmaps values, @Nullable PostingIndex elements) {}

  private Indexes indexes(BitmapSerdeFactory bitmaps) {
    @Nullable Indexes known = indexes;
    if (known == null) {
      final BitmapFactory factory = bitmaps.getBitmapFactory();
      known = new Indexes(
          index(factory),
          has(Section.ELEMENT_LISTS)
          ? new PostingIndex(lists(Section.ELEMENT_LISTS, numElements()), null, factory)
          : null
      );
      indexes = known;
    }
    return known;
  }

  private QueriedBitmaps index(BitmapFactory factory) {
    if (has(Section.STRUCTURE_IDS) && structures.hasLists()) {
      return new FollowedIndex(numIds, structures, this::followedIds, lists, factory);
    }
    final boolean isScanned = lists == null || has(Section.STRUCTURE_IDS);
    return new PostingIndex(
        isScanned ? PostingLists.none(name, numIds, structures.numRows()) : lists,
        isScanned || has(Section.IDS) ? ids : null,
        factory,
        firstNumber == 0
    );
  }

  /** Returns the number of values that can be elements of arrays, with null. */
  private int numElements() {
    return numStrings + numLongs + numDoubles;
  }

  /**
   * Returns indexes of our own; null if the values are arrays, or of several types, if there are none, or if the
   * dictionary is Druid's.
   */
  @Nullable
  private QueriedRows.Indexes indexes(QueriedBitmaps rows, ColumnConfig config) {
    @Nullable final ColumnType type = types.getSingleType();
    if (Types.is(type, ValueType.STRING)) {
      return firstNumber == 0 || texts != null ? StringIndexSupplier.ofField(this::entries, rows) : null;
    }
    if (Types.is(type, ValueType.LONG)) {
      return NumberIndexSupplier.ofLongs(() -> entries(longs, TypeStrategies.LONG), rows, config, true);
    }
    return Types.is(type, ValueType.DOUBLE)
           ? NumberIndexSupplier.ofDoubles(() -> entries(doubles, TypeStrategies.DOUBLE), rows, config, true)
           : null;
  }

  /** Returns the string of each id. */
  private Indexed<ByteBuffer> entries() {
    return firstNumber == 0 ? strings() : texts.texts();
  }

  /** Returns the number of each id. */
  private <T> FixedIndexed<T> entries(Supplier<FixedIndexed<T>> numbers, TypeStrategy<T> type) {
    return firstNumber == 0 ? NumberDictionary.withNull(numbers.get(), type).get() : numbers.get();
  }

  private NestedFieldColumnIndexSupplier<?> stockIndexes(
      Indexes known, BitmapSerdeFactory bitmaps, ColumnConfig config) {
    return new NestedFieldColumnIndexSupplier<Indexed<ByteBuffer>>(
        types,
        bitmaps.getBitmapFactory(),
        config,
        new BitmapsAsIndexed(known.values, bitmaps),
        numbersOfIds,
        this::strings,
        longs,
        doubles,
        arrays,
        known.elements == null ? null : NumberDictionary.range(0, numElements()),
        known.elements == null ? null : new BitmapsAsIndexed(known.elements, bitmaps)
    );
  }

  private NestedFieldDictionaryEncodedColumn<?> column(ImmutableBitmap nulls) {
    if (logicalType().is(ValueType.STRING)
        && types.getSingleType() != null
        && strings() instanceof StringDictionaryReader texts) {
      return new NestedTextColumn(
          types, ids(), texts, longs(), doubles(), firstNumber, numbersOfIds.get(), nulls);
    }
    return new NestedFieldDictionaryEncodedColumn<>(
        types,
        longValues(),
        doubleValues(),
        ids(),
        strings(),
        longs(),
        doubles(),
        arrays(),
        numbersOfIds.get(),
        nulls
    );
  }

  @Nullable
  private ColumnarLongs longValues() {
    if (longValues != null) {
      return longValues.get();
    }
    // A field of a projection has the types of its parent's, and may have no value.
    return Types.is(types.getSingleType(), ValueType.LONG)
           ? new NumbersOfIds(name, ids(), numStrings - firstNumber).longs(longs())
           : null;
  }

  @Nullable
  private ColumnarDoubles doubleValues() {
    if (doubleValues != null) {
      return doubleValues.get();
    }
    return Types.is(types.getSingleType(), ValueType.DOUBLE)
           ? new NumbersOfIds(name, ids(), numStrings + numLongs - firstNumber).doubles(doubles())
           : null;
  }
}
