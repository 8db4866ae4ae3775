// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.index.KeyCost;
import io.shapeshift.druid.tool.analysis.Analysis.Alternatives;
import io.shapeshift.druid.tool.analysis.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
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
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.RowReader;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.annotation.Nullable;

/** Encoder of a column of ids or numbers in each encoding. Holds the encoded parts in temporary files until closed. */
final class ColumnEncoder implements Closeable {
  private final SegmentColumn column;
  private final Analyzer.Options options;
  private final List<RowEncoding> encodings;
  private final RowValues values;
  @Nullable
  private final IndexPart index;
  @Nullable
  private final IndexValues indexValues;
  @Nullable
  private final DictionaryPart dictionary;
  /** Null if the numbers can have none. */
  @Nullable
  private EncodedHashIndex hashIndex;
  /** Columns by name of the encoding. */
  private final Map<String, EncodedColumn> encoded = new LinkedHashMap<>();
  /** Dictionaries by name of the encoding, stock first. */
  private final Map<String, EncodedDictionary> dictionaries = new LinkedHashMap<>();

  /**
   * Reads a column.
   *
   * @param part rows of the column
   */
  ColumnEncoder(SegmentColumn column, RowPart part, Analyzer.Options options, List<RowEncoding> encodings) {
    this.column = column;
    this.options = options;
    this.encodings = encodings;
    this.values = read(column, "rows", () -> RowReader.read(part, column.knownRows()));
    this.index = column.parts().index();
    this.indexValues = index == null ? null : read(column, "index", () -> index.read(values.rows()));
    this.dictionary = column.parts().dictionary();
  }

