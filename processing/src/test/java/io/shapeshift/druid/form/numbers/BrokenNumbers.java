// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.ints.BrokenInts;

/** Makes readers of chunks fail, for tests of those who read with them. */
public final class BrokenNumbers {
  private BrokenNumbers() {}

  /** Makes all reads fail until the reader is transformed again. */
  public static void breakReads(NumberChunkReader reader) {
    BrokenInts.breakReads(reader.framedInts());
    reader.transformTo(new NumberShape(reader.scratch) {
      @Override
      public long getLong(int index) {
        return scratch.framed().get(index);
      }
    });
  }
}
