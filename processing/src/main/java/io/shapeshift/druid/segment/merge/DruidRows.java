// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.IntBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexMergerBase;
import org.apache.druid.segment.RowPointer;
import org.apache.druid.segment.TimeAndDimsIterator;
import org.apache.druid.segment.TimeAndDimsPointer;

/**
 * What Druid's rows tell nobody but its own package while they are merged: a class of an extension is never in that
 * package, as it has another class loader.
 */
final class DruidRows {
  private static final MethodHandles.Lookup DRUID = lookup();
  private static final Class<?> COMBINING = find("RowCombiningTimeAndDimsIterator");
  private static final Class<?> MERGING = find("MergingRowIterator");
  private static final Class<?> RESULT = find("IndexMergerBase$IndexMergeResult");

  private static final MethodHandle TIME = time();
  private static final MethodHandle DIMENSIONS = method(TimeAndDimsPointer.class, "getNumDimensions", int.class);
  private static final MethodHandle DIMENSION =
      method(TimeAndDimsPointer.class, "getDimensionSelector", ColumnValueSelector.class, int.class);
  private static final MethodHandle METRIC =
      method(TimeAndDimsPointer.class, "getMetricSelector", ColumnValueSelector.class, int.class);
  private static final MethodHandle INDEX = method(RowPointer.class, "getIndexNum", int.class);
  private static final MethodHandle NEXT_COMBINED =
      ofIterator("nextCurrentlyCombinedOriginalIteratorIndex");
  private static final MethodHandle FIRST_ROW =
      ofIterator("getMinCurrentlyCombinedRowNumByOriginalIteratorIndex");
  private static final MethodHandle LAST_ROW =
      ofIterator("getMaxCurrentlyCombinedRowNumByOriginalIteratorIndex");
  private static final MethodHandle NEW_RESULT = newResult();

  private DruidRows() {
  }

  private static MethodHandles.Lookup lookup() {
    try {
      return MethodHandles.privateLookupIn(IndexMergerBase.class, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw otherDruid(e);
    }
  }

  private static LinkageError otherDruid(ReflectiveOperationException e) {
    return new LinkageError("This version of Druid merges rows in another way", e);
  }

  private static Class<?> find(String name) {
    try {
      return DRUID.findClass(IndexMergerBase.class.getPackageName() + "." + name);
    } catch (ReflectiveOperationException e) {
      throw otherDruid(e);
    }
  }

  private static MethodHandle time() {
    try {
      return DRUID.findGetter(TimeAndDimsPointer.class, "timestampSelector", ColumnValueSelector.class);
    } catch (ReflectiveOperationException e) {
      throw otherDruid(e);
    }
  }

  private static MethodHandle method(Class<?> type, String name, Class<?> result, Class<?>... parameters) {
    try {
      return DRUID.findVirtual(type, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw otherDruid(e);
    }
  }

  private static MethodHandle ofIterator(String name) {
    return method(COMBINING, name, int.class, int.class)
        .asType(MethodType.methodType(int.class, TimeAndDimsIterator.class, int.class));
  }

  private static MethodHandle newResult() {
    try {
      return DRUID.findConstructor(RESULT, MethodType.methodType(void.class, List.class, int.class))
          .asType(MethodType.methodType(Object.class, List.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw otherDruid(e);
    }
  }

  private static RuntimeException rethrown(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    if (e instanceof RuntimeException exception) {
      throw exception;
    }
    throw new LinkageError("A method that throws nothing has thrown", e);
  }

  /**
   * Looks whether this Druid has it all.
   *
   * @throws LinkageError if not
   */
  static void check() {
    // Done when the class is initialised.
  }

  /** Whether rows with the same dimensions are rolled up. */
  static boolean isCombining(TimeAndDimsIterator rows) {
    return COMBINING.isInstance(rows);
  }

  /** Whether rows are merged and not rolled up; then they are {@link RowPointer}s. */
  static boolean isMerging(TimeAndDimsIterator rows) {
    return MERGING.isInstance(rows);
  }

  static ColumnValueSelector<?> time(TimeAndDimsPointer row) {
    try {
      return (ColumnValueSelector) TIME.invokeExact(row);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  static int dimensions(TimeAndDimsPointer row) {
    try {
      return (int) DIMENSIONS.invokeExact(row);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  static ColumnValueSelector<?> dimension(TimeAndDimsPointer row, int dimension) {
    try {
      return (ColumnValueSelector) DIMENSION.invokeExact(row, dimension);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  static ColumnValueSelector<?> metric(TimeAndDimsPointer row, int metric) {
    try {
      return (ColumnValueSelector) METRIC.invokeExact(row, metric);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** The number of a row's adapter. */
  static int adapter(RowPointer row) {
    try {
      return (int) INDEX.invokeExact(row);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** The number of the next adapter with rows that are rolled up into the current one, from one on; or -1. */
  static int nextCombined(TimeAndDimsIterator rows, int from) {
    try {
      return (int) NEXT_COMBINED.invokeExact(rows, from);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** The first of an adapter's rows that are rolled up into the current one. */
  static int firstRow(TimeAndDimsIterator rows, int adapter) {
    try {
      return (int) FIRST_ROW.invokeExact(rows, adapter);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** The last of an adapter's rows that are rolled up into the current one. */
  static int lastRow(TimeAndDimsIterator rows, int adapter) {
    try {
      return (int) LAST_ROW.invokeExact(rows, adapter);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** What a merge of rows tells: an {@code IndexMergeResult}, which is for Druid's mergers alone. */
  static Object result(@Nullable List<IntBuffer> conversions, int rows) {
    try {
      return (Object) NEW_RESULT.invokeExact(conversions, rows);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }
}
