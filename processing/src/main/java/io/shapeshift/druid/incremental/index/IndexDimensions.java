// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;

/**
 * Replacement of string indexers in Druid's {@link IncrementalIndex}. Druid creates the handler of a dimension, and the
 * handler creates its indexer, so the dimensions are replaced in the fields of Druid's class.
 */
final class IndexDimensions {
  private static final MethodHandle BY_NAME = getter("dimensionDescs", Map.class);
  private static final MethodHandle IN_ORDER = getter("dimensionDescsList", List.class);

  private final IncrementalIndex index;
  /** Dimensions by name, and Druid's lock for them. */
  private final Map<String, IncrementalIndex.DimensionDesc> byName;
  private final List<IncrementalIndex.DimensionDesc> inOrder;
  private final boolean discoversTypes;
  private final UnaryOperator<IncrementalIndex.DimensionDesc> replace;

  /**
   * Replaces the dimensions of a new index.
   *
   * @param discoversTypes whether a new dimension is of type {@code auto}, rather than of strings
   * @param replace replacement of a dimension; one that was replaced before is returned as it is
   */
  @SuppressWarnings("unchecked") // Same as Druid's declaration.
  IndexDimensions(
      IncrementalIndex index,
      boolean discoversTypes,
      UnaryOperator<IncrementalIndex.DimensionDesc> replace
  ) {
    this.index = index;
    this.byName = (Map<String, IncrementalIndex.DimensionDesc>) get(BY_NAME, index);
    this.inOrder = (List<IncrementalIndex.DimensionDesc>) get(IN_ORDER, index);
    this.discoversTypes = discoversTypes;
    this.replace = replace;
    replaceAll();
  }

  private static MethodHandle getter(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(IncrementalIndex.class, MethodHandles.lookup())
          .findGetter(IncrementalIndex.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("This version of Druid has another IncrementalIndex", e);
    }
  }

  private static Object get(MethodHandle getter, IncrementalIndex index) {
    try {
      return getter.invoke(index);
    } catch (Throwable e) {
      throw new LinkageError("Reading a field has thrown", e);
    }
  }

  /** Runs code that adds dimensions, and replaces the dimensions. */
  void load(Runnable add) {
    synchronized (byName) {
      add.run();
      replaceAll();
    }
  }

  /** Runs a computation under the lock under which Druid reads a dimension's type. */
  @Nullable
  <T> T locked(Supplier<T> make) {
    synchronized (byName) {
      return make.get();
    }
  }

  private void replaceAll() {
    synchronized (byName) {
      byName.replaceAll((name, dimension) -> replace.apply(dimension));
      inOrder.replaceAll(dimension -> byName.get(dimension.getName()));
    }
  }

  /** Adds the new dimensions of a row, as Druid does when it adds the row. */
  void addNew(InputRow row) {
    if (discoversTypes) {
      return;
    }
    synchronized (byName) {
      for (String name : row.getDimensions()) {
        if (isDimension(name) && !byName.containsKey(name)) {
          add(name, row);
        }
      }
    }
  }

  private void add(String name, InputRow row) {
    final IncrementalIndex.DimensionDesc dimension = replace.apply(
        new IncrementalIndex.DimensionDesc(
            byName.size(),
            name,
            DimensionHandlerUtils.getHandlerFromCapabilities(
                name,
                IncrementalIndex.makeDefaultCapabilitiesFromValueType(ColumnType.STRING),
                null
            )
        )
    );
    if (index.getMaxIngestedEventTime() != null) {
      // Earlier rows have no value in the dimension. The first value is encoded before null, as in Druid.
      encode(dimension, row);
      dimension.getIndexer().setSparseIndexed();
    }
    byName.put(name, dimension);
    inOrder.add(dimension);
  }

  private static void encode(IncrementalIndex.DimensionDesc dimension, InputRow row) {
    try {
      dimension.getIndexer().processRowValsToUnsortedEncodedKeyComponent(row.getRaw(dimension.getName()), false);
    } catch (ParseException e) {
      // Druid meets the same failure when it adds the row, and reports it.
      return;
    }
  }

  private static boolean isDimension(@Nullable String name) {
    return name != null && !name.isEmpty() && !ColumnHolder.TIME_COLUMN_NAME.equals(name);
  }
}
