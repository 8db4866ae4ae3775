// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

/** Makes readers of chunks fail, for tests of those who read with them. */
public final class BrokenInts {
  private BrokenInts() {}

  /** Makes all reads fail until the reader is transformed again: it takes the shape of values that nobody decoded. */
  public static void breakReads(IntChunkReader reader) {
    reader.close();
    reader.transformTo(new DecodedInts());
  }
}
