// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.base.Splitter;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands under nulls in columns that the tool writes. */
class RowValuesTest {
  private static final String COLUMN = "numbers";

  private static long[] numbers(int zero) {
    return LongStream.range(0, 20_000).map(row -> row == zero ? 0 : 7 + row * row).toArray();
  }

  private static BitSet nulls(String rows) {
    final BitSet nulls = new BitSet();
    Splitter.on(' ')
        .omitEmptyStrings()
        .split(rows == null ? "" : rows)
        .forEach(row -> nulls.set(Integer.parseInt(row)));
    return nulls;
  }

  /** The bytes are those of a segment's column, and what is said of the numbers is of those that are stored. */
  @ParameterizedTest
  @CsvSource({
      ", -1, 7", "0, -1, 8", "1, -1, 7", "0 1 2 5000, -1, 16", "19999, -1, 399920011",
      "3 4 8191 8192 9000 16384 17000 19999, -1, 11", "3 4 19999, 9, 0", "0 1, 5, 0", "3 4, 19000, 11",
      "19999, 19000, 0"
  })
  void theToolWritesWhatColumnsHave(String rows, int zero, long underNulls) throws IOException {
    final BitSet nulls = nulls(rows);
    final RowValues.Longs values = new RowValues.Longs(numbers(zero), nulls);
    final ShapeShiftEncoding encoding = new ShapeShiftEncoding(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    try (EncodedRows encoded = encoding.encode(COLUMN, values)) {
      assertEquals(ByteBuffer.wrap(written(values)), encoded.bytes());
      final PieceValues piece = PieceValues.of(values, encoded, COLUMN);
      for (int row = 0; row < values.rows(); row++) {
        assertEquals(nulls.get(row) ? underNulls : values.values()[row], piece.min(row, 1).longValue());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0 1", "5 9"})
  void underNullsOfStockColumnsStandsZero(String rows) throws IOException {
    final RowValues.Longs values = new RowValues.Longs(numbers(-1), nulls(rows));
    final StockEncoding encoding =
        new StockEncoding(CompressionStrategy.LZ4, CompressionStrategy.LZ4, LongEncodingStrategy.LONGS);
    try (EncodedRows encoded = encoding.encode(COLUMN, values)) {
      values.nulls().stream().forEach(row -> assertEquals(0L, encoded.number(row)));
      assertEquals(values.values()[2], encoded.number(2));
    }
  }

  private static byte[] written(RowValues.Longs values) throws IOException {
    final ShapeShiftingColumnarLongsSerializer column = new ShapeShiftingColumnarLongsSerializer(
        COLUMN,
        new OnHeapMemorySegmentWriteOutMedium(),
        BlockSize.LARGE,
        FormSelectors.forNumbers(NumberType.LONG, OptimizationTarget.FASTBUTSMALLISH),
        IndexIO.BYTE_ORDER
    );
    column.open();
    for (int row = 0; row < values.rows(); row++) {
      if (values.nulls().get(row)) {
        column.addNull();
      } else {
        column.add(values.values()[row]);
      }
    }
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    column.writeTo(Channels.newChannel(bytes), null);
    return bytes.toByteArray();
  }
}
