// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import com.google.common.collect.Maps;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.index.KeyCost;
import io.shapeshift.druid.tool.analyze.Analysis.Alternatives;
import io.shapeshift.druid.tool.analyze.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analyze.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.TextIndexAnalysis;
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
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.ObjectPart;
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

/** Analyzer of segments: encodes their columns in each encoding, and measures sizes and speeds. */
public final class Analyzer {
  /** Default encoding of the extension. */
  static final String DEFAULT_ENCODING = RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH);

  private final Options options;
  private final List<RowEncoding> encodings;
  private final List<ToolException> unopened = new ArrayList<>();
  @Nullable
  private SpeedTest speedTest;
  private long done;

  /**
   * Options of an analysis.
   *
   * @param columns   columns to analyze
   * @param blockSize block size of shape-shifting columns
   * @param speed     whether to measure the read speed of each encoding
   * @param fields    whether to list the fields of nested columns
   * @param advise    whether to encode also what only a column's own entry in the indexSpec can request
   * @param explain   target under which to explain the choice of forms; null for no explanation
   */
  public record Options(
      ColumnOption columns,
      BlockSize blockSize,
      boolean speed,
      boolean fields,
      boolean advise,
      @Nullable OptimizationTarget explain
  ) {
    private boolean includes(SegmentColumn column) {
      return columns.includes(column.name(), column.displayName());
    }
  }

  /** Creates an analyzer. */
  public Analyzer(Options options) {
    this.options = options;
    this.encodings = RowEncodings.all(options.blockSize);
  }

  /**
   * Analyzes segments one after another.
   *
   * @throws ToolException if the only segment cannot be opened, no column has a name in the options, or the temporary
   *     directory is full
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
        // If there are other segments, they are still worth analyzing.
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
    return new Analysis(jvm(), segments, totals(segments), options.speed ? SpeedTest.MIN_ROWS : null, null);
  }

  /** Created when the first column is measured, because its warm-up takes seconds. */
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

  /** Failures of segments that could not be opened, and so are not in the analysis. */
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

  /** Bytes saved by the extension's default compared with Druid's; negative if unknown. */
  private static long saved(ColumnAnalysis column) {
    @Nullable final EncodingAnalysis ours = column.encodings().get(DEFAULT_ENCODING);
    return ours == null
           ? Long.MIN_VALUE / 2
           : column.encodings().get(RowEncodings.DRUID_LZ4.name()).totalBytes() - ours.totalBytes();
  }

  /** Analyzes a column. A failure that is not caused by the column would affect others too, and ends the analysis. */
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
      final ColumnBytes bytes = bytes(column);
      final ColumnAnalysis.Builder analysis = ColumnAnalysis.builder(column, bytes);
      @Nullable final ObjectPart objects = ObjectPart.of(column);
      if (objects != null) {
        final ObjectSizes sizes = ObjectSizes.of(column, objects, encodings);
        return analysis.encoding(objects.encoding()).encodings(sizes.analyses()).objects(sizes.objects()).build();
      }
      @Nullable final NestedPart nested = NestedPart.of(column);
      if (nested != null) {
        final NestedSizes sizes = NestedSizes.of(column, nested, encodings);
        return analysis
            .auto(column.isAuto() || column.isNested())
            .encoding(nested.encoding())
            .encodings(sizes.analyses())
            .fields(options.fields ? sizes.fields() : null)
            .textIndex(sizes.textIndex())
            .build();
      }
      analysis
          .multiValue(parts.multiValue())
          .cardinality(parts.cardinality())
          .notCounted(ObjectPart.whyNone(column));
      @Nullable final RowPart rows = parts.rows();
      if (rows != null) {
        analysis.encoding(rows.encoding());
        encode(column, bytes, rows, analysis);
      }
      return analysis.build();
    } catch (ToolException e) {
      // A damaged column does not prevent the analysis of the others.
      return ColumnAnalysis.builder(column, new ColumnBytes(column.sizeInBytes(), 0, 0, 0, column.sizeInBytes()))
          .problem(e.getMessage())
          .build();
    }
  }

  /** Present sizes of a column's parts. */
  static ColumnBytes bytes(SegmentColumn column) {
    if (ObjectPart.of(column) != null) {
      return new ColumnBytes(column.sizeInBytes(), 0, column.sizeInBytes(), 0, 0);
    }
    @Nullable final NestedPart nested = NestedPart.of(column);
    if (nested != null) {
      return new ColumnBytes(
          column.sizeInBytes(),
          nested.dictionaryBytes(),
          nested.valueBytes(),
          nested.indexBytes(),
          column.sizeInBytes() - nested.dictionaryBytes() - nested.valueBytes() - nested.indexBytes()
      );
    }
    final ColumnParts parts = column.parts();
    final int values = parts.rows() == null ? 0 : parts.rows().bytes().remaining();
    return new ColumnBytes(
        column.sizeInBytes(),
        parts.dictionaryBytes(),
        values,
        parts.indexBytes(),
        // Includes versions and flags.
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
   * Encodes a column in all encodings.
   *
   * @param analysis receives the sizes and speeds
   * @throws IOException if the system's temporary directory is full
   */
  private void encode(SegmentColumn column, ColumnBytes today, RowPart part, ColumnAnalysis.Builder analysis)
      throws IOException {
    final RowValues values = read(column, "rows", () -> RowReader.read(part, column.knownRows()));
    @Nullable final IndexPart index = column.parts().index();
    @Nullable final IndexValues indexValues =
        index == null ? null : read(column, "index", () -> index.read(values.rows()));
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    final Map<String, EncodedColumn> encoded = new LinkedHashMap<>();
    // By name, shape-shifting and stock.
    final Map<String, EncodedDictionary> dictionaries = new LinkedHashMap<>();
    // Numeric auto columns have dictionaries instead of hash indexes.
    @Nullable final EncodedHashIndex hashIndex = values instanceof RowValues.Numbers numbers && !column.isAuto()
        ? EncodedHashIndex.of(column.displayName(), numbers, OptimizationTarget.FASTBUTSMALLISH)
        : null;
    try {
      encode(column, values, index, indexValues, encoded);
      if (options.advise) {
        new Variants(column, options.blockSize).encode(values, indexValues, hashIndex, encoded);
      }
      if (dictionary != null) {
        encode(column, dictionary, dictionaries);
      }
      final boolean isMeasured = options.speed && values.rows() >= SpeedTest.MIN_ROWS;
      final Map<String, SpeedTest.Speed> speeds = isMeasured
          ? speedTest().measure(Maps.transformValues(encoded, EncodedColumn::rows), values.rows())
          : Map.of();
      final Map<String, FilterAnalysis> filters = new LinkedHashMap<>();
      final Map<String, Map<String, Double>> filterNanos = new HashMap<>();
      // Druid itself fails on the empty bitmap of a value without rows, except null, which no filter finds. Each auto
      // column has it.
      if (isMeasured
          && index != null
          && index.dictionary() != null
          && !indexValues.hasUnusedIds(column.isAuto() ? 1 : 0)) {
        measureFilters(index, indexValues, encoded, dictionaries, filters, filterNanos);
      }
      @Nullable final TextIndexAnalysis textIndex = dictionary == null
          ? null
          : textIndex(column, dictionary, dictionaries, filters.isEmpty() ? Map.of() : encoded, indexValues);
      final Map<String, Double> textNanos =
          isMeasured && dictionary != null && dictionary.values().get().size() > 0
          ? speedTest().measureTexts(Maps.transformValues(dictionaries, each -> each.values().get()))
          : Map.of();
      final Map<String, EncodingAnalysis> analyses = new LinkedHashMap<>();
      final Map<String, Elements> elements = encodeElements(column, values.rows(), encoded.keySet());
      final Map<String, Integer> idGrowth = encodeIds(column, values.rows(), encoded.keySet());
      encoded.forEach((name, each) -> analyses.put(
          name,
          analysis(
              today,
              Variants.HASH_INDEX.equals(name)
              ? Variants.indexBytes(column, hashIndex)
              : indexBytes(column, today, each, elements.get(name)),
              indexForms(each, elements.get(name)),
              each,
              dictionaryBytes(column, today, dictionaries, each.encoding()) + idGrowth.get(name),
              speeds.get(name),
              filterNanos.get(name),
              textNanos.getOrDefault(
                  each.encoding().dictionary().name(), textNanos.get(DictionaryEncoding.UTF8.name())),
              dictionary == null || dictionary.isShared()
              ? null
              : dictionaryOf(dictionaries, each.encoding().dictionary().name()).coding()
          )
      ));
      final Map<String, EncodingAnalysis> variants = Variants.removeFrom(analyses);
      final Map<String, Integer> dictionaryBytes = new LinkedHashMap<>();
      if (dictionary != null && !dictionary.isShared()) {
        dictionaries.forEach((name, each) -> dictionaryBytes.put(name, each.sizeInBytes()));
      }
      analysis
          .encodings(analyses)
          .filters(filters.isEmpty() ? null : filters)
          .dictionaries(dictionaryBytes.isEmpty() ? null : dictionaryBytes)
          .hashIndex(hashIndex == null || hashIndex.keys() == 0 ? null : analysis(hashIndex, values.rows()))
          .textIndex(textIndex)
          .explanation(explanation(column, values, encoded));
      if (options.advise) {
        analysis.alternatives(new Alternatives(
            variants,
            LongTexts.bytesAsLong(column, values, options.blockSize),
            column.parts().hashIndex() != null
        ));
      }
    } finally {
      // Several encodings share an index.
      encoded.values().forEach(each -> each.rows().close());
      encoded.values().stream().map(EncodedColumn::index).filter(Objects::nonNull).distinct()
          .forEach(EncodedIndex::close);
      dictionaries.values().forEach(EncodedDictionary::close);
      if (hashIndex != null) {
        hashIndex.close();
      }
    }
  }

  private static HashIndexAnalysis analysis(EncodedHashIndex index, int rows) {
    // A column with a hash index has no chunks that are decoded as a whole.
    final KeyCost cost =
        new KeyCost(rows, (double) index.entries() / index.keys(), 0, 0);
    return new HashIndexAnalysis(
        index.keys(),
        index.sizeInBytes(),
        Numbers.rounded((double) index.sizeInBytes() / rows),
        cost.lookUpNanos(1),
        cost.scanNanos(1)
    );
  }

  /** Encodes the strings of a column in all encodings, stock first. */
  private void encode(SegmentColumn column, DictionaryPart part, Map<String, EncodedDictionary> encoded)
      throws IOException {
    final List<DictionaryEncoding> all = new ArrayList<>(DictionaryEncoding.STOCK);
    encodings.stream().map(RowEncoding::dictionary).filter(DictionaryEncoding::isShapeShifting).forEach(all::add);
    for (DictionaryEncoding encoding : all) {
      if (part.canShapeShift() || !encoding.isShapeShifting()) {
        try {
          encoded.put(
              encoding.name(), encoding.encode(column.displayName(), part.values(), part.hasTextIndex()));
        } catch (RuntimeException | StackOverflowError | InternalError e) {
          throw column.damaged("its dictionary cannot be read: " + Damage.describe(e), e);
        }
      }
    }
  }

  /**
   * Builds the text index of a column's strings, and measures searches with it.
   *
   * @param encoded columns by name of the encoding; none if no searches are measured
   */
  @Nullable
  private TextIndexAnalysis textIndex(
      SegmentColumn column,
      DictionaryPart part,
      Map<String, EncodedDictionary> dictionaries,
      Map<String, EncodedColumn> encoded,
      @Nullable IndexValues index
  ) throws IOException {
    if (part.isShared() || !part.canShapeShift()) {
      return null;
    }
    final DictionaryEncoding encoding =
        RowEncodings.shapeShifting(OptimizationTarget.FASTBUTSMALLISH, options.blockSize).dictionary();
    try (TextIndexTrial trial = new TextIndexTrial(column.displayName(), part, encoding, dictionaries)) {
      return trial.analysis(encoded.isEmpty() ? null : this::speedTest, encoded, index);
    }
  }

  /** Size in bytes of all dictionaries of a column, and of the ids in addition to its numbers, as stored at present. */
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

  /** String dictionary in a segment of an encoding. */
  private EncodedDictionary dictionaryOf(Map<String, EncodedDictionary> encoded, String encoding) {
    return encoded.getOrDefault(encoding, encoded.get(DictionaryEncoding.UTF8.name()));
  }

  /** Encodes a column in all encodings. The stock index is the same for all stock encodings, and is encoded once. */
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
   * Index of array elements in an encoding. Filters on values do not use it.
   *
   * @param growth number of additional bytes compared with the present size
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
   * Encodes the ids that numeric {@code auto} columns have in addition to their numbers, for bitmap indexes.
   *
   * @return number of additional bytes compared with the present size, by name of the encoding; 0 if the column has no
   *     such ids
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

  /** Size of the indexes in bytes. Spatial indexes, null bitmaps and hash indexes are unchanged. */
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
    // Encodings by index: all stock encodings share one.
    final Map<EncodedIndex, List<String>> names = encoded.keySet().stream().collect(
        Collectors.groupingBy(name -> encoded.get(name).index(), LinkedHashMap::new, Collectors.toList()));
    final Map<String, ColumnIndexSupplier> opened = new LinkedHashMap<>();
    names.values().forEach(ofIndex ->
        opened.put(ofIndex.get(0), encoded.get(ofIndex.get(0)).open(
            dictionaryOf(dictionaries, encoded.get(ofIndex.get(0)).encoding().name()).values())));
    Filter.of(part.dictionary().get(), values).forEach((each, filter) -> {
      @Nullable final SpeedTest.FilterSpeed speed =
          speedTest().measure(filter, opened, values.bitmaps().getBitmapFactory(), values.numRows());
      if (speed == null) {
        return;
      }
      final String kind = each.json();
      filters.put(kind, new FilterAnalysis(filter.condition(), filter.values(), speed.rows()));
      for (List<String> ofIndex : names.values()) {
        final double rounded = Numbers.rounded(speed.nanos().get(ofIndex.get(0)));
        ofIndex.forEach(name -> nanos.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(kind, rounded));
      }
    });
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
      @Nullable Map<String, Double> filterNanos,
      @Nullable Double textNanos,
      @Nullable String dictionaryCoding
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
        textNanos == null ? null : Numbers.rounded(textNanos),
        dictionaryCoding,
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
