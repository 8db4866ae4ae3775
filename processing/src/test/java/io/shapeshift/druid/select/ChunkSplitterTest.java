// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.BufferedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class ChunkSplitterTest {
  private static final int LOG_BLOCK = 10;
  private static final int BLOCK = 1 << LOG_BLOCK;

  /** A chunk as the sink gets it. */
  private record Encoded(IntForm form, int numBlocks, ByteBuffer bytes) {}

  // Chunks that are read where they lie

  @Test
  void fourBlocksAreAChunkWhereOneFormSuitsThemAll(RandomData random) {
    assertChunks(random.uniform(8 * BLOCK, 9), "bitpack 4", "bitpack 4");
  }

  @Test
  void constantsOfAllThatWaitsAreOneChunk() {
    assertChunks(RandomData.constant(8 * BLOCK, 3), "constant 8");
    assertChunks(RandomData.constant(16 * BLOCK, 0), "zero 16");
    assertChunks(RandomData.constant(9 * BLOCK + 1, 0), "zero 10");
  }

  /** Each block has few bits above a base of its own, but all of them together have many. */
  @Test
  void blocksAreChunksWhereFormsOfTheirOwnSaveMuch(RandomData random) {
    final int[] values = random.uniform(8 * BLOCK, 5);
    for (int i = 0; i < 4 * BLOCK; i++) {
      values[i] += i / BLOCK * 1_000_000;
    }
    assertChunks(values, direct(), "bitpack 1", "bitpack 1", "bitpack 1", "bitpack 1", "bitpack 4");
  }

  @Test
  void eachBlockHasTheFormThatSuitsIt(RandomData random) {
    final int[] values = concat(
        RandomData.constant(BLOCK, 0), random.uniform(BLOCK, 12), RandomData.constant(BLOCK, 5),
        random.exceptions(BLOCK, 3, 25, 100));
    assertChunks(values, direct(), "zero 1", "bitpack 1", "constant 1", "patched 1");
  }

  /** The last values of a column may be too few for a chunk of four blocks. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 5, 4 * BLOCK - 1})
  void shorterChunksHaveABlockEach(int length, RandomData random) {
    final List<Encoded> chunks = split(direct(), random.uniform(4 * BLOCK + length, 9));
    assertEquals(4, chunks.get(0).numBlocks);
    for (Encoded chunk : chunks.subList(1, chunks.size())) {
      assertEquals(1, chunk.numBlocks);
    }
    assertEquals(1 + (length + BLOCK - 1) / BLOCK, chunks.size());
  }

  // Codecs

  @ParameterizedTest
  @ValueSource(ints = {5 * BLOCK, 16 * BLOCK, 13 * BLOCK + 1})
  void codecGetsAllThatWaits(int length, RandomData random) {
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final List<Encoded> chunks = split(FormSelectors.forInts(target), random.phrases(length, 7, 9, 50));
      assertEquals(1, chunks.size());
      assertEquals(target == OptimizationTarget.SMALLER ? "zstd" : "lz4", chunks.get(0).form.name());
      assertEquals((length + BLOCK - 1) / BLOCK, chunks.get(0).numBlocks);
    }
  }

  /** Phrases in one part of four save nothing to speak of if what is between them does not repeat itself. */
  @Test
  void codecHasToBeatAllOtherChunksTogether(RandomData random) {
    final int[] values = concat(RandomData.constant(12 * BLOCK, 7), random.uniform(4 * BLOCK, 6));
    for (OptimizationTarget target : List.of(OptimizationTarget.FASTBUTSMALLISH, OptimizationTarget.FASTER)) {
      assertEquals(
          List.of("constant 4", "constant 4", "constant 4", "bitpack 4"),
          names(split(FormSelectors.forInts(target), values))
      );
    }
  }

  @Test
  void fewBytesAreNotCompressed() {
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final List<Encoded> chunks = split(FormSelectors.forInts(target), IntStream.range(0, 15).toArray());
      assertTrue(chunks.stream().noneMatch(chunk -> List.of("lz4", "zstd").contains(chunk.form.name())));
    }
  }

  /** A column's history with codecs is its own: what one learnt must not change another. */
  @Test
  void theSameValuesGiveTheSameBytesWhateverWasBefore(RandomData random) {
    final FormSelector<IntChunk> selector = FormSelectors.forInts(OptimizationTarget.FASTBUTSMALLISH);
    final List<int[]> columns = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      columns.add(random.zipf(16 * BLOCK, 20 + 20 * i));
      columns.add(random.phrases(16 * BLOCK, 7, 200, 5 + i));
    }
    final List<List<ByteBuffer>> expected = columns.stream().map(values -> bytes(split(selector, values))).toList();
    for (int i = 0; i < 3; i++) {
      final List<Integer> order = new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
      Collections.rotate(order, 7 * i);
      for (int column : order) {
        assertEquals(expected.get(column), bytes(split(selector, columns.get(column))));
      }
    }
  }

  private static List<ByteBuffer> bytes(List<Encoded> chunks) {
    return chunks.stream().map(chunk -> chunk.bytes).toList();
  }

  // What is possible

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void oneFormCanBeForced(OptimizationTarget target, RandomData random) {
    final int[] values = random.runs(6 * BLOCK + 5, 7, 1, 2, 3, 30);
    // Those that can store whatever there is.
    for (String name : List.of("bitpack", "bytepack", "unencoded", "lz4", "zstd")) {
      if (form(name).cost().under(target).factor() != DecodeCost.NEVER) {
        final List<Encoded> chunks = split(FormSelectors.forInts(List.of(form(name)), target), values);
        assertTrue(chunks.stream().allMatch(chunk -> chunk.form.name().equals(name)), name);
      }
    }
  }

  @Test
  void codecIsTakenWhereOtherFormsCannotStoreAChunk(RandomData random) {
    final FormSelector<IntChunk> selector =
        FormSelectors.forInts(List.of(form("zero"), form("lz4")), OptimizationTarget.FASTBUTSMALLISH);
    assertEquals(List.of("zero 8"), names(split(selector, RandomData.constant(8 * BLOCK, 0))));
    final int[] values = concat(RandomData.constant(4 * BLOCK, 0), random.uniform(4 * BLOCK, 8));
    assertEquals(List.of("lz4 8"), names(split(selector, values)));
  }

  @Test
  void failsWhereNothingCanStoreAChunk() {
    final FormSelector<IntChunk> selector = FormSelectors.forInts(List.of(form("zero")), OptimizationTarget.SMALLER);
    final IllegalStateException e = assertThrows(
        IllegalStateException.class, () -> split(selector, RandomData.constant(2 * BLOCK, 1)));
    assertEquals("No form can store a chunk of 2048 values", e.getMessage());
    final FormSelector<IntChunk> slow = FormSelectors.forInts(List.of(form("zstd")), OptimizationTarget.FASTER);
    final IllegalStateException none =
        assertThrows(IllegalStateException.class, () -> split(slow, new int[] {1}));
    assertEquals("No form can store a chunk of 1 values", none.getMessage());
  }

  // Tools

  private static IntForm form(String name) {
    return IntForms.ALL.stream().filter(form -> form.name().equals(name)).findFirst().orElseThrow();
  }

  /** All forms but codecs. */
  private static FormSelector<IntChunk> direct() {
    return FormSelectors.forInts(
        IntForms.ALL.stream().filter(form -> !List.of("lz4", "zstd").contains(form.name())).toList(),
        OptimizationTarget.FASTBUTSMALLISH
    );
  }

  private static int[] concat(int[]... parts) {
    return Stream.of(parts).flatMapToInt(Arrays::stream).toArray();
  }

  private static List<String> names(List<Encoded> chunks) {
    return chunks.stream().map(chunk -> chunk.form.name() + " " + chunk.numBlocks).toList();
  }

  private static void assertChunks(int[] values, String... expected) {
    assertChunks(values, FormSelectors.forInts(OptimizationTarget.FASTBUTSMALLISH), expected);
  }

  private static void assertChunks(int[] values, FormSelector<IntChunk> selector, String... expected) {
    assertEquals(List.of(expected), names(split(selector, values)));
  }

  /** Splits the values, all of which wait, and checks that they can be read. */
  private static List<Encoded> split(FormSelector<IntChunk> selector, int[] values) {
    final BufferedInts buffered = new BufferedInts(Integer.BYTES * Integer.highestOneBit(2 * values.length));
    for (int value : values) {
      assertTrue(buffered.add(value));
    }
    final List<Encoded> chunks = new ArrayList<>();
    new ChunkSplitter<>(selector, LOG_BLOCK, ByteOrder.LITTLE_ENDIAN).encode(
        buffered,
        values.length,
        true,
        (form, numBlocks, bytes) -> {
          final byte[] copy = new byte[bytes.remaining()];
          bytes.get(copy);
          chunks.add(new Encoded((IntForm) form, numBlocks, ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN)));
        }
    );
    int start = 0;
    for (Encoded chunk : chunks) {
      final int end = Math.min(values.length, start + chunk.numBlocks * BLOCK);
      assertArrayEquals(Arrays.copyOfRange(values, start, end), read(chunk, end - start));
      start = end;
    }
    assertEquals(values.length, start);
    return chunks;
  }

  private static int[] read(Encoded chunk, int length) {
    final int[] values = new int[length];
    try (IntChunkReader reader = new IntChunkReader()) {
      reader.startChunk(length);
      chunk.form.transform(
          chunk.bytes, 0, chunk.bytes.capacity(), reader);
      reader.get(values, 0, 0, length);
    }
    return values;
  }
}
