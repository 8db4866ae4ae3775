// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import static io.shapeshift.druid.benchmark.costs.Measurements.difference;
import static io.shapeshift.druid.benchmark.costs.Measurements.ratio;

import io.shapeshift.druid.benchmark.column.NumberSelectors;
import io.shapeshift.druid.benchmark.index.KeyColumn;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.column.numbers.NumberScan;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.rows.RowSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.java.util.common.FileUtils;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.vector.VectorMatch;
import org.apache.druid.query.filter.vector.VectorValueMatcher;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.filter.OrFilter;
import org.apache.druid.segment.vector.BitmapVectorOffset;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.VectorOffset;
import org.roaringbitmap.PeekableIntIterator;

/** Measures the time to find rows in a column of longs: by a scan, by Druid's matchers, and by a hash index. */
final class ScanCosts implements Closeable {
  private static final BitmapFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance().getBitmapFactory();
  private static final ImmutableBitmap NO_NULLS = BITMAPS.makeEmptyImmutableBitmap();
  private static final ColumnCapabilities CAPABILITIES =
      ColumnCapabilitiesImpl.createSimpleNumericColumnCapabilities(ColumnType.LONG);
  /** One of this many rows matches. */
  private static final int SHARE = 100;
  /** One of this many rows is undecided. A scan then takes about as long as reading the undecided rows by position. */
  private static final int ROWS_PER_OPEN = 16;
  /** Number of filters in an {@code or}. */
  private static final int PARTS = 4;
  /** Number of values in an {@code in} filter. */
  private static final int LISTED = 1000;
  /** One of this many keys is looked up, so that hardly any lookup finds its data in a cache. */
  private static final int ROWS_PER_KEY = 16;

  private final Measurements measurements;
  private final int rows;
  private final Random random = new Random(4);
  private final File directory;
  private final KeyColumn column;
  private final NumberScan scan;
  private final ShapeShiftingColumnarLongs longs;

  private ScanCosts(Measurements measurements, int rows) throws IOException {
    this.measurements = measurements;
    this.rows = rows;
    this.directory = FileUtils.createTempDir();
    // A permutation: each row has another key.
    final long[] keys = LongStream.range(0, rows).toArray();
    LongArrays.shuffle(keys, random);
    this.column = KeyColumn.write(rows, row -> keys[row], directory);
    this.scan = column.numbers().scan();
    this.longs = column.numbers().get();
  }

  /** Adds the constants of scans. Close the result when the reads have been timed. */
  static Closeable add(Measurements measurements, int rows) throws IOException {
    final ScanCosts costs = new ScanCosts(measurements, rows);
    costs.scans();
    costs.matchers();
    costs.keys();
    return costs;
  }

  private void scans() {
    final DoubleSupplier range =
        found(rows, WantedNumbers.between(NumberType.LONG, rows / 2, rows / 2 + rows / SHARE));
    measurements.constant(CostModel.Indexes.class, "SCANNED_ROW_NANOS", range);
    measurements.constant(
        CostModel.Hashes.class,
        "LOOKED_UP_ROW_NANOS",
        found(rows, WantedNumbers.of(NumberType.LONG, random.longs(LISTED, 0, rows).distinct().toArray()))
    );
    final ImmutableBitmap most = bitmap(IntStream.range(0, rows).filter(row -> random.nextInt(8) > 0));
    // An or does the same if one part has an index and another has a matcher.
    final DoubleSupplier iteration = measurements.time(rows, () -> {
      final PeekableIntIterator iterator = most.peekableIterator();
      long found = 0;
      for (int row = 0; row < rows; row++) {
        iterator.advanceIfNeeded(row);
        found += iterator.hasNext() && iterator.peekNext() == row ? 1 : 0;
      }
      return found;
    });
    measurements.constant(CostModel.Indexes.class, "SCANS_PER_ITERATION", ratio(iteration, range));
  }

  private DoubleSupplier found(double units, WantedNumbers wanted) {
    return measurements.time(units, () -> {
      final RowSet out = new RowSet(rows);
      scan.find(wanted, out);
      return out.isBits() ? out.bits()[0] : out.count();
    });
  }

  private static ImmutableBitmap bitmap(IntStream rows) {
    final MutableBitmap bitmap = BITMAPS.makeEmptyMutableBitmap();
    rows.forEach(bitmap::add);
    return BITMAPS.makeImmutableBitmap(bitmap);
  }

  private void matchers() {
    final ImmutableBitmap some = bitmap(
        IntStream.range(0, rows / ROWS_PER_OPEN).map(i -> i * ROWS_PER_OPEN + random.nextInt(ROWS_PER_OPEN)));
    measurements.constant(
        CostModel.Indexes.class,
        "READ_NANOS",
        matched(some.size(), part(0), () -> new BitmapVectorOffset(Positions.VECTOR, some, 0, rows))
    );
    final Supplier<VectorOffset> all = () -> new NoFilterVectorOffset(Positions.VECTOR, 0, rows);
    final DoubleSupplier united = matched(
        (double) rows * PARTS, new OrFilter(IntStream.range(0, PARTS).mapToObj(ScanCosts::part).toList()), all);
    final long[] out = new long[Positions.VECTOR];
    final DoubleSupplier read = measurements.time((double) rows * PARTS, () -> {
      long sum = 0;
      for (int start = 0; start < rows; start += out.length) {
        longs.get(out, start, Math.min(out.length, rows - start));
        sum += out[0];
      }
      return sum;
    });
    measurements.constant(CostModel.Indexes.class, "MATCH_NANOS", difference(united, read));
  }

  /** One of several ranges that do not overlap and have a few rows each. */
  private static Filter part(int number) {
    return new RangeFilter(
        "any", ColumnType.LONG, (long) SHARE * number, (long) SHARE * number + SHARE / 2, false, false, null);
  }

  private DoubleSupplier matched(double units, Filter filter, Supplier<VectorOffset> offsets) {
    return measurements.time(units, () -> {
      final VectorOffset offset = offsets.get();
      final VectorValueMatcher matcher = filter.makeVectorMatcher(
          new NumberSelectors(offset, longs.makeVectorValueSelector(offset, NO_NULLS), CAPABILITIES));
      long found = 0;
      for (; !offset.isDone(); offset.advance()) {
        found += matcher.match(VectorMatch.allTrue(offset.getCurrentVectorSize()), false).getSelectionSize();
      }
      return found;
    });
  }

  private void keys() {
    final DoubleSupplier absent = lookedUp(random.longs(rows / ROWS_PER_KEY, rows, Long.MAX_VALUE).toArray());
    measurements.constant(CostModel.Hashes.class, "KEY_NANOS", absent);
    measurements.constant(
        CostModel.Hashes.class,
        "CANDIDATE_NANOS",
        difference(lookedUp(random.longs(rows / ROWS_PER_KEY, 0, rows).distinct().toArray()), absent)
    );
  }

  private DoubleSupplier lookedUp(long[] keys) {
    LongArrays.quickSort(keys);
    final LongList wanted = LongArrayList.wrap(keys);
    final HashIndexReader reader = column.index().reader(longs::get);
    return measurements.time(keys.length, () -> {
      final RowSet out = new RowSet(rows);
      reader.find(wanted, out);
      return out.count();
    });
  }

  @Override
  public void close() throws IOException {
    scan.close();
    longs.close();
    FileUtils.deleteDirectory(directory);
  }
}
