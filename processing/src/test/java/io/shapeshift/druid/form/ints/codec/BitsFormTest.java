// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BitsFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new BitsForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final int min = Arrays.stream(values).min().getAsInt();
    final int max = Arrays.stream(values).max().getAsInt();
    return min == max || max - min > 15 ? Estimate.Kind.SKIP : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.bits(chunk, chunk.get(), numValues);
  }

  /** The last byte is filled up. */
  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      for (int width = 1; width <= 5; width++) {
        samples.add(new Sample(
            length + " of " + width + " bits up to 2^31-1",
            RandomData.above(Integer.MAX_VALUE - (1 << width) + 1, random.uniform(length, width))));
      }
    }
    return samples;
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0f                      | 3 | bits has 1 bytes, expected at least 2",
    "0f 00 07 00 00 00 04    | 3 | bits has values of 0 bits, expected 1, 2 or 4",
    "0f 03 07 00 00 00 04    | 3 | bits has values of 3 bits, expected 1, 2 or 4",
    "0f 08 07 00 00 00 04    | 3 | bits has values of 8 bits, expected 1, 2 or 4",
    "0f ff 07 00 00 00 04    | 3 | bits has values of -1 bits, expected 1, 2 or 4",
    "0f 01 07 00 00 00       | 3 | bits has 4 bytes, expected 5",
    "0f 01 07 00 00 00 04 00 | 3 | bits has 6 bytes, expected 5",
    "0f 04 07 00 00 00 04    | 3 | bits has 5 bytes, expected 6"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
