// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.column.postings.Inversion;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.serde.LimitedSerializer;
import io.shapeshift.druid.segment.serde.Parts;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnHead;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.select.FormSelectors;
import java.io.IOException;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.StringDimensionMergerV9;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.serde.Serializer;

/**
 * Merger for string dimensions with shape-shifting ids, indexes or dictionary. In a dimension with a spatial index,
 * which stock builds from its own bitmaps and values, only the ids shape-shift.
 *
 * <p>Posting lists are built from the ids of the merged rows, not from the indexes of the inputs. The two differ in
 * projections: Druid 37 treats each dimension of a projection as single-valued, stores only the first value of a row,
 * and indexes all values. A projection's dimension therefore has stock indexes, unless its base table has the dimension
 * with single values.
 */
final class ShapeShiftStringDimensionMerger extends StringDimensionMergerV9 {
  private static final Logger LOG = new Logger(ShapeShiftStringDimensionMerger.class);

  private final EncodingStrategy ofIds;
  private final EncodingStrategy ofIndexes;
  private final EncodingStrategy ofDictionary;
  private final boolean hasTextIndex;
  /** Whether the ids of the merged rows are sufficient to build the indexes. */
  private boolean hasAllIds;
  /** Ids of the merged rows, for posting lists; null if the dimension has stock indexes or none. */
  @Nullable
  private Inversion rows;
  /** Complete posting lists, or a marker that ids are scanned instead. */
  @Nullable
  private Serializer lists;
  /** Whether a scan of the ids may replace posting lists. */
  private boolean mayScan;
  /**
   * Whether the dictionary is not sorted. The column then has this extension's serde, because stock's deserializer
   * would fail in a merge.
   */
  private boolean isOutOfOrder;
  /**
   * Second copy of the ids, in forms that scan faster than the smallest forms; null if the first copy scans fast
   * enough.
   */
  @Nullable
  private ShapeShiftingColumnarIntsSerializer scannedIds;

  private ShapeShiftStringDimensionMerger(
      EncodingStrategy ofIds,
      EncodingStrategy ofIndexes,
      EncodingStrategy ofDictionary,
      String dimensionName,
      boolean isOfProjection,
      DimensionOutput output
  ) {
    super(
        dimensionName,
        output.outputName(),
        output.indexSpec(),
        output.medium(),
        output.capabilities(),
        output.progress(),
        output.segmentBaseDir(),
        output.closer()
    );
    this.ofIds = ofIds;
    this.ofIndexes = ofIndexes;
    this.ofDictionary = ofDictionary;
    this.hasTextIndex = ShapeShiftIndexSpec.hasTextIndex(output.indexSpec(), dimensionName);
    this.hasAllIds = !isOfProjection;
  }

  /** Creates a merger, or returns null if the indexSpec asks for no shape-shifting part of a string column. */
  @Nullable
  static ShapeShiftStringDimensionMerger of(String dimensionName, boolean isOfProjection, DimensionOutput output) {
    final EncodingStrategy ofIds = encodingOf(output, dimensionName, EncodedType.INT);
    final EncodingStrategy ofIndexes = encodingOf(output, dimensionName, EncodedType.INDEX);
    final EncodingStrategy ofDictionary = encodingOf(output, dimensionName, EncodedType.DICTIONARY);
    return ofIds.isShapeShift() || ofIndexes.isShapeShift() || ofDictionary.isShapeShift()
           ? new ShapeShiftStringDimensionMerger(
               ofIds, ofIndexes, ofDictionary, dimensionName, isOfProjection, output)
           : null;
  }

  private static EncodingStrategy encodingOf(DimensionOutput output, String dimensionName, EncodedType type) {
    return ShapeShiftIndexSpec.encodingOf(output.indexSpec(), dimensionName, type);
  }

  @Override
  public void attachParent(DimensionMergerV9 parent, List<IndexableAdapter> projectionAdapters) throws IOException {
    hasAllIds = parent instanceof ShapeShiftStringDimensionMerger ours && !ours.isMultiValue();
    super.attachParent(parent, projectionAdapters);
  }

