// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntStatistics;
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

class TansFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new TansForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final long changes = IntStream.range(1, values.length).filter(i -> values[i] != values[i - 1]).count();
    if (values.length > 16_384 || changes < .1 * values.length || changes == 0) {
      return Estimate.Kind.SKIP;
    }
    return Arrays.stream(values).max().getAsInt() < 1 << 29 ? Estimate.Kind.EXACT : null;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int logStates = chunk.get();
    final int numBins = (chunk.get() & 0xFF) + 1;
    final int width = chunk.get();
    final int min = Reference.word(chunk, 4);
    final Bits head = new Bits(chunk);
    final int[] weights = new int[numBins];
    final int[] offsetBits = new int[numBins];
    final int[] lowers = new int[numBins];
    for (int bin = 0; bin < numBins; bin++) {
      weights[bin] = head.next(logStates) + 1;
      offsetBits[bin] = head.next(5);
      lowers[bin] = min + head.next(width);
    }
    final int[] blockBytes = new int[(numValues + 511) / 512];
    for (int block = 0; block < blockBytes.length; block++) {
      blockBytes[block] = Reference.word(chunk, 2);
    }
    final int numStates = 1 << logStates;
    final int[] binOf = new int[numStates];
    int state = 0;
    for (int bin = 0; bin < numBins; bin++) {
      for (int i = 0; i < weights[bin]; i++) {
        binOf[state] = bin;
        state = (state + numStates / 2 + numStates / 8 + 3) % numStates;
      }
    }
    final int[] values = new int[numValues];
    for (int block = 0; block < blockBytes.length; block++) {
      final int end = chunk.position() + blockBytes[block];
      final Bits bits = new Bits(chunk);
      final int[] states = {
        bits.next(logStates), bits.next(logStates), bits.next(logStates), bits.next(logStates)
      };
      for (int i = 0; i < Math.min(512, numValues - 512 * block); i++) {
        final int now = states[i % 4];
        final int bin = binOf[now];
        final int x = weights[bin] + (int) IntStream.range(0, now).filter(before -> binOf[before] == bin).count();
        int numBits = 0;
        while (x << numBits < numStates) {
          numBits++;
        }
        states[i % 4] = (x << numBits) - numStates + bits.next(numBits);
        values[512 * block + i] = lowers[bin] + bits.next(offsetBits[bin]);
      }
      assertEquals(end, chunk.position());
    }
    assertEquals(24, chunk.remaining());
    return values;
  }

  /** Bits of the buffer's next bytes, the lowest first. */
  private static final class Bits {
    private final ByteBuffer in;
    private int current;
    private int left;

    Bits(ByteBuffer in) {
      this.in = in;
    }

    int next(int width) {
      int value = 0;
      for (int i = 0; i < width; i++) {
        if (left == 0) {
          current = in.get() & 0xFF;
          left = 8;
        }
        value |= (current & 1) << i;
        current >>= 1;
        left--;
      }
      return value;
    }
  }

  /** A block may have bits for one value more or less in its last byte. */
  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      samples.add(new Sample(length + " in all widths", IntStream.range(0, length)
          .map(i -> random.ofWidth(random.nextInt(31))).toArray()));
      samples.add(new Sample(length + " of 300 values, some rare", random.zipf(length, 300)));
    }
    for (int values : new int[] {127, 128, 129, 255, 256, 257}) {
      samples.add(new Sample(values + " values, equally frequent", IntStream.range(0, Limits.MAX_DIRECT_INTS)
          .map(i -> i * 31 % values * 1000).toArray()));
    }
    samples.add(new Sample("one value in a thousand is far away", random.exceptions(16_000, 3, 31, 1000)));
    samples.add(new Sample("the least and the greatest", IntStream.range(0, 3000)
        .map(i -> i % 3 == 0 ? 0 : Integer.MAX_VALUE).toArray()));
    return samples;
  }

  /** The mean of a value's bits is close to the entropy of their distribution. */
  @Test
  void takesLittleMoreThanTheEntropy() {
    final RandomData random = new RandomData(1);
    final int[] values = IntStream.range(0, Limits.MAX_DIRECT_INTS)
        .map(i -> Integer.numberOfTrailingZeros(random.nextInt(1 << 20) | 1 << 20))
        .toArray();
    final int bytes = form().estimate(new Sample("geometric", values).chunk()).bytes();
    // Two bits are the entropy of 1/2, 1/4, 1/8, ...; a block has 5 bytes of states, and 2 of its length.
    assertTrue(bytes < 1.01 * 2 * values.length / 8 + 32 * 7 + 100, () -> bytes + " bytes");
  }

  /** Bins without overlaps in which all values are; the weights add up. */
  @Test
  void binsHaveAllValues(RandomData random) {
    for (Sample sample : hardSamples(random)) {
      final Bins bins = Bins.of(IntStatistics.of(sample.values(), sample.values().length));
      assertTrue(bins.size() <= Bins.MAX, sample.name());
      long weights = 0;
      for (int bin = 0; bin < bins.size(); bin++) {
        weights += bins.weight(bin);
        assertTrue(bins.weight(bin) >= 1, sample.name());
        assertTrue(bin == 0 || bins.lower(bin) > bins.lower(bin - 1), sample.name());
      }
      assertEquals(1L << bins.logStates(), weights, sample.name());
      for (int value : sample.values()) {
        final int bin = bins.find(value);
        assertTrue(value - bins.lower(bin) < 1L << bins.offsetBits(bin) && value >= bins.lower(bin), sample.name());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "                              | 3 | tans has 1 bytes, expected at least 32",
    "07 00 00 00 00 00 00 00       | 3 | tans has 2^7 states, expected 2^0 or 2^8 to 2^11",
    "0c 00 00 00 00 00 00 00       | 3 | tans has 2^12 states, expected 2^0 or 2^8 to 2^11",
    "00 00 20 00 00 00 00 00       | 3 | tans has bins of 32 bits, expected 0 to 31",
    "00 00 1f 00 00 00 00 00       | 3 | tans has 33 bytes, expected at least 39",
    "00 01 00 00 00 00 00 00 00 00 00 | 3 | tans has weights of 2 in all, expected 1",
    "00 00 00 ff ff ff ff 00 00 00 | 3 | tans has a bin from -1, expected 0 to 2^31 - 1",
    "00 00 01 ff ff ff 7f 20 00 00 | 3 | tans has a bin from 2147483648, expected 0 to 2^31 - 1",
    "00 00 00 05 00 00 00 00 01 00 | 3 | tans has blocks of 1 bytes, expected 0"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(("06 " + (hex == null ? "" : hex + " 00".repeat(24))).strip(), numValues, message);
  }
}
