// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.metrics.BytesByForm;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Writer of a {@link HashIndex}. Keys are partitioned by hash as they are added. When all are added, the partitions are
 * sorted and written one after another.
 *
 * <p>The heap holds {@link SpilledKeys}, and 12 bytes per row of the partition that is being sorted. A partition has
 * about 1/256 of the column's rows, or more if one key has a large share of them.
 */
public final class HashIndexSerializer implements Serializer {
  private static final int BUFFER_ENTRIES = 1 << 10;

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final OptimizationTarget target;
  private final LongArrayList keysOfLists = new LongArrayList();
  /** Medium of the data that is dropped once the index is complete. */
  private SegmentWriteOutMedium spillMedium;
  @Nullable
  private SpilledKeys spilled;
  private int numRows;
  /** Number of rows that are not null. */
  private int numPresent;

  private int numBuckets;
  private int numKeys;
  private int numEntries;
  private WriteOutBytes directory;
  private WriteOutBytes fingerprints;
  /** Targets as ints, because their width is known only at the end. */
  private WriteOutBytes targets;
  @Nullable
  private PostingListsSerializer lists;
  private final ByteBuffer group = ByteBuffer.allocate(HashIndexHeader.GROUP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer fingerprintBuffer = ByteBuffer.allocate(BUFFER_ENTRIES);
  private final ByteBuffer targetBuffer = ByteBuffer.allocate(Integer.BYTES * BUFFER_ENTRIES);
  /** Rows of the current partition, sorted by bucket, hash and row. */
  private long[] hashes = new long[0];
  private int[] rows = new int[0];
  @Nullable
  private HashIndexHeader header;

  /**
   * Creates a serializer.
   *
   * @param column name of the column, for messages
   * @param medium keeps the parts of the index, and the keys until the index is complete
   * @param target optimization target for the forms of posting lists
   */
  public HashIndexSerializer(String column, SegmentWriteOutMedium medium, OptimizationTarget target) {
    this.column = column;
    this.medium = medium;
    this.target = target;
  }

  /** Opens the index for keys. */
  public void open() throws IOException {
    spillMedium = medium.makeChildWriteOutMedium();
    spilled = new SpilledKeys(spillMedium);
  }

  /** Adds a row. */
  public void add(long key) throws IOException {
    checkOpen();
    spilled.add(KeyHash.of(key), numRows);
    numRows = Math.incrementExact(numRows);
    numPresent++;
  }

  /** Adds a null row. */
  public void addNull() {
    checkOpen();
    numRows = Math.incrementExact(numRows);
  }

  private void checkOpen() {
    if (spilled == null) {
      throw new IllegalStateException("The hash index of column[" + column + "] was written already");
    }
  }

  /**
   * Builds the index of all added rows; no more rows can be added.
   *
   * @return false if the index cannot be built, because a bucket would have more than
   *     {@value HashIndexHeader#MAX_BUCKET} entries. A bucket has about {@value CostModel.Hashes#ROWS_PER_BUCKET}; only
   *     keys that were chosen with knowledge of the hash exceed the limit
   */
  public boolean complete() throws IOException {
    if (spilled != null) {
      directory = medium.makeWriteOutBytes();
      fingerprints = medium.makeWriteOutBytes();
      targets = medium.makeWriteOutBytes();
      numBuckets = numBuckets(numPresent);
      if (writeBuckets()) {
        flush();
        header = new HashIndexHeader(numRows, numKeys, numEntries, numBuckets, keysOfLists.size());
      }
      spilled = null;
      spillMedium.close();
      hashes = null;
      rows = null;
    }
    return header != null;
  }

  /**
   * Returns the number of buckets for the rows that are not null. From 256 it is a multiple of 256, so that no bucket
   * is in two partitions.
   */
  static int numBuckets(int numPresent) {
    final int perPartitions = CostModel.Hashes.ROWS_PER_BUCKET * SpilledKeys.PARTITIONS;
    return numPresent < perPartitions
           ? (numPresent + CostModel.Hashes.ROWS_PER_BUCKET - 1) / CostModel.Hashes.ROWS_PER_BUCKET
           : (int) ((numPresent + perPartitions / 2L) / perPartitions * SpilledKeys.PARTITIONS);
  }

  /** Writes all buckets; returns false if one has too many entries. */
  private boolean writeBuckets() throws IOException {
    final int partitionsAtOnce = numBuckets < SpilledKeys.PARTITIONS ? SpilledKeys.PARTITIONS : 1;
    final int bucketsAtOnce = numBuckets / (SpilledKeys.PARTITIONS / partitionsAtOnce);
    final int[] ends = new int[bucketsAtOnce];
    final ByteBuffer buffer = SpilledKeys.buffer();
    for (int partition = 0; partition < SpilledKeys.PARTITIONS; partition += partitionsAtOnce) {
      final int firstBucket = partition / partitionsAtOnce * bucketsAtOnce;
      load(partition, partition + partitionsAtOnce, firstBucket, ends, buffer);
      int from = 0;
      for (int end : ends) {
        sort(from, end);
        if (!writeBucket(from, end)) {
          return false;
        }
        from = end;
      }
    }
    return true;
  }

  /** Reads the rows of some partitions, ordered by bucket, and stores the end of each bucket in {@code ends}. */
  private void load(int from, int to, int firstBucket, int[] ends, ByteBuffer buffer) throws IOException {
    int size = 0;
    Arrays.fill(ends, 0);
    for (int partition = from; partition < to; partition++) {
      size += spilled.size(partition);
      spilled.forEach(partition, buffer, (hash, row) -> ends[KeyHash.bucket(hash, numBuckets) - firstBucket]++);
    }
    if (hashes.length < size) {
      hashes = new long[size];
      rows = new int[size];
    }
    int start = 0;
    for (int bucket = 0; bucket < ends.length; bucket++) {
      final int count = ends[bucket];
      ends[bucket] = start;
      start += count;
    }
    for (int partition = from; partition < to; partition++) {
      spilled.forEach(partition, buffer, (hash, row) -> {
        final int at = ends[KeyHash.bucket(hash, numBuckets) - firstBucket]++;
        hashes[at] = hash;
        rows[at] = row;
      });
    }
  }

  /** Sorts the rows of a bucket by hash; rows with the same hash already ascend. */
  private void sort(int from, int to) {
    if (to - from > CostModel.Hashes.MOST_INSERTED) {
      it.unimi.dsi.fastutil.Arrays.quickSort(from, to, this::compare, this::swap);
      return;
    }
    for (int i = from + 1; i < to; i++) {
      final long hash = hashes[i];
      final int row = rows[i];
      int at = i;
      for (; at > from && Long.compareUnsigned(hashes[at - 1], hash) > 0; at--) {
        hashes[at] = hashes[at - 1];
        rows[at] = rows[at - 1];
      }
      hashes[at] = hash;
      rows[at] = row;
    }
  }

  private int compare(int one, int other) {
    final int byHash = Long.compareUnsigned(hashes[one], hashes[other]);
    return byHash != 0 ? byHash : Integer.compare(rows[one], rows[other]);
  }

  private void swap(int one, int other) {
    final long hash = hashes[one];
    hashes[one] = hashes[other];
    hashes[other] = hash;
    final int row = rows[one];
    rows[one] = rows[other];
    rows[other] = row;
  }

  /** Writes the entries of a bucket; returns false if there are too many. */
  private boolean writeBucket(int from, int to) throws IOException {
    int leastListed = CostModel.Hashes.LEAST_LISTED;
    if (numEntries(from, to, leastListed) > HashIndexHeader.MAX_BUCKET) {
      leastListed = CostModel.Hashes.LEAST_LISTED_OF_MANY;
    }
    final int count = numEntries(from, to, leastListed);
    if (count > HashIndexHeader.MAX_BUCKET) {
      return false;
    }
    if (group.position() == 0) {
      group.putInt(numEntries);
    }
    group.put((byte) count);
    if (!group.hasRemaining()) {
      flush(group, directory);
    }
    for (int start = from, end; start < to; start = end) {
      end = endOfKey(start, to);
      numKeys++;
      if (end - start >= leastListed) {
        addList(start, end);
      } else {
        for (int i = start; i < end; i++) {
          addEntry(hashes[i], rows[i]);
        }
      }
    }
    return true;
  }

  private int numEntries(int from, int to, int leastListed) {
    int count = 0;
    for (int start = from, end; start < to; start = end) {
      end = endOfKey(start, to);
      count += end - start >= leastListed ? 1 : end - start;
    }
    return count;
  }

  private int endOfKey(int start, int to) {
    int end = start + 1;
    while (end < to && hashes[end] == hashes[start]) {
      end++;
    }
    return end;
  }

  private void addList(int from, int to) throws IOException {
    if (lists == null) {
      lists = new PostingListsSerializer(column, medium, target, numRows);
      lists.open();
    }
    lists.add(rows, from, to);
    // List numbers follow the row numbers; the sum may need all 32 bits.
    addEntry(hashes[from], numRows + keysOfLists.size());
    keysOfLists.add(KeyHash.key(hashes[from]));
  }

  private void addEntry(long hash, int target) throws IOException {
    if (!fingerprintBuffer.hasRemaining()) {
      flush(fingerprintBuffer, fingerprints);
      flush(targetBuffer, targets);
    }
    fingerprintBuffer.put((byte) KeyHash.fingerprint(hash));
    targetBuffer.putInt(target);
    numEntries++;
  }

  private void flush() throws IOException {
    flush(fingerprintBuffer, fingerprints);
    flush(targetBuffer, targets);
    if (group.position() > 0) {
      // Overwrites counts of the previous group that this group does not have.
      while (group.hasRemaining()) {
        group.put((byte) 0);
      }
      flush(group, directory);
    }
  }

  private static void flush(ByteBuffer buffer, WriteOutBytes out) throws IOException {
    Channels.writeFully(out, buffer.flip());
    buffer.clear();
  }

  /** Returns the number of distinct keys of a {@link #complete} index. */
  public int numKeys() {
    return numKeys;
  }

  /** Returns the number of entries of a {@link #complete} index. */
  public int numEntries() {
    return numEntries;
  }

  private HashIndexHeader header() throws IOException {
    if (!complete()) {
      throw new IllegalStateException("Column[" + column + "] cannot have a hash index");
    }
    return header;
  }

  @Override
  public long getSerializedSize() throws IOException {
    final long size = header().listsOffset() + (lists == null ? 0 : lists.getSerializedSize());
    return size + BlockChecksums.bytes(size);
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    writeUncounted(channel);
    final long listBytes = lists == null ? 0 : lists.getSerializedSize();
    final BytesByForm forms = new BytesByForm();
    forms.add("entries", getSerializedSize() - listBytes);
    if (lists != null) {
      forms.add("lists", listBytes);
    }
    WrittenSegment.addPart(SegmentPart.HASH_INDEXES, getSerializedSize(), forms, WrittenSegment.UNKNOWN);
  }

  /** Writes an index that is no part of the segment. */
  public void writeUncounted(WritableByteChannel channel) throws IOException {
    final HashIndexHeader head = header();
    final BlockChecksums.Writer out = new BlockChecksums.Writer(channel);
    Channels.writeFully(out, head.toBytes());
    directory.writeTo(out);
    fingerprints.writeTo(out);
    writeTargets(head.targetWidth(), out);
    Channels.writeFully(out, ByteBuffer.allocate(HashIndexHeader.SLACK));
    writeKeys(out);
    if (lists != null) {
      lists.writeUncounted(out);
    }
    out.finish();
  }

  private void writeKeys(WritableByteChannel channel) throws IOException {
    final ByteBuffer keys = ByteBuffer.allocate(Long.BYTES * BUFFER_ENTRIES).order(ByteOrder.LITTLE_ENDIAN);
    for (int done = 0; done < keysOfLists.size(); done += BUFFER_ENTRIES) {
      keysOfLists.subList(done, Math.min(keysOfLists.size(), done + BUFFER_ENTRIES)).forEach(keys::putLong);
      Channels.writeFully(channel, keys.flip());
      keys.clear();
    }
  }

  /** Packs the targets in batches that fill whole bytes. */
  private void writeTargets(int width, WritableByteChannel channel) throws IOException {
    final ByteBuffer packed = ByteBuffer.allocate(Integer.BYTES * BUFFER_ENTRIES).order(ByteOrder.LITTLE_ENDIAN);
    final int[] values = new int[BUFFER_ENTRIES];
    for (long done = 0; done < numEntries; done += BUFFER_ENTRIES) {
      final int count = (int) Math.min(BUFFER_ENTRIES, numEntries - done);
      targetBuffer.clear().limit(Integer.BYTES * count);
      targets.readFully(Integer.BYTES * done, targetBuffer);
      targetBuffer.flip().asIntBuffer().get(values, 0, count);
      BitStream.pack(values, count, 0, width, packed.clear());
      Channels.writeFully(channel, packed.flip());
    }
  }
}
