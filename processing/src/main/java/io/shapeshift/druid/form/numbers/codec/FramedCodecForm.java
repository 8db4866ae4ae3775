// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.codec;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.frame.Frame;
import io.shapeshift.druid.form.numbers.frame.FramedForm;

/** Form for numbers in a {@link Frame} whose ints are compressed. */
public final class FramedCodecForm extends FramedForm implements CodecForm<NumberChunk, NumberChunkReader> {
  private final CompressedForm child;

  public FramedCodecForm(Frame frame, CompressedForm child) {
    super(frame, child);
    this.child = child;
  }

  /** Infinite, because Druid compresses numbers without a frame. */
  @Override
  public double allowedOverDruid(OptimizationTarget target) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public Trial tryQuickly(NumberChunk chunk) {
    final Trial ints = child.tryQuickly(frame.framed(chunk).ints());
    return new Trial(ints.best() + frameSize(chunk), ints.plain() + frameSize(chunk));
  }

  @Override
  public int bestSize(NumberChunk chunk) {
    return child.bestSize(frame.framed(chunk).ints()) + frameSize(chunk);
  }
}
