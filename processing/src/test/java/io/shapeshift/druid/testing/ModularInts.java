// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.IntReader;
import io.shapeshift.druid.api.IntUse;
import io.shapeshift.druid.api.IntValues;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.SizeEstimate;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** Encoding of another jar for tests: ints that count in steps of 7, modulo 1009. It stores nothing else. */
public final class ModularInts implements IntEncoding {
  public static final int STEP = 7;
  public static final int MODULUS = 1009;

  private final String name;

  public ModularInts(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ReadCost cost() {
    return ReadCost.NONE;
  }

  @Override
  public Set<IntUse> uses() {
    return EnumSet.allOf(IntUse.class);
  }

  @Override
  public SizeEstimate estimate(IntValues values) {
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != valueAt(values.get(0), i)) {
        return SizeEstimate.skip();
      }
    }
    return SizeEstimate.exact(Integer.BYTES);
  }

  private static int valueAt(int first, int index) {
    return (first + index * STEP) % MODULUS;
  }

  @Override
  public double scanNanos(IntValues values) {
    return 0.2;
  }

  @Override
  public double sparseNanos(IntValues values) {
    return 0;
  }

  @Override
  public void encode(IntValues values, ByteBuffer out) {
    out.putInt(values.get(0));
  }

  @Override
  public IntReader open(ByteBuffer chunk, int numValues) {
    if (chunk.limit() != Integer.BYTES || chunk.getInt(0) < 0 || chunk.getInt(0) >= MODULUS) {
      throw new DamagedChunkException("no four bytes below " + MODULUS);
    }
    final int first = chunk.getInt(0);
    return index -> valueAt(first, index);
  }
}
