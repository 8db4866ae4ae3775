// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.IntIterator;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/** Damaged posting lists: the one error that names the column, or rows of the segment; nothing else is ever read. */
@ExtendWith(RandomData.Seeded.class)
class CorruptPostingsTest {
  private static final int NUM_ROWS = 3000;
  /** Three Roaring containers, of which the last is not full. */
  private static final int MANY_ROWS = 140_000;

  static Stream<PostingForm> forms() {
    return PostingForms.ALL.stream();
  }

  private static byte[] write(PostingForm form) throws IOException {
    return write(
        form,
        NUM_ROWS,
        IntStream.range(0, NUM_ROWS).filter(row -> row % 20 < 19 || row > 2500).toArray(),
        IntStream.range(0, NUM_ROWS).filter(row -> row * 7919 % 17 == 3).toArray(),
        new int[] {5},
        new int[0],
        new int[] {1, 2, 3, 7, 8, 9, 2999},
        IntStream.range(100, 400).toArray()
    );
  }

  /** Lists that are long, and in several containers. */
  private static byte[] writeMany(PostingForm form) throws IOException {
    return write(
        form,
        MANY_ROWS,
        IntStream.range(0, MANY_ROWS).filter(row -> row % 97 == 5).toArray(),
        IntStream.range(0, MANY_ROWS).filter(row -> row % 1000 < 40 || row > MANY_ROWS - 50).toArray(),
        IntStream.range(0, MANY_ROWS).filter(row -> row % 3000 != 7).toArray(),
        new int[] {70_000, 131_000}
    );
  }

  /** Lists of which the form can store each that it can store at all; others are stored as packed rows. */
  private static byte[] write(PostingForm form, int numRows, int[]... lists) throws IOException {
    final List<PostingForm> forms = new ArrayList<>(List.of(form));
    forms.add(PostingForms.byId((byte) 1));
    final PostingListsSerializer serializer = new PostingListsSerializer(
        "dim",
        new OnHeapMemorySegmentWriteOutMedium(),
        FormSelectors.forPostings(forms, OptimizationTarget.SMALLER),
        numRows
    );
    serializer.open();
    for (int[] list : lists) {
      serializer.add(list, 0, list.length);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out), null);
    return out.toByteArray();
  }

  private static void readOrRefuse(byte[] bytes, int numLists, int numRows, Supplier<String> what) {
    try {
      final PostingLists lists = PostingLists.read("dim", ByteBuffer.wrap(bytes), numLists, numRows);
      if (lists.hasLists()) {
        lists.composition();
        readAll(lists);
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what.get(), e);
    }
  }

  private static void readAll(PostingLists lists) {
    final PostingListsReader reader = lists.reader();
    for (int list = 0; list < lists.size(); list++) {
      final RowSet rows = new RowSet(lists.numRows());
      reader.read(list, list + 1, rows);
      checkRows(rows.toBitmap(RoaringBitmapFactory.INSTANCE).iterator(), lists.numRows());
      @Nullable final ImmutableRoaringBitmap stored = reader.bitmap(list);
      if (stored != null) {
        checkRows(stored.getIntIterator(), lists.numRows());
      }
    }
    final RowSet all = new RowSet(lists.numRows());
    reader.read(0, lists.size(), all);
    checkRows(all.toBitmap(RoaringBitmapFactory.INSTANCE).iterator(), lists.numRows());
  }

  private static void checkRows(IntIterator rows, int numRows) {
    while (rows.hasNext()) {
      final int row = rows.next();
      if (row < 0 || row >= numRows) {
        fail("row " + row);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void listsAreReadWhileIntact(PostingForm form) throws IOException {
    final PostingLists lists = PostingLists.read("dim", ByteBuffer.wrap(write(form)));
    assertTrue(lists.composition().containsKey(form.name()), () -> lists.composition().toString());
    readAll(lists);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void cutAtAnyLength(PostingForm form) throws IOException {
    final byte[] intact = write(form);
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      final ColumnFormatException e = assertThrows(
          ColumnFormatException.class, () -> PostingLists.read("dim", ByteBuffer.wrap(cut)), "cut to " + length);
      assertTrue(e.getMessage().contains("The segment is damaged"), e.getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void anyByteChanged(PostingForm form) throws IOException {
    final byte[] intact = write(form);
    for (int offset = 0; offset < intact.length; offset++) {
      for (int value = 0; value < 256; value += offset < 40 ? Tier.pick(5, 1) : Tier.pick(255, 51)) {
        final byte[] bytes = intact.clone();
        bytes[offset] = (byte) value;
        final String what = ": byte " + offset + " set to " + value;
        readOrRefuse(bytes, 6, NUM_ROWS, () -> form.name() + what);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void anyBitOfManyRowsChanged(PostingForm form, RandomData random) throws IOException {
    final byte[] intact = writeMany(form);
    readOrRefuse(intact, 4, MANY_ROWS, form::name);
    for (int i = 0; i < Tier.pick(80, 800); i++) {
      final byte[] bytes = intact.clone();
      final int offset = i < Tier.pick(50, 200) ? i % bytes.length : random.nextInt(bytes.length);
      final int bit = random.nextInt(Byte.SIZE);
      bytes[offset] ^= (byte) (1 << bit);
      readOrRefuse(bytes, 4, MANY_ROWS, () -> form.name() + ": bit " + bit + " of byte " + offset);
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void manyBytesChanged(PostingForm form, RandomData random) throws IOException {
    final byte[] intact = write(form);
    for (int i = 0; i < Tier.pick(600, 2000); i++) {
      final byte[] bytes = intact.clone();
      final int first = random.nextInt(bytes.length);
      final byte[] noise = random.bytes(random.between(1, Math.min(8, bytes.length - first)));
      System.arraycopy(noise, 0, bytes, first, noise.length);
      readOrRefuse(bytes, 6, NUM_ROWS, () -> form.name() + ": " + HexFormat.of().formatHex(bytes));
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void anUnknownFormAsksForANewerRelease(PostingForm form) throws IOException {
    final byte[] bytes = write(form);
    final PostingLists intact = PostingLists.read("dim", ByteBuffer.wrap(bytes));
    for (byte id : new byte[] {0, 99}) {
      bytes[intact.chunksOffset()] = id;
      final PostingListsReader reader = PostingLists.read("dim", ByteBuffer.wrap(bytes)).reader();
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> reader.read(0, 1, new RowSet(NUM_ROWS)));
      assertEquals(
          "Column[dim]: a chunk at offset " + intact.chunksOffset() + " of its index has form " + id + ", which is not"
              + " known. A newer druid-shapeshift wrote it, unless the segment is damaged: use the release that wrote"
              + " it, or a newer one, on every Druid service",
          e.getMessage());
    }
  }
}