  /**
   * Reads a part of a column.
   *
   * @param what name of the part, for messages
   */
  static <T> T read(SegmentColumn column, String what, Supplier<T> part) {
    try {
      return part.get();
    } catch (Damage e) {
      throw column.damaged("its " + what + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Encodes the rows, the index and the dictionary in all encodings.
   *
   * @throws IOException if the system's temporary directory is full
   */
  void encode() throws IOException {
    // Numeric auto columns have dictionaries instead of hash indexes.
    if (values instanceof RowValues.Numbers numbers && !column.isAuto()) {
      hashIndex = EncodedHashIndex.of(column.displayName(), numbers, OptimizationTarget.FASTBUTSMALLISH);
    }
    encodeRowsAndIndexes();
    if (options.advise()) {
      new Variants(column, options.blockSize()).encode(values, indexValues, hashIndex, encoded);
    }
    if (dictionary != null) {
      encodeDictionaries();
    }
  }

  /** Encodes rows and indexes. The stock index is the same for all stock encodings, and is encoded once. */
  private void encodeRowsAndIndexes() throws IOException {
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

  /** Encodes the strings of the column in all encodings, stock first. */
  private void encodeDictionaries() throws IOException {
    final List<DictionaryEncoding> all = new ArrayList<>(DictionaryEncoding.STOCK);
    encodings.stream().map(RowEncoding::dictionary).filter(DictionaryEncoding::isShapeShifting).forEach(all::add);
    for (DictionaryEncoding encoding : all) {
      if (dictionary.canShapeShift() || !encoding.isShapeShifting()) {
        try {
          dictionaries.put(
              encoding.name(),
              encoding.encode(column.displayName(), dictionary.values(), dictionary.hasTextIndex())
          );
        } catch (RuntimeException | StackOverflowError | InternalError e) {
          throw column.damaged("its dictionary cannot be read: " + Damage.describe(e), e);
        }
      }
    }
  }

  /**
   * Measures the encoded column, and adds its sizes and speeds to an analysis.
   *
   * @param today     present sizes of the column
   * @param speedTest test that is called only if speeds are requested and the column has enough rows
   * @throws IOException if the system's temporary directory is full
   */
  void addTo(ColumnAnalysis.Builder analysis, ColumnBytes today, Supplier<SpeedTest> speedTest) throws IOException {
    final ColumnSpeeds speeds = new ColumnSpeeds(encoded, dictionaries);
    if (options.speed() && values.rows() >= SpeedTest.MIN_ROWS) {
      measure(speeds, speedTest.get());
    }
    @Nullable final TextIndexAnalysis textIndex = textIndex(speeds.filters().isEmpty() ? null : speedTest);
    final PartSizes sizes = new PartSizes(column, today, dictionaries);
    sizes.encode(values.rows(), encodings.stream().filter(each -> encoded.containsKey(each.name())).toList());
    final Map<String, EncodingAnalysis> analyses = new LinkedHashMap<>();
    encoded.forEach((name, each) -> analyses.put(name, analysis(name, each, sizes, speeds)));
    final Map<String, EncodingAnalysis> variants = Variants.removeFrom(analyses);
    analysis
        .encodings(analyses)
        .filters(speeds.filters().isEmpty() ? null : speeds.filters())
        .dictionaries(dictionaryBytes())
        .hashIndex(hashIndexAnalysis())
        .textIndex(textIndex);
    if (options.advise()) {
      analysis.alternatives(new Alternatives(
          variants,
          LongTexts.bytesAsLong(column, values, options.blockSize()),
          column.parts().hashIndex() != null
      ));
    }
    analysis.explanation(explanation());
  }

  private void measure(ColumnSpeeds speeds, SpeedTest test) {
    speeds.measureRows(test, values.rows());
    // Druid itself fails on the empty bitmap of a value without rows, except null, which no filter finds. Each auto
    // column has it.
    if (index != null && index.dictionary() != null && !indexValues.hasUnusedIds(column.isAuto() ? 1 : 0)) {
      speeds.measureFilters(test, index, indexValues);
    }
    if (dictionary != null && dictionary.values().get().size() > 0) {
      speeds.measureTexts(test);
    }
  }

  /**
   * Builds the text index of the column's strings, and measures searches with it.
   *
   * @param speedTest measures searches; null to measure none
   */
  @Nullable
  private TextIndexAnalysis textIndex(@Nullable Supplier<SpeedTest> speedTest) throws IOException {
    if (dictionary == null || dictionary.isShared() || !dictionary.canShapeShift()) {
      return null;
    }
    final DictionaryEncoding encoding =
        RowEncodings.shapeShifting(OptimizationTarget.FASTBUTSMALLISH, options.blockSize()).dictionary();
    try (TextIndexTrial trial = new TextIndexTrial(column.displayName(), dictionary, encoding, dictionaries)) {
      return trial.analysis(speedTest, encoded, indexValues);
    }
  }

  private EncodingAnalysis analysis(String name, EncodedColumn each, PartSizes sizes, ColumnSpeeds speeds) {
    final long bytes = each.rows().sizeInBytes();
    final long indexBytes = Variants.HASH_INDEX.equals(name)
        ? Variants.indexBytes(column, hashIndex)
        : sizes.indexBytes(name, each);
    final long dictionaryBytes = sizes.dictionaryBytes(name, each.encoding());
    final Map<String, FormUsage> forms = each.rows().forms();
    final Map<String, FormUsage> indexForms = sizes.indexForms(name, each);
    return new EncodingAnalysis(
        bytes,
        indexBytes,
        dictionaryBytes,
        bytes + indexBytes + dictionaryBytes + sizes.otherBytes(),
        speeds.scanNanos(name),
        speeds.selectNanos(name),
        speeds.filterNanos(name),
        speeds.textNanos(each.encoding().dictionary()),
        dictionary == null || dictionary.isShared()
        ? null
        : dictionaryOf(dictionaries, each.encoding().dictionary().name()).coding(),
        forms.isEmpty() ? null : forms,
        indexForms.isEmpty() ? null : indexForms
    );
  }

  /** Dictionary in a segment of an encoding: Druid's default one if none was encoded for it. */
  static EncodedDictionary dictionaryOf(Map<String, EncodedDictionary> dictionaries, String encoding) {
    return dictionaries.getOrDefault(encoding, dictionaries.get(DictionaryEncoding.UTF8.name()));
  }

  /** Sizes of the column's own dictionary by name of the encoding; null if it has none. */
  @Nullable
  private Map<String, Integer> dictionaryBytes() {
    if (dictionary == null || dictionary.isShared()) {
      return null;
    }
    final Map<String, Integer> bytes = new LinkedHashMap<>();
    dictionaries.forEach((name, each) -> bytes.put(name, each.sizeInBytes()));
    return bytes;
  }

  @Nullable
  private HashIndexAnalysis hashIndexAnalysis() {
    if (hashIndex == null || hashIndex.keys() == 0) {
      return null;
    }
    // A column with a hash index has no chunks that are decoded as a whole.
    final KeyCost cost = new KeyCost(values.rows(), (double) hashIndex.entries() / hashIndex.keys(), 0, 0);
    return new HashIndexAnalysis(
        hashIndex.keys(),
        hashIndex.sizeInBytes(),
        Numbers.rounded((double) hashIndex.sizeInBytes() / values.rows()),
        cost.lookUpNanos(1),
        cost.scanNanos(1)
    );
  }

  /** Explanation of the rows under the requested target; null if none was requested. */
  @Nullable
  private Explanation explanation() throws IOException {
    if (options.explain() == null) {
      return null;
    }
    final EncodedColumn explained = encoded.get(RowEncodings.shapeShiftName(options.explain()));
    final ShapeShiftEncoding encoding = (ShapeShiftEncoding) explained.encoding();
    return Explanation.of(column.displayName(), values, explained.rows(), encoding, encoding.target());
  }

  @Override
  public void close() {
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
