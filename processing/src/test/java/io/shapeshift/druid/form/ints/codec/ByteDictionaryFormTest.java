// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteDictionaryFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new ByteDictionaryForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final int numBytes = Reference.bytesPerValue(values);
    final long numEntries = Arrays.stream(values).distinct().count();
    return numBytes == 1 || numEntries > 256 || 1 + numEntries * numBytes + values.length > 65_536
           ? Estimate.Kind.SKIP
           : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.byteDictionary(chunk, chunk.get());
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return true;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      for (int numEntries : new int[] {1, 2, 255, 256, 257}) {
        for (int width : new int[] {9, 16, 24, 31}) {
          samples.add(new Sample(
              length + " of " + numEntries + " entries of " + width + " bits",
              ofSome(random, length, numEntries, width)));
        }
      }
      samples.add(new Sample(length + " of 0 and 2^31-1", IntStream.range(0, length)
          .map(i -> random.nextInt(2) * Integer.MAX_VALUE).toArray()));
    }
    // With the number of entries and two of four bytes exactly what a payload may have.
    samples.add(new Sample("65527 of two", ofSome(random, 65_527, 2, 31)));
    samples.add(new Sample("65528 of two", ofSome(random, 65_528, 2, 31)));
    return samples;
  }

  private static int[] ofSome(RandomData random, int length, int numEntries, int width) {
    final int[] entries = random.uniform(numEntries, width);
    return IntStream.range(0, length).map(i -> entries[i < numEntries ? i : random.nextInt(numEntries)]).toArray();
  }

  /** No writer has codes without an entry; readers take them for the last one. */
  @Test
  void readsCodesWithoutAnEntryAsTheLast() {
    final byte[] chunk = {ByteDictionaryForm.ID, 2, 1, 0, 2, 1, 44, 1, 2, (byte) 255, 0};
    try (IntChunkReader reader = new IntChunkReader()) {
      reader.startChunk(4);
      form().transform(ByteBuffer.wrap(chunk), 0, chunk.length, reader);
      assertEquals(300, reader.get(0));
      assertEquals(300, reader.get(1));
      assertEquals(300, reader.get(2));
      assertEquals(2, reader.get(3));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0e                            | 3 | bytedictionary has 1 bytes, expected at least 2",
    "0e 02                         | 3 | bytedictionary has 0 bytes, expected at least 1",
    "0e 01 01 02 00 2c 01 01 00 01 | 3 | bytedictionary has words of 1 bytes, expected 2 to 4",
    "0e 05 01 02 00 2c 01 01 00 01 | 3 | bytedictionary has words of 5 bytes, expected 2 to 4",
    "0e ff 01 02 00 2c 01 01 00 01 | 3 | bytedictionary has words of -1 bytes, expected 2 to 4",
    "0e 02 01 02 00 2c 01 01 00    | 3 | bytedictionary has 7 bytes, expected 8",
    "0e 02 02 02 00 2c 01 01 00 01 | 3 | bytedictionary has 8 bytes, expected 10",
    "0e 04 ff 02 00 2c 01 01 00 01 | 3 | bytedictionary has 8 bytes, expected 1028"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
