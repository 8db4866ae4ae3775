// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import com.google.common.collect.Maps;
import io.shapeshift.druid.tool.analysis.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.encoding.DictionaryEncoding;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.speed.Filter;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnIndexSupplier;

/** Speeds of a column in each encoding, in nanoseconds. They are null or empty until they are measured. */
final class ColumnSpeeds {
  private final Map<String, EncodedColumn> encoded;
  private final Map<String, EncodedDictionary> dictionaries;
  private final Map<String, SpeedTest.Speed> rows = new HashMap<>();
  private final Map<String, FilterAnalysis> filters = new LinkedHashMap<>();
  /** Nanoseconds by kind of filter, by name of the encoding. */
  private final Map<String, Map<String, Double>> filterNanos = new HashMap<>();
  /** Nanoseconds to read a text by name of the dictionary's encoding. */
  private final Map<String, Double> textNanos = new HashMap<>();

  /**
   * Creates speeds of which none is measured.
   *
   * @param encoded      columns by name of the encoding
   * @param dictionaries dictionaries by name of the encoding
   */
  ColumnSpeeds(Map<String, EncodedColumn> encoded, Map<String, EncodedDictionary> dictionaries) {
    this.encoded = encoded;
    this.dictionaries = dictionaries;
  }

  void measureRows(SpeedTest test, int numRows) {
    rows.putAll(test.measure(Maps.transformValues(encoded, EncodedColumn::rows), numRows));
  }

  /** Measures filters by the index. All stock encodings share one. */
  void measureFilters(SpeedTest test, IndexPart part, IndexValues values) {
    final Map<EncodedIndex, List<String>> names = encoded.keySet().stream().collect(
        Collectors.groupingBy(name -> encoded.get(name).index(), LinkedHashMap::new, Collectors.toList()));
    final Map<String, ColumnIndexSupplier> opened = new LinkedHashMap<>();
    names.values().forEach(ofIndex -> {
      final EncodedColumn first = encoded.get(ofIndex.get(0));
      opened.put(
          ofIndex.get(0),
          first.open(ColumnEncoder.dictionaryOf(dictionaries, first.encoding().name()).values())
      );
    });
    Filter.of(part.dictionary().get(), values).forEach((each, filter) -> {
      @Nullable final SpeedTest.FilterSpeed speed =
          test.measure(filter, opened, values.bitmaps().getBitmapFactory(), values.numRows());
      if (speed == null) {
        return;
      }
      final String kind = each.json();
      filters.put(kind, new FilterAnalysis(filter.condition(), filter.values(), speed.rows()));
      for (List<String> ofIndex : names.values()) {
        final double rounded = Numbers.rounded(speed.nanos().get(ofIndex.get(0)));
        ofIndex.forEach(name -> filterNanos.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(kind, rounded));
      }
    });
  }

  void measureTexts(SpeedTest test) {
    textNanos.putAll(test.measureTexts(Maps.transformValues(dictionaries, each -> each.values().get())));
  }

  /** Filters that were measured, by kind. */
  Map<String, FilterAnalysis> filters() {
    return filters;
  }

  /** Nanoseconds per row to read all rows. */
  @Nullable
  Double scanNanos(String encoding) {
    @Nullable final SpeedTest.Speed speed = rows.get(encoding);
    return speed == null ? null : Numbers.rounded(speed.scan());
  }

  /** Nanoseconds per row read by position, by share of the rows. */
  @Nullable
  Map<String, Double> selectNanos(String encoding) {
    @Nullable final SpeedTest.Speed speed = rows.get(encoding);
    if (speed == null) {
      return null;
    }
    final Map<String, Double> select = new LinkedHashMap<>(speed.select());
    select.replaceAll((share, nanos) -> Numbers.rounded(nanos));
    return select;
  }

  /** Nanoseconds by kind of filter. */
  @Nullable
  Map<String, Double> filterNanos(String encoding) {
    return filterNanos.get(encoding);
  }

  /** Nanoseconds to read a text; those of Druid's default dictionary if none was encoded for the encoding. */
  @Nullable
  Double textNanos(DictionaryEncoding encoding) {
    @Nullable final Double nanos =
        textNanos.getOrDefault(encoding.name(), textNanos.get(DictionaryEncoding.UTF8.name()));
    return nanos == null ? null : Numbers.rounded(nanos);
  }
}
