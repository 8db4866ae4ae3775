// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

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
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunEndFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new RunEndForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final int changes = (int) IntStream.range(1, values.length).filter(i -> values[i] != values[i - 1]).count();
    return values.length > 16_384 || changes == 0 || changes > values.length / 4 * 3
           ? Estimate.Kind.SKIP
           : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int width = chunk.get();
    final int layout = chunk.get();
    final int numRuns = Reference.word(chunk, 2);
    final int base = Reference.word(chunk, 4);
    final int[] ends = Reference.positions(chunk, layout, numValues, numRuns - 1);
    final int[] runs = Reference.bitStream(chunk, numRuns, width);
    for (int i = 0; i < 7; i++) {
      assertEquals(0, chunk.get());
    }
    assertEquals(0, chunk.remaining());
    final int[] values = new int[numValues];
    for (int run = 0; run < numRuns; run++) {
      Arrays.fill(
          values, run == 0 ? 0 : ends[run - 1], run == numRuns - 1 ? numValues : ends[run], base + runs[run]);
    }
    return values;
  }

  /** The last run ends where the chunk does. */
  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      for (int most : new int[] {2, 3, 10, 20, 100, 3000}) {
        final int[] lengths = IntStream.rangeClosed(1, most).toArray();
        samples.add(new Sample(length + " in runs of 1 to " + most, random.runs(length, 1 + most % 31, lengths)));
      }
      samples.add(new Sample(length + " in runs of 256", random.runs(length, 9, 256)));
      samples.add(new Sample(length + " in runs of 512", random.runs(length, 31, 512)));
      samples.add(new Sample(length + " in steps from 0 to 2^31-1", IntStream.range(0, length)
          .map(i -> i < length / 2 ? 0 : Integer.MAX_VALUE).toArray()));
      samples.add(new Sample(length + " and the last is another", IntStream.range(0, length)
          .map(i -> i == length - 1 ? 5 : 1_000_000).toArray()));
    }
    return samples;
  }

  @ParameterizedTest
  @CsvSource({"1000, 0", "20, 1", "3, 2"})
  void endsAreInTheLayoutThatTakesTheLeastBytes(int run, int layout) {
    final int[] values = IntStream.range(0, 4096).map(i -> i / run).toArray();
    assertEquals(layout, new Sample("runs", values).encode(form(), ByteOrder.LITTLE_ENDIAN).get(2));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0b 01 00 02 00 05 00 00       | 3 | runend has 8 bytes, expected at least 9",
    "0b 00 00 02 00 05 00 00 00    | 3 | runend has values of 0 bits, expected 1 to 31",
    "0b 20 00 02 00 05 00 00 00    | 3 | runend has values of 32 bits, expected 1 to 31",
    "0b ff 00 02 00 05 00 00 00    | 3 | runend has values of -1 bits, expected 1 to 31",
    "0b 01 03 02 00 05 00 00 00    | 3 | positions are in the layout 3, expected 0 to 2",
    "0b 01 ff 02 00 05 00 00 00    | 3 | positions are in the layout -1, expected 0 to 2",
    "0b 01 00 00 00 05 00 00 00    | 3 | runend has 0 runs, expected 2 to 3",
    "0b 01 00 01 00 05 00 00 00    | 3 | runend has 1 runs, expected 2 to 3",
    "0b 01 00 04 00 05 00 00 00    | 3 | runend has 4 runs, expected 2 to 3",
    "0b 01 00 ff ff 05 00 00 00    | 3 | runend has 65535 runs, expected 2 to 3",
    "0b 01 00 02 00 05 00 00 00 02 00 | 3 | runend has 11 bytes, expected 19",
    "0b 01 01 02 00 05 00 00 00 02 00 02 01 00 00 00 00 00 00 00 | 3 "
        + "| segment 0 follows 2 positions, expected 0 to 1",
    "0b 01 01 03 00 05 00 00 00 02 00 01 00 02 02 01 00 00 00 00 00 00 00 | 300 "
        + "| segment 1 follows 1 positions, expected 2 to 2"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
