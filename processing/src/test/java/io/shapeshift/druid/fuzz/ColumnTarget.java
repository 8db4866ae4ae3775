// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexes;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.NumberDictionary;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import io.shapeshift.druid.column.structures.ObjectBuilder;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.Golden;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.IndexedInts;
import org.roaringbitmap.IntIterator;

/** Each part of a column that is stored in a format of ours. Golden bytes are what is started from. */
enum ColumnTarget implements FuzzTarget {
  INTS {
    @Override
    Object readPart(ByteBuffer input) {
      final ShapeShiftingColumnarIntsSupplier supplier = ShapeShiftingColumnarIntsSupplier.read("dim", input);
      try (ShapeShiftingColumnarInts column = supplier.get()) {
        final List<Object> values = samples(column.size(), column::get);
        final int length = Math.min(column.size(), MOST_VALUES);
        final int[] all = new int[length];
        column.get(all, 0, length);
        values.add(Arrays.toString(all));
        column.get(all, column.size() - length, length);
        values.add(Arrays.toString(all));
        values.add(supplier.data().chunks().size());
        return values;
      }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("columns/ints", ByteOrder.LITTLE_ENDIAN));
    }
  },

  MULTI_INTS {
    @Override
    Object readPart(ByteBuffer input) throws IOException {
      try (ColumnarMultiInts column = ShapeShiftingColumnarMultiIntsSupplier.read("dim", input).get()) {
        return samples(column.size(), row -> {
          final IndexedInts ids = column.get(row);
          final List<Object> values = new ArrayList<>();
          values.add(ids.size());
          for (int i = 0; i < Math.min(ids.size(), 100); i++) {
            values.add(ids.get(i));
          }
          return values;
        });
      }
    }

    /** Offsets and values: two columns, one behind the other. */
    @Override
    public List<byte[]> seeds() throws IOException {
      final List<byte[]> columns = INTS.seeds();
      final List<byte[]> seeds = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        final byte[] one = columns.get(i);
        final byte[] other = columns.get((i + 1) % columns.size());
        seeds.add(ByteBuffer.allocate(one.length + other.length).put(one).put(other).array());
      }
      return seeds;
    }
  },

  LONGS {
    @Override
    Object readPart(ByteBuffer input) {
      try (ColumnarLongs column = ShapeShiftingColumnarLongsSupplier.read("dim", input).get()) {
        final List<Object> values = samples(column.size(), column::get);
        final long[] all = new long[Math.min(column.size(), MOST_VALUES)];
        column.get(all, column.size() - all.length, all.length);
        values.add(Arrays.toString(all));
        return values;
      }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("columns/longs", ByteOrder.LITTLE_ENDIAN));
    }
  },

  DOUBLES {
    @Override
    Object readPart(ByteBuffer input) {
      try (ColumnarDoubles column = ShapeShiftingColumnarDoublesSupplier.read("dim", input).get()) {
        final List<Object> values = samples(column.size(), column::get);
        final double[] all = new double[Math.min(column.size(), MOST_VALUES)];
        column.get(all, column.size() - all.length, all.length);
        values.add(Arrays.toString(all));
        return values;
      }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("columns/doubles", ByteOrder.LITTLE_ENDIAN));
    }
  },

  FLOATS {
    @Override
    Object readPart(ByteBuffer input) {
      try (ColumnarFloats column = ShapeShiftingColumnarFloatsSupplier.read("dim", input).get()) {
        final List<Object> values = samples(column.size(), column::get);
        final float[] all = new float[Math.min(column.size(), MOST_VALUES)];
        column.get(all, column.size() - all.length, all.length);
        values.add(Arrays.toString(all));
        return values;
      }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("columns/floats", ByteOrder.LITTLE_ENDIAN));
    }
  },

  POSTINGS {
    @Override
    @Nullable
    Object readPart(ByteBuffer input) {
      final PostingLists lists = PostingLists.read("dim", input);
      // Without lists, ids of rows answer.
      if (!lists.hasLists() || lists.numRows() > MOST_ROWS) {
        return null;
      }
      final PostingListsReader reader = lists.reader();
      final RowSet all = new RowSet(lists.numRows());
      final int end = Math.min(lists.size(), 100);
      reader.read(0, end, all);
      final List<Object> rows = samples(lists.size(), list -> {
        final RowSet of = new RowSet(lists.numRows());
        reader.read(list, list + 1, of);
        return rows(of);
      });
      rows.add(rows(all));
      return rows;
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("postings/lists"));
    }
  },

  STRINGS {
    @Override
    Object readPart(ByteBuffer input) {
      final StringDictionary dictionary = StringDictionary.read("dim", input);
      final StringDictionaryReader reader = dictionary.get();
      final List<Object> texts = samples(dictionary.size(), reader::getString);
      texts.add(reader.strings().indexOf("a text"));
      texts.add(reader.strings().indexOf(""));
      return texts;
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("strings/dictionaries"));
    }
  },

  LONG_DICTIONARY {
    @Override
    @Nullable
    Object readPart(ByteBuffer input) {
      if (isStock(input)) {
        return null;
      }
      final FixedIndexed<Long> dictionary = NumberDictionary.longs("dim", input, ByteOrder.LITTLE_ENDIAN).get();
      final List<Object> numbers = samples(dictionary.size(), dictionary::get);
      numbers.add(dictionary.isSorted() ? dictionary.indexOf(7L) : -1);
      return numbers;
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("numbers/dictionaries"));
    }
  },

  DOUBLE_DICTIONARY {
    @Override
    @Nullable
    Object readPart(ByteBuffer input) {
      if (isStock(input)) {
        return null;
      }
      final FixedIndexed<Double> dictionary = NumberDictionary.doubles("dim", input, ByteOrder.LITTLE_ENDIAN).get();
      final List<Object> numbers = samples(dictionary.size(), dictionary::get);
      numbers.add(dictionary.isSorted() ? dictionary.indexOf(7.5) : -1);
      return numbers;
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("numbers/dictionaries"));
    }
  },

  STRUCTURES {
    private static final List<Object> VALUES = List.of("text", 1L, 1.5, new Object[]{"text", null}, new Object[]{1L});

    @Override
    @Nullable
    Object readPart(ByteBuffer input) {
      final Structures structures = Structures.read("dim", input, 10);
      if (structures.numRows() > MOST_ROWS) {
        return null;
      }
      final List<Object> found = new ArrayList<>();
      // A field has a value of each kind in some row, so that each token reads its own.
      final ObjectBuilder builder = structures.builder((field, row) -> VALUES.get((field + row) % VALUES.size()));
      try (ShapeShiftingColumnarInts ids = structures.ids()) {
        found.addAll(samples(structures.numRows(), row -> build(builder, row, ids.get(row))));
      }
      for (int field = 0; field < 10; field++) {
        final RowSet rows = new RowSet(structures.numRows());
        structures.addRowsWith(field, rows);
        found.add(rows(rows));
        found.add(structures.numRowsWith(field));
      }
      found.add(samples(structures.size(), id -> rows(structures.rowsOf(id))));
      return found;
    }

    private static Object build(ObjectBuilder builder, int row, int id) {
      try {
        return id == Structures.KEPT ? "kept" : String.valueOf(builder.build(row, id));
      } catch (ColumnFormatException e) {
        return e.getMessage();
      }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      return golden(Golden.file("structures"));
    }
  },

  /** The number of rows, which is the column's, and the index. The number's highest bit says to renew checksums. */
  HASH_INDEX {
    @Override
    public byte[] prepare(byte[] input) {
      final boolean isToRenew = input.length > Short.BYTES && input[1] < 0;
      if (!isToRenew) {
        return input;
      }
      final byte[] index = HashIndexes.renewChecksums(Arrays.copyOfRange(input, Short.BYTES, input.length));
      final byte[] prepared = input.clone();
      System.arraycopy(index, 0, prepared, Short.BYTES, index.length);
      return prepared;
    }

    @Override
    Object readPart(ByteBuffer input) {
      final int numRows = input.remaining() < Short.BYTES ? 0 : input.getShort() & 0x7FFF;
      final HashIndex index = HashIndex.read("dim", input, numRows);
      final List<Object> found = new ArrayList<>();
      for (long key = -2; key < 30; key++) {
        final RowSet rows = new RowSet(numRows);
        index.reader(row -> row % 17).find(key, rows);
        found.add(rows(rows));
      }
      final RowSet rows = new RowSet(numRows);
      index.reader(row -> row % 17).find(new LongArrayList(new long[] {1, 5, 300, 1L << 60}), rows);
      found.add(rows(rows));
      return found;
    }

    @Override
    public List<byte[]> seeds() throws IOException {
      final List<byte[]> seeds = new ArrayList<>();
      for (byte[] bytes : golden(Golden.file("hash/indexes"))) {
        for (int numRows : new int[] {1, 5, 20, 0x8000 | 20, 0x8000 | 300, 1000}) {
          seeds.add(ByteBuffer
              .allocate(Short.BYTES + bytes.length)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putShort((short) numRows)
              .put(bytes)
              .array());
        }
      }
      return seeds;
    }
  };

  private static final int MOST_VALUES = 2000;
  /** Sets of rows take memory for all rows of a segment; ours have fewer. */
  private static final int MOST_ROWS = 1 << 20;

  abstract Object readPart(ByteBuffer input) throws IOException;

  @Override
  @Nullable
  public Object read(ByteBuffer input) throws IOException {
    return readPart(input);
  }

  @Override
  public boolean isRefusal(Exception e) {
    return e instanceof ColumnFormatException && e.getMessage().startsWith("Column[dim");
  }

  /** Whether a dictionary of numbers starts as Druid's own, by whose code it is then read. */
  private static boolean isStock(ByteBuffer input) {
    return input.hasRemaining() && input.get(0) == 0;
  }

  /** Values here and there, from the last to the first, and what is read of them once more. */
  private static List<Object> samples(int size, IntFunction<Object> value) {
    final List<Object> values = new ArrayList<>();
    final int step = Math.max(1, size / 200);
    for (long position = size - 1L; position >= 0; position -= step) {
      values.add(value.apply((int) position));
    }
    for (int i = 0; i < Math.min(values.size(), 20); i++) {
      assertEquals(values.get(i), value.apply(size - 1 - i * step), "read again");
    }
    return values;
  }

  /** The rows of a set, by their hash. */
  private static int rows(RowSet set) {
    int hash = 0;
    for (IntIterator rows = set.toBitmap(RoaringBitmapFactory.INSTANCE).iterator(); rows.hasNext(); ) {
      hash = 31 * hash + rows.next();
    }
    return hash;
  }

  private static List<byte[]> golden(Path file) throws IOException {
    return Golden.read(file).stream().map(Golden.Example::bytes).filter(bytes -> bytes.length < 4000).toList();
  }
}
