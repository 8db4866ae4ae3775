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
 * Makes the values of a row of an input, as Druid's {@link IncrementalIndex} does, for inputs that name the dimensions
 * that the one before named. Druid looks each name up, and crosses it off in a set of all, for every input; here the
 * names are compared with those that were looked up last.
 *
 * <p>For the thread that adds rows, inside of {@code Readers}.
 */
final class InputReader {
  private static final Set<Class<?>> NUMBERS =
      Set.of(LongDimensionIndexer.class, DoubleDimensionIndexer.class, FloatDimensionIndexer.class);

  /** Names that were looked up; null stands where Druid passes a name over. */
  private String[] names = {};
  private IncrementalIndex.DimensionDesc[] named = {};
  private IncrementalIndex.DimensionDesc[] absent = {};
  private boolean isReady;
  private boolean isForLock;
  /** Inputs of other names, since the last that had the same. */
  private int misses;
  private final List<String> failures = new ArrayList<>();
  private long bytes;

  /** Forgets the names, since there may be other dimensions now. */
  void reset() {
    isReady = false;
  }

  /**
   * Whether inputs are to be read under Druid's lock, as Druid reads them: an indexer may be asked for the type of a
   * dimension meanwhile. Those of strings and of numbers change nothing that is asked for, but one thing at a time.
   */
  boolean isForLock() {
    return isForLock;
  }

  /** The values of an input; null if it names other dimensions than those that are known, and nothing was done. */
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

  /** What Druid's indexers said that the values read last take. */
  long bytes() {
    return bytes;
  }

  /** What could not be parsed of the input read last, in Druid's words. */
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
   * Looks the names of an input up, after Druid has added it. Where each input has other names, that is not done for
   * all.
   *
   * @param dimensions all that there are
   * @param find finds one by its name
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
        // The time, which is no dimension, or a name twice: left to Druid.
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
