// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole columns, byte by byte: header, composition, offsets, groups and chunks. */
class GoldenColumnTest {
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void columnsMatchTheirGoldenBytes(boolean bigEndian) throws IOException {
    final ByteOrder order = order(bigEndian);
    final Setup setup = new Setup(BlockSize.SMALL, OptimizationTarget.FASTBUTSMALLISH, order);
    final List<Golden.Example> examples =
        Golden.check(Golden.file("columns/ints", order), values -> setup.write(values).array());
    final List<List<String>> chunks = new ArrayList<>();
    for (Golden.Example example : examples) {
      assertEquals(ColumnHeader.VERSION, example.bytes()[0]);
      chunks.add(assertRead(example, order).stream()
          .map(chunk -> describe(IntColumns.formOf(chunk), chunk))
          .toList());
    }
    // Chunks of all kinds: should the selection change, add examples that have them.
    assertEquals(
        List.of(
            List.of("zero: 4 blocks, 4096 values", "constant: 4 blocks, 4096 values", "bytepack: 1 blocks, 3 values"),
            List.of(),
            List.of("constant: 1 blocks, 1 values"),
            List.of("lz4: 16 blocks, 16384 values", "lz4: 2 blocks, 1600 values"),
            List.of("constant: 4 blocks, 4096 values", "constant: 1 blocks, 1024 values",
                "constant: 1 blocks, 1024 values", "constant: 1 blocks, 1 values"),
            // The last ones in the form that the column has anyway: another one takes a place in the composition.
            List.of("constant: 4 blocks, 4096 values", "lz4: 4 blocks, 4096 values", "lz4: 1 blocks, 3 values")
        ),
        chunks
    );
  }

  static Stream<Arguments> columnsOfNumbers() {
    return Stream.of(
        Arguments.of(NumberType.LONG, List.of(
            List.of("linear-zero: 4 blocks, 2048 values", "linear-constant: 1 blocks, 512 values",
                "linear-bitpack: 1 blocks, 512 values",
                "wide: 1 blocks, 512 values", "delta-constant: 1 blocks, 512 values",
                "dictionary-bitpack: 1 blocks, 512 values", "raw: 1 blocks, 3 values"),
            List.of("linear-lz4: 4 blocks, 2048 values", "raw-lz4: 1 blocks, 500 values"),
            List.of())),
        Arguments.of(NumberType.DOUBLE, List.of(
            List.of("decimal-zero: 1 blocks, 512 values", "decimal-constant: 1 blocks, 512 values",
                "linear-zero: 1 blocks, 512 values", "decimal-bitpack: 1 blocks, 512 values",
                "dictionary-bitpack: 1 blocks, 512 values", "raw: 1 blocks, 3 values"),
            List.of("decimal-lz4: 4 blocks, 2048 values", "raw-lz4: 1 blocks, 500 values"),
            List.of())),
        Arguments.of(NumberType.FLOAT, List.of(
            List.of("decimal-zero: 1 blocks, 1024 values", "decimal-constant: 1 blocks, 1024 values",
                "linear-constant: 1 blocks, 1024 values", "decimal-bitpack: 1 blocks, 1024 values",
                "dictionary-bitpack: 1 blocks, 1024 values", "raw: 1 blocks, 3 values"),
            List.of("decimal-lz4: 4 blocks, 4096 values", "raw-lz4: 1 blocks, 900 values"),
            List.of()))
    ).flatMap(each -> Stream.of(false, true).map(bigEndian -> Arguments.of(each.get()[0], bigEndian, each.get()[1])));
  }

  /** With some forms only, so that columns stay what they are when it changes how forms are weighed. */
  @ParameterizedTest(name = "{0}, big-endian: {1}")
  @MethodSource("columnsOfNumbers")
  void columnsOfNumbersMatchTheirGoldenBytes(
      NumberType type,
      boolean bigEndian,
      List<List<String>> expected
  ) throws IOException {
    final ByteOrder order = order(bigEndian);
    final List<Golden.Example> examples = Golden.checkExamples(
        Golden.file("columns/" + type.toString().toLowerCase(Locale.ROOT) + "s", order),
        example -> NumberColumns.Setup.ofForms(type, BlockSize.SMALL, example.form().split(","), order)
            .write(example.bits(type)).array());
    final List<List<String>> chunks = new ArrayList<>();
    for (Golden.Example example : examples) {
      assertEquals(ColumnHeader.VERSION, example.bytes()[0]);
      final ShapeShiftingNumbersSupplier<?> supplier =
          NumberColumns.read(type, ByteBuffer.wrap(example.bytes()).order(order));
      try (NumberColumn column = NumberColumn.of(supplier)) {
        assertArrayEquals(example.bits(type), column.all(), example.spec());
      }
      assertEquals(example.bytes().length, supplier.data().sizeInBytes());
      chunks.add(supplier.data().chunks().stream()
          .map(chunk -> describe(NumberColumns.formOf(supplier, chunk), chunk))
          .toList());
    }
    assertEquals(expected, chunks);
  }

  private static ByteOrder order(boolean bigEndian) {
    return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static List<ChunkInfo> assertRead(Golden.Example example, ByteOrder order) {
    final int[] expected = example.values();
    final ShapeShiftingColumnarIntsSupplier supplier =
        ShapeShiftingColumnarIntsSupplier.read("golden", ByteBuffer.wrap(example.bytes()).order(order));
    try (ShapeShiftingColumnarInts column = supplier.get()) {
      final int[] actual = new int[column.size()];
      column.get(actual, 0, actual.length);
      assertArrayEquals(expected, actual, example.spec());
      for (int i = expected.length - 1; i >= 0; i--) {
        assertEquals(expected[i], column.get(i), example.spec());
      }
    }
    assertEquals(example.bytes().length, supplier.data().sizeInBytes());
    return supplier.data().chunks();
  }

  private static String describe(String form, ChunkInfo chunk) {
    return "%s: %d blocks, %d values".formatted(form, chunk.numBlocks(), chunk.numValues());
  }
}
