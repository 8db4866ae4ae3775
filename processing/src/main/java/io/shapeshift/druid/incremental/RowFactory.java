// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRow;

/**
 * Makes Druid's rows. Their class is final, and its constructors are for Druid's package alone, which a class of an
 * extension is never in: it has another class loader.
 */
final class RowFactory {
  private static final MethodHandle CONSTRUCTOR = constructor();

  private RowFactory() {
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

  /** A row of an index. */
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
