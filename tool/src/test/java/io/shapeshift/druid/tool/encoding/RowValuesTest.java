// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.google.common.base.Splitter;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.tool.encoding.RowValues.UnderNulls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands under nulls in columns that the tool writes. */
class RowValuesTest {
  private static final long[] NUMBERS = LongStream.range(0, 20_000).map(row -> 7 + row * row).toArray();

  /** The tool writes whole arrays, segments are written row by row: the bytes are to be the same. */
  @ParameterizedTest
  @ValueSource(strings = {"", "0", "1", "0 1 2 5000", "19999", "3 4 8191 8192 9000 16384 17000 19999"})
  void theToolRepeatsTheNumberThatColumnsRepeat(String rows) throws IOException {
    final BitSet nulls = new BitSet();
    Splitter.on(' ').omitEmptyStrings().split(rows).forEach(row -> nulls.set(Integer.parseInt(row)));
    assertSameBytes(nulls);
  }

  @Test
  void aColumnOfNullsHasNothingToRepeat() throws IOException {
    final BitSet nulls = new BitSet();
    nulls.set(0, NUMBERS.length);
    assertArrayEquals(new long[NUMBERS.length], UnderNulls.REPEATED.in(NUMBERS, nulls));
    assertSameBytes(nulls);
  }

  private static void assertSameBytes(BitSet nulls) throws IOException {
    final long[] filled = UnderNulls.REPEATED.in(NUMBERS, nulls);
    assertArrayEquals(written(NUMBERS, nulls), written(filled, new BitSet()));
  }

  private static byte[] written(long[] numbers, BitSet nulls) throws IOException {
    final ShapeShiftingColumnarLongsSerializer column = new ShapeShiftingColumnarLongsSerializer(
        "numbers",
        new OnHeapMemorySegmentWriteOutMedium(),
        BlockSize.LARGE,
        FormSelector.forNumbers(NumberType.LONG, OptimizationTarget.FASTBUTSMALLISH),
        IndexIO.BYTE_ORDER
    );
    column.open();
    for (int row = 0; row < numbers.length; row++) {
      if (nulls.get(row)) {
        column.addNull();
      } else {
        column.add(numbers[row]);
      }
    }
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    column.writeTo(Channels.newChannel(bytes), null);
    return bytes.toByteArray();
  }

  @Test
  void underNullsOfStockColumnsStandsZero() {
    final BitSet nulls = new BitSet();
    nulls.set(1);
    assertArrayEquals(new float[]{1, 0, 3}, UnderNulls.ZERO.in(new float[]{1, 2, 3}, nulls));
    assertArrayEquals(new float[]{1, 1, 3}, UnderNulls.REPEATED.in(new float[]{1, 2, 3}, nulls));
  }
}
