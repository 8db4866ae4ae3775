// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.Reads;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of all average lengths, in all the ways in which they are read. */
@ExtendWith(RandomData.Seeded.class)
class RunEndIntsTest {
  private static final int[] LENGTHS = {2, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1000, 4096, 16_384};

  private final IntChunkReader reader = new IntChunkReader();

  @AfterEach
  void close() {
    reader.close();
  }

  private void transform(int[] values, ByteOrder order) {
    reader.startChunk(values.length);
    final ByteBuffer chunk = new Sample("runs", values).encode(new RunEndForm(), order);
    new RunEndForm().transform(chunk, 0, chunk.limit(), reader);
  }

  /** Runs whose lengths are from 1 up to what gives the average, and at least two of them. */
  private static int[] runs(int length, double average, RandomData random) {
    final int[] values = new int[length];
    for (int i = 1; i < length; i++) {
      final boolean isNew = i == length / 2 || random.nextDouble() < 1 / average;
      values[i] = isNew ? values[i - 1] + 1 + random.nextInt(1000) & 0xFFFFF : values[i - 1];
    }
    values[0] = values[1] == 0 ? 0 : values[0];
    return values;
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1.2, 1.4, 2, 3, 5, 7.5, 8, 8.5, 12, 30, 100})
  void readsRunsOfAnAverageLength(double average, RandomData random) {
    for (int length : LENGTHS) {
      final int[] values = runs(length, average, random);
      final Supplier<String> message = () -> length + " values in runs of " + average;
      for (ByteOrder order : FormContract.orders()) {
        // What one read has prepared is there for the next, so that the first one differs.
        final List<Consumer<RandomData>> reads = new ArrayList<>(List.of(
            data -> Reads.assertAll(values, reader, data, message),
            data -> assertRanges(values, 9, length, data, message),
            data -> assertRanges(values, 200, 40, data, message),
            data -> assertPositions(values, 1, data, message),
            data -> assertPositions(values, 7, data, message),
            data -> assertPositions(values, 3000, data, message)));
        while (!reads.isEmpty()) {
          transform(values, order);
          reads.forEach(read -> read.accept(random));
          reads.remove(0);
        }
      }
    }
  }

  private void assertRanges(int[] values, int ranges, int most, RandomData random, Supplier<String> message) {
    for (int attempt = 0; attempt < ranges; attempt++) {
      final int start = random.nextInt(values.length);
      final int length = random.between(0, Math.min(most, values.length - start));
      final int[] out = new int[length];
      reader.get(out, 0, start, length);
      for (int i = 0; i < length; i++) {
        if (values[start + i] != out[i]) {
          assertEquals(values[start + i], out[i], i + " behind " + start + " of " + length + ": " + message.get());
        }
      }
    }
  }

  private void assertPositions(int[] values, int most, RandomData random, Supplier<String> message) {
    final int first = random.nextInt(values.length);
    final int[] positions =
        IntStream.range(0, values.length).filter(i -> i == first || random.nextInt(most) == 0).toArray();
    final int[] out = new int[positions.length];
    reader.get(out, positions, 0, positions.length, 0);
    for (int i = 0; i < out.length; i++) {
      if (values[positions[i]] != out[i]) {
        assertEquals(values[positions[i]], out[i], "at " + positions[i] + ": " + message.get());
      }
    }
  }

  /** What readers of numbers ask of short runs. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 1.2, 1.5, 3, 6})
  void tellsWhereShortRunsBegin(double average, RandomData random) {
    for (int length : LENGTHS) {
      final int[] values = runs(length, average, random);
      transform(values, ByteOrder.LITTLE_ENDIAN);
      final RunEndInts runs = shortRuns();
      if (runs == null) {
        assertTrue(length < 300, length + " values");
        continue;
      }
      final int[] ofValue = new int[length];
      for (int i = 1; i < length; i++) {
        ofValue[i] = ofValue[i - 1] + (values[i] == values[i - 1] ? 0 : 1);
      }
      assertTrue(runs.areShort());
      assertEquals(ofValue[length - 1] + 1, runs.numRuns());
      // Twice, of which the second has them already.
      for (int attempt = 0; attempt < 2; attempt++) {
        final int[] entries = runs.entries();
        for (int i = 0; i < length; i++) {
          assertEquals(values[i], entries[ofValue[i]]);
          assertEquals(ofValue[i], runs.runOf(i));
          final int inWord = Math.min(RunEndInts.leftInWord(i), length - i);
          final long begins = runs.begins(i);
          for (int j = 0; j < inWord; j += 1 + j / 3) {
            assertEquals(i + j > 0 && ofValue[i + j] != ofValue[i + j - 1], (begins >>> j & 1) == 1, "at " + (i + j));
          }
        }
      }
    }
  }

  @Test
  void wordsEndAtMultiplesOf64() {
    assertEquals(64, RunEndInts.leftInWord(0));
    assertEquals(1, RunEndInts.leftInWord(63));
    assertEquals(64, RunEndInts.leftInWord(64));
    assertEquals(63, RunEndInts.leftInWord(16_321));
  }

  @ParameterizedTest
  @CsvSource({"800, 8, false", "800, 7, true", "792, 8, false", "808, 8, false", "100, 4, true", "100, 50, false"})
  void runsOfLessThanEightValuesAreShort(int length, int run, boolean isShort) {
    transform(IntStream.range(0, length).map(i -> i / run).toArray(), ByteOrder.BIG_ENDIAN);
    if (isShort) {
      assertNotNull(shortRuns());
    } else {
      assertNull(shortRuns());
    }
  }

  /** Reads of few values do not notice; those of many need ends that ascend. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // three ends in shorts
    "0b 01 00 04 00 05 00 00 00 02 00 02 00 05 00 0a 00 00 00 00 00 00 00",
    "0b 01 00 04 00 05 00 00 00 03 00 02 00 05 00 0a 00 00 00 00 00 00 00",
    "0b 01 00 04 00 05 00 00 00 02 00 03 00 14 00 0a 00 00 00 00 00 00 00"
  })
  void refusesEndsThatDoNotAscend(String hex) {
    final ByteBuffer chunk =
        ByteBuffer.wrap(HexFormat.ofDelimiter(" ").parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN);
    reader.startChunk(20);
    new RunEndForm().transform(chunk, 0, chunk.limit(), reader);
    final RunEndInts runs = shortRuns();
    assertThrows(MalformedChunkException.class, runs::entries);
    assertThrows(MalformedChunkException.class, runs::entries);
    IntStream.range(0, 20).forEach(reader::get);
    reader.get(new int[20], 0, 0, 20);
    // The next chunk is read as if nothing had been.
    final int[] values = IntStream.range(0, 1000).map(i -> i / 3).toArray();
    transform(values, ByteOrder.LITTLE_ENDIAN);
    Reads.assertAll(values, reader, new RandomData(1), () -> "behind a damaged one");
  }

  @Nullable
  private RunEndInts shortRuns() {
    final RunEndInts runs = (RunEndInts) reader.shape();
    return runs.areShort() ? runs : null;
  }
}
