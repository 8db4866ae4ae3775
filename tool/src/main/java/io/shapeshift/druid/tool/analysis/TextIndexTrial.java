// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.column.strings.TextIndex;
import io.shapeshift.druid.tool.analysis.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.encoding.DictionaryEncoding;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.speed.PartFilters;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.Indexed;

/** Dictionary of a column's strings under the default target, with a text index and without. */
final class TextIndexTrial implements Closeable {
  private static final String DRUID = "druid";
  private static final String PLAIN = "plain";
  private static final String INDEXED = "indexed";
  private static final String ALIKE = "the texts are too much alike, or too irregular";

  private final Indexed<ByteBuffer> texts;
  private final boolean isPresent;
  private final EncodedDictionary stock;
  private final EncodedDictionary asToday;
  private final EncodedDictionary otherwise;

  /**
   * Encodes the dictionary with a text index if it has none today, and without if it has one.
   *
   * @param column  name of the column, for messages
   * @param encoded the dictionary as today in this respect, by name of the encoding
   * @throws IOException if the system's temporary directory is full
   */
  TextIndexTrial(
      String column,
      DictionaryPart part,
      DictionaryEncoding encoding,
      Map<String, EncodedDictionary> encoded
  ) throws IOException {
    this.texts = part.values().get();
    this.isPresent = part.hasTextIndex();
    this.stock = encoded.get(DictionaryEncoding.UTF8.name());
    this.asToday = encoded.get(encoding.name());
    this.otherwise = encoding.encode(column, part.values(), !isPresent);
  }

  /**
   * Analysis of the index.
   *
   * @param speedTest measures searches; null to measure none
   * @param encoded   the column by name of the encoding
   * @param index     rows of each value; null if no searches are measured
   */
  TextIndexAnalysis analysis(
      @Nullable Supplier<SpeedTest> speedTest,
      Map<String, EncodedColumn> encoded,
      @Nullable IndexValues index
  ) {
    final int bytes = Math.abs(otherwise.sizeInBytes() - asToday.sizeInBytes());
    return analysis(
        bytes,
        bytes == 0 ? whyNone() : "",
        isPresent,
        bytes == 0 || speedTest == null ? null : searches(speedTest.get(), encoded, index)
    );
  }

  /**
   * Analysis of an index.
   *
   * @param bytes size of the index; 0 if there is none
   * @param none  reason why there is none
   */
  static TextIndexAnalysis analysis(
      long bytes,
      String none,
      boolean isPresent,
      @Nullable Map<String, SearchAnalysis> searches
  ) {
    return bytes == 0
           ? new TextIndexAnalysis(null, none, false, null)
           : new TextIndexAnalysis(bytes, null, isPresent, searches == null || searches.isEmpty() ? null : searches);
  }

  private String whyNone() {
    long bytes = 0;
    for (int id = 0; id < texts.size(); id++) {
      @Nullable final ByteBuffer text = texts.get(id);
      bytes += text == null ? 0 : text.remaining();
    }
    return bytes < TextIndex.LEAST_BYTES_OF_TEXTS
           ? "the texts have fewer than " + Numbers.text(TextIndex.LEAST_BYTES_OF_TEXTS) + " bytes"
           : ALIKE;
  }

  private Map<String, SearchAnalysis> searches(
      SpeedTest speedTest, Map<String, EncodedColumn> encoded, IndexValues index) {
    final EncodedColumn druid = encoded.get(RowEncodings.DRUID_LZ4.name());
    final EncodedColumn ours = encoded.get(Analyzer.DEFAULT_ENCODING);
    final Map<String, ColumnIndexSupplier> opened = new LinkedHashMap<>();
    opened.put(DRUID, druid.open(stock.values()));
    opened.put(PLAIN, ours.open((isPresent ? otherwise : asToday).values()));
    opened.put(INDEXED, ours.open((isPresent ? asToday : otherwise).values()));
    final Map<String, SearchAnalysis> searches = new LinkedHashMap<>();
    PartFilters.of(texts).forEach((hits, filter) -> {
      @Nullable final SpeedTest.FilterSpeed speed =
          speedTest.measure(filter, opened, index.bitmaps().getBitmapFactory(), index.numRows());
      if (speed != null) {
        searches.put(hits.json(), new SearchAnalysis(
            filter.condition(),
            filter.values(),
            speed.rows(),
            Numbers.rounded(speed.nanos().get(DRUID)),
            Numbers.rounded(speed.nanos().get(PLAIN)),
            Numbers.rounded(speed.nanos().get(INDEXED))
        ));
      }
    });
    return searches;
  }

  @Override
  public void close() {
    otherwise.close();
  }
}
