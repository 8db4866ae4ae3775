// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import io.shapeshift.druid.incremental.memory.Readers;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.math.expr.Evals;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.EncodedKeyComponent;
import org.apache.druid.segment.SortedDimensionDictionary;
import org.apache.druid.segment.StringDimensionIndexer;
import org.apache.druid.segment.column.ColumnCapabilities;

/**
 * Druid's indexer of strings, with a dictionary in direct memory. Selectors are those of Druid's class, and call the
 * methods overridden here. The dictionary of Druid's class records only two facts for the column's capabilities:
 * whether there is a null, and whether a row has several values.
 *
 * <p>One thread adds values. All other methods are for any thread. Methods that read strings fail once the index is
 * closed.
 */
public final class DirectStringIndexer extends StringDimensionIndexer {
  private static final MethodHandle MAX_STRING_LENGTH = maxStringLength();
  /** Heap size of an array, as Druid estimates it. */
  private static final long ARRAY_BYTES = 16;
  private static final List<String> TWO_VALUES = List.of("", "");

  private final DirectStringDictionary dictionary;
  private final Readers readers;
  private final MultiValueHandling multiValueHandling;
  private final int maxStringLength;
  private boolean hasSeveralValues;
  /** Order of all strings at the last request. */
  @Nullable
  private volatile Sorted sorted;
  private final Extremes extremes = new Extremes();

  private DirectStringIndexer(
      DirectStringDictionary dictionary,
      Readers readers,
      MultiValueHandling multiValueHandling,
      ColumnCapabilities capabilities,
      @Nullable Integer maxStringLength
  ) {
    super(multiValueHandling, capabilities.hasBitmapIndexes(), capabilities.hasSpatialIndexes(), maxStringLength);
    this.dictionary = dictionary;
    this.readers = readers;
    this.multiValueHandling = multiValueHandling;
    this.maxStringLength = maxStringLength == null ? Integer.MAX_VALUE : maxStringLength;
  }

  /**
   * Creates an indexer that replaces one of Druid's without values.
   *
   * @param multiValueHandling multi-value handling of the dimension's handler
   */
  public static DirectStringIndexer of(
      StringDimensionIndexer indexer,
      @Nullable MultiValueHandling multiValueHandling,
      DirectStringDictionary dictionary,
      Readers readers
  ) {
    return new DirectStringIndexer(
        dictionary,
        readers,
        multiValueHandling == null ? MultiValueHandling.ofDefault() : multiValueHandling,
        indexer.getColumnCapabilities(),
        maxStringLength(indexer)
    );
  }

