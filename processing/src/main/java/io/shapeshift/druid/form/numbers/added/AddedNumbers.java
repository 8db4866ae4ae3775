// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.added;

import io.shapeshift.druid.api.NumberReader;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import javax.annotation.Nullable;

/** Shape that reads through the reader of another jar's encoding, and reports whatever that throws. */
final class AddedNumbers extends NumberShape {
  @Nullable
  private NumberReader reader;
  private String name = "";

  AddedNumbers(NumberScratch scratch) {
    super(scratch);
  }

  void read(String encoding, NumberReader newReader) {
    name = encoding;
    reader = newReader;
  }

  @Override
  public long getLong(int index) {
    try {
      return reader.get(index);
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
  }

  @Override
  public void get(long[] out, int at, int start, int length) {
    try {
      reader.get(start, out, at, length);
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
  }

  @Override
  public void get(float[] out, int at, int start, int length) {
    final long[] bits = scratch.longs(length);
    get(bits, 0, start, length);
    for (int i = 0; i < length; i++) {
      out[at + i] = Float.intBitsToFloat((int) bits[i]);
    }
  }

  @Override
  protected void release() {
    reader = null;
  }
}
