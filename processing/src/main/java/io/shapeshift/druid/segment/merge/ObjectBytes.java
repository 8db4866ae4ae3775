// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.ObjectStrategy;

/** Strategy whose objects are the bytes that the strategy of a complex type makes of its objects. */
public final class ObjectBytes implements ObjectStrategy<byte[]> {
  /** The only instance. */
  public static final ObjectStrategy<byte[]> STRATEGY = new ObjectBytes();

  private ObjectBytes() {}

  @Override
  public Class<byte[]> getClazz() {
    return byte[].class;
  }

  @Override
  public byte[] fromByteBuffer(ByteBuffer buffer, int numBytes) {
    final byte[] bytes = new byte[numBytes];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public byte[] toBytes(@Nullable byte[] value) {
    return value == null ? new byte[0] : value;
  }

  @Override
  public int compare(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other);
  }
}
