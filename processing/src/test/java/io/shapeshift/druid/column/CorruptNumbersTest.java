// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.Golden;
import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damage to columns of numbers: they give other numbers, or one exception that names the column and says what to do.
 * What can be said of the header and the offsets, which all columns have, {@link CorruptColumnTest} says.
 */
@ExtendWith(RandomData.Seeded.class)
class CorruptNumbersTest {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  /** Bytes before a column's chunks, or most of them. */
  private static final int HEADER = 40;
  private static final Duration NEVER_HANGS = Duration.ofMinutes(3);

  private long borrowedBefore;

  @BeforeEach
  void countBorrowed() {
    borrowedBefore = BorrowedBuffers.count();
  }

  @AfterEach
  void nothingIsBorrowedAnyMore() {
    assertEquals(borrowedBefore, BorrowedBuffers.count(), "borrowed");
  }

  private static List<Golden.Example> columns(NumberType type) throws IOException {
    return Golden.read(Golden.file("columns/" + type.toString().toLowerCase(Locale.ROOT) + "s", ORDER));
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void columnCutAtAnyLength(NumberType type) throws IOException {
    for (Golden.Example example : columns(type)) {
      final byte[] intact = example.bytes();
      for (int length = 0; length < intact.length; length++) {
        final byte[] cut = Arrays.copyOf(intact, length);
        final ColumnFormatException e = assertThrows(
            ColumnFormatException.class, () -> NumberColumns.read(type, ByteBuffer.wrap(cut).order(ORDER)));
        assertTrue(
            e.getMessage().startsWith("Column[dim]: ") && e.getMessage().endsWith(CorruptColumnContract.DAMAGED),
            e.getMessage());
      }
    }
  }

  /** Each byte with some other values: never another exception, and never one without the name of the column. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void anyByteChanged(NumberType type, RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      for (Golden.Example example : columns(type)) {
        final byte[] intact = example.bytes();
        for (int offset = 0; offset < intact.length; offset++) {
          int combination = offset;
          for (int value : new int[] {0, 1, 0x7F, 0x80, 0xFF, random.nextInt(256)}) {
            if (offset < HEADER || Tier.tries(combination++, 3)) {
              final byte[] bytes = intact.clone();
              bytes[offset] = (byte) value;
              final String what = "byte " + offset + " set to " + value;
              readOrRefuse(type, bytes, () -> what + " of " + example.spec());
            }
          }
        }
      }
    });
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void manyBytesChanged(NumberType type, RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      for (Golden.Example example : columns(type)) {
        final byte[] intact = example.bytes();
        for (int i = 0; i < Tier.pick(500, 2000); i++) {
          final byte[] bytes = intact.clone();
          final int first = random.nextInt(bytes.length);
          final byte[] noise = random.bytes(random.between(1, Math.min(8, bytes.length - first)));
          System.arraycopy(noise, 0, bytes, first, noise.length);
          readOrRefuse(type, bytes, () -> HexFormat.of().formatHex(bytes));
        }
      }
    });
  }

  /** Whatever a chunk says of itself: all of its numbers can be read, or it is refused. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void chunkOfAnyBytesInAnyForm(NumberType type, RandomData random) {
    assertTimeoutPreemptively(NEVER_HANGS, () -> {
      for (NumberForm form : NumberForms.of(type)) {
        for (int i = 0; i < Tier.pick(100, 200); i++) {
          final byte[] chunk = random.bytes(random.between(1, i % 10 == 0 ? 70_000 : 60));
          // Small numbers: flags, widths, layouts, and counts are more likely to be what they may be.
          for (int at = 1; at < Math.min(chunk.length, 40); at++) {
            chunk[at] = (byte) (random.nextInt(3) == 0 ? chunk[at] : random.nextInt(9));
          }
          chunk[0] = form.id();
          final int numValues = random.between(1, i % 4 == 0 ? type.maxValuesPerChunk() : 300);
          readOrRefuse(
              type, column(numValues, chunk),
              () -> form.name() + " as " + HexFormat.ofDelimiter(" ").formatHex(chunk));
        }
      }
    });
  }

  /** Reads a column in all ways, and tells of its chunks, in each case without any exception but that of damage. */
  private static void readOrRefuse(NumberType type, byte[] bytes, Supplier<String> what) {
    final NumberColumn column;
    try {
      final var supplier = NumberColumns.read(type, ByteBuffer.wrap(bytes).order(ORDER));
      column = NumberColumn.of(supplier);
      refuse(() -> supplier.data().chunks(), what);
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
      return;
    }
    // Damage may make it much longer: then it is the first numbers that are read, and the last.
    final int size = Math.min(column.size(), 5000);
    final Object out = NumberArrays.untouched(type, size);
    refuse(() -> column.get(out, 0, size), what);
    if (size > 0) {
      final int[] sparse = new int[size / 300 + 1];
      Arrays.setAll(sparse, i -> i * 300);
      sparse[sparse.length - 1] = column.size() - 1;
      refuse(() -> column.get(out, sparse, sparse.length), what);
      for (int i = 0; i < size; i += 97) {
        final int index = i;
        refuse(() -> column.get(index), what);
      }
    }
    column.close();
  }

  private static void refuse(Runnable read, Supplier<String> what) {
    try {
      read.run();
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what.get(), e);
    }
  }

