// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A chunk in a codec takes no more than the same values in any codec as Druid's own columns have them. */
class DruidsCodecTest {
  private static final int CHUNKS = 40;

  /** Short chunks of floats that repeat with some noise, of which quick variants say little. */
  @Test
  void isNotLargerThanDruidsInAnyCodec() {
    for (int seed = 0; seed < CHUNKS; seed++) {
      final Random random = new Random(seed);
      final float[] repeated = {some(random), some(random), some(random)};
      final NumberChunk chunk = new NumberChunk(NumberType.FLOAT);
      for (int i = 0; i < 165; i++) {
        final int at = random.nextInt(40) == 0 ? random.nextInt(3) : i % 3;
        chunk.add(Integer.toUnsignedLong(Float.floatToRawIntBits(repeated[at])));
      }
      checkNotLarger(chunk, seed);
    }
  }

  private static float some(Random random) {
    return random.nextInt(1 << 28) * 7f;
  }

  /** Periods of noise, which the thorough variants find and the quick ones do not. */
  @Test
  void isNotLargerThanDruidsWithPeriods() {
    for (int seed = 0; seed < CHUNKS; seed++) {
      final Random random = new Random(seed);
      final int period = 20 + random.nextInt(400);
      final float[] values = new float[500 + random.nextInt(1_500)];
      final NumberChunk chunk = new NumberChunk(NumberType.FLOAT);
      for (int i = 0; i < values.length; i++) {
        values[i] = i < period ? (float) random.nextGaussian() : values[i - period];
        chunk.add(Integer.toUnsignedLong(Float.floatToRawIntBits(values[i])));
      }
      checkNotLarger(chunk, seed);
    }
  }

  private static void checkNotLarger(NumberChunk chunk, int seed) {
    final OptimizationTarget target = OptimizationTarget.SMALLER;
    final FormSelector<NumberChunk> selector = FormSelector.forNumbers(NumberType.FLOAT, target);
    final FormSelector.Choice<NumberChunk> direct = selector.chooseDirect(chunk, SelectionTrace.NONE);
    final FormSelector.Choice<NumberChunk> codec =
        selector.chooseCodec(chunk, direct.bytes(), direct.weight(), new CodecHistory(), SelectionTrace.NONE);
    if (codec.form() == null) {
      return;
    }
    final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    codec.form().encode(chunk, out);
    for (NumberForm form : NumberForms.of(NumberType.FLOAT)) {
      if (form instanceof CodecForm<?, ?> && Double.isFinite(((CodecForm<?, ?>) form).allowedOverDruid(target))) {
        @SuppressWarnings("unchecked")
        final CodecForm<NumberChunk, ?> druids = (CodecForm<NumberChunk, ?>) form;
        final double most = druids.plainSize(chunk) * druids.allowedOverDruid(target);
        assertTrue(out.position() <= most, () -> "seed " + seed + ": " + codec.form().name() + " takes "
            + out.position() + " bytes, " + form.name() + " " + druids.plainSize(chunk));
      }
    }
  }
}
