// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.pool.Pools;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.annotation.Nullable;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.segment.CompressedPools;

/** Shows tests of other packages what the pools have lent. */
public final class BorrowedBuffers {
  private static final List<StupidPool<?>> PAYLOADS =
      List.of(poolOfDruid("LITTLE_ENDIAN_BYTE_BUF_POOL"), poolOfDruid("BIG_ENDIAN_BYTE_BUF_POOL"));

  private BorrowedBuffers() {}

  /** How many arrays and buffers are borrowed, from our pools and from those of Druid's columns. */
  public static long count() {
    return Pools.ofProcess().borrowed()
        + PAYLOADS.stream().mapToLong(pool -> pool.objectsCreatedCount() - pool.poolSize()).sum();
  }

  /** How many buffers for payloads Druid's pools ever made. */
  public static long payloadsCreated() {
    return PAYLOADS.stream().mapToLong(StupidPool::objectsCreatedCount).sum();
  }

  /** How many of what was borrowed from these pools the garbage collector has found to be given back by nobody. */
  public static long noticed() {
    return Pools.ofProcess().leaked() + PAYLOADS.stream()
        .mapToLong(pool -> ((AtomicLong) field(StupidPool.class, "leakedObjectsCounter", pool)).get())
        .sum();
  }

  private static StupidPool<?> poolOfDruid(String name) {
    return (StupidPool<?>) field(CompressedPools.class, name, null);
  }

  private static Object field(Class<?> type, String name, @Nullable Object of) {
    try {
      final Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
