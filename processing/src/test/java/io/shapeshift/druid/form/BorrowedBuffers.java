// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.lang.reflect.Field;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.segment.CompressedPools;

/** Shows tests of other packages what the pools have lent. */
public final class BorrowedBuffers {
  private BorrowedBuffers() {}

  /** How many arrays and buffers are borrowed, from our pools and from those of Druid's columns. */
  public static long count() {
    return Pools.borrowed() + borrowed("LITTLE_ENDIAN_BYTE_BUF_POOL") + borrowed("BIG_ENDIAN_BYTE_BUF_POOL");
  }

  private static long borrowed(String poolOfDruid) {
    try {
      final Field field = CompressedPools.class.getDeclaredField(poolOfDruid);
      field.setAccessible(true);
      final StupidPool<?> pool = (StupidPool<?>) field.get(null);
      return pool.objectsCreatedCount() - pool.poolSize();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