  /** What was decoded before a chunk is refused must not be taken for the chunk that was read before. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void refusedChunkLeavesNothingBehind(NumberType type) throws IOException {
    for (Golden.Example example : columns(type)) {
      final List<ChunkInfo> chunks =
          NumberColumns.read(type, ByteBuffer.wrap(example.bytes()).order(ORDER)).data().chunks();
      if (chunks.isEmpty()) {
        continue;
      }
      final ChunkInfo first = chunks.get(0);
      final long[] bits = Arrays.copyOf(example.bits(type), first.numValues());
      for (ChunkInfo damaged : chunks.subList(1, chunks.size())) {
        final byte[] bytes = example.bytes();
        bytes[damaged.offset()] = 99;
        try (NumberColumn column =
            NumberColumn.of(NumberColumns.read(type, ByteBuffer.wrap(bytes).order(ORDER)))) {
          final Object out = NumberArrays.untouched(type, first.numValues());
          column.get(out, 0, first.numValues());
          final ColumnFormatException e =
              assertThrows(ColumnFormatException.class, () -> column.get(damaged.firstValue()));
          assertEquals("Column[dim]: it has chunks in form 99 (at offset " + damaged.offset()
              + "), which this druid-shapeshift does not know" + CorruptColumnContract.TOO_NEW, e.getMessage());
          column.get(out, 0, first.numValues());
          assertArrayEquals(bits, NumberArrays.bits(out), example.spec());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "LONG   | 01 08 07 00 00 00       | the frame has the flags 8, expected 0 to 7",
    "LONG   | 01                      | the frame has 0 bytes, expected at least 1",
    "LONG   | 01 01 07 00 00 00       | the frame has 5 bytes, expected at least 9",
    "LONG   | 01 02 07 00 00 00       | the frame has 5 bytes, expected at least 9",
    "LONG   | 01 04 01                | the frame has 1 bytes, expected at least 3",
    "LONG   | 01 04 01 00 03 00 00    | positions are in the layout 3, expected 0 to 2",
    "LONG   | 01 04 00 00 00 00 00    | the frame has 0 exceptions among 3 values",
    "LONG   | 01 04 04 00 00 00 00    | the frame has 4 exceptions among 3 values",
    "LONG   | 01 04 01 00 00 01 00 07 | the frame has 6 bytes, expected at least 13",
    "LONG   | 01 00 03 05 01 02 03    | bytepack has words of 5 bytes, expected 1 to 4",
    "LONG   | 01 00                   | linear has 2 bytes, but its frame alone takes 2",
    "LONG   | 01 00 63 01             | linear holds a chunk in form 99, which is unknown",
    "DOUBLE | 02 00 13 01 01 02 03    | decimals have the exponent 19, expected 0 to 18",
    "FLOAT  | 02 00 0b 01 01 02 03    | decimals have the exponent 11, expected 0 to 10",
    "FLOAT  | 02 00 ff 01 01 02 03    | decimals have the exponent -1, expected 0 to 10",
    "LONG   | 03 00                   | the frame has 1 bytes, expected at least 2",
    "LONG   | 03 00 00 07 00          | the frame has 4 bytes, expected at least 10",
    "FLOAT  | 03 00 00 07 00          | the frame has 4 bytes, expected at least 6",
    "LONG   | 04 00                   | the frame has 1 bytes, expected at least 25",
    "LONG   | 00 00                   | raw has 2 bytes, expected 25",
    "LONG   | 05 21                   | wide has 2 bytes, expected at least 10",
    "LONG   | 05 40 00 00 00 00 00 00 00 00 | wide has values of 64 bits, expected 1 to 63",
    "LONG   | 05 00 00 00 00 00 00 00 00 00 | wide has values of 0 bits, expected 1 to 63",
    "LONG   | 05 21 00 00 00 00 00 00 00 00 | 3 longs of 33 bits take 0 bytes, expected 16",
    "DOUBLE | 06 30                   | split has 2 bytes, expected at least 7",
    "DOUBLE | 06 20 08 00 00 00 03    | split has values of 32 bits, expected 33 to 56",
    "DOUBLE | 06 30 01 00 00 00 03    | split has 7 bytes, expected at least 31",
    "DOUBLE | 06 30 00 00 00 00 06 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 | "
        + "split has 0 bytes of upper bits, expected 1",
    "DOUBLE | 06 30 01 00 00 00 63 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 | "
        + "split has upper bits in form 99, which is unknown",
    "LONG   | 07 00                   | raw-lz4 has 2 bytes, expected at least 3"
  })
  void saysWhatIsWrongWithAChunk(NumberType type, String hex, String message) {
    final byte[] bytes = column(3, HexFormat.ofDelimiter(" ").parseHex(hex));
    try (NumberColumn column = NumberColumn.of(NumberColumns.read(type, ByteBuffer.wrap(bytes).order(ORDER)))) {
      for (int again = 0; again < 2; again++) {
        final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> column.get(1));
        final String toDo =
            message.contains("unknown") ? CorruptColumnContract.TOO_NEW : CorruptColumnContract.DAMAGED;
        final String form = NumberForms.byId(type).apply(bytes[26]).name();
        assertEquals("Column[dim]: chunk 0 at offset 26 (" + form + "): " + message + toDo, e.getMessage());
      }
    }
  }

  /** An intact chunk has no two ends of runs that are equal, and so fewer ends in a vector than values. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void asManyEndsOfRunsAsValues(NumberType type) {
    final int numValues = 4096;
    final byte[] bytes = column(numValues, runs(type, numValues, 600, 100));
    final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ORDER);
    try (NumberColumn column = NumberColumn.of(NumberColumns.read(type, buffer))) {
      final ColumnFormatException refused = assertThrows(ColumnFormatException.class, column::all);
      assertTrue(refused.getMessage().contains("position 100 follows 100"), refused.getMessage());
      // Reads that search for single ends do not notice.
      for (int i = numValues - 1; i >= 512; i -= 100) {
        assertEquals(NumberData.bits(type, 1), column.get(i), "row " + i);
      }
    }
  }

  /** A chunk of runs of 0 and 1 in turn, all of which but the last end at the same position. */
  private static byte[] runs(NumberType type, int numValues, int numRuns, int end) {
    final NumberChunk numbers = new NumberChunk(type);
    final IntChunk ints = new IntChunk(numValues);
    final int[] values = ints.startFilling(numValues);
    for (int i = 0; i < numValues; i++) {
      values[i] = i < end ? 0 : 1;
      numbers.add(NumberData.bits(type, values[i]));
    }
    final NumberForm form = NumberForms.of(type).stream()
        .filter(each -> each.name().endsWith("runend") && each.estimate(numbers).kind() == Estimate.Kind.EXACT)
        .findFirst().orElseThrow();
    final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(ORDER);
    form.encode(numbers, out);
    final IntForm intForm =
        IntForms.ALL.stream().filter(each -> each.name().equals("runend")).findFirst().orElseThrow();
    // What stands before the ints stays; they are a width, a layout (shorts), numRuns, a base, ends and values.
    out.position(out.position() - (intForm.estimate(ints).bytes() - 1));
    out.put((byte) 1).put((byte) 0).putShort((short) numRuns).putInt(0);
    for (int run = 1; run < numRuns; run++) {
      out.putShort((short) end);
    }
    final byte[] zeroAndOne = new byte[(numRuns + 7) / 8];
    Arrays.fill(zeroAndOne, (byte) 0xAA);
    out.put(zeroAndOne).put(new byte[BitStream.SLACK]);
    return Arrays.copyOf(out.array(), out.position());
  }

