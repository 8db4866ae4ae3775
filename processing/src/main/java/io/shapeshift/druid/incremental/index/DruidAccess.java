// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRow;
import org.joda.time.DateTime;

/**
 * Access to non-public members of Druid's package, such as the constructor of rows. Uses method handles, because
 * classes of an extension have another class loader and so are never in Druid's package.
 */
final class DruidAccess {
  private static final MethodHandle CONSTRUCTOR = constructor();
  private static final MethodHandle UPDATE_TIME = updateTime();

  private DruidAccess() {
  }

  private static MethodHandle constructor() {
    try {
      return MethodHandles.privateLookupIn(IncrementalIndexRow.class, MethodHandles.lookup())
          .findConstructor(
              IncrementalIndexRow.class,
              MethodType.methodType(void.class, long.class, Object[].class, List.class, int.class)
          );
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("This version of Druid has another IncrementalIndexRow", e);
    }
  }

  private static MethodHandle updateTime() {
    try {
      return MethodHandles.privateLookupIn(IncrementalIndex.class, MethodHandles.lookup())
          .findVirtual(
              IncrementalIndex.class,
              "updateMaxIngestedTime",
              MethodType.methodType(void.class, DateTime.class)
          );
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("This version of Druid has another IncrementalIndex", e);
    }
  }

  /** Updates the maximum time of the inputs of an index, as Druid does with each input. */
  static void updateMaxIngestedTime(IncrementalIndex index, DateTime time) {
    try {
      UPDATE_TIME.invokeExact(index, time);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError("A method that throws nothing has thrown", e);
    }
  }

  /** Creates a row of an index. */
  static IncrementalIndexRow row(
      long timestamp,
      Object[] values,
      List<IncrementalIndex.DimensionDesc> dimensions,
      int index
  ) {
    try {
      return (IncrementalIndexRow) CONSTRUCTOR.invokeExact(timestamp, values, dimensions, index);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError("A constructor that throws nothing has thrown", e);
    }
  }
}
