// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.ObjectStrategy;

/**
 * Reader of names as in Druid, except that it does not allocate an array of a damaged length, which may be up to 2 GiB.
 */
final class NameStrategy implements ObjectStrategy<String> {
  static final NameStrategy INSTANCE = new NameStrategy();

  private NameStrategy() {}

  @Override
  public Class<String> getClazz() {
    return String.class;
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if fewer bytes are left
   */
  @Nullable
  @Override
  public String fromByteBuffer(ByteBuffer buffer, int numBytes) {
    if (numBytes > buffer.remaining()) {
      throw new IllegalArgumentException(
          "index.drd has a name of " + numBytes + " bytes, but " + buffer.remaining() + " are left");
    }
    return GenericIndexed.STRING_STRATEGY.fromByteBuffer(buffer, numBytes);
  }

  @Nullable
  @Override
  public byte[] toBytes(@Nullable String name) {
    return GenericIndexed.STRING_STRATEGY.toBytes(name);
  }

  @Override
  public int compare(@Nullable String left, @Nullable String right) {
    return GenericIndexed.STRING_STRATEGY.compare(left, right);
  }
}
