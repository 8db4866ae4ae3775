// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.added;

import io.shapeshift.druid.api.IntReader;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import javax.annotation.Nullable;

/** Shape that reads through the reader of another jar's encoding, and reports whatever that throws. */
final class AddedInts extends IntShape {
  @Nullable
  private IntReader reader;
  private String name = "";

  AddedInts(Scratch scratch) {}

  void read(String encoding, IntReader newReader, int length) {
    name = encoding;
    reader = newReader;
    numValues = length;
  }

  private MalformedChunkException failed(Throwable e) {
    return AddedForm.notRead(name, e);
  }

  @Override
  public int get(int index) {
    try {
      return reader.get(index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    try {
      reader.get(start, out, offset, length);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    try {
      for (int i = from; i < to; i++) {
        out[i] = reader.get(indexes[i] - base);
      }
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public long least() {
    try {
      return reader.least();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public long greatest() {
    try {
      return reader.greatest();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public boolean hasCertainBounds() {
    return false;
  }

  @Override
  protected void release() {
    reader = null;
  }
}