  /**
   * A damaged chunk may have codes of which there is no entry, and a header that denies it. Those of runs are left out:
   * reads that search for single ends do not notice that ends contradict each other.
   */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void codesWithoutAnEntryAreReadAlikeAloneAndTogether(NumberType type, RandomData random) {
    final int numValues = 2000;
    final NumberChunk numbers = new NumberChunk(type);
    for (int i = 0; i < numValues; i++) {
      // No other frame fits.
      final long value = (i / 20 + 1) * 0x9E37_79B9_7F4A_7C15L;
      numbers.add(type == NumberType.FLOAT ? value >>> 32 : value);
    }
    final List<NumberForm> forms = NumberForms.of(type).stream()
        .filter(form -> form.name().startsWith("dictionary") && !form.name().contains("run"))
        .filter(form -> form.estimate(numbers).kind() == Estimate.Kind.EXACT)
        .toList();
    assertTrue(forms.stream().anyMatch(form -> form.name().endsWith("delta")), forms::toString);
    for (NumberForm form : forms) {
      final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(ORDER);
      form.encode(numbers, out);
      final byte[] intact = Arrays.copyOf(out.array(), out.position());
      final int codes = 3 + 100 * type.bytes();
      for (int i = 0; i < Tier.pick(300, 1000); i++) {
        final byte[] chunk = intact.clone();
        chunk[codes + 1 + random.nextInt(Math.min(i % 2 == 0 ? 30 : 3000, chunk.length - codes - 1))] =
            (byte) random.nextInt(256);
        assertReadAlike(type, column(numValues, chunk), form.name() + " " + i);
      }
    }
  }