  @Override
  protected DictionaryWriter<String> makeDictionaryWriter(String fileName) {
    return ofDictionary.isShapeShift() && !capabilities.hasSpatialIndexes()
           ? new StringDictionarySerializer(
               outputName, segmentWriteOutMedium, ofDictionary.optimizationTarget(), hasTextIndex)
           : super.makeDictionaryWriter(fileName);
  }

  /** Opens the writers of ids and indexes. Druid calls it once the dictionary is known. */
  @Override
  protected void setupEncodedValueWriter() throws IOException {
    if (dictionaryWriter instanceof StringDictionarySerializer ours) {
      ours.allAreAdded();
    }
    if (ofIndexes.isShapeShift()
        && hasAllIds
        && capabilities.hasBitmapIndexes()
        && !capabilities.hasSpatialIndexes()) {
      rows = new Inversion(segmentWriteOutMedium, dictionarySize);
    }
    if (!ofIds.isShapeShift()) {
      super.setupEncodedValueWriter();
      return;
    }
    if (isMultiValue()) {
      encodedValueSerializer = new ShapeShiftingColumnarMultiIntsSerializer(
          outputName,
          segmentWriteOutMedium,
          ofIds.blockSize(),
          FormSelectors.forInts(ofIds.optimizationTarget()),
          dictionarySize,
          IndexIO.BYTE_ORDER
      );
      encodedValueSerializer.open();
      return;
    }
    encodedValueSerializer = openIds(ofIds.optimizationTarget());
    mayScan = rows != null && ofIndexes.optimizationTarget() == OptimizationTarget.SMALLER;
    if (mayScan && ofIds.optimizationTarget() == OptimizationTarget.SMALLER) {
      scannedIds = openIds(OptimizationTarget.FASTBUTSMALLISH);
    }
  }