  private static MethodHandle maxStringLength() {
    try {
      return MethodHandles.privateLookupIn(StringDimensionIndexer.class, MethodHandles.lookup())
          .findGetter(StringDimensionIndexer.class, "maxStringLength", Integer.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("This version of Druid has another StringDimensionIndexer", e);
    }
  }

  @Nullable
  private static Integer maxStringLength(StringDimensionIndexer indexer) {
    try {
      return (Integer) MAX_STRING_LENGTH.invokeExact(indexer);
    } catch (Throwable e) {
      throw new LinkageError("Reading a field has thrown", e);
    }
  }

  @Override
  public EncodedKeyComponent<int[]> processRowValsToUnsortedEncodedKeyComponent(
      @Nullable Object dimValues,
      boolean reportParseExceptions
  ) {
    final int ticket = readers.enter();
    try {
      final int[] ids = encode(dimValues);
      return new EncodedKeyComponent<>(ids, estimate(ids));
    } finally {
      readers.exit(ticket);
    }
  }

  /** Heap size of an array of ids, as Druid estimates it. The dictionary counts its own memory. */
  public static long estimate(int[] ids) {
    return ARRAY_BYTES + (long) ids.length * Integer.BYTES;
  }

  /**
   * Ids of an input, which may be null, one value or a list of values of any type. Callers must be inside
   * {@link Readers}.
   */
  public int[] encode(@Nullable Object input) {
    if (input instanceof String text) {
      return new int[] {dictionary.add(cut(text))};
    }
    if (input instanceof List<?> values) {
      return encodeAll(values);
    }
    if (input instanceof Object[] values) {
      return encodeAll(Arrays.asList(values));
    }
    if (input instanceof byte[] bytes) {
      // As in Druid, this string is not truncated to the maximum string length.
      return new int[] {dictionary.add(StringUtils.encodeBase64String(bytes))};
    }
    return new int[] {addSingle(input)};
  }

  private int[] encodeAll(List<?> values) {
    if (values.isEmpty()) {
      addNull();
      return IntArrays.EMPTY_ARRAY;
    }
    if (values.size() == 1) {
      return new int[] {addSingle(values.get(0))};
    }
    if (!hasSeveralValues) {
      super.processRowValsToUnsortedEncodedKeyComponent(TWO_VALUES, true);
      hasSeveralValues = true;
    }
    final String[] texts = new String[values.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = Evals.asString(values.get(i));
    }
    if (multiValueHandling.needSorting()) {
      Arrays.sort(texts, Comparator.nullsFirst(Comparator.naturalOrder()));
    }
    final int[] ids = new int[texts.length];
    int count = 0;
    for (String text : texts) {
      final int id = text == null ? addNull() : dictionary.add(text);
      if (multiValueHandling != MultiValueHandling.SORTED_SET || count == 0 || id != ids[count - 1]) {
        ids[count++] = id;
      }
    }
    return count == ids.length ? ids : Arrays.copyOf(ids, count);
  }

  private int addSingle(@Nullable Object value) {
    final String text = Evals.asString(value);
    return text == null ? addNull() : dictionary.add(cut(text));
  }

  private String cut(String text) {
    return text.length() > maxStringLength ? text.substring(0, maxStringLength) : text;
  }

  private int addNull() {
    if (dictionary.nullId() == DirectStringDictionary.ABSENT) {
      dictionary.addNull();
      super.setSparseIndexed();
    }
    return dictionary.nullId();
  }

  @Override
  public void setSparseIndexed() {
    if (dictionary.nullId() == DirectStringDictionary.ABSENT) {
      final int ticket = readers.enter();
      try {
        addNull();
      } finally {
        readers.exit(ticket);
      }
    }
  }

  @Override
  public int getCardinality() {
    return dictionary.size();
  }

  @Override
  @Nullable
  public String getMinValue() {
    return extremes.get(true);
  }

  @Override
  @Nullable
  public String getMaxValue() {
    return extremes.get(false);
  }

  @Override
  @Nullable
  protected String getActualValue(int intermediateValue, boolean idSorted) {
    final int ticket = readers.enter();
    try {
      return dictionary.get(idSorted ? sortedLookup().getUnsortedIdFromSortedId(intermediateValue) : intermediateValue);
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  protected int getEncodedValue(@Nullable String fullValue, boolean idSorted) {
    if (fullValue == null && !idSorted) {
      // Called for each row without a value.
      return dictionary.nullId();
    }
    final int ticket = readers.enter();
    try {
      final int id = dictionary.find(fullValue);
      return idSorted ? sortedLookup().getSortedIdFromUnsortedId(id) : id;
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  protected SortedDimensionDictionary<String> sortedLookup() {
    return sorted();
  }

  /** Rank of each id in the order of strings. */
  public int[] ranks() {
    return sorted().ranks;
  }

  private Sorted sorted() {
    Sorted last = sorted;
    if (last == null || last.ids.length < dictionary.size()) {
      final int ticket = readers.enter();
      try {
        last = new Sorted(dictionary.sort());
        sorted = last;
      } finally {
        readers.exit(ticket);
      }
    }
    return last;
  }

  @Override
  @SuppressWarnings("rawtypes") // Same as in the interface.
  public ColumnValueSelector convertUnsortedValuesToSorted(ColumnValueSelector selectorWithUnsortedValues) {
    return new RankedSelector((DimensionSelector) selectorWithUnsortedValues, ranks());
  }

  @Override
  public int compareUnsortedEncodedKeyComponents(int[] lhs, int[] rhs) {
    final int ticket = readers.enter();
    try {
      return compare(lhs, rhs);
    } finally {
      readers.exit(ticket);
    }
  }

  /** Compares two rows: null comes first, and equals an empty array. Callers must be inside {@link Readers}. */
  public int compare(int[] lhs, int[] rhs) {
    if (lhs.length + rhs.length == 1) {
      final int only = lhs.length == 1 ? lhs[0] : rhs[0];
      return only == dictionary.nullId() ? 0 : Integer.compare(lhs.length, rhs.length);
    }
    final int shorter = Math.min(lhs.length, rhs.length);
    int first = 0;
    while (first < shorter && lhs[first] == rhs[first]) {
      first++;
    }
    if (first == shorter) {
      return Integer.compare(lhs.length, rhs.length);
    }
    return dictionary.compare(lhs[first], rhs[first]);
  }

  /** Heap bytes as Druid estimates them: the size of each string, once per occurrence. */
  @Override
  public long estimateEncodedKeyComponentSize(int[] keys) {
    long bytes = (long) keys.length * Integer.BYTES;
    for (int id : keys) {
      final String text = getActualValue(id, false);
      bytes += text == null ? 0 : 28 + 16 + 2L * text.length();
    }
    return bytes;
  }

  /** Rank of each id, and id of each rank. */
  private static final class Sorted extends SortedDimensionDictionary<String> {
    private final int[] ids;
    private final int[] ranks;

    Sorted(int[] ids) {
      super(List.of(), 0);
      this.ids = ids;
      this.ranks = new int[ids.length];
      for (int rank = 0; rank < ids.length; rank++) {
        ranks[ids[rank]] = rank;
      }
    }

    @Override
    public int getUnsortedIdFromSortedId(int index) {
      return ids[index];
    }

    @Override
    public int getSortedIdFromUnsortedId(int id) {
      return ranks[id];
    }
  }

  /** Least and greatest string at the time of the last request. */
  private final class Extremes {
    private int seen;
    private int least = DirectStringDictionary.ABSENT;
    private int greatest = DirectStringDictionary.ABSENT;

    @Nullable
    synchronized String get(boolean first) {
      final int ticket = readers.enter();
      try {
        for (int size = dictionary.size(); seen < size; seen++) {
          if (seen != dictionary.nullId()) {
            least = least < 0 || dictionary.compare(seen, least) < 0 ? seen : least;
            greatest = greatest < 0 || dictionary.compare(seen, greatest) > 0 ? seen : greatest;
          }
        }
        final int id = first ? least : greatest;
        return id < 0 ? null : dictionary.get(id);
      } finally {
        readers.exit(ticket);
      }
    }
  }
}
