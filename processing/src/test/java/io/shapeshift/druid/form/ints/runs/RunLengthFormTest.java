// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.form.ints.packed.BytePackForm;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunLengthFormTest extends FormContract {
  @Override
  public int borrows() {
    return 1;
  }

  @Override
  public IntForm form() {
    return new RunLengthForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final boolean hasRun = IntStream.range(2, values.length)
        .anyMatch(i -> values[i] == values[i - 1] && values[i] == values[i - 2]);
    return hasRun && values.length <= 16_384 ? Estimate.Kind.EXACT : Estimate.Kind.SKIP;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.runLength(chunk, chunk.get());
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return true;
  }

  /** Long runs of small values, where words of one byte and of two come to nearly the same. */
  @Override
  public List<Sample> hardSamples(RandomData random) {
    return IntStream.rangeClosed(1, 600)
        .mapToObj(length -> new Sample("runs of 3 and " + length, random.runs(4 * length, 7, 3, length)))
        .filter(sample -> sample.values().length >= 3)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    // Runs of 5 longer than 127 cost two words of one byte each 127, which two words of two bytes may undercut.
    "126, 2", "127, 2", "128, 3", "129, 4", "130, 4", "254, 4", "255, 4", "381, 4", "16384, 4"
  })
  void weighsShortWordsAgainstLongRuns(int length, int expectedPayload) {
    final Sample run = new Sample("run", RandomData.constant(length, 5));
    assertEquals(2 + expectedPayload, run.encode(form(), ByteOrder.BIG_ENDIAN).limit());
  }

  @Test
  void neverTakesMoreThanBytePackInWordsOfTheSameWidth(RandomData random) {
    final BytePackForm bytePack = new BytePackForm();
    for (int width : new int[] {1, 7, 9, 15, 17, 23, 25, 31}) {
      final Sample sample = new Sample("short runs", random.runs(1000, width, 1, 2, 3));
      assertTrue(sample.encode(form(), ByteOrder.BIG_ENDIAN).limit()
          <= sample.encode(bytePack, ByteOrder.BIG_ENDIAN).limit(), sample::toString);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "04 01 05          | 16385 | rle has 16385 values, but can have at most 16384",
    "04                | 1     | rle has 1 bytes, expected at least 2",
    "04 00 05          | 1     | rle has words of 0 bytes, expected 1 to 4",
    "04 05 05          | 1     | rle has words of 5 bytes, expected 1 to 4",
    "04 01 05          | 2     | rle holds 1 values in 1 bytes, expected 2 values",
    "04 01 05 06 07    | 2     | rle holds more than the 2 values expected",
    "04 01 83 05 06    | 3     | rle holds more than the 3 values expected",
    "04 01 05 83 06    | 3     | rle holds more than the 3 values expected",
    "04 02 00 c0 05 00 01 80 05 00 | 16384 | rle holds more than the 16384 values expected",
    "04 01 83          | 3     | rle ends after a run length, before the value that is repeated",
    "04 02 03 80 05    | 3     | rle ends after a run length, before the value that is repeated",
    "04 02 05 00 06    | 1     | rle holds 1 values in 3 bytes, expected 1 values",
    "04 01 80 05 06    | 1     | rle has a run of no values",
    "04 01 83 85       | 3     | rle has a run length where the value of a run is expected"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }

  /** No writer makes runs of one or two values, but all readers take them. */
  @Test
  void readsShortestRuns() {
    try (IntChunkReader reader = new IntChunkReader()) {
      reader.startChunk(3);
      final byte[] chunk = {RunLengthForm.ID, 1, (byte) 0x81, 5, (byte) 0x82, 6};
      form().transform(ByteBuffer.wrap(chunk), 0, chunk.length, reader);
      assertEquals(5, reader.get(0));
      assertEquals(6, reader.get(1));
      assertEquals(6, reader.get(2));
    }
  }

  @Test
  void splitsRunsThatDoNotFitIntoAWord() {
    final int[] values = Stream.of(RandomData.constant(300, 1), RandomData.sequence(120, 2))
        .flatMapToInt(Arrays::stream).toArray();
    final ByteBuffer chunk = new Sample("run and singles", values).encode(form(), ByteOrder.BIG_ENDIAN);
    assertEquals(2 + 3 * 2 + 120, chunk.limit());
    assertEquals(1, chunk.get(1), "bytes per word");
    assertEquals((byte) (0x80 | 127), chunk.get(2));
    assertEquals((byte) (0x80 | 127), chunk.get(4));
    assertEquals((byte) (0x80 | 46), chunk.get(6));
  }
}