  private static void assertReadAlike(NumberType type, byte[] bytes, String what) {
    try (NumberColumn together = NumberColumn.of(NumberColumns.read(type, ByteBuffer.wrap(bytes).order(ORDER)));
        NumberColumn alone = NumberColumn.of(NumberColumns.read(type, ByteBuffer.wrap(bytes).order(ORDER)))) {
      final long[] all = together.all();
      for (int i = 0; i < all.length; i += 37) {
        assertEquals(all[i], alone.get(i), what + ": row " + i);
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
    }
  }

  /** More blocks to a chunk than its numbers would take as they are. */
  @ParameterizedTest
  @CsvSource({"LONG, 8192", "DOUBLE, 8192", "FLOAT, 16384"})
  void chunkOfMoreNumbersThanAnyChunk(NumberType type, int most) {
    final byte[] bytes = column(most + 1, new byte[] {0, 0});
    try (NumberColumn column = NumberColumn.of(NumberColumns.read(type, ByteBuffer.wrap(bytes).order(ORDER)))) {
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> column.get(0));
      final String form = NumberForms.byId(type).apply((byte) 0).name();
      assertEquals("Column[dim]: chunk 0 at offset 26 (" + form + ") has " + (most + 1)
          + " values, but can have at most " + most + CorruptColumnContract.DAMAGED, e.getMessage());
    }
  }

  /** A column of one chunk, which goes from offset 26 to its end. */
  private static byte[] column(int numValues, byte[] chunk) {
    final ByteBuffer out = ByteBuffer.allocate(26 + chunk.length).order(ORDER);
    final int logValuesPerBlock = 11;
    out.put((byte) 1).put((byte) logValuesPerBlock).put((byte) 1).putInt(numValues);
    out.put(chunk[0]).putInt(1).putInt(chunk.length);
    out.putInt(0).putInt(chunk.length).putShort((short) 1);
    return out.put(chunk).array();
  }
}
