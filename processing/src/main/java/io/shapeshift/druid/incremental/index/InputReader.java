// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.strings.DirectStringIndexer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.DoubleDimensionIndexer;
import org.apache.druid.segment.EncodedKeyComponent;
import org.apache.druid.segment.FloatDimensionIndexer;
import org.apache.druid.segment.LongDimensionIndexer;
import org.apache.druid.segment.incremental.IncrementalIndex;

/**
 * Encoder of inputs into the values of a row, for an input with the same dimension names as the previous one. Druid's
 * {@link IncrementalIndex} looks up each name of each input, and removes it from a set of all dimensions; this class
 * only compares names with those of the last look-up.
 *
 * <p>For the thread that adds rows, inside {@code Readers}.
 */
final class InputReader {
  private static final Set<Class<?>> NUMBERS =
      Set.of(LongDimensionIndexer.class, DoubleDimensionIndexer.class, FloatDimensionIndexer.class);

  /** Names of the last look-up. */
  private String[] names = {};
  private IncrementalIndex.DimensionDesc[] named = {};
  private IncrementalIndex.DimensionDesc[] absent = {};
  private boolean isReady;
  private boolean isForLock;
  /** Number of consecutive inputs with other names. */
  private int misses;
  private final List<String> failures = new ArrayList<>();
  private long bytes;

  /** Forgets the names, because dimensions may have been added. */
  void reset() {
    isReady = false;
  }

  /**
   * Whether inputs must be read under Druid's lock, because another thread may concurrently request the type of a
   * dimension from its indexer. Indexers of strings and numbers need no lock: each of their changes that affects the
   * type is a single write.
   */
  boolean isForLock() {
    return isForLock;
  }

  /**
   * Returns the values of an input. If the input names other dimensions than the last look-up did, returns null and
   * changes nothing.
   */
  @Nullable
  Object[] read(InputRow row) {
    failures.clear();
    bytes = 0;
    if (!isReady || !hasSameNames(row.getDimensions())) {
      return null;
    }
    misses = 0;
    final Object[] values = new Object[named.length + absent.length];
    for (int i = 0; i < named.length; i++) {
      final IncrementalIndex.DimensionDesc dimension = named[i];
      values[dimension.getIndex()] = encode(dimension.getIndexer(), names[i], row);
    }
    for (IncrementalIndex.DimensionDesc dimension : absent) {
      dimension.getIndexer().setSparseIndexed();
    }
    return values;
  }

  @Nullable
  private Object encode(DimensionIndexer<?, ?, ?> indexer, String name, InputRow row) {
    try {
      final Object value = row.getRaw(name);
      if (indexer instanceof DirectStringIndexer strings) {
        final int[] ids = strings.encode(value);
        bytes += DirectStringIndexer.estimate(ids);
        return ids;
      }
      final EncodedKeyComponent<?> encoded = indexer.processRowValsToUnsortedEncodedKeyComponent(value, true);
      bytes += encoded.getEffectiveSizeBytes();
      return encoded.getComponent();
    } catch (ParseException e) {
      failures.add(e.getMessage());
      return null;
    }
  }

  /** Estimate of Druid's indexers for the values read last, in bytes. */
  long bytes() {
    return bytes;
  }

  /** Parse failures of the input read last, in Druid's words. */
  List<String> failures() {
    return failures;
  }

  private boolean hasSameNames(List<String> other) {
    if (other.size() != names.length) {
      return false;
    }
    int i = 0;
    for (String name : other) {
      if (!names[i++].equals(name)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Looks up the names of an input that Druid has added. After repeated inputs with other names, only every power of
   * two of them is looked up.
   *
   * @param dimensions all dimensions of the index
   * @param find finds a dimension by name
   */
  void learn(
      InputRow row,
      List<IncrementalIndex.DimensionDesc> dimensions,
      Function<String, IncrementalIndex.DimensionDesc> find
  ) {
    isReady = false;
    if (Integer.bitCount(++misses) > 1) {
      return;
    }
    final String[] newNames = row.getDimensions().toArray(new String[0]);
    final Set<IncrementalIndex.DimensionDesc> found = new HashSet<>();
    final IncrementalIndex.DimensionDesc[] newNamed = new IncrementalIndex.DimensionDesc[newNames.length];
    for (int i = 0; i < newNames.length; i++) {
      newNamed[i] = newNames[i] == null ? null : find.apply(newNames[i]);
      if (newNamed[i] == null || !found.add(newNamed[i])) {
        // The time, which is not a dimension, or a repeated name. Druid handles both.
        return;
      }
    }
    names = newNames;
    named = newNamed;
    absent = dimensions.stream().filter(each -> !found.contains(each)).toArray(IncrementalIndex.DimensionDesc[]::new);
    isForLock = dimensions.stream().anyMatch(each -> {
      final DimensionIndexer<?, ?, ?> indexer = each.getIndexer();
      return !(indexer instanceof DirectStringIndexer) && !NUMBERS.contains(indexer.getClass());
    });
    isReady = true;
  }
}
