// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;

/** Coding in {@link ChainedBucket}s, which is never larger than Druid's front coding. It has no model. */
public final class ChainedCoding implements TextCoding {
  /** The coding. */
  public static final ChainedCoding INSTANCE = new ChainedCoding();

  static final byte ID = 2;

  private static final int LOG_SIZE = 4;

  private ChainedCoding() {}

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "chained";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Texts.CHAINED_COST;
  }

  @Override
  public int logSize() {
    return LOG_SIZE;
  }

  @Override
  public boolean hasKeys() {
    return false;
  }

  @Override
  public BucketWriter writer() {
    return new ChainedBucket.Writer();
  }

  @Override
  public BucketReader reader(ByteBuffer buffer) {
    return new ChainedBucket.Reader(buffer);
  }
}
