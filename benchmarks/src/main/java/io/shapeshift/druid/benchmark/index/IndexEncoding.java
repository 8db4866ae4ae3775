// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.postings.Inversion;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Encodings of the index of a column, and of the dictionary ids beside it, which some indexes scan. */
public enum IndexEncoding {
  /**
   * Druid's own index: a Roaring bitmap per value. It does not use the column's ids, which are encoded as {@code
   * druid-lz4}.
   */
  DRUID_ROARING("druid-roaring", null),
  /** Posting lists and ids under target {@code smaller}. */
  SHAPESHIFT_SMALLER(RowEncodings.shapeShiftName(OptimizationTarget.SMALLER), OptimizationTarget.SMALLER),
  /** Posting lists and ids under target {@code fastbutsmallish}. */
  SHAPESHIFT_FASTBUTSMALLISH(
      RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH),
      OptimizationTarget.FASTBUTSMALLISH
  ),
  /** Posting lists and ids under target {@code faster}. */
  SHAPESHIFT_FASTER(RowEncodings.shapeShiftName(OptimizationTarget.FASTER), OptimizationTarget.FASTER),
  /**
   * An index without posting lists. The ids, which are stored under the default target, are scanned instead, as in some
   * columns under {@code smaller}.
   */
  SHAPESHIFT_WITHOUT_LISTS("shapeshift-without-lists", OptimizationTarget.FASTBUTSMALLISH);

  static final BitmapSerdeFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance();
  private static final String COLUMN = "column";

  private final String encoding;
  @Nullable
  private final OptimizationTarget target;

  IndexEncoding(String encoding, @Nullable OptimizationTarget target) {
    this.encoding = encoding;
    this.target = target;
  }

  /**
   * The encoding with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static IndexEncoding parse(String name) {
    return Arrays.stream(values()).filter(each -> each.encoding.equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException(
            "There is no encoding " + name + " of indexes. There are "
                + Arrays.stream(values()).map(each -> each.encoding).collect(Collectors.joining(", "))
        ));
  }

  /** Builds the index of some rows, ready to be written. */
  public Serializer write(RowValues.Ids rows, SegmentWriteOutMedium medium) throws IOException {
    return switch (this) {
      case DRUID_ROARING -> bitmaps(rows, medium);
      case SHAPESHIFT_WITHOUT_LISTS -> PostingListsSerializer.withoutLists(rows.rows(), rows.cardinality());
      default -> lists(rows, medium);
    };
  }

  /** Builds a bitmap per value, all of them on the heap, as Druid does for ingested rows. */
  private static Serializer bitmaps(RowValues.Ids rows, SegmentWriteOutMedium medium) throws IOException {
    final BitmapFactory factory = BITMAPS.getBitmapFactory();
    final MutableBitmap[] bitmaps = new MutableBitmap[rows.cardinality()];
    Arrays.setAll(bitmaps, id -> factory.makeEmptyMutableBitmap());
    final int[] ids = rows.ids();
    for (int row = 0; row < ids.length; row++) {
      bitmaps[ids[row]].add(row);
    }
    final GenericIndexedWriter<ImmutableBitmap> writer =
        new GenericIndexedWriter<>(medium, COLUMN, BITMAPS.getObjectStrategy());
    writer.open();
    writer.setObjectsNotSorted();
    for (MutableBitmap bitmap : bitmaps) {
      writer.write(factory.makeImmutableBitmap(bitmap));
    }
    return writer;
  }

  private Serializer lists(RowValues.Ids rows, SegmentWriteOutMedium medium) throws IOException {
    final Inversion inversion = new Inversion(medium, rows.cardinality());
    for (int id : rows.ids()) {
      inversion.add(id);
    }
    final PostingListsSerializer lists = new PostingListsSerializer(COLUMN, medium, target, rows.rows());
    lists.open();
    inversion.forEachId(lists::add);
    return lists;
  }

  /** Encodes the ids beside the index. */
  Serializer writeIds(RowValues.Ids rows, SegmentWriteOutMedium medium) throws IOException {
    final RowEncoding ofIds =
        target == null ? RowEncodings.DRUID_LZ4 : RowEncodings.shapeShifting(target, BlockSize.LARGE);
    return ofIds.write(COLUMN, rows, medium);
  }

  /** Opens the index of a column, as a query of all rows of a segment does. */
  ColumnIndexSupplier open(ByteBuffer index, ByteBuffer ids, GenericIndexed<ByteBuffer> dictionary) {
    final BitmapFactory factory = BITMAPS.getBitmapFactory();
    if (this == DRUID_ROARING) {
      return new StringUtf8ColumnIndexSupplier<>(
          factory,
          dictionary::singleThreaded,
          GenericIndexed.read(index, BITMAPS.getObjectStrategy(), null),
          null
      );
    }
    final PostingLists lists = PostingLists.read(COLUMN, index);
    final var rows = ShapeShiftingColumnarIntsSupplier.read(COLUMN, ids.order(IndexIO.BYTE_ORDER));
    return new StringIndexSupplier(dictionary::singleThreaded, new PostingIndex(lists, rows, factory))
        .of(QueriedRows.all(lists.numRows()));
  }

  @Override
  public String toString() {
    return encoding;
  }
}