  private ShapeShiftingColumnarIntsSerializer openIds(OptimizationTarget target) throws IOException {
    final ShapeShiftingColumnarIntsSerializer ids = new ShapeShiftingColumnarIntsSerializer(
        outputName,
        segmentWriteOutMedium,
        ofIds.blockSize(),
        FormSelectors.forInts(target),
        dictionarySize,
        IndexIO.BYTE_ORDER
    );
    ids.open();
    return ids;
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  public void processMergedRow(ColumnValueSelector selector) throws IOException {
    super.processMergedRow(selector);
    if (rows != null) {
      addRow(selector instanceof DimensionSelector ids ? ids.getRow() : IndexedInts.empty());
    }
  }

  private void addRow(IndexedInts ids) throws IOException {
    // In a projection that uses the dictionary of its base table, Druid leaves the first value unset, and so assumes
    // that it is null. If it is not null, a row without values belongs to no list, although its only id is 0.
    if (ids.size() == 0 && firstDictionaryValue == null) {
      rows.add(0);
    } else {
      rows.add(ids);
    }
    if (scannedIds != null) {
      scannedIds.addValue(ids.size() == 0 ? 0 : ids.get(0));
    }
  }

  /**
   * Replaces a dictionary that is not in UTF-8 order by a stock dictionary. A shape-shifting dictionary is searched in
   * that order, and a search would miss rows. On a stock dictionary, filters fail with an error instead.
   */
  private void keepInOrder() throws IOException {
    if (dictionaryWriter instanceof StringDictionarySerializer ours && !ours.isSorted()) {
      LOG.warn(
          "Column[%s] has texts with half of a surrogate pair, which is no character. Its dictionary is out of order,"
              + " and Druid's own: filters on it may fail",
          dimensionName
      );
      toStock(ours, "unsorted_dictionary");
      isOutOfOrder = true;
    }
  }

  /**
   * Replaces the dictionary by a stock dictionary.
   *
   * @param suffix of the names of its files
   */
  private void toStock(StringDictionarySerializer ours, String suffix) throws IOException {
    // Plain UTF-8, even if the indexSpec requests another stock encoding: the others reject unsorted texts, and more
    // than 2 GiB.
    dictionaryWriter = StringEncodingStrategies.getStringDictionaryWriter(
        new StringEncodingStrategy.Utf8(), segmentWriteOutMedium, outputName + "." + suffix);
    dictionaryWriter.open();
    ours.copyTo(dictionaryWriter);
  }

  /**
   * Replaces a dictionary that is too large for the column's file, in which the other parts are as well, by a stock
   * dictionary. A stock dictionary of more than 2 GiB continues in files of its own.
   */
  private void keepInFile() throws IOException {
    if (!writeDictionary || !(dictionaryWriter instanceof StringDictionarySerializer ours)) {
      return;
    }
    long others = encodedValueSerializer.getSerializedSize();
    if (lists != null) {
      others += lists.getSerializedSize();
    } else if (bitmapWriter != null) {
      others += bitmapWriter.getSerializedSize();
    }
    if (!ours.fitsInto(LimitedSerializer.MAX_SIZE - others)) {
      LOG.warn("Column[%s] has more texts than one file can hold. Its dictionary is Druid's own", dimensionName);
      toStock(ours, "large_dictionary");
    }
  }

  @Override
  public void writeIndexes(@Nullable List<IntBuffer> segmentRowNumConversions) throws IOException {
    keepInOrder();
    if (rows == null) {
      super.writeIndexes(segmentRowNumConversions);
    } else {
      writeLists();
    }
    keepInFile();
  }

  private void writeLists() throws IOException {
    final PostingListsSerializer lists = new PostingListsSerializer(
        outputName,
        segmentWriteOutMedium,
        ofIndexes.optimizationTarget(),
        rowCount
    );
    lists.open();
    rows.forEachId((rowsOfId, from, to) -> {
      progress.progress();
      lists.add(rowsOfId, from, to);
    });
    this.lists = lists;
    rows = null;
    doWithoutLists(lists.stockBytes());
    if (dictionaryMergeIterator != null) {
      dictionaryMergeIterator.close();
    }
  }

  /**
   * Drops the posting lists if ids in fast-scanning forms need no more bytes than the smallest ids and the lists
   * together.
   *
   * @param stockBytes bytes of the stock index
   */
  private void doWithoutLists(long stockBytes) throws IOException {
    if (!mayScan) {
      return;
    }
    final Serializer none = PostingListsSerializer.withoutLists(rowCount, dictionarySize, stockBytes);
    final ColumnarIntsSerializer ids = scannedIds == null ? encodedValueSerializer : scannedIds;
    if (ids.getSerializedSize() + none.getSerializedSize()
        <= encodedValueSerializer.getSerializedSize() + lists.getSerializedSize()) {
      encodedValueSerializer = ids;
      lists = none;
    }
    scannedIds = null;
  }

  @Override
  public ColumnDescriptor makeColumnDescriptor() {
    final Set<StringColumnPart> parts = EnumSet.noneOf(StringColumnPart.class);
    if (ofIds.isShapeShift()) {
      parts.add(StringColumnPart.IDS);
    }
    if (lists != null) {
      parts.add(StringColumnPart.INDEXES);
    }
    if (dictionaryWriter instanceof StringDictionarySerializer) {
      parts.add(StringColumnPart.DICTIONARY);
    }
    if (parts.isEmpty() && !isOutOfOrder) {
      return super.makeColumnDescriptor();
    }
    return ColumnDescriptor
        .builder()
        .setValueType(ValueType.STRING)
        .setHasMultipleValues(isMultiValue())
        .addSerde(
            new ShapeShiftStringColumnPartSerde(
                outputName,
                parts,
                indexSpec.getBitmapSerdeFactory(),
                IndexIO.BYTE_ORDER,
                new LimitedSerializer(outputName, "dictionary and indexes", serializer())
            )
        )
        .build();
  }

  private Serializer serializer() {
    if (lists == null) {
      // Stock's part writes the ids that it is given. Only stock can write the indexes, because its spatial index is
      // private.
      return super.makeColumnDescriptor().getParts().get(0).getSerializer();
    }
    final StringColumnHead head = StringColumnHead.of(
        isMultiValue(),
        indexSpec.getDimensionCompression() != CompressionStrategy.UNCOMPRESSED,
        true
    );
    final List<Serializer> parts = new ArrayList<>();
    parts.add(Parts.of(head.toBytes()));
    if (writeDictionary) {
      parts.add(dictionaryWriter);
    }
    parts.add(encodedValueSerializer);
    parts.add(lists);
    return new Parts(parts);
  }

  private boolean isMultiValue() {
    return capabilities.hasMultipleValues().isTrue();
  }
}
