// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.NumberDictionary;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoubles;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryColumn;
import io.shapeshift.druid.segment.index.BitmapsAsIndexed;
import io.shapeshift.druid.segment.index.DoubleIndexSupplier;
import io.shapeshift.druid.segment.index.LongIndexSupplier;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import io.shapeshift.druid.segment.serde.OwnFile;
import io.shapeshift.druid.segment.serde.UnknownProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.ScalarDoubleColumn;
import org.apache.druid.segment.nested.ScalarLongColumn;
import org.apache.druid.segment.nested.VariantColumnAndIndexSupplier;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;

/**
 * Reads a column of type {@code auto} of which files shape-shift. Druid reads it first, and finds empty files in the
 * place of those that it could not read: what it makes of the others, such as the column's capabilities, is the
 * column's. Its suppliers of columns and of indexes read files of Druid's only; so the columns, which are of Druid's
 * classes, and indexes over posting lists are made here.
 */
final class AutoColumnReader implements ColumnPartSerde.Deserializer {
  private final Set<AutoColumnFile> ours;
  private final NestedCommonFormatColumnPartSerde stock;
  private final UnknownProperties unknown;

  /**
   * Makes a reader.
   *
   * @param ours    the files that shape-shift
   * @param stock   Druid's own part, to which these files are the only difference
   * @param unknown what else the descriptor has
   */
  AutoColumnReader(Set<AutoColumnFile> ours, NestedCommonFormatColumnPartSerde stock, UnknownProperties unknown) {
    this.ours = ours;
    this.stock = stock;
    this.unknown = unknown;
  }

  @Override
  public void read(ByteBuffer buffer, ColumnBuilder builder, ColumnConfig config, @Nullable ColumnHolder parent) {
    final String column = readName(buffer, builder);
    try {
      unknown.refuse(column);
      UnknownProperties.require(column, "files", ours.isEmpty() ? null : ours);
      UnknownProperties.require(column, "stock", stock);
      open(column, buffer, builder, config, parent);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(column, buffer, e);
    }
  }

