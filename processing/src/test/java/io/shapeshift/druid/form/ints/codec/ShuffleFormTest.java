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
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShuffleFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new ShuffleForm();
  }

  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final int numBytes = Reference.bytesPerValue(values);
    return numBytes == 1 || values.length * numBytes > 65_536 ? Estimate.Kind.SKIP : Estimate.Kind.EXACT;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    return Reference.shuffled(chunk, chunk.get());
  }

  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return true;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      samples.add(new Sample(length + " from 0 to 2^31-1", random.fullRange(length)));
      samples.add(new Sample(length + " with zeros between", random.sparse(length, 24, 2)));
    }
    return samples;
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0d                   | 3 | shuffle has 1 bytes, expected at least 2",
    "0d 01 01 2c 02       | 3 | shuffle has words of 1 bytes, expected 2 to 4",
    "0d 05 01 2c 02       | 3 | shuffle has words of 5 bytes, expected 2 to 4",
    "0d ff 01 2c 02       | 3 | shuffle has words of -1 bytes, expected 2 to 4",
    "0d 02 01 2c 02 00 01 | 3 | shuffle has 5 bytes, expected 6"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
