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
 * The rows of an index in direct memory, by the number that each got when it was added.
 *
 * <p>One thread adds rows. Any number of others read them: whatever a row needs is written before {@link #count}, which
 * is volatile, says that the row is there, and what readers may look at stays where it is. Only metrics of a row change
 * later, each within one word. Whoever reads is inside of {@code Readers}.
 */
public final class RowStore {
  private static final int CACHE_LINE = 64;
  /** Of the table of rows to roll up into. */
  private static final int FIRST_PLACES = 1 << 10;
  /** Bytes at the end of a row that are read ahead. */
  private static final int TOUCHED = 3 * CACHE_LINE;

  private final boolean rollUp;
  private final int[] metricBytes;
  private final Arena arena;
  private final Addresses addresses;
  private final HashTable table;
  /** For the thread that adds: the row that is compared or written. */
  private final StoredRow current = new StoredRow();
  private volatile Dimension[] dimensions = {};
  private volatile RowLayout[] layouts = {};
  private long layoutBytes;
  /** Bytes of the row that is reserved. */
  private int reserved;
  private boolean hasUncounted;
  private long minTime = Long.MAX_VALUE;
  private long maxTime = Long.MIN_VALUE;
  private boolean timeAscends = true;
  private volatile int count;

  /**
   * Makes room for rows, though not any before the first is added.
   *
   * @param metricBytes the size of each metric that is in rows
   */
  public RowStore(DirectMemory memory, boolean rollUp, int[] metricBytes) {
    this.rollUp = rollUp;
    this.metricBytes = metricBytes;
    this.arena = new Arena(memory);
    this.addresses = new Addresses(memory);
    this.table = new HashTable(memory, FIRST_PLACES);
  }

  /** How many rows there are: those from 0 on. */
  public int count() {
    return count;
  }

  /** The least timestamp of the rows that were counted before. */
  public long minTime() {
    return minTime;
  }

  public long maxTime() {
    return maxTime;
  }

  /** Whether no row that was counted before has a lower timestamp than the row before it. */
  boolean timeAscends() {
    return timeAscends;
  }

  /** Whether more rows fit in than any one ingestion should have. */
  public boolean hasSpace() {
    return arena.hasSpace() && table.hasSpace() && RowLayout.isPossible(layouts.length);
  }

  /** The dimensions that rows have so far. */
  public Dimension[] dimensions() {
    return dimensions;
  }

  /** Where a row is, for {@link #chunkAt} and {@link Arena#offset}. */
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
   * Reads a byte of the cache lines of some rows that are soon read, one after the other: the processor gets them all
   * at once, and does not wait for each. Of a row that is large that is its beginning and its end, where dimensions
   * are; what is between, metrics, is read in the order of memory.
   *
   * @return anything; who calls has to use it
   */
  public int touch(int[] order, int from, int count) {
    int sum = 0;
    final int last = layouts[layouts.length - 1].bytes() - 1;
    for (int i = from; i < from + count; i++) {
      final int address = addresses.get(order[i]);
      final ByteBuffer chunk = arena.chunk(address);
      final int start = Arena.offset(address);
      sum += chunk.get(start);
      // A row that is older has less, and may be the last of its chunk.
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

  /** Where in a row a metric is, of those that are in rows. There has to be a row. */
  public int metric(int metric) {
    return layouts[0].metric(metric);
  }

  /** The values of a row, as {@link IncrementalIndex} has them: as many as there were dimensions when it was added. */
  public Object[] values(StoredRow row) {
    final Object[] values = new Object[row.layout().dimensions()];
    final Dimension[] known = dimensions;
    for (int i = 0; i < values.length; i++) {
      values[i] = known[i].read(row);
    }
    return values;
  }

  /** The value of a row in one dimension; null if the row is older. */
  @Nullable
  public Object value(int row, int dimension, StoredRow stored) {
    moveTo(row, stored);
    return dimension < stored.layout().dimensions() ? dimensions[dimension].read(stored) : null;
  }

  /** Bytes that dimensions which are not of strings are estimated to have on the heap, and layouts. */
  public long heapBytes() {
    long bytes = 0;
    for (Dimension dimension : dimensions) {
      bytes += dimension.heapBytes();
    }
    return bytes + layoutBytes;
  }

  /**
   * Bytes that the row added last has on the heap, and that {@link #heapBytes} does not have: what Druid's own indexers
   * keep of dimensions of type {@code auto}, and of other extensions.
   *
   * @param estimate what Druid's indexers said that the values take, and four bytes for each value
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

  /** Takes in dimensions that came up. */
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
    // All is there before anybody sees any of it.
    dimensions = more.toArray(new Dimension[0]);
    layouts = longer;
    layoutBytes += layout.heapBytes();
  }

  /** The hash of a row that is to be added. Values that are null do not count. */
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

  /** The row with the same timestamp and values, or -1. */
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

  /**
   * Allocates all that one more row needs, so that nothing fails half way.
   *
   * @return the address of the row
   */
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

  /** Writes what is known of a row that is reserved; its metrics are to be filled in before it is published. */
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

  /** Adds the row that was written: from now on it is there for all. */
  public void publish(int hash, long timestamp) {
    arena.take(reserved);
    if (rollUp) {
      table.put(hash, count);
    }
    timeAscends &= timestamp >= maxTime;
    minTime = Math.min(minTime, timestamp);
    maxTime = Math.max(maxTime, timestamp);
    // One thread adds, so that nothing is lost between reading and writing.
    final int published = count + 1;
    count = published;
  }
}
