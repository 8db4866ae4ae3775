// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.EncodedKeyComponent;
import org.apache.druid.segment.StringDimensionIndexer;
import org.apache.druid.segment.incremental.IncrementalIndex;

/**
 * Makes the values of a row of an input, as Druid's {@link IncrementalIndex} does, for inputs that name the dimensions
 * that the one before named. Druid looks each name up, and crosses it off in a set of all, for every input; here the
 * names are compared with those that were looked up last. And null, or a string that came lately, gets its id without
 * the lock and the hash table of the dictionary.
 *
 * <p>For the thread that adds rows.
 */
final class InputReader {
  /** Names that were looked up; null stands where Druid passes a name over. */
  private String[] names = {};
  private IncrementalIndex.DimensionDesc[] named = {};
  private RecentStrings[] recent = {};
  private IncrementalIndex.DimensionDesc[] absent = {};
  private RecentStrings[] recentOfAll = {};
  private boolean isReady;
  /** Inputs of other names, since the last that had the same. */
  private int misses;
  private final List<String> failures = new ArrayList<>();
  private long bytes;
  private long heapBytes;

  /** Forgets the names, since there may be other dimensions now. */
  void reset() {
    isReady = false;
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
    Object[] values = new Object[named.length + absent.length];
    for (int i = 0; i < named.length; i++) {
      IncrementalIndex.DimensionDesc dimension = named[i];
      Object value = row.getRaw(names[i]);
      RecentStrings strings = recent[i];
      int id = strings == null ? RecentStrings.UNKNOWN : strings.find(value);
      if (id != RecentStrings.UNKNOWN) {
        values[dimension.getIndex()] = new int[] {id};
        bytes += RecentStrings.DRUIDS_BYTES;
      } else {
        values[dimension.getIndex()] = encode(dimension.getIndexer(), value, strings);
      }
    }
    for (IncrementalIndex.DimensionDesc dimension : absent) {
      dimension.getIndexer().setSparseIndexed();
    }
    return values;
  }

  @Nullable
  private Object encode(DimensionIndexer<?, ?, ?> indexer, @Nullable Object value, @Nullable RecentStrings strings) {
    try {
      EncodedKeyComponent<?> encoded = indexer.processRowValsToUnsortedEncodedKeyComponent(value, true);
      bytes += encoded.getEffectiveSizeBytes();
      if (strings != null) {
        strings.remember(value, encoded.getComponent());
      }
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
    String[] newNames = row.getDimensions().toArray(new String[0]);
    Set<IncrementalIndex.DimensionDesc> found = new HashSet<>();
    IncrementalIndex.DimensionDesc[] newNamed = new IncrementalIndex.DimensionDesc[newNames.length];
    for (int i = 0; i < newNames.length; i++) {
      newNamed[i] = newNames[i] == null ? null : find.apply(newNames[i]);
      if (newNamed[i] == null || !found.add(newNamed[i])) {
        // The time, which is no dimension, or a name twice: left to Druid.
        return;
      }
    }
    recentOfAll = Arrays.copyOf(recentOfAll, dimensions.size());
    for (IncrementalIndex.DimensionDesc dimension : dimensions) {
      int index = dimension.getIndex();
      if (recentOfAll[index] == null && dimension.getIndexer() instanceof StringDimensionIndexer indexer) {
        recentOfAll[index] = new RecentStrings(indexer);
      }
    }
    names = newNames;
    named = newNamed;
    recent = Arrays.stream(named).map(each -> recentOfAll[each.getIndex()]).toArray(RecentStrings[]::new);
    absent = dimensions.stream().filter(each -> !found.contains(each)).toArray(IncrementalIndex.DimensionDesc[]::new);
    isReady = true;
  }

  /** Bytes that strings which came lately have on the heap: places for them, as the strings are the dictionary's. */
  long heapBytes() {
    return heapBytes;
  }

  /** Some of the strings that came lately, and their ids: in few places at first, as most indexes have few rows. */
  private final class RecentStrings {
    static final int UNKNOWN = -1;
    /** What Druid estimates for an array of one id of a string that it knows. */
    static final int DRUIDS_BYTES = 16 + Integer.BYTES;
    private static final int FEWEST = 16;
    private static final int MOST = 2048;
    private static final int BYTES = 2 * Integer.BYTES;

    private final StringDimensionIndexer indexer;
    private String[] texts = new String[FEWEST];
    private int[] ids = new int[FEWEST];
    private int nullId = UNKNOWN;
    private int found;
    private int remembered;
    private boolean isWorthwhile = true;

    RecentStrings(StringDimensionIndexer indexer) {
      this.indexer = indexer;
      heapBytes += FEWEST * BYTES;
    }

    int find(@Nullable Object value) {
      if (value == null) {
        return nullId;
      }
      if (isWorthwhile && value instanceof String text) {
        int place = place(text);
        if (text.equals(texts[place])) {
          found++;
          return ids[place];
        }
      }
      return UNKNOWN;
    }

    /** Of what Druid has encoded, remembers null and strings. */
    void remember(@Nullable Object value, Object encoded) {
      if (value == null) {
        nullId = ((int[]) encoded)[0];
      } else if (isWorthwhile && value instanceof String text) {
        remember(text, (int[]) encoded);
      }
    }

    /** Keeps the dictionary's string, so that no other has to stay. What Druid cuts off is not found. */
    private void remember(String text, int[] encoded) {
      remembered++;
      if (remembered > 2 * texts.length) {
        if (texts.length < MOST) {
          heapBytes += (long) texts.length * BYTES;
          ids = new int[2 * texts.length];
          texts = new String[2 * texts.length];
        } else {
          // Nearly each text is another.
          isWorthwhile = found > remembered / 4;
        }
        remembered = 0;
        found = 0;
      }
      int place = place(text);
      texts[place] = (String) indexer.convertUnsortedEncodedKeyComponentToActualList(encoded);
      ids[place] = encoded[0];
    }

    private int place(String text) {
      int hash = text.hashCode();
      return (hash ^ hash >>> 8 ^ hash >>> 16) & texts.length - 1;
    }
  }
}
