// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.NumberEncoding;
import io.shapeshift.druid.api.NumberKind;
import io.shapeshift.druid.api.NumberReader;
import io.shapeshift.druid.api.NumberValues;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.SizeEstimate;
import java.nio.ByteBuffer;
import java.util.Set;

/** Encoding of another jar for tests: doubles that are the square roots of consecutive integers, and nothing else. */
public final class RootNumbers implements NumberEncoding {
  public static final String NAME = "test.roots";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ReadCost cost() {
    return ReadCost.NONE;
  }

  @Override
  public Set<NumberKind> kinds() {
    return Set.of(NumberKind.DOUBLE);
  }

  @Override
  public SizeEstimate estimate(NumberValues values) {
    final int first = first(values);
    for (int i = 0; i < values.size(); i++) {
      if (values.bits(i) != bits(first + i)) {
        return SizeEstimate.skip();
      }
    }
    return SizeEstimate.exact(Integer.BYTES);
  }

  private static int first(NumberValues values) {
    final double root = Double.longBitsToDouble(values.bits(0));
    return (int) Math.round(root * root);
  }

  private static long bits(int number) {
    return Double.doubleToRawLongBits(Math.sqrt(number));
  }

  @Override
  public double scanNanos(NumberValues values) {
    return 0.4;
  }

  @Override
  public void encode(NumberValues values, ByteBuffer out) {
    out.putInt(first(values));
  }

  @Override
  public NumberReader open(ByteBuffer chunk, NumberKind kind, int numValues) {
    if (chunk.limit() != Integer.BYTES) {
      throw new DamagedChunkException("no four bytes");
    }
    final int first = chunk.getInt(0);
    return index -> bits(first + index);
  }
}
