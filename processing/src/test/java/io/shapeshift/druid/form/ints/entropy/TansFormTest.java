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
import java.util.Collections;
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
    // Offsets of more than 18 bits cannot be stored.
    return Arrays.stream(values).max().getAsInt() < 1 << 18 ? Estimate.Kind.EXACT : null;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int numBins = (chunk.get() & 0xFF) + 1;
    final int width = chunk.get();
    final int min = Reference.word(chunk, 4);
    final Bits head = new Bits(chunk);
    final int[] weights = new int[numBins];
    final int[] offsetBits = new int[numBins];
    final int[] lowers = new int[numBins];
    for (int bin = 0; bin < numBins; bin++) {
      weights[bin] = head.next(10) + 1;
      offsetBits[bin] = head.next(5);
      lowers[bin] = min + head.next(width);
    }
    final int[] blockBytes = new int[(numValues + 1023) / 1024];
    for (int block = 0; block < blockBytes.length; block++) {
      blockBytes[block] = Reference.word(chunk, 2);
    }
    final List<Integer> binOf = new ArrayList<>();
    for (int bin = 0; bin < numBins; bin++) {
      binOf.addAll(Collections.nCopies(weights[bin], bin));
    }
    final int[] values = new int[numValues];
    for (int block = 0; block < blockBytes.length; block++) {
      final int end = chunk.position() + blockBytes[block];
      final Bits bits = new Bits(chunk);
      final int[] states = IntStream.range(0, 8).map(coder -> bits.next(10)).toArray();
      final int length = Math.min(1024, numValues - 1024 * block);
      for (int i = 0; i < (length + 7) / 8 * 8; i++) {
        final int now = states[i % 8];
        final int bin = binOf.get(now);
        final int x = weights[bin] + (int) IntStream.range(0, 1024)
            .filter(state -> binOf.get(state) == bin && reversed(state) < reversed(now))
            .count();
        int numBits = 0;
        while (x << numBits < 1024) {
          numBits++;
        }
        states[i % 8] = (bits.next(numBits) << (10 - numBits)) + reversed((x << numBits) - 1024);
        final int value = lowers[bin] + bits.next(offsetBits[bin]);
        if (i < length) {
          values[1024 * block + i] = value;
        }
      }
      assertEquals(end, chunk.position());
    }
    assertEquals(16, chunk.remaining());
    return values;
  }

  /** A state with its ten bits in the other order. */
  private static int reversed(int state) {
    return Integer.reverse(state) >>> 22;
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

  /** The last turn of the coders may have more values or fewer. */
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
    samples.add(new Sample("the greatest and those below", IntStream.range(0, 3000)
        .map(i -> Integer.MAX_VALUE - i * 7 % 3).toArray()));
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
    // Two bits are the entropy of 1/2, 1/4, 1/8, ...; a block has 10 bytes of states, and 2 of its length.
    assertTrue(bytes < 1.01 * 2 * values.length / 8 + 16 * 12 + 100, () -> bytes + " bytes");
  }

  /** Bins without overlaps in which all values are; the weights add up. */
  @Test
  void binsHaveAllValues(RandomData random) {
    for (Sample sample : hardSamples(random)) {
      final Bins bins = Bins.of(IntStatistics.of(sample.values(), sample.values().length));
      assertTrue(bins.size() <= Bins.MAX, sample.name());
      if (bins.size() == 0) {
        continue;
      }
      long weights = 0;
      for (int bin = 0; bin < bins.size(); bin++) {
        weights += bins.weight(bin);
        assertTrue(bins.weight(bin) >= 1, sample.name());
        assertTrue(bin == 0 || bins.lower(bin) > bins.lower(bin - 1), sample.name());
      }
      assertEquals(1024, weights, sample.name());
      for (int i = 0; i < sample.values().length; i++) {
        final int value = sample.values()[i];
        final int bin = bins.binOf(i);
        assertTrue(value - bins.lower(bin) < 1L << bins.offsetBits(bin) && value >= bins.lower(bin), sample.name());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "                          | 3 | tans has 1 bytes, expected at least 23",
    "00 20 00 00 00 00         | 3 | tans has bins of 32 bits, expected 0 to 31",
    "00 1f 00 00 00 00         | 3 | tans has 23 bytes, expected at least 31",
    "00 00 00 00 00 00 ff 4f 00 00 | 3 | tans has offsets of 19 bits, expected 0 to 18",
    "00 00 00 00 00 00 01 00 00 00 | 3 | tans has weights of 2 in all, expected 1024",
    "00 00 ff ff ff ff ff 03 00 00 | 3 | tans has a bin from -1, expected 0 to 2^31 - 1",
    "00 01 ff ff ff 7f ff 83 00 00 | 3 | tans has a bin from 2147483648, expected 0 to 2^31 - 1",
    "00 00 05 00 00 00 ff 03 01 00 | 3 | tans has blocks of 1 bytes, expected 0"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(("06 " + (hex == null ? "" : hex + " 00".repeat(16))).strip(), numValues, message);
  }
}
