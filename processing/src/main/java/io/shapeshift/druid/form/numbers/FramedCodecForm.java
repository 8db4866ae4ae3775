// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.ints.CompressedForm;

/** Numbers in a {@link Frame} whose ints are compressed. */
final class FramedCodecForm extends FramedForm implements CodecForm<NumberChunk, NumberChunkReader> {
  private final CompressedForm intForm;

  FramedCodecForm(Frame frame, CompressedForm intForm) {
    super(frame, intForm);
    this.intForm = intForm;
  }

  private int frameSize(NumberChunk chunk) {
    return chunk.framed(frame).headerSize();
  }

  /** Druid compresses numbers as they are. */
  @Override
  public boolean isDruids() {
    return false;
  }

  @Override
  public Trial tryQuickly(NumberChunk chunk) {
    final Trial ints = intForm.tryQuickly(chunk.framed(frame).ints());
    return new Trial(ints.best() + frameSize(chunk), ints.plain() + frameSize(chunk));
  }

  @Override
  public int bestSize(NumberChunk chunk) {
    return intForm.bestSize(chunk.framed(frame).ints()) + frameSize(chunk);
  }

  @Override
  public int plainSize(NumberChunk chunk) {
    return intForm.plainSize(chunk.framed(frame).ints()) + frameSize(chunk);
  }
}
