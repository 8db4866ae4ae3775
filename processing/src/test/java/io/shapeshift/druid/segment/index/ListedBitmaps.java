// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;

/** Bitmaps in a list, which checks how it is asked and counts the bitmaps that it makes. */
final class ListedBitmaps implements ValueBitmaps {
  private final BitmapFactory factory;
  private final List<ImmutableBitmap> bitmaps;
  private int made;

  ListedBitmaps(BitmapFactory factory, List<ImmutableBitmap> bitmaps) {
    this.factory = factory;
    this.bitmaps = bitmaps;
  }

  /** Random rows of some ids, with several ids in some rows; some ids, and some rows, have none of the other. */
  static List<ImmutableBitmap> random(RandomData random, BitmapFactory factory, int numIds, int numRows) {
    final MutableBitmap[] rows =
        IntStream.range(0, numIds).mapToObj(i -> factory.makeEmptyMutableBitmap()).toArray(MutableBitmap[]::new);
    for (int row = 0; row < numRows && numIds > 0; row++) {
      for (int i = random.nextInt(8) == 0 ? random.nextInt(3) : 1; i > 0; i--) {
        rows[random.nextInt(3) == 0 ? random.nextInt(Math.min(4, numIds)) : random.nextInt(numIds)].add(row);
      }
    }
    return Arrays.stream(rows).map(factory::makeImmutableBitmap).toList();
  }

  /** The bitmaps as Druid's indexes have them. */
  static GenericIndexed<ImmutableBitmap> stock(BitmapSerdeFactory serde, List<ImmutableBitmap> bitmaps) {
    return GenericIndexed.fromIterable(bitmaps, serde.getObjectStrategy());
  }

  /** How many bitmaps were made since this was last asked. */
  int countMade() {
    final int count = made;
    made = 0;
    return count;
  }

  @Override
  public int size() {
    return bitmaps.size();
  }

  @Override
  public ImmutableBitmap get(int id) {
    made++;
    return bitmaps.get(id);
  }

  @Override
  public ImmutableBitmap union(int from, int to) {
    assertTrue(from >= 0 && to <= size(), "from " + from + " to " + to + " of " + size());
    made++;
    return factory.union(bitmaps.subList(from, Math.max(from, to)));
  }

  @Override
  public ImmutableBitmap union(int[] ids, int length) {
    for (int i = 1; i < length; i++) {
      assertTrue(ids[i - 1] < ids[i], "ids ascend, each once");
    }
    made++;
    return factory.union(IntStream.range(0, length).mapToObj(i -> bitmaps.get(ids[i])).toList());
  }

  @Override
  public QueriedRows queried() {
    return QueriedRows.all(Integer.MAX_VALUE);
  }

  @Override
  public boolean followStockRules() {
    return true;
  }

  @Override
  public double nanosToScan() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public BitmapFactory bitmapFactory() {
    return factory;
  }
}
