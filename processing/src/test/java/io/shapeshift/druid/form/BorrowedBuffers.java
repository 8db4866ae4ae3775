// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.segment.CompressedPools;

/** Shows tests of other packages what the pools have lent. */
public final class BorrowedBuffers {
  private static final List<StupidPool<?>> PAYLOADS =
      List.of(poolOfDruid("LITTLE_ENDIAN_BYTE_BUF_POOL"), poolOfDruid("BIG_ENDIAN_BYTE_BUF_POOL"));

  private BorrowedBuffers() {}

  /** How many arrays and buffers are borrowed, from our pools and from those of Druid's columns. */
  public static long count() {
    return Pool.borrowed() + PAYLOADS.stream().mapToLong(pool -> pool.objectsCreatedCount() - pool.poolSize()).sum();
  }

  /** How many buffers for payloads Druid's pools ever made. */
  public static long payloadsCreated() {
    return PAYLOADS.stream().mapToLong(StupidPool::objectsCreatedCount).sum();
  }

  private static StupidPool<?> poolOfDruid(String name) {
    try {
      final Field field = CompressedPools.class.getDeclaredField(name);
      field.setAccessible(true);
      return (StupidPool<?>) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
