// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;

/**
 * Runs indexes of all kinds and forms, so that the JIT compiler has seen them all, as {@link Pollution} does with rows.
 */
final class IndexPollution implements Closeable {
  private static final String NAME = "pollution";
  private static final int ROWS = 1 << 16;
  private static final BitmapSerdeFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance();

  private final List<Column> columns = new ArrayList<>();
  private final Set<EncodedColumn> files = new HashSet<>();
  private final Set<String> forms = new TreeSet<>();
  private final FilterReads reads = new FilterReads();
  /** Sum of results, so that the compiler does not remove the reads. */
  private final LongAdder sink = new LongAdder();

  /** Index of a column in one encoding, with filters for it. */
  private record Column(ColumnIndexSupplier indexes, List<Filter> filters) {}

  /** Writes the indexes. */
  IndexPollution() {
    final Random random = new Random(3);
    try {
      for (int cardinality : new int[]{2, 10, 100, 2000, ROWS / 4}) {
        add(cardinality, row -> random.nextInt(cardinality));
        add(cardinality, row -> (int) ((long) row * cardinality / ROWS));
        add(cardinality, row -> (row >> 4) * 31 % cardinality);
        add(cardinality, row -> random.nextInt(20) == 0 ? random.nextInt(cardinality) : 0);
      }
      add(2, row -> random.nextInt(500) == 0 ? 1 : 0);
      final int[] shuffled = random.ints(ROWS).toArray();
      final Integer[] order = IntStream.range(0, ROWS).boxed()
          .sorted((a, b) -> Integer.compare(shuffled[a], shuffled[b])).toArray(Integer[]::new);
      add(ROWS / 2, row -> order[row] / 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(int cardinality, IntUnaryOperator id) throws IOException {
    // The first rows have one value each, so that no value is without rows.
    final RowValues.Ids ids = new RowValues.Ids(
        IntStream.range(0, ROWS).map(row -> row < cardinality ? row : id.applyAsInt(row)).toArray(), cardinality);
    final IndexValues index = invert(ids);
    final GenericIndexed<ByteBuffer> values = GenericIndexed.fromIterable(
        IntStream.range(0, cardinality)
            .mapToObj(i -> ByteBuffer.wrap(StringUtils.toUtf8(String.format(Locale.ROOT, "%06d", i))))
            .toList(),
        GenericIndexed.UTF8_STRATEGY
    );
    final Supplier<Indexed<ByteBuffer>> dictionary = values::singleThreaded;
    final List<Filter> filters = List.copyOf(Filter.of(dictionary.get(), index).values());
    for (RowEncoding encoding : RowEncodings.all(BlockSize.SMALL)) {
      if (encoding.hasPostingLists() || encoding.name().equals(RowEncodings.DRUID_LZ4.name())) {
        // Once with lists, even if ids could be scanned instead, and once as in segments.
        final EncodedColumn lists =
            new EncodedColumn(encoding, encoding.encode(NAME, ids), encoding.encodeIndex(NAME, index));
        add(lists, dictionary, filters);
        @Nullable final EncodedColumn scanned = lists.smallerWithoutLists(NAME, ids, encoding, index);
        add(scanned == null ? lists : scanned, dictionary, filters);
      }
    }
  }

  private void add(EncodedColumn column, Supplier<? extends Indexed<ByteBuffer>> dictionary, List<Filter> filters) {
    files.add(column);
    forms.addAll(column.index().forms().keySet());
    columns.add(new Column(column.open(dictionary), filters));
  }

  private static IndexValues invert(RowValues.Ids values) {
    final int[] ends = new int[values.cardinality()];
    for (int id : values.ids()) {
      ends[id]++;
    }
    for (int id = 0, start = 0; id < ends.length; id++) {
      final int count = ends[id];
      ends[id] = start;
      start += count;
    }
    final int[] rows = new int[values.rows()];
    for (int row = 0; row < rows.length; row++) {
      rows[ends[values.ids()[row]]++] = row;
    }
    return new IndexValues(rows.length, ends, rows, BITMAPS, IndexValues.Owner.STRINGS);
  }

  /** Forms of posting lists that the indexes have. */
  Set<String> forms() {
    return forms;
  }

  /**
   * Runs filters on indexes of all kinds repeatedly, for at least {@code nanos} ns, and on each index at least once.
   */
  void read(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      for (Column column : columns) {
        for (Filter filter : column.filters) {
          sink.add(reads.read(filter, column.indexes, BITMAPS.getBitmapFactory()));
        }
      }
    } while (System.nanoTime() < end);
  }

  @Override
  public void close() {
    files.forEach(EncodedColumn::close);
  }
}
