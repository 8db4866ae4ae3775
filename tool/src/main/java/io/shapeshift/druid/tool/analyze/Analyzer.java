// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import com.google.common.collect.Maps;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.index.KeyCost;
import io.shapeshift.druid.tool.analyze.Analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analyze.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.Totals;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.DictionaryEncoding;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.EncodedHashIndex;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.RowReader;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.speed.Filter;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnIndexSupplier;

/** Finds out what each encoding would make of the columns of segments. */
public final class Analyzer {
  /** The encoding that the extension uses unless it is told otherwise. */
  static final String DEFAULT_ENCODING = RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH);

  private final Options options;
  private final List<RowEncoding> encodings;
  private final List<ToolException> unopened = new ArrayList<>();
  @Nullable
  private SpeedTest speedTest;
  private long done;

  /**
   * What to find out.
   *
   * @param columns   which columns
   * @param blockSize of shape-shifting columns
   * @param speed     whether to measure how fast each encoding is read
   * @param explain   the target under which to explain the choice of forms; null for no explanation
   */
  public record Options(
      ColumnOption columns,
      BlockSize blockSize,
      boolean speed,
      @Nullable OptimizationTarget explain
  ) {
    private boolean includes(SegmentColumn column) {
      return columns.includes(column.name(), column.displayName());
    }
  }

  /** Makes an analyzer. */
  public Analyzer(Options options) {
    this.options = options;
    this.encodings = RowEncodings.all(options.blockSize);
  }

  /**
   * Analyzes segments, one after the other.
   *
   * @throws ToolException if the only one cannot be opened, there is no column of a name that the options have, or no
   *                       room for temporary files
   */
  public Analysis analyze(List<SegmentLocation> locations) {
    final List<SegmentAnalysis> segments = new ArrayList<>();
    final List<SegmentLocation> opened = new ArrayList<>();
    long steps = 0;
    for (SegmentLocation location : locations) {
      try (Segment segment = location.open()) {
        steps += segment.columns().stream().filter(options::includes).count();
        opened.add(location);
      } catch (ToolException e) {
        // Of many segments the others are worth analyzing still.
        if (locations.size() == 1) {
          throw e;
        }
        unopened.add(e);
      }
    }
    if (unopened.isEmpty()) {
      options.columns.checkAllFound(locations.get(0).path().toString());
    }
    try (Progress progress = new Progress(steps)) {
      for (SegmentLocation location : opened) {
        try (Segment segment = location.open()) {
          segments.add(analyze(segment, progress));
        }
      }
    } finally {
      if (speedTest != null) {
        speedTest.close();
      }
    }
    return new Analysis(jvm(), segments, totals(segments), options.speed ? SpeedTest.MIN_ROWS : null);
  }

  /** Made when the first column is measured, as it reads for seconds to warm up. */
  private SpeedTest speedTest() {
    if (speedTest == null) {
      try {
        speedTest = new SpeedTest();
      } catch (UncheckedIOException e) {
        throw cannotWrite("what the speed of reading is measured with", e);
      }
    }
    return speedTest;
  }

  /** What is wrong with the segments that could not be opened, and are not in the analysis. */
  public List<ToolException> unopened() {
    return unopened;
  }

  private static String jvm() {
    return String.join(
        " ",
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version") + ",",
        System.getProperty("os.name"),
        System.getProperty("os.arch") + ",",
        Runtime.getRuntime().availableProcessors() + " processors"
    );
  }

  private SegmentAnalysis analyze(Segment segment, Progress progress) {
    final List<ColumnAnalysis> columns = new ArrayList<>();
    for (SegmentColumn column : segment.columns()) {
      if (options.includes(column)) {
        progress.at(done++, column.displayName());
        columns.add(analyzeOrFail(column));
      }
    }
    columns.sort(Comparator.comparingLong(Analyzer::saved).reversed().thenComparing(ColumnAnalysis::name));
    final long bytes = segment.sizeInBytes();
    return new SegmentAnalysis(
        segment.path().toString(),
        segment.version(),
        segment.knownRows().orElse(0),
        segment.interval().toString(),
        bytes,
        columns,
        totals(columns.stream().filter(ColumnAnalysis::isEncoded).toList(), bytes)
    );
  }

  /** How many bytes the default of the extension would save over Druid's; unknown is less than nothing. */
  private static long saved(ColumnAnalysis column) {
    @Nullable final EncodingAnalysis ours = column.encodings().get(DEFAULT_ENCODING);
    return ours == null
           ? Long.MIN_VALUE / 2
           : column.encodings().get(RowEncodings.DRUID_LZ4.name()).totalBytes() - ours.totalBytes();
  }

  /** What is no fault of the column's, and would befall others as well, ends the analysis. */
  private ColumnAnalysis analyzeOrFail(SegmentColumn column) {
    try {
      return analyze(column);
    } catch (IOException | UncheckedIOException e) {
      throw cannotWrite(column.where(), e);
    } catch (OutOfMemoryError e) {
      throw ToolException.outOfMemory(column.where(), e);
    }
  }

  private static ToolException cannotWrite(String what, Exception e) {
    return new ToolException(
        what,
        "it cannot be written to " + System.getProperty("java.io.tmpdir") + ": " + e.getMessage(),
        "Make room there, or choose another folder with SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER",
        e
    );
  }

  private ColumnAnalysis analyze(SegmentColumn column) throws IOException {
    try {
      final ColumnParts parts = column.parts();
      @Nullable final RowPart rows = parts.rows();
      final ColumnBytes bytes = bytes(column);
      final Encoded encoded = rows == null ? Encoded.NONE : encode(column, bytes, rows);
      return new ColumnAnalysis(
          column.name(),
          column.projection() == null ? null : column.projection().name(),
          column.type(),
          column.isAuto(),
          parts.multiValue(),
          column.knownRows().orElse(0),
          parts.cardinality(),
          rows == null ? null : rows.encoding(),
          bytes,
          encoded.analyses,
          encoded.filters.isEmpty() ? null : encoded.filters,
          encoded.dictionaries.isEmpty() ? null : encoded.dictionaries,
          encoded.hashIndex,
          encoded.explanation,
          null
      );
    } catch (ToolException e) {
      // One damaged column is no reason to know nothing of the others.
      return new ColumnAnalysis(
          column.name(),
          column.projection() == null ? null : column.projection().name(),
          column.type(),
          column.isAuto(),
          false,
          column.knownRows().orElse(0),
          null,
          null,
          new ColumnBytes(column.sizeInBytes(), 0, 0, 0, column.sizeInBytes()),
          Map.of(),
          null,
          null,
          null,
          null,
          e.getMessage()
      );
    }
  }

  /** What the parts of a column take as they are stored. */
  static ColumnBytes bytes(SegmentColumn column) {
    final ColumnParts parts = column.parts();
    final int values = parts.rows() == null ? 0 : parts.rows().bytes().remaining();
    return new ColumnBytes(
        column.sizeInBytes(),
        parts.dictionaryBytes(),
        values,
        parts.indexBytes(),
        // Versions and flags among it.
        column.sizeInBytes() - parts.dictionaryBytes() - parts.indexBytes() - values
    );
  }

  private static <T> T read(SegmentColumn column, String what, Supplier<T> part) {
    try {
      return part.get();
    } catch (Damage e) {
      throw column.damaged("its " + what + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * What the encodings made of a column.
   *
   * @param analyses    by name of the encoding
   * @param filters     by kind, those whose time was measured
   * @param dictionaries by name of how strings are stored, the bytes of the column's; empty where it has none
   * @param hashIndex   one of its numbers; null if it can have none
   * @param explanation why our own rows look so; null unless asked for
   */
  private record Encoded(
      Map<String, EncodingAnalysis> analyses,
      Map<String, FilterAnalysis> filters,
      Map<String, Integer> dictionaries,
      @Nullable HashIndexAnalysis hashIndex,
      @Nullable Explanation explanation
  ) {
    static final Encoded NONE = new Encoded(Map.of(), Map.of(), Map.of(), null, null);
  }

  /**
   * Stores a column in all encodings.
   *
   * @throws IOException if there is no room for it where the system keeps temporary files
   */
  private Encoded encode(SegmentColumn column, ColumnBytes today, RowPart part) throws IOException {
    final RowValues values = read(column, "rows", () -> RowReader.read(part, column.knownRows()));
    @Nullable final IndexPart index = column.parts().index();
    @Nullable final IndexValues indexValues =
        index == null ? null : read(column, "index", () -> index.read(values.rows()));
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    final Map<String, EncodedColumn> encoded = new LinkedHashMap<>();
    // By name, those of ours and Druid's.
    final Map<String, EncodedDictionary> dictionaries = new LinkedHashMap<>();
    try {
      encode(column, values, index, indexValues, encoded);
      if (dictionary != null) {
        encode(column, dictionary, dictionaries);
      }
      final boolean isMeasured = options.speed && values.rows() >= SpeedTest.MIN_ROWS;
      final Map<String, SpeedTest.Speed> speeds = isMeasured
          ? speedTest().measure(Maps.transformValues(encoded, EncodedColumn::rows), values.rows())
          : Map.of();
      final Map<String, FilterAnalysis> filters = new LinkedHashMap<>();
      final Map<String, Map<String, Double>> filterNanos = new HashMap<>();
      // Druid itself fails at the empty bitmap of a value that no row has.
      if (isMeasured && index != null && index.dictionary() != null && !indexValues.hasUnusedIds()) {
        measureFilters(index, indexValues, encoded, dictionaries, filters, filterNanos);
      }
      final Map<String, EncodingAnalysis> analyses = new LinkedHashMap<>();
      final Map<String, Elements> elements = encodeElements(column, values.rows(), encoded.keySet());
      final Map<String, Integer> idGrowth = encodeIds(column, values.rows(), encoded.keySet());
      encoded.forEach((name, each) -> analyses.put(
          name,
          analysis(
              today,
              indexBytes(column, today, each, elements.get(name)),
              indexForms(each, elements.get(name)),
              each,
              dictionaryBytes(column, today, dictionaries, each.encoding()) + idGrowth.get(name),
              speeds.get(name),
              filterNanos.get(name)
          )
      ));
      final Map<String, Integer> dictionaryBytes = new LinkedHashMap<>();
      if (dictionary != null && !dictionary.isShared()) {
        dictionaries.forEach((name, each) -> dictionaryBytes.put(name, each.sizeInBytes()));
      }
      return new Encoded(
          analyses,
          filters,
          dictionaryBytes,
          // Numbers of type auto have dictionaries.
          values instanceof RowValues.Numbers numbers && !column.isAuto() ? hashIndex(column, numbers) : null,
          explanation(column, values, encoded)
      );
    } finally {
      // Several have the same index.
      encoded.values().forEach(each -> each.rows().close());
      encoded.values().stream().map(EncodedColumn::index).filter(Objects::nonNull).distinct()
          .forEach(EncodedIndex::close);
      dictionaries.values().forEach(EncodedDictionary::close);
    }
  }

  @Nullable
  private static HashIndexAnalysis hashIndex(SegmentColumn column, RowValues.Numbers values) throws IOException {
    @Nullable final EncodedHashIndex index = EncodedHashIndex.of(column.displayName(), values);
    if (index == null || index.keys() == 0) {
      return null;
    }
    // A column that has an index is not decoded whole.
    final KeyCost cost =
        new KeyCost(values.rows(), (double) index.entries() / index.keys(), 0, 0);
    return new HashIndexAnalysis(
        index.keys(),
        index.bytes(),
        Numbers.rounded((double) index.bytes() / values.rows()),
        cost.lookUpNanos(1),
        cost.scanNanos(1)
    );
  }

  /** Stores the strings of a column in all ways, Druid's first. */
  private void encode(SegmentColumn column, DictionaryPart part, Map<String, EncodedDictionary> encoded)
      throws IOException {
    final List<DictionaryEncoding> all = new ArrayList<>(DictionaryEncoding.STOCK);
    encodings.stream().map(RowEncoding::dictionary).filter(DictionaryEncoding::isShapeShifting).forEach(all::add);
    for (DictionaryEncoding encoding : all) {
      if (part.canShapeShift() || !encoding.isShapeShifting()) {
        try {
          encoded.put(encoding.name(), encoding.encode(column.displayName(), part.values()));
        } catch (RuntimeException | StackOverflowError | InternalError e) {
          throw column.damaged("its dictionary cannot be read: " + Damage.describe(e), e);
        }
      }
    }
  }

  /** Bytes of all dictionaries of a column, and of ids besides its numbers as they are today. */
  private long dictionaryBytes(
      SegmentColumn column,
      ColumnBytes today,
      Map<String, EncodedDictionary> encoded,
      RowEncoding encoding
  ) {
    long bytes = today.dictionary();
    for (NumberDictionaryPart numbers : column.parts().numbers().values()) {
      final ByteBuffer stored =
          read(column, "dictionary", () -> numbers.encode(encoding.dictionary().isShapeShifting()));
      bytes += stored.remaining() - numbers.bytes().remaining();
    }
    @Nullable final DictionaryPart strings = column.parts().dictionary();
    return strings == null || strings.isShared()
           ? bytes
           : bytes - strings.bytes().remaining() + dictionaryOf(encoded, encoding.name()).sizeInBytes();
  }

  /** The strings in a segment of an encoding. */
  private EncodedDictionary dictionaryOf(Map<String, EncodedDictionary> encoded, String encoding) {
    return encoded.getOrDefault(encoding, encoded.get(DictionaryEncoding.UTF8.name()));
  }

  /** Stores a column in all encodings, the index that Druid has in all of its own once. */
  private void encode(
      SegmentColumn column,
      RowValues values,
      @Nullable IndexPart index,
      @Nullable IndexValues indexValues,
      Map<String, EncodedColumn> encoded
  ) throws IOException {
    final String name = column.displayName();
    @Nullable EncodedIndex stock = null;
    for (RowEncoding encoding : encodings) {
      if (!encoding.supports(values)) {
        continue;
      }
      final RowEncoding ofRows = column.parts().encodingOf(column.parts().rows(), encoding);
      if (index != null && index.canShapeShift() && encoding.hasPostingLists()) {
        encoded.put(encoding.name(), EncodedColumn.encode(name, ofRows, values, encoding, indexValues));
        continue;
      }
      final EncodedRows rows = ofRows.encode(name, values);
      encoded.put(encoding.name(), new EncodedColumn(ofRows, rows, stock));
      if (index != null && stock == null) {
        stock = encoding.encodeIndex(name, indexValues);
        encoded.put(encoding.name(), new EncodedColumn(ofRows, rows, stock));
      }
    }
  }

  /**
   * What the index of arrays' elements is in an encoding, which no filter on values asks.
   *
   * @param growth how many bytes more it has than today
   */
  private record Elements(long growth, Map<String, FormUsage> forms) {
    static final Elements NONE = new Elements(0, Map.of());
  }

  private Map<String, Elements> encodeElements(SegmentColumn column, int rows, Set<String> names)
      throws IOException {
    final Map<String, Elements> elements = new HashMap<>();
    @Nullable final IndexPart part = column.parts().elements();
    if (part != null) {
      final IndexValues values = read(column, "index of elements", () -> part.read(rows));
      for (RowEncoding encoding : encodings) {
        if (names.contains(encoding.name())) {
          try (EncodedIndex encoded = encoding.encodeIndex(column.displayName(), values)) {
            elements.put(
                encoding.name(),
                new Elements(encoded.sizeInBytes() - part.bytes().remaining(), encoded.forms())
            );
          }
        }
      }
    }
    names.forEach(name -> elements.putIfAbsent(name, Elements.NONE));
    return elements;
  }

  /**
   * Stores the ids that columns of type {@code auto} have besides their numbers, which bitmaps are for.
   *
   * @return by name of the encoding, how many bytes more they have than today; 0 where there are none
   */
  private Map<String, Integer> encodeIds(SegmentColumn column, int rows, Set<String> names) throws IOException {
    final Map<String, Integer> growth = new HashMap<>();
    @Nullable final RowPart part = column.parts().idsOfNumbers();
    if (part != null) {
      final RowValues ids = read(column, "ids", () -> part.read(rows));
      for (RowEncoding encoding : encodings) {
        if (names.contains(encoding.name())) {
          final RowEncoding ofIds = column.parts().encodingOf(part, encoding);
          try (EncodedRows encoded = ofIds.encode(column.displayName(), ids)) {
            growth.put(encoding.name(), encoded.sizeInBytes() - part.bytes().remaining());
          }
        }
      }
    }
    names.forEach(name -> growth.putIfAbsent(name, 0));
    return growth;
  }

  /** Bytes of what finds rows: spatial indexes, bitmaps of nulls and our hash indexes stay as they are. */
  private static long indexBytes(SegmentColumn column, ColumnBytes today, EncodedColumn encoded, Elements elements) {
    final ColumnParts parts = column.parts();
    if (parts.hashIndex() != null && !encoded.encoding().isShapeShifting()) {
      return parts.stockNulls(column.numRows()).remaining();
    }
    return today.index() + elements.growth
        + (parts.index() == null ? 0 : encoded.index().sizeInBytes() - parts.index().bytes().remaining());
  }

  private static Map<String, FormUsage> indexForms(EncodedColumn encoded, Elements elements) {
    final Map<String, FormUsage> forms =
        new LinkedHashMap<>(encoded.index() == null ? Map.of() : encoded.index().forms());
    elements.forms.forEach((form, usage) -> forms.merge(form, usage, FormUsage::plus));
    return forms;
  }

  private void measureFilters(
      IndexPart part,
      IndexValues values,
      Map<String, EncodedColumn> encoded,
      Map<String, EncodedDictionary> dictionaries,
      Map<String, FilterAnalysis> filters,
      Map<String, Map<String, Double>> nanos
  ) {
    // For each index, the encodings that have it: Druid's all have the same.
    final Map<EncodedIndex, List<String>> names = encoded.keySet().stream().collect(
        Collectors.groupingBy(name -> encoded.get(name).index(), LinkedHashMap::new, Collectors.toList()));
    final Map<String, ColumnIndexSupplier> opened = new LinkedHashMap<>();
    names.values().forEach(ofIndex ->
        opened.put(ofIndex.get(0), encoded.get(ofIndex.get(0)).open(
            dictionaryOf(dictionaries, ofIndex.get(0)).values())));
    for (Filter filter : Filter.of(part.dictionary().get(), values)) {
      @Nullable final SpeedTest.FilterSpeed speed =
          speedTest().measure(filter, opened, values.bitmaps().getBitmapFactory(), values.numRows());
      if (speed == null) {
        continue;
      }
      final String kind = filter.kind().json();
      filters.put(kind, new FilterAnalysis(filter.condition(), filter.values(), speed.rows()));
      for (List<String> ofIndex : names.values()) {
        final double rounded = Numbers.rounded(speed.nanos().get(ofIndex.get(0)));
        ofIndex.forEach(name -> nanos.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(kind, rounded));
      }
    }
  }

  @Nullable
  private Explanation explanation(SegmentColumn column, RowValues values, Map<String, EncodedColumn> encoded)
      throws IOException {
    if (options.explain == null) {
      return null;
    }
    final EncodedColumn explained = encoded.get(RowEncodings.shapeShiftName(options.explain));
    final ShapeShiftEncoding encoding = (ShapeShiftEncoding) explained.encoding();
    return Explanation.of(column.displayName(), values, explained.rows(), encoding, encoding.target());
  }

  private static EncodingAnalysis analysis(
      ColumnBytes today,
      long indexBytes,
      Map<String, FormUsage> indexForms,
      EncodedColumn encoded,
      long dictionaryBytes,
      @Nullable SpeedTest.Speed speed,
      @Nullable Map<String, Double> filterNanos
  ) {
    final Map<String, FormUsage> forms = encoded.rows().forms();
    @Nullable Map<String, Double> select = null;
    if (speed != null) {
      select = new LinkedHashMap<>(speed.select());
      select.replaceAll((share, nanos) -> Numbers.rounded(nanos));
    }
    final long bytes = encoded.rows().sizeInBytes();
    return new EncodingAnalysis(
        bytes,
        indexBytes,
        dictionaryBytes,
        bytes + indexBytes + dictionaryBytes + today.other(),
        speed == null ? null : Numbers.rounded(speed.scan()),
        select,
        filterNanos,
        forms.isEmpty() ? null : forms,
        indexForms.isEmpty() ? null : indexForms
    );
  }

  private Totals totals(List<SegmentAnalysis> segments) {
    final List<ColumnAnalysis> counted = segments.stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(ColumnAnalysis::isEncoded)
        .toList();
    final long bytes = segments.stream().mapToLong(SegmentAnalysis::bytes).sum();
    return new Totals(bytes, counted.size(), totals(counted, bytes));
  }

  private Map<String, EncodingTotal> totals(List<ColumnAnalysis> columns, long segmentBytes) {
    final Map<String, EncodingTotal> totals = new LinkedHashMap<>();
    for (RowEncoding encoding : encodings) {
      totals.put(encoding.name(), EncodingTotal.of(encoding.name(), columns, segmentBytes));
    }
    return totals;
  }
}
