// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@link BitPackForm}. */
public class BitPackFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new BitPackForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return values.length > 16_384 ? Estimate.Kind.SKIP : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int flags = chunk.get();
    final boolean rowBases = (flags & 32) != 0;
    final int lanes = Reference.lanes(numValues);
    final int[] bases = new int[rowBases ? (numValues + lanes - 1) / lanes : 1];
    for (int i = 0; i < bases.length; i++) {
      bases[i] = Reference.word(chunk, 4);
    }
    final int[] values = Reference.codes(chunk, numValues, flags % 32, flags >= 64);
    for (int i = 0; i < numValues; i++) {
      values[i] += bases[rowBases ? i / lanes : 0];
    }
    return values;
  }

  /** The last words of all lanes are filled up. */
  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      final int lanes = Reference.lanes(length);
      samples.add(new Sample(length + " from 0 to 2^31-1", random.fullRange(length)));
      samples.add(new Sample(length + " from 1000 on", RandomData.above(1000, random.uniform(length, 3))));
      for (int width : new int[] {0, 1, 5, 17, 20}) {
        samples.add(new Sample(length + " in rows of " + width + " bits", IntStream.range(0, length)
            .map(i -> i / lanes * 1_000_000 + random.uniform(width))
            .toArray()));
      }
      samples.add(new Sample(length + " in constant rows, falling", IntStream.range(0, length)
          .map(i -> Integer.MAX_VALUE - i / lanes * 2_000_000)
          .toArray()));
    }
    return samples;
  }

  /** 32 values are two rows of one word a lane, up to 16 bits. */
  @ParameterizedTest
  @CsvSource({
    "32, 65536, 34, 74", "32, 4, 3, 70", "32, 0, 2, 70", "16, 0, 2, 70", "1, 0, 0, 6"
  })
  void rowsHaveBasesWhereThatSavesBytes(int length, int step, int widthAndBases, int bytes) {
    final int[] values = IntStream.range(0, length).map(i -> i / 16 * step + i % 4).toArray();
    final ByteBuffer chunk = new Sample("rows", values).encode(form(), ByteOrder.LITTLE_ENDIAN);
    assertEquals(widthAndBases, chunk.get(1));
    assertEquals(bytes, chunk.limit());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "08                   | 3  | bitpack has 1 bytes, expected at least 6",
    "08 02 08 00 00       | 3  | bitpack has 5 bytes, expected at least 6",
    "08 40 08 00 00 00 00 | 3  | 3 longs of 0 bits take 1 bytes, expected 0",
    "08 ff 08 00 00 00    | 3  | bitpack has values of -1 bits, expected 0 to 127",
    "08 02 08 00 00 00    | 3  | 3 values of 2 bits take 0 bytes, expected 64",
    "08 00 08 00 00 00 00 | 3  | 3 values of 0 bits take 1 bytes, expected 0",
    "08 20 08 00 00 00 08 00 00 00 08 00 00 | 33 | bitpack has 13 bytes, expected at least 14",
    "08 20 08 00 00 00 08 00 00 00 08 00 00 00 00 00 00 00 | 33 | 33 values of 0 bits take 4 bytes, expected 0"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
