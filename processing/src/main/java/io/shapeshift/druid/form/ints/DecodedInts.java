// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/** Reader of a chunk that its form decodes completely, into a pooled array. */
public final class DecodedInts extends IntShape {
  @Nullable
  private ResourceHolder<int[]> holder;
  @Nullable
  private int[] values;

  /**
   * Starts a chunk whose values the caller writes to the returned array.
   *
   * @return an array of {@link io.shapeshift.druid.form.Limits#MAX_DIRECT_INTS}
   */
  public int[] start(int numValues) {
    if (holder == null) {
      holder = IntPools.INTS.take();
      values = holder.get();
    }
    this.numValues = numValues;
    return values;
  }

  @Override
  public int get(int index) {
    return values[index];
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    System.arraycopy(values, start, out, offset, length);
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = values[indexes[i] - base];
    }
  }

  @Override
  protected void release() {
    if (holder != null) {
      holder.close();
      holder = null;
      values = null;
    }
  }
}
