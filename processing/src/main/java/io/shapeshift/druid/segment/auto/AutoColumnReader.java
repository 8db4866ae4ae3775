// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoubles;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryColumn;
import io.shapeshift.druid.segment.index.BitmapsAsIndexed;
import io.shapeshift.druid.segment.index.NumberIndexSupplier;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import io.shapeshift.druid.segment.serde.OwnFile;
import io.shapeshift.druid.segment.serde.UnknownProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.ScalarDoubleColumn;
import org.apache.druid.segment.nested.ScalarLongColumn;
import org.apache.druid.segment.nested.VariantColumnAndIndexSupplier;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;

/**
 * Deserializer of an {@code auto} column with shape-shifting files. Druid's deserializer runs first. It gets empty
 * files in the place of those that it cannot read, and derives from the other files the column's capabilities and other
 * properties. Druid's suppliers of columns and indexes read only stock files, so this class creates the columns
 * (instances of Druid's classes) and the indexes over posting lists.
 */
final class AutoColumnReader implements ColumnPartSerde.Deserializer {
  private final Set<AutoColumnFile> ours;
  private final NestedCommonFormatColumnPartSerde stock;
  private final UnknownProperties unknown;

  /**
   * Creates a reader.
   *
   * @param ours    the files that shape-shift
   * @param stock   stock part that describes all other files
   * @param unknown unknown properties of the descriptor
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
      final AutoDictionaries dictionaries =
          shared == null ? AutoDictionaries.read(files, column, stock.getByteOrder(), ours) : shared.dictionaries;
      final AutoColumnFiles columnFiles = new AutoColumnFiles(column, files, ours, stock.getByteOrder());
      final Parts parts = parts(columnFiles, dictionaries, shared != null, stockBuilder, config);
      builder.setNestedCommonFormatColumnSupplier(new Columns(stockBuilder.supplier(), dictionaries, parts.columns))
             .setIndexSupplier(parts.indexes, true, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the column name, which is stored after Druid's version byte. The names of the column's files start with it.
   */
  private static String readName(ByteBuffer buffer, ColumnBuilder builder) {
    final ByteBuffer part = buffer.duplicate();
    try {
      part.get();
      final int length = VByte.readInt(part);
      // Checked before an array of this length is allocated.
      if (length > part.remaining()) {
        throw new IllegalArgumentException("It has " + length + " bytes, and " + part.remaining() + " are left");
      }
      return StringUtils.fromUtf8(part, length);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(
          OwnFile.name(buffer, builder, "of type auto, whose name cannot be read"), buffer, e);
    }
  }

  /** Columns of the base table, whose dictionaries a projection's columns share. */
  private static Columns columnsOf(String column, ColumnHolder parent) {
    if (parent.getColumnSupplier() instanceof Columns columns) {
      return columns;
    }
    throw ColumnFormatException.damaged(column, "it shares the dictionaries of a column that does not shape-shift");
  }

  /** Column holder with the supplier, from which Druid takes the dictionaries of a projection's column. */
  private static ColumnHolder holderOf(Supplier<? extends NestedCommonFormatColumn> supplier) {
    return new ColumnBuilder().setType(ColumnType.NESTED_DATA).setNestedCommonFormatColumnSupplier(supplier).build();
  }

