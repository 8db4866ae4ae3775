// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers in a frame and a codec take no more than the same numbers in any codec as Druid's own columns have them. */
class DruidsCodecTest {
  private static final int CHUNKS = 40;

  /** Short chunks of floats that repeat with some noise, of which quick variants say little. */
  @Test
  void isNotLargerThanDruidsInAnyCodec() {
    int replaced = 0;
    for (int seed = 0; seed < CHUNKS; seed++) {
      final Random random = new Random(seed);
      final float[] repeated = {some(random), some(random), some(random)};
      final NumberChunk chunk = new NumberChunk(NumberType.FLOAT);
      for (int i = 0; i < 165; i++) {
        final int at = random.nextInt(40) == 0 ? random.nextInt(3) : i % 3;
        chunk.add(Integer.toUnsignedLong(Float.floatToRawIntBits(repeated[at])));
      }
      replaced += checkNotLarger(chunk, seed) ? 1 : 0;
    }
    assertTrue(replaced > 0, "a chunk of which Druid's own column is smaller");
  }

  private static float some(Random random) {
    return random.nextInt(1 << 28) * 7f;
  }

  /** Whether a codec of Druid's values took the place of one in a frame. */
  private static boolean checkNotLarger(NumberChunk chunk, int seed) {
    final OptimizationTarget target = OptimizationTarget.SMALLER;
    final FormSelector<NumberChunk> selector = FormSelector.forNumbers(NumberType.FLOAT, target);
    final FormSelector.Choice<NumberChunk> direct = selector.chooseDirect(chunk, SelectionTrace.NONE);
    final List<CodecTrial> trials = new ArrayList<>();
    final FormSelector.Choice<NumberChunk> codec = selector.chooseCodec(
        chunk, direct.bytes(), direct.weight(), new CodecHistory(), new SelectionTrace() {
          @Override
          public void tried(CodecTrial trial) {
            trials.add(trial);
          }
        });
    if (codec.form() == null || (!replaced(trials) && storesDruidsValues(codec.form(), target))) {
      return false;
    }
    final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    codec.form().encode(chunk, out);
    for (NumberForm form : NumberForms.of(NumberType.FLOAT)) {
      if (storesDruidsValues(form, target)) {
        @SuppressWarnings("unchecked")
        final CodecForm<NumberChunk, ?> druids = (CodecForm<NumberChunk, ?>) form;
        final double most = druids.plainSize(chunk) * druids.allowedOverDruid(target);
        assertTrue(out.position() <= most, () -> "seed " + seed + ": " + codec.form().name() + " takes "
            + out.position() + " bytes, " + form.name() + " " + druids.plainSize(chunk));
      }
    }
    return replaced(trials);
  }

  private static boolean replaced(List<CodecTrial> trials) {
    return trials.stream().anyMatch(trial -> trial.verdict() == CodecTrial.Verdict.LARGER_THAN_DRUIDS);
  }

  private static boolean storesDruidsValues(Form<?, ?> form, OptimizationTarget target) {
    return form instanceof CodecForm<?, ?> codec && Double.isFinite(codec.allowedOverDruid(target));
  }
}
