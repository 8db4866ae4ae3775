// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.delta;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeltaFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new DeltaForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final LongStream deltas = IntStream.range(1, values.length)
        .filter(i -> i % 128 != 0)
        .mapToLong(i -> (long) values[i] - values[i - 1]);
    final var summary = deltas.summaryStatistics();
    return values.length > 16_384
               || (summary.getCount() > 0 && summary.getMax() - summary.getMin() > Integer.MAX_VALUE)
           ? Estimate.Kind.SKIP
           : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int width = chunk.get() & 31;
    final int minDelta = Reference.word(chunk, 4);
    final int[] bases = new int[(numValues + 127) / 128];
    for (int i = 0; i < bases.length; i++) {
      bases[i] = Reference.word(chunk, 4);
    }
    final int[] values = Reference.interleaved(chunk, numValues, width);
    for (int i = 0; i < numValues; i++) {
      values[i] = i % 128 == 0 ? bases[i / 128] : values[i - 1] + minDelta + values[i];
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
      for (int width : new int[] {0, 1, 6, 16}) {
        samples.add(new Sample(length + " rising by " + width + " bits", rising(random, length, width)));
        samples.add(new Sample(length + " falling by " + width + " bits", IntStream.of(rising(random, length, width))
            .map(value -> Integer.MAX_VALUE - value).toArray()));
      }
      samples.add(new Sample(length + " that jump where values are stored", IntStream.range(0, length)
          .map(i -> (i / 128 % 2 == 0 ? 0 : Integer.MAX_VALUE - 128) + i % 128).toArray()));
      samples.add(new Sample(length + " that begin anew where values are stored", IntStream.range(0, length)
          .map(i -> 7 + i % 384 * 3).toArray()));
      samples.add(new Sample(length + " that fall a little where values are stored", IntStream.range(0, length)
          .map(i -> i - i / 128 * 2).toArray()));
      samples.add(new Sample(length + " up and down", IntStream.range(0, length)
          .map(i -> 1_000_000 + (i % 2 == 0 ? random.uniform(9) : -random.uniform(19))).toArray()));
      // From -(2^30) to 2^30-1, which takes 31 bits, and one more.
      samples.add(new Sample(length + " of the widest", IntStream.range(0, length)
          .map(i -> i % 3 == 0 ? 1 << 30 : i % 3 == 1 ? 0 : (1 << 30) - 1).toArray()));
      samples.add(new Sample(length + " too wide", IntStream.range(0, length)
          .map(i -> i % 3 == 0 ? 1 << 30 : i % 3 == 1 ? 0 : 1 << 30).toArray()));
    }
    return samples;
  }

  private static int[] rising(RandomData random, int length, int width) {
    final int[] values = new int[length];
    for (int i = 1; i < length; i++) {
      values[i] = values[i - 1] + random.uniform(width);
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0c                               | 3   | delta has 1 bytes, expected at least 10",
    "0c 00 01 00 00 00 05 00 00       | 3   | delta has 9 bytes, expected at least 10",
    "0c 00 01 00 00 00 05 00 00 00    | 129 | delta has 10 bytes, expected at least 14",
    "0c 40 01 00 00 00 05 00 00 00    | 3   | delta has values of 64 bits, expected 0 to 31",
    "0c 60 01 00 00 00 05 00 00 00    | 3   | delta has values of 64 bits, expected 0 to 31",
    "0c ff 01 00 00 00 05 00 00 00    | 3   | delta has values of -33 bits, expected 0 to 31",
    "0c 21 01 00 00 00 05 00 00 00    | 3   | 3 values of 1 bits take 0 bytes, expected 64",
    "0c 01 01 00 00 00 05 00 00 00    | 3   | 3 values of 1 bits take 0 bytes, expected 64",
    "0c 00 01 00 00 00 05 00 00 00 00 | 3   | 3 values of 0 bits take 1 bytes, expected 0"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
