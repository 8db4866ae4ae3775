// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import static io.shapeshift.druid.benchmark.costs.Measurements.difference;
import static io.shapeshift.druid.benchmark.costs.Measurements.ratio;

import com.google.common.base.Supplier;
import io.shapeshift.druid.benchmark.index.IndexEncoding;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/** Times finding the rows of a column of strings, by its posting lists and by a scan of its ids. */
final class IndexCosts implements Closeable {
  private static final String NAME = "ids";
  /** Cardinalities of the columns: with bitmaps, with lists that must be decoded, and with short lists. */
  private static final int FEW = 3;
  private static final int SOME = 20;
  private static final int MANY = 1000;
  /** Mean rows per list, of short lists and of the shortest. */
  private static final int FEW_ROWS = 100;
  private static final int LEAST_ROWS = 16;
  /** One of this many ids is looked for. */
  private static final int WANTED = 100;
  private static final int SCATTERED = 16;

  private final Measurements measurements;
  private final int rows;
  private final Random random = new Random(3);
  private final EncodedRows ids;

  private IndexCosts(Measurements measurements, int rows) throws IOException {
    this.measurements = measurements;
    this.rows = rows;
    this.ids = RowEncodings.parse(RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH))
        .encode(NAME, anyIds(MANY));
  }

  /** Adds the constants of all indexes. Close the result when the reads have been timed. */
  static Closeable add(Measurements measurements, int rows) throws IOException {
    final IndexCosts costs = new IndexCosts(measurements, rows);
    costs.lists();
    costs.scans();
    return costs;
  }

  private RowValues.Ids anyIds(int cardinality) {
    return new RowValues.Ids(random.ints(rows, 0, cardinality).toArray(), cardinality);
  }

  private PostingListsReader lists(int cardinality) throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final Serializer lists = IndexEncoding.SHAPESHIFT_FASTBUTSMALLISH.write(anyIds(cardinality), medium);
      final ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(lists.getSerializedSize()));
      lists.writeTo(Channels.newChannel(out), null);
      return PostingLists.read(NAME, ByteBuffer.allocateDirect(out.size()).put(out.toByteArray()).flip()).reader();
    }
  }

  private void lists() throws IOException {
    final int numLists = rows / FEW_ROWS;
    final PostingListsReader sparse = lists(numLists);
    final int union = Math.max(1, numLists / 10);
    final DoubleSupplier perByte = union(sparse, 0, union, (double) sparse.bytes(0, union));
    measurements.constant(CostModel.Indexes.class, "LIST_BYTE_NANOS", perByte);

    final PostingListsReader shortest = lists(rows / LEAST_ROWS);
    final int[] scattered = IntStream.range(0, rows / LEAST_ROWS / SCATTERED).map(i -> i * SCATTERED).toArray();
    final double bytes = IntStream.of(scattered).mapToLong(list -> shortest.bytes(list, list + 1)).sum();
    final DoubleSupplier each = measurements.time(scattered.length, () -> {
      final RowSet out = new RowSet(rows);
      for (int list : scattered) {
        shortest.read(list, list + 1, out);
      }
      return out.count();
    });
    measurements.constant(
        CostModel.Indexes.class,
        "LIST_NANOS",
        difference(each, () -> perByte.getAsDouble() * bytes / scattered.length)
    );

    final PostingListsReader dense = lists(FEW);
    measurements.constant(
        CostModel.Indexes.class, "DENSE_BYTE_NANOS", union(dense, 0, FEW - 1, (double) dense.bytes(0, FEW - 1)));
  }

  private DoubleSupplier union(PostingListsReader lists, int from, int to, double units) {
    return measurements.time(units, () -> {
      final RowSet out = new RowSet(rows);
      lists.read(from, to, out);
      return out.isBits() ? out.bits()[0] : out.count();
    });
  }

  private void scans() throws IOException {
    final BitmapFactory bitmaps = RoaringBitmapSerdeFactory.getInstance().getBitmapFactory();
    @SuppressWarnings("unchecked") // These are ids.
    final Supplier<? extends ColumnarInts> column = (Supplier<? extends ColumnarInts>) ids.column();
    final PostingIndex index = new PostingIndex(PostingLists.none(NAME, MANY, rows), column, bitmaps);
    final DoubleSupplier comparison =
        measurements.time(rows, () -> index.get().union(WANTED, WANTED + MANY / WANTED).size());
    measurements.constant(CostModel.Indexes.class, "COMPARISON_NANOS", comparison);
    final int[] wanted = IntStream.range(0, MANY / WANTED).map(i -> i * WANTED).toArray();
    measurements.constant(
        CostModel.Indexes.class,
        "LOOKUP_NANOS",
        measurements.time(rows, () -> index.get().union(wanted, wanted.length).size())
    );
    // Nearly dense lists are decoded row by row.
    measurements.constant(
        CostModel.Postings.class,
        "ROWS_PER_DENSE_POSTING",
        ratio(union(lists(SOME), 0, 1, (double) rows / SOME), comparison)
    );
  }

  @Override
  public void close() {
    ids.close();
  }
}
