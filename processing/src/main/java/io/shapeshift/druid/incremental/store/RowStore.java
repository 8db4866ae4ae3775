// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import io.shapeshift.druid.incremental.dimension.Dimension;
import io.shapeshift.druid.incremental.dimension.DimensionFactory;
import io.shapeshift.druid.incremental.memory.Addresses;
import io.shapeshift.druid.incremental.memory.Arena;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.memory.HashTable;
import io.shapeshift.druid.incremental.row.RowLayout;
import io.shapeshift.druid.incremental.row.StoredRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.incremental.IncrementalIndex;

/**
 * Rows of an index in direct memory, numbered in the order in which they are added.
 *
 * <p>One thread adds rows, other threads read them. All bytes of a row are written before the volatile {@link #count}
 * publishes it, and readable memory does not move. Only metrics of a row change afterwards, each within one word.
 * Callers that read are inside {@code Readers}.
 */
public final class RowStore {
  private static final int CACHE_LINE = 64;
  /** Initial size of the hash table of rows for roll-up. */
  private static final int FIRST_PLACES = 1 << 10;
  /** Bytes at the end of a row that are prefetched. */
  private static final int TOUCHED = 3 * CACHE_LINE;

  private final boolean rollUp;
  private final int[] metricBytes;
  private final Arena arena;
  private final Addresses addresses;
  private final HashTable table;
  /** Row that is compared or written, for the thread that adds. */
  private final StoredRow current = new StoredRow();
  private volatile Dimension[] dimensions = {};
  private volatile RowLayout[] layouts = {};
  private long layoutBytes;
  /** Size in bytes of the reserved row. */
  private int reserved;
  private boolean hasUncounted;
  private long minTime = Long.MAX_VALUE;
  private long maxTime = Long.MIN_VALUE;
  private boolean timeAscends = true;
  private volatile int count;

  /**
   * Makes an empty store, which allocates nothing before the first row.
   *
   * @param metricBytes size of each metric that is stored in rows
   */
  public RowStore(DirectMemory memory, boolean rollUp, int[] metricBytes) {
    this.rollUp = rollUp;
    this.metricBytes = metricBytes;
    this.arena = new Arena(memory);
    this.addresses = new Addresses(memory);
    this.table = new HashTable(memory, FIRST_PLACES);
  }

  /** Number of rows. */
  public int count() {
    return count;
  }

  /** Least timestamp of the rows that {@link #count} covers. */
  public long minTime() {
    return minTime;
  }

  public long maxTime() {
    return maxTime;
  }

  /** Whether the timestamps of the rows that {@link #count} covers ascend. */
  boolean timeAscends() {
    return timeAscends;
  }

  /** Whether the store is below all its limits. */
  public boolean hasSpace() {
    return arena.hasSpace() && table.hasSpace() && RowLayout.isPossible(layouts.length);
  }

  /** Current dimensions of the rows. */
  public Dimension[] dimensions() {
    return dimensions;
  }

  /** Address of a row, for {@link #chunkAt} and {@link Arena#offset}. */
  public int address(int row) {
    return addresses.get(row);
  }

  public ByteBuffer chunkAt(int address) {
    return arena.chunk(address);
  }

  public ByteBuffer chunk(int row) {
    return arena.chunk(addresses.get(row));
  }

  public int start(int row) {
    return Arena.offset(addresses.get(row));
  }

  public long timestamp(int row) {
    final int address = addresses.get(row);
    return arena.chunk(address).getLong(Arena.offset(address) + RowLayout.TIMESTAMP);
  }

  /**
   * Prefetches rows that are read soon, by reading a byte of each cache line, so that the processor loads them in
   * parallel. Large rows are prefetched at their beginning and at their end, where the dimensions are; the metrics in
   * between are read in the order of memory.
   *
   * @return a meaningless sum, which the caller must use so that the reads are not optimised away
   */
  public int touch(int[] order, int from, int count) {
    int sum = 0;
    final int last = layouts[layouts.length - 1].bytes() - 1;
    for (int i = from; i < from + count; i++) {
      final int address = addresses.get(order[i]);
      final ByteBuffer chunk = arena.chunk(address);
      final int start = Arena.offset(address);
      sum += chunk.get(start);
      // An older row is shorter, and may be the last row of its chunk.
      final int end = Math.min(start + last, chunk.capacity() - 1);
      for (int offset = end; offset > Math.max(start, end - TOUCHED); offset -= CACHE_LINE) {
        sum += chunk.get(offset);
      }
    }
    return sum;
  }

  public void moveTo(int row, StoredRow stored) {
    moveToAddress(addresses.get(row), stored);
  }

  private void moveToAddress(int address, StoredRow stored) {
    final ByteBuffer chunk = arena.chunk(address);
    final int start = Arena.offset(address);
    stored.moveTo(chunk, start, layouts[chunk.getChar(start + RowLayout.NUMBER)]);
  }

  /** Offset in a row of a metric that is stored in rows. There must be a row. */
  public int metric(int metric) {
    return layouts[0].metric(metric);
  }

  /** Values of a row, as {@link IncrementalIndex} has them: one for each dimension that existed when it was added. */
  public Object[] values(StoredRow row) {
    final Object[] values = new Object[row.layout().dimensions()];
    final Dimension[] known = dimensions;
    for (int i = 0; i < values.length; i++) {
      values[i] = known[i].read(row);
    }
    return values;
  }

