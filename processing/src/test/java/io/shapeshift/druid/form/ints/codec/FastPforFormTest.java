// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import me.lemire.integercompression.FastPFOR;
import me.lemire.integercompression.IntWrapper;
import me.lemire.integercompression.SkippableComposition;
import me.lemire.integercompression.VariableByte;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FastPforFormTest extends FormContract {
  @Override
  public int borrows() {
    return 1;
  }

  @Override
  public IntForm form() {
    return new FastPforForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return values.length > 16_384 ? Estimate.Kind.SKIP : Estimate.Kind.TRY;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int[] words = new int[chunk.remaining() / 4];
    chunk.asIntBuffer().get(words);
    final int[] values = new int[numValues];
    new SkippableComposition(new FastPFOR(), new VariableByte())
        .headlessUncompress(words, new IntWrapper(), words.length, values, new IntWrapper(), numValues);
    return values;
  }

  @Test
  void refusesMoreValuesThanAreDecodedAtOnce() {
    assertRefused("06 00 00 00 00 81", 16_385, "fastpfor has 16385 values, but can have at most 16384");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "06 00 00 00             | 3   | fastpfor has 4 bytes, expected at least 5",
    "06 00 00 00 00 81       | 3   | fastpfor has 6 bytes, expected 5",
    "06 00 00 00 00 81 82 83 84 85 86 87 88 | 3 | fastpfor has 3 words, but its 3 values use 2",
    "06 00 00 00 00          | 256 | fastpfor: the description of frames starts at 0, in 1 words",
    "06 01 00 00 00          | 256 | fastpfor: the description of frames starts at 1, in 1 words",
    "06 ff ff ff ff          | 256 | fastpfor: the description of frames starts at -1, in 1 words",
    "06 01 00 00 00 ff ff ff ff | 256 | fastpfor: the description of frames has a size of -1, in 2 words",
    "06 01 00 00 00 02 00 00 00 | 256 | fastpfor: the widths of exceptions stand at 3, in 2 words",
    "06 01 00 00 00 00 00 00 00 02 00 00 00 | 256 | fastpfor: the number of exceptions stands at 3, in 3 words"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }

  /** JavaFastPFOR would allocate an array of whatever number it finds. */
  @Test
  void refusesMoreExceptionsThanValues() {
    final String head = "06 01 00 00 00 00 00 00 00 02 00 00 00 ";
    assertRefused(head + "01 01 00 00", 256, "fastpfor: the number of exceptions is 257, in 4 words");
    assertRefused(head + "ff ff ff 7f", 256, "fastpfor: the number of exceptions is 2147483647, in 4 words");
    assertRefused(head + "ff ff ff ff", 256, "fastpfor: the number of exceptions is -1, in 4 words");
    assertRefused(head + "00 00 00 00", 256, "fastpfor: the number of exceptions is 0, in 4 words");
    assertRefused(head + "20 00 00 00", 256, "fastpfor: the exceptions end at 6, in 4 words");
  }

  /** JavaFastPFOR would take what a former chunk left in its arrays for exceptions. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "01 00 00 00 | 00       | the description of frames ends in frame 0",
    "03 00 00 00 | 00 00 00 | the description of all frames ends at byte 2",
    "02 00 00 00 | 21 00    | the width of a frame is 33",
    "02 00 00 00 | 01 00    | the packed values end at 9",
    "03 00 00 00 | 00 01 02 | the description of frames ends in frame 0",
    "04 00 00 00 | 00 01 00 00 | the width of exceptions is 0",
    "04 00 00 00 | 00 01 21 00 | the width of exceptions is 33",
    "04 00 00 00 | 00 01 02 00 | exceptions are missing or left over of width 2"
  })
  void refusesADescriptionThatContradictsTheRest(String size, String description, String message) {
    final String padded = (description + " 00 00 00").substring(0, 11);
    assertRefused(
        "06 01 00 00 00 " + size + " " + padded + " 00 00 00 00",
        256,
        "fastpfor: " + message + ", in 4 words"
    );
  }

  /** Fewer values than were written can end in the same word. */
  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  /** Frames with each number of exceptions, up to all values but one, and with exceptions of each width. */
  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int exceptions : new int[] {1, 2, 31, 32, 33, 64, 127, 128, 129, 200, 254, 255, 256}) {
      for (int exceptionWidth : new int[] {1, 2, 9, 30, 31}) {
        final int[] frame = RandomData.constant(256 + 5, 0);
        for (int i = 0; i < exceptions; i++) {
          frame[i] = random.ofWidth(exceptionWidth);
        }
        samples.add(new Sample(exceptions + " exceptions of " + exceptionWidth + " bits", frame));
      }
    }
    final int[] allWidths = new int[Limits.MAX_DIRECT_INTS];
    for (int i = 0; i < allWidths.length; i++) {
      allWidths[i] = random.nextInt(12) == 0 ? random.ofWidth(1 + i / 256 % 31) : 0;
    }
    samples.add(new Sample("exceptions of all widths", allWidths));
    samples.add(new Sample("many exceptions", random.exceptions(Limits.MAX_DIRECT_INTS, 1, 31, 10)));
    return samples;
  }
}