  private Parts parts(
      AutoColumnFiles files,
      AutoDictionaries dictionaries,
      boolean isOfProjection,
      StockBuilder stockBuilder,
      ColumnConfig config
  ) throws IOException {
    final BitmapSerdeFactory serde = ShapeShiftAutoColumnPartSerde.bitmapsOf(stock);
    final BitmapFactory bitmaps = serde.getBitmapFactory();
    final Supplier<ColumnarInts> ids = files.ids();
    @Nullable final PostingIndex index =
        ours.contains(AutoColumnFile.INDEXES)
        ? new PostingIndex(files.lists(AutoColumnFile.INDEXES, dictionaries.numIds(), ids), ids, bitmaps)
        : null;
    if (stockBuilder.supplier() instanceof VariantColumnAndIndexSupplier stockVariants) {
      final GenericIndexed<ImmutableBitmap> values =
          index == null ? files.bitmaps(AutoColumnFile.INDEXES, serde) : new BitmapsAsIndexed(index, serde);
      // Druid 37 stores no array elements in projections.
      final int numElements = isOfProjection ? 0 : dictionaries.arrayElements().get().size();
      final GenericIndexed<ImmutableBitmap> elements = elements(files, numElements, ids, serde);
      final Variants variants = new Variants(() -> new VariantColumnAndIndexSupplier(
          stock.getLogicalType(),
          stockVariants.getVariantTypeSetByte(),
          dictionaries.strings(),
          dictionaries.longs(),
          dictionaries.doubles(),
          dictionaries.arrays(),
          dictionaries.arrayElements(),
          ids,
          values,
          elements,
          bitmaps
      ));
      return new Parts(variants, variants);
    }
    if (stock.getLogicalType().is(ValueType.STRING)) {
      return new Parts(
          dictionaries.strings() instanceof StringDictionary strings
          ? () -> StringDictionaryColumn.of(ids.get(), strings, bitmaps)
          : () -> new StringUtf8DictionaryEncodedColumn(ids.get(), null, dictionaries.strings().get(), bitmaps),
          index == null
          ? new StringUtf8ColumnIndexSupplier<>(
              bitmaps,
              dictionaries.strings(),
              files.bitmaps(AutoColumnFile.INDEXES, serde),
              null
          )
          : new StringIndexSupplier(dictionaries.strings(), index)
      );
    }
    final Supplier<ImmutableBitmap> nulls =
        index == null ? Suppliers.ofInstance(nulls(stockBuilder.indexes(), bitmaps)) : () -> index.get().get(0);
    if (index == null
        && (ours.contains(AutoColumnFile.LONG_DICTIONARY) || ours.contains(AutoColumnFile.DOUBLE_DICTIONARY))) {
      throw ColumnFormatException.damaged(
          files.column(), "its dictionary of numbers shape-shifts, and its index, which reads it, is Druid's own");
    }
    if (stock.getLogicalType().is(ValueType.LONG)) {
      final Supplier<? extends ColumnarLongs> longs = files.longs();
      return new Parts(
          () -> column(dictionaries.longs().get(), ids, longs.get(), nulls.get(), bitmaps),
          index == null
          ? stockBuilder.indexes()
          : NumberIndexSupplier.ofLongs(dictionaries.longs(), index, config, false)
      );
    }
    final Supplier<? extends ColumnarDoubles> doubles = files.doubles();
    return new Parts(
        () -> column(dictionaries.doubles().get(), ids, doubles.get(), nulls.get(), bitmaps),
        index == null
        ? stockBuilder.indexes()
        : NumberIndexSupplier.ofDoubles(dictionaries.doubles(), index, config, false)
    );
  }

  /** Druid's column over shape-shifting longs. In null rows it returns what a stock column has there. */
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

  /** Null rows, from Druid's bitmap. The stored numbers of these rows have no meaning. */
  private static ImmutableBitmap nulls(ColumnIndexSupplier indexes, BitmapFactory bitmaps) {
    return indexes.as(NullValueIndex.class)
                  .get()
                  .computeBitmapResult(new DefaultBitmapResultFactory(bitmaps), false);
  }

  /** Rows of each array element. A row has several elements, so a scan of the ids cannot replace the bitmaps. */
  private GenericIndexed<ImmutableBitmap> elements(
      AutoColumnFiles files,
      int numElements,
      Supplier<ColumnarInts> ids,
      BitmapSerdeFactory serde
  ) throws IOException {
    if (!ours.contains(AutoColumnFile.ELEMENT_INDEXES)) {
      return files.bitmaps(AutoColumnFile.ELEMENT_INDEXES, serde);
    }
    final PostingLists lists = files.lists(AutoColumnFile.ELEMENT_INDEXES, numElements, ids);
    return new BitmapsAsIndexed(new PostingIndex(lists, null, serde.getBitmapFactory()), serde);
  }

  /** Suppliers of columns and of indexes. */
  private record Parts(Supplier<? extends NestedCommonFormatColumn> columns, ColumnIndexSupplier indexes) {}

  /**
   * Supplier of columns and indexes of arrays and mixed types. Druid's supplier keeps a bitmap of the null rows. One
   * supplier is created per column and per index, because posting lists cache that bitmap themselves, softly.
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

  /** Supplier of columns that also keeps the dictionaries for the columns of projections. */
  private record Columns(
      Supplier<? extends NestedCommonFormatColumn> stock,
      AutoDictionaries dictionaries,
      Supplier<? extends NestedCommonFormatColumn> columns
  ) implements Supplier<NestedCommonFormatColumn> {
    @Override
    public NestedCommonFormatColumn get() {
      return columns.get();
    }
  }
}
