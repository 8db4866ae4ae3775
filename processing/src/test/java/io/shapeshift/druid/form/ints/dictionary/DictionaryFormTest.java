// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.dictionary;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunkReader;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DictionaryFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new DictionaryForm();
  }

  /** Entries and codes may take as many bits as the values, without what fills them up. */
  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final int[] distinct = Arrays.stream(values).distinct().sorted().toArray();
    final long width = Reference.width(distinct[distinct.length - 1] - distinct[0]);
    final int codeWidth = Math.max(1, Reference.width(distinct.length - 1));
    return values.length > 16_384 || codeWidth >= width
               || distinct.length * width > values.length * (width - codeWidth)
           ? Estimate.Kind.SKIP
           : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int codeWidth = chunk.get();
    final int entryWidth = chunk.get();
    final int numEntries = Reference.word(chunk, 2) + 1;
    final int base = Reference.word(chunk, 4);
    final int[] entries = Reference.bitStream(chunk, numEntries, entryWidth);
    final int[] values = Reference.interleaved(chunk, numValues, codeWidth);
    for (int i = 0; i < numValues; i++) {
      values[i] = base + entries[values[i]];
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
      samples.add(new Sample(length + " of 0 and 2^31-1", IntStream.range(0, length)
          .map(i -> random.nextInt(2) * Integer.MAX_VALUE).toArray()));
      samples.add(new Sample(length + " of many", ofSome(random, length, Math.max(1, length * 5 / 6), 31)));
      samples.add(new Sample(length + " of few", ofSome(random, length, 9, 20)));
    }
    for (int log = 1; log < 14; log++) {
      for (int numEntries : new int[] {(1 << log) - 1, 1 << log, (1 << log) + 1}) {
        samples.add(new Sample(numEntries + " entries", ofSome(random, 16_384, numEntries, 26)));
      }
    }
    return samples;
  }

  /** All of so many values, and then any of them. */
  private static int[] ofSome(RandomData random, int length, int numEntries, int width) {
    final int[] entries = random.uniform(numEntries, width);
    return IntStream.range(0, length).map(i -> entries[i < numEntries ? i : random.nextInt(numEntries)]).toArray();
  }

  /** No writer has codes without an entry; readers take them for the last one. */
  @Test
  void readsCodesWithoutAnEntryAsTheLast() {
    final ByteBuffer chunk = new Sample("codes up to 2", 300, 2, 300, 7).encode(form(), ByteOrder.LITTLE_ENDIAN);
    final int codes = chunk.limit() - 64;
    assertEquals(2, chunk.get(codes));
    chunk.put(codes, (byte) 3);
    try (IntChunkReader reader = new IntChunkReader()) {
      reader.startChunk(4);
      form().transform(chunk, 0, chunk.capacity(), reader);
      assertEquals(300, reader.get(0));
      assertEquals(2, reader.get(1));
    }
  }

  /** The same for all ways to read, whatever an earlier chunk had in place of the missing entries. */
  @ParameterizedTest
  @CsvSource({"100", "128", "300", "5000"})
  void allReadsTakeCodesWithoutAnEntryForTheLast(int numValues) {
    final int[] four = IntStream.range(0, numValues).map(i -> 1000 * (i % 4)).toArray();
    final ByteBuffer former = new Sample("four entries", four).encode(form(), ByteOrder.LITTLE_ENDIAN);
    final int[] three = IntStream.range(0, numValues).map(i -> 7 + 1000 * (i % 3)).toArray();
    final ByteBuffer chunk = new Sample("three entries", three).encode(form(), ByteOrder.LITTLE_ENDIAN);
    final int codes = chunk.limit() - Integer.BYTES * InterleavedPacking.numWords(numValues, 2);
    // Every code is 3, and the entries are 0 to 2.
    for (int i = codes; i < chunk.limit(); i++) {
      chunk.put(i, (byte) 0xFF);
    }
    final int[] expected = RandomData.constant(numValues, 2007);
    try (IntChunkReader reader = new IntChunkReader()) {
      reader.startChunk(numValues);
      form().transform(former, 0, former.capacity(), reader);
      final int[] out = new int[numValues];
      reader.get(out, 0, 0, numValues);
      assertArrayEquals(four, out);

      reader.startChunk(numValues);
      form().transform(chunk, 0, chunk.capacity(), reader);
      reader.get(out, 0, 0, numValues);
      assertArrayEquals(expected, out);
      reader.get(out, IntStream.range(0, numValues).toArray(), 0, numValues, 0);
      assertArrayEquals(expected, out);
      assertArrayEquals(expected, IntStream.range(0, numValues).map(reader::get).toArray());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0a 01 09 01 00 02 00 00       | 3 | dictionary has 8 bytes, expected at least 9",
    "0a 00 09 01 00 02 00 00 00    | 3 | dictionary has values of 0 bits, expected 1 to 16",
    "0a 11 09 01 00 02 00 00 00    | 3 | dictionary has values of 17 bits, expected 1 to 16",
    "0a ff 09 01 00 02 00 00 00    | 3 | dictionary has values of -1 bits, expected 1 to 16",
    "0a 01 20 01 00 02 00 00 00    | 3 | dictionary has values of 32 bits, expected 0 to 31",
    "0a 01 ff 01 00 02 00 00 00    | 3 | dictionary has values of -1 bits, expected 0 to 31",
    "0a 01 09 01 00 02 00 00 00 00 | 3 | dictionary has 10 bytes, expected at least 19",
    "0a 01 1f ff ff 02 00 00 00 00 | 3 | dictionary has 10 bytes, expected at least 253968",
    "0a 01 00 01 00 02 00 00 00 00 00 00 00 00 00 00 | 3 | 3 values of 1 bits take 7 bytes, expected 64"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