  private void open(
      String column,
      ByteBuffer buffer,
      ColumnBuilder builder,
      ColumnConfig config,
      @Nullable ColumnHolder parent
  ) {
    final SegmentFileMapper files = builder.getFileMapper();
    @Nullable final Columns shared = parent == null ? null : columnsOf(column, parent);
    final StockBuilder stockBuilder = new StockBuilder(builder, new EmptyFiles(files, column, ours));
    stock.getDeserializer().read(buffer, stockBuilder, config, shared == null ? null : holderOf(shared.stock));
    try {
      final Dictionaries dictionaries =
          shared == null ? Dictionaries.read(files, column, stock.getByteOrder(), ours) : shared.dictionaries;
      final Parts parts = parts(column, files, dictionaries, shared != null, stockBuilder, config);
      builder.setNestedCommonFormatColumnSupplier(new Columns(stockBuilder.supplier, dictionaries, parts.columns))
             .setIndexSupplier(parts.indexes, true, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name that the column's files start with, which stands behind Druid's version. */
  private static String readName(ByteBuffer buffer, ColumnBuilder builder) {
    final ByteBuffer part = buffer.duplicate();
    try {
      part.get();
      final int length = VByte.readInt(part);
      // Before there is an array of this length.
      if (length > part.remaining()) {
        throw new IllegalArgumentException("It has " + length + " bytes, and " + part.remaining() + " are left");
      }
      return StringUtils.fromUtf8(part, length);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(
          OwnFile.name(buffer, builder, "of type auto, whose name cannot be read"), buffer, e);
    }
  }

  /** The columns of the base table, whose dictionaries those of a projection share. */
  private static Columns columnsOf(String column, ColumnHolder parent) {
    if (parent.getColumnSupplier() instanceof Columns columns) {
      return columns;
    }
    throw ColumnFormatException.damaged(column, "it shares the dictionaries of a column that does not shape-shift");
  }

  /** What Druid asks for the supplier of the column that a projection's shares dictionaries with. */
  private static ColumnHolder holderOf(Supplier<? extends NestedCommonFormatColumn> supplier) {
    return new ColumnBuilder().setType(ColumnType.NESTED_DATA).setNestedCommonFormatColumnSupplier(supplier).build();
  }

  private Parts parts(
      String column,
      SegmentFileMapper files,
      Dictionaries dictionaries,
      boolean isOfProjection,
      StockBuilder stockBuilder,
      ColumnConfig config
  ) throws IOException {
    final BitmapSerdeFactory serde = ShapeShiftAutoColumnPartSerde.bitmapsOf(stock);
    final BitmapFactory bitmaps = serde.getBitmapFactory();
    final Supplier<ColumnarInts> ids = ids(column, files);
    @Nullable final PostingIndex index =
        ours.contains(AutoColumnFile.INDEXES)
        ? new PostingIndex(lists(AutoColumnFile.INDEXES, column, files, dictionaries.numIds(), ids), ids, bitmaps)
        : null;
    if (stockBuilder.supplier instanceof VariantColumnAndIndexSupplier stockVariants) {
      final GenericIndexed<ImmutableBitmap> values =
          index == null ? bitmaps(AutoColumnFile.INDEXES, column, files, serde) : new BitmapsAsIndexed(index, serde);
      // Druid 37 stores none in projections.
      final int numElements = isOfProjection ? 0 : dictionaries.arrayElements.get().size();
      final GenericIndexed<ImmutableBitmap> elements = elements(column, files, numElements, ids, serde);
      final Variants variants = new Variants(() -> new VariantColumnAndIndexSupplier(
          stock.getLogicalType(),
          stockVariants.getVariantTypeSetByte(),
          dictionaries.strings,
          dictionaries.longs,
          dictionaries.doubles,
          dictionaries.arrays,
          dictionaries.arrayElements,
          ids,
          values,
          elements,
          bitmaps
      ));
      return new Parts(variants, variants);
    }
    if (stock.getLogicalType().is(ValueType.STRING)) {
      return new Parts(
          dictionaries.strings instanceof StringDictionary strings
          ? () -> StringDictionaryColumn.of(ids.get(), strings, bitmaps)
          : () -> new StringUtf8DictionaryEncodedColumn(ids.get(), null, dictionaries.strings.get(), bitmaps),
          index == null
          ? new StringUtf8ColumnIndexSupplier<>(
              bitmaps,
              dictionaries.strings,
              bitmaps(AutoColumnFile.INDEXES, column, files, serde),
              null
          )
          : new StringIndexSupplier(dictionaries.strings, index)
      );
    }
    final Supplier<ImmutableBitmap> nulls =
        index == null ? Suppliers.ofInstance(nulls(stockBuilder.indexes, bitmaps)) : () -> index.get().get(0);
    if (index == null
        && (ours.contains(AutoColumnFile.LONG_DICTIONARY) || ours.contains(AutoColumnFile.DOUBLE_DICTIONARY))) {
      throw ColumnFormatException.damaged(
          column, "its dictionary of numbers shape-shifts, and its index, which reads it, is Druid's own");
    }
    if (stock.getLogicalType().is(ValueType.LONG)) {
      final Supplier<? extends ColumnarLongs> longs = longs(column, files);
      return new Parts(
          () -> column(dictionaries.longs.get(), ids, longs.get(), nulls.get(), bitmaps),
          index == null ? stockBuilder.indexes : new LongIndexSupplier(dictionaries.longs, index, config)
      );
    }
    final Supplier<? extends ColumnarDoubles> doubles = doubles(column, files);
    return new Parts(
        () -> column(dictionaries.doubles.get(), ids, doubles.get(), nulls.get(), bitmaps),
        index == null ? stockBuilder.indexes : new DoubleIndexSupplier(dictionaries.doubles, index, config)
    );
  }

  /** Druid's column, of which ours gives what Druid's has under nulls. */
  private static ScalarLongColumn column(
      FixedIndexed<Long> dictionary,
      Supplier<ColumnarInts> ids,
      ColumnarLongs longs,
      ImmutableBitmap nulls,
      BitmapFactory bitmaps
  ) {
    return !(longs instanceof ShapeShiftingColumnarLongs ours)
           ? new ScalarLongColumn(dictionary, ids, longs, nulls, bitmaps)
           : new ScalarLongColumn(dictionary, ids, longs, nulls, bitmaps) {
             @Override
             public ColumnValueSelector<?> makeColumnValueSelector(ReadableOffset offset) {
               return ours.makeColumnValueSelector(offset, nulls);
             }
           };
  }

  private static ScalarDoubleColumn column(
      FixedIndexed<Double> dictionary,
      Supplier<ColumnarInts> ids,
      ColumnarDoubles doubles,
      ImmutableBitmap nulls,
      BitmapFactory bitmaps
  ) {
    return !(doubles instanceof ShapeShiftingColumnarDoubles ours)
           ? new ScalarDoubleColumn(dictionary, ids, doubles, nulls, bitmaps)
           : new ScalarDoubleColumn(dictionary, ids, doubles, nulls, bitmaps) {
             @Override
             public ColumnValueSelector<?> makeColumnValueSelector(ReadableOffset offset) {
               return ours.makeColumnValueSelector(offset, nulls);
             }
           };
  }

  /** The rows that are null, by Druid's bitmap; what columns of numbers have there means nothing. */
  private static ImmutableBitmap nulls(ColumnIndexSupplier indexes, BitmapFactory bitmaps) {
    return indexes.as(NullValueIndex.class)
                  .get()
                  .computeBitmapResult(new DefaultBitmapResultFactory(bitmaps), false);
  }

  /** The rows of each element of arrays. Rows have several, so that ids do not tell them. */
  private GenericIndexed<ImmutableBitmap> elements(
      String column,
      SegmentFileMapper files,
      int numElements,
      Supplier<ColumnarInts> ids,
      BitmapSerdeFactory serde
  ) throws IOException {
    if (!ours.contains(AutoColumnFile.ELEMENT_INDEXES)) {
      return bitmaps(AutoColumnFile.ELEMENT_INDEXES, column, files, serde);
    }
    final PostingLists lists = lists(AutoColumnFile.ELEMENT_INDEXES, column, files, numElements, ids);
    return new BitmapsAsIndexed(new PostingIndex(lists, null, serde.getBitmapFactory()), serde);
  }

  private static PostingLists lists(
      AutoColumnFile index,
      String column,
      SegmentFileMapper files,
      int numIds,
      Supplier<ColumnarInts> ids
  ) throws IOException {
    final String file = index.of(column);
    try (ColumnarInts rows = ids.get()) {
      final ByteBuffer bytes = map(file, files);
      final PostingLists lists = PostingLists.read(file, bytes, numIds, rows.size());
      ColumnFormatException.requireEnd(file, bytes);
      return lists;
    }
  }

  private static GenericIndexed<ImmutableBitmap> bitmaps(
      AutoColumnFile index,
      String column,
      SegmentFileMapper files,
      BitmapSerdeFactory serde
  ) throws IOException {
    return GenericIndexed.read(map(index.of(column), files), serde.getObjectStrategy(), files);
  }

  private Supplier<ColumnarInts> ids(String column, SegmentFileMapper files) throws IOException {
    final String file = AutoColumnFile.IDS.of(column);
    final ByteBuffer bytes = map(file, files);
    return ours.contains(AutoColumnFile.IDS)
           ? whole(file, bytes, ShapeShiftingColumnarIntsSupplier::read)
           : CompressedVSizeColumnarIntsSupplier.fromByteBuffer(bytes, stock.getByteOrder(), files);
  }

  private Supplier<? extends ColumnarLongs> longs(String column, SegmentFileMapper files) throws IOException {
    final String file = AutoColumnFile.LONGS.of(column);
    final ByteBuffer bytes = map(file, files);
    return ours.contains(AutoColumnFile.LONGS)
           ? whole(file, bytes, ShapeShiftingColumnarLongsSupplier::read)
           : CompressedColumnarLongsSupplier.fromByteBuffer(bytes, stock.getByteOrder(), files);
  }

  private Supplier<? extends ColumnarDoubles> doubles(String column, SegmentFileMapper files) throws IOException {
    final String file = AutoColumnFile.DOUBLES.of(column);
    final ByteBuffer bytes = map(file, files);
    return ours.contains(AutoColumnFile.DOUBLES)
           ? whole(file, bytes, ShapeShiftingColumnarDoublesSupplier::read)
           : CompressedColumnarDoublesSuppliers.fromByteBuffer(bytes, stock.getByteOrder(), files);
  }

  /** Reads a shape-shifting file of ids or numbers, which has nothing else. */
  private <T> T whole(String file, ByteBuffer bytes, BiFunction<String, ByteBuffer, T> reader) {
    final T read = reader.apply(file, bytes.order(stock.getByteOrder()));
    ColumnFormatException.requireEnd(file, bytes);
    return read;
  }

  private static ByteBuffer map(String file, SegmentFileMapper files) throws IOException {
    @Nullable final ByteBuffer bytes = files.mapFile(file);
    if (bytes == null) {
      throw ColumnFormatException.damaged(file, "the segment does not have this file");
    }
    return bytes;
  }

  /** What makes columns, and what makes indexes. */
  private record Parts(Supplier<? extends NestedCommonFormatColumn> columns, ColumnIndexSupplier indexes) {}

  /**
   * Makes columns and indexes of arrays and mixed types. Druid's supplier keeps the rows that are null, which posting
   * lists keep themselves while there is memory; so that there is one for each column and each index.
   */
  private record Variants(Supplier<VariantColumnAndIndexSupplier> stock)
      implements Supplier<NestedCommonFormatColumn>, ColumnIndexSupplier {
    @Override
    public NestedCommonFormatColumn get() {
      return stock.get().get();
    }

    @Nullable
    @Override
    public <T> T as(Class<T> clazz) {
      return stock.get().as(clazz);
    }
  }

  /** Makes columns, and keeps what those of projections share with them. */
  private record Columns(
      Supplier<? extends NestedCommonFormatColumn> stock,
      Dictionaries dictionaries,
      Supplier<? extends NestedCommonFormatColumn> columns
  ) implements Supplier<NestedCommonFormatColumn> {
    @Override
    public NestedCommonFormatColumn get() {
      return columns.get();
    }
  }

  /** The dictionaries of a column: one, or of a variant five. Those that it does not have are null. */
  private record Dictionaries(
      @Nullable Supplier<? extends Indexed<ByteBuffer>> strings,
      @Nullable Supplier<FixedIndexed<Long>> longs,
      @Nullable Supplier<FixedIndexed<Double>> doubles,
      @Nullable Supplier<FrontCodedIntArrayIndexed> arrays,
      @Nullable Supplier<FixedIndexed<Integer>> arrayElements
  ) {
    private static Dictionaries read(
        SegmentFileMapper files,
        String column,
        ByteOrder order,
        Set<AutoColumnFile> ours
    ) throws IOException {
      @Nullable final ByteBuffer strings = map(files, column, ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME);
      @Nullable final ByteBuffer longs = map(files, column, ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME);
      @Nullable final ByteBuffer doubles = map(files, column, ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME);
      @Nullable final ByteBuffer arrays = map(files, column, ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME);
      @Nullable final ByteBuffer arrayElements =
          map(files, column, ColumnSerializerUtils.ARRAY_ELEMENT_DICTIONARY_FILE_NAME);
      return new Dictionaries(
          strings == null ? null : strings(files, column, strings, order, ours),
          longs == null ? null : longs(column, longs, order, ours),
          doubles == null ? null : doubles(column, doubles, order, ours),
          arrays == null ? null : FrontCodedIntArrayIndexed.read(arrays, order),
          arrayElements == null
          ? null
          : FixedIndexed.read(
              arrayElements,
              CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY,
              order,
              Integer.BYTES
          )
      );
    }

    private static Supplier<? extends Indexed<ByteBuffer>> strings(
        SegmentFileMapper files,
        String column,
        ByteBuffer bytes,
        ByteOrder order,
        Set<AutoColumnFile> ours
    ) {
      if (!ours.contains(AutoColumnFile.STRING_DICTIONARY)) {
        return StringEncodingStrategies.getStringDictionarySupplier(files, bytes, order);
      }
      final String file = AutoColumnFile.STRING_DICTIONARY.of(column);
      final StringDictionary strings = StringDictionary.read(file, bytes);
      ColumnFormatException.requireEnd(file, bytes);
      return strings;
    }

    private static Supplier<FixedIndexed<Long>> longs(
        String column,
        ByteBuffer bytes,
        ByteOrder order,
        Set<AutoColumnFile> ours
    ) {
      return ours.contains(AutoColumnFile.LONG_DICTIONARY)
             ? NumberDictionary.longs(AutoColumnFile.LONG_DICTIONARY.of(column), bytes, order)
             : FixedIndexed.read(bytes, ColumnType.LONG.getStrategy(), order, Long.BYTES);
    }

    private static Supplier<FixedIndexed<Double>> doubles(
        String column,
        ByteBuffer bytes,
        ByteOrder order,
        Set<AutoColumnFile> ours
    ) {
      return ours.contains(AutoColumnFile.DOUBLE_DICTIONARY)
             ? NumberDictionary.doubles(AutoColumnFile.DOUBLE_DICTIONARY.of(column), bytes, order)
             : FixedIndexed.read(bytes, ColumnType.DOUBLE.getStrategy(), order, Double.BYTES);
    }

    /** How many ids there are: those of a variant count through all dictionaries, but for that of elements. */
    private int numIds() {
      return Stream.of(strings, longs, doubles, arrays)
                   .filter(Objects::nonNull)
                   // Nothing is read of the texts when a segment is opened.
                   .mapToInt(dictionary ->
                       dictionary instanceof StringDictionary ours ? ours.size() : dictionary.get().size())
                   .sum();
    }

    @Nullable
    private static ByteBuffer map(SegmentFileMapper files, String column, String suffix) throws IOException {
      return files.mapFile(ColumnSerializerUtils.getInternalFileName(column, suffix));
    }
  }

  /** Takes what Druid finds out about a column on to the column's builder, but for its suppliers. */
  private static final class StockBuilder extends ColumnBuilder {
    private final ColumnBuilder builder;
    private Supplier<? extends NestedCommonFormatColumn> supplier;
    private ColumnIndexSupplier indexes;

    private StockBuilder(ColumnBuilder builder, SegmentFileMapper files) {
      this.builder = builder;
      setFileMapper(files);
    }

    @Override
    public ColumnBuilder setNestedCommonFormatColumnSupplier(Supplier<? extends NestedCommonFormatColumn> supplier) {
      this.supplier = supplier;
      return this;
    }

    @Override
    public ColumnBuilder setIndexSupplier(
        @Nullable ColumnIndexSupplier indexSupplier,
        boolean hasBitmapIndex,
        boolean hasSpatial
    ) {
      this.indexes = indexSupplier;
      return this;
    }

    @Override
    public ColumnCapabilitiesImpl getCapabilitiesBuilder() {
      return builder.getCapabilitiesBuilder();
    }

    @Override
    public ColumnBuilder setType(ColumnType type) {
      builder.setType(type);
      return this;
    }

    @Override
    public ColumnBuilder setHasNulls(boolean nullable) {
      builder.setHasNulls(nullable);
      return this;
    }

    @Override
    public ColumnBuilder setColumnFormat(ColumnFormat columnFormat) {
      builder.setColumnFormat(columnFormat);
      return this;
    }
  }
}
