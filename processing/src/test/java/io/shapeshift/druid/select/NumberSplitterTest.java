// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Chunks of numbers: as those of ints, {@link ChunkSplitterTest}, but never of more than four blocks. */
@ExtendWith(RandomData.Seeded.class)
class NumberSplitterTest {
  private static final int LOG_BLOCK = 9;
  private static final int BLOCK = 1 << LOG_BLOCK;

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void fourBlocksAreAChunkWhereOneFormSuitsThemAll(NumberType type, RandomData random) {
    final int[] ints = random.uniform(4 * BLOCK, 9);
    assertEquals(
        List.of(type == NumberType.LONG ? "linear-bitpack 4" : "decimal-bitpack 4"),
        split(type, direct(type), 4, i -> ints[i]));
    assertEquals(
        List.of(type == NumberType.LONG ? "linear-constant 4" : "decimal-constant 4"),
        split(type, direct(type), 4, i -> 3));
  }

  /** Each block has few bits above a base of its own, but all of them together have many. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void blocksAreChunksWhereFormsOfTheirOwnSaveMuch(NumberType type, RandomData random) {
    final int[] ints = random.uniform(4 * BLOCK, 5);
    final String form = type == NumberType.LONG ? "linear-bitpack 1" : "decimal-bitpack 1";
    assertEquals(
        List.of(form, form, form, form),
        split(type, direct(type), 4, i -> ints[i] + i / BLOCK * 1_000_000));
  }

  /** Where the numbers of all blocks together have no frame, those of one may still have. */
  @ParameterizedTest
  @EnumSource(value = NumberType.class, names = {"DOUBLE", "FLOAT"})
  void blocksHaveFramesOfTheirOwn(NumberType type, RandomData random) {
    assertEquals(
        List.of("decimal-bitpack 1", "raw 1", "decimal-constant 1", "raw 1"),
        split(type, FormSelectors.forNumbers(forms(type, "decimal-bitpack", "decimal-constant", "raw"),
            OptimizationTarget.FASTBUTSMALLISH), 4, i -> switch (i / BLOCK) {
              case 0 -> random.nextInt(50) / 10.0;
              case 2 -> 0.7;
              default -> random.nextGaussian();
            }));
  }

  @ParameterizedTest
  @CsvSource({"LONG, 1", "DOUBLE, 513", "FLOAT, 1500", "LONG, 2047"})
  void shorterChunksHaveABlockEach(NumberType type, int length, RandomData random) {
    final long[] bits = IntStream.range(0, length).mapToLong(i -> NumberData.bits(type, random.nextInt(500))).toArray();
    assertEquals((length + BLOCK - 1) / BLOCK, split(type, direct(type), bits).size());
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void codecGetsAllThatWaits(NumberType type, RandomData random) {
    final long[] phrase = IntStream.range(0, 40).mapToLong(i -> NumberData.anyBits(type, random)).toArray();
    final long[] bits = IntStream.range(0, 4 * BLOCK).mapToLong(i -> phrase[i % phrase.length]).toArray();
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final List<String> chunks = split(type, FormSelectors.forNumbers(type, target), bits);
      assertEquals(1, chunks.size(), chunks::toString);
      assertTrue(
          chunks.get(0).endsWith(target == OptimizationTarget.SMALLER ? "zstd 4" : "lz4 4"), chunks::toString);
    }
  }

  /** Random numbers become no smaller, whatever is tried. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void whatCannotBeMadeSmallerStaysAsItIs(NumberType type, RandomData random) {
    final long[] bits = IntStream.range(0, 4 * BLOCK).mapToLong(i -> NumberData.anyBits(type, random)).toArray();
    for (OptimizationTarget target : OptimizationTarget.values()) {
      assertEquals(List.of("raw 4"), split(type, FormSelectors.forNumbers(type, target), bits));
    }
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void failsWhereNothingCanStoreAChunk(NumberType type) {
    final FormSelector<NumberChunk> selector =
        FormSelectors.forNumbers(forms(type, "linear-zero", "decimal-zero"), OptimizationTarget.SMALLER);
    final IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> split(type, selector, 2, i -> 1 + i % 7));
    assertEquals("No form can store a chunk of " + 2 * BLOCK + " values", e.getMessage());
  }

  // Tools

  private static List<NumberForm> forms(NumberType type, String... names) {
    return NumberForms.of(type).stream().filter(form -> List.of(names).contains(form.name())).toList();
  }

  private static FormSelector<NumberChunk> direct(NumberType type) {
    return FormSelectors.forNumbers(
        NumberForms.of(type).stream().filter(form -> !(form instanceof CodecForm<?, ?>)).toList(),
        OptimizationTarget.FASTBUTSMALLISH
    );
  }

  private static List<String> split(
      NumberType type,
      FormSelector<NumberChunk> selector,
      int blocks,
      IntToDoubleFunction value
  ) {
    return split(
        type, selector,
        IntStream.range(0, blocks * BLOCK).mapToLong(i -> NumberData.bits(type, value.applyAsDouble(i))).toArray());
  }

  /** The form of each chunk, and how many blocks it has. */
  private static List<String> split(NumberType type, FormSelector<NumberChunk> selector, long[] bits) {
    final BufferedNumbers buffered = new BufferedNumbers(type, 4 * BLOCK);
    Arrays.stream(bits).forEach(each -> assertTrue(buffered.add(each)));
    final List<String> chunks = new ArrayList<>();
    new ChunkSplitter<>(selector, LOG_BLOCK, ByteOrder.LITTLE_ENDIAN)
        .encode(buffered, bits.length, true, (form, numBlocks, bytes) -> chunks.add(form.name() + " " + numBlocks));
    buffered.release();
    return chunks;
  }
}