  /** Value of a row in one dimension; null if the row is older than the dimension. */
  @Nullable
  public Object value(int row, int dimension, StoredRow stored) {
    moveTo(row, stored);
    return dimension < stored.layout().dimensions() ? dimensions[dimension].read(stored) : null;
  }

  /** Estimated heap bytes of layouts and of dimensions other than strings. */
  public long heapBytes() {
    long bytes = 0;
    for (Dimension dimension : dimensions) {
      bytes += dimension.heapBytes();
    }
    return bytes + layoutBytes;
  }

  /**
   * Heap bytes of the row added last that {@link #heapBytes} does not include: objects that Druid's indexers keep for
   * {@code auto} dimensions and dimensions of other extensions.
   *
   * @param estimate the estimate of Druid's indexers for the values, plus four bytes for each value
   */
  public long uncountedBytes(long estimate, Object[] values) {
    if (!hasUncounted) {
      return 0;
    }
    long counted = (long) Integer.BYTES * values.length;
    for (int i = 0; i < values.length; i++) {
      counted += dimensions[i].countedElsewhere(values[i]);
    }
    return Math.max(0, estimate - counted);
  }

  /** Adds new dimensions, and a layout with them. */
  public void setDimensions(List<IncrementalIndex.DimensionDesc> descriptions) {
    if (descriptions.size() == dimensions.length && layouts.length > 0) {
      return;
    }
    RowLayout.checkNumber(layouts.length);
    final List<Dimension> more = new ArrayList<>(Arrays.asList(dimensions));
    for (IncrementalIndex.DimensionDesc description : descriptions.subList(more.size(), descriptions.size())) {
      final Dimension dimension = DimensionFactory.make(description, rollUp);
      hasUncounted |= !dimension.isAllCounted();
      more.add(dimension);
    }
    final RowLayout layout = new RowLayout(more.stream().map(Dimension::slot).toList(), metricBytes);
    final RowLayout[] longer = Arrays.copyOf(layouts, layouts.length + 1);
    longer[layouts.length] = layout;
    // Both are complete before any reader sees one of them.
    dimensions = more.toArray(new Dimension[0]);
    layouts = longer;
    layoutBytes += layout.heapBytes();
  }

  /** Hash of a row to be added. Null values do not contribute. */
  public int hash(long timestamp, Object[] values) {
    long hash = HashTable.mix(timestamp);
    final Dimension[] known = dimensions;
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        hash += HashTable.mix(known[i].hash(values[i]) + i);
      }
    }
    return (int) (HashTable.mix(hash) >>> Integer.SIZE);
  }

  /** Row of the same timestamp and values, or -1. */
  public int find(int hash, long timestamp, Object[] values) {
    if (table.isEmpty()) {
      return -1;
    }
    for (int place = table.first(hash);; place = table.next(place)) {
      final long entry = table.entry(place);
      if (entry == HashTable.NONE) {
        return -1;
      }
      if (HashTable.hash(entry) == hash && isSame(HashTable.number(entry), timestamp, values)) {
        return HashTable.number(entry);
      }
    }
  }

  private boolean isSame(int row, long timestamp, Object[] values) {
    moveTo(row, current);
    if (current.timestamp() != timestamp) {
      return false;
    }
    final Dimension[] known = dimensions;
    for (int i = 0; i < values.length; i++) {
      if (!known[i].isSame(values[i], current)) {
        return false;
      }
    }
    return true;
  }

  /** Allocates all memory for one more row, so that adding it cannot fail halfway. */
  public int reserve(Object[] values) {
    reserved = bytes(values);
    final int address = arena.reserve(reserved);
    addresses.reserve(count);
    if (rollUp) {
      table.reserve();
    }
    return address;
  }

  private int bytes(Object[] values) {
    long bytes = layouts[layouts.length - 1].bytes();
    final Dimension[] known = dimensions;
    for (int i = 0; i < values.length; i++) {
      bytes += known[i].variableBytes(values[i]);
    }
    return Math.toIntExact((bytes + 7) / 8 * 8);
  }

  /** Writes timestamp and dimensions of the reserved row. Metrics must be initialised before it is published. */
  public void write(int address, long timestamp, Object[] values) {
    final int layout = layouts.length - 1;
    final ByteBuffer chunk = arena.chunk(address);
    final int start = Arena.offset(address);
    current.moveTo(chunk, start, layouts[layout]);
    chunk.putLong(start + RowLayout.TIMESTAMP, timestamp);
    chunk.putChar(start + RowLayout.NUMBER, (char) layout);
    int variable = layouts[layout].bytes();
    final Dimension[] known = dimensions;
    for (int i = 0; i < values.length; i++) {
      variable += known[i].write(values[i], current, variable);
    }
    addresses.set(count, address);
  }

  /** Publishes the written row to all threads. */
  public void publish(int hash, long timestamp) {
    arena.take(reserved);
    if (rollUp) {
      table.put(hash, count);
    }
    timeAscends &= timestamp >= maxTime;
    minTime = Math.min(minTime, timestamp);
    maxTime = Math.max(maxTime, timestamp);
    // Only one thread adds rows, so no update is lost between this read and the write.
    final int published = count + 1;
    count = published;
  }
}
