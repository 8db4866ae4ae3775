// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.tool.analysis.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Sizes in bytes of the parts of a column other than its rows, in each encoding. */
final class PartSizes {
  private final SegmentColumn column;
  private final ColumnBytes today;
  private final Map<String, EncodedDictionary> dictionaries;
  private final Map<String, Elements> elements = new HashMap<>();
  /** Number of additional bytes of ids compared with the present size, by name of the encoding. */
  private final Map<String, Integer> idGrowth = new HashMap<>();

  /**
   * Index of array elements in an encoding. Filters on values do not use it.
   *
   * @param growth number of additional bytes compared with the present size
   */
  private record Elements(long growth, Map<String, FormUsage> forms) {
    static final Elements NONE = new Elements(0, Map.of());
  }

  /**
   * Creates sizes.
   *
   * @param today        present sizes of the column
   * @param dictionaries dictionaries by name of the encoding
   */
  PartSizes(SegmentColumn column, ColumnBytes today, Map<String, EncodedDictionary> dictionaries) {
    this.column = column;
    this.today = today;
    this.dictionaries = dictionaries;
  }

  /**
   * Encodes the parts that only {@code auto} columns have: the index of array elements, and ids in addition to numbers.
   *
   * @throws IOException if the system's temporary directory is full
   */
  void encode(int rows, List<RowEncoding> encodings) throws IOException {
    @Nullable final IndexPart elementPart = column.parts().elements();
    if (elementPart != null) {
      final IndexValues values = ColumnEncoder.read(column, "index of elements", () -> elementPart.read(rows));
      for (RowEncoding encoding : encodings) {
        try (EncodedIndex encoded = encoding.encodeIndex(column.displayName(), values)) {
          elements.put(
              encoding.name(),
              new Elements(encoded.sizeInBytes() - elementPart.bytes().remaining(), encoded.forms())
          );
        }
      }
    }
    @Nullable final RowPart idPart = column.parts().idsOfNumbers();
    if (idPart != null) {
      final RowValues ids = ColumnEncoder.read(column, "ids", () -> idPart.read(rows));
      for (RowEncoding encoding : encodings) {
        final RowEncoding ofIds = column.parts().encodingOf(idPart, encoding);
        try (EncodedRows encoded = ofIds.encode(column.displayName(), ids)) {
          idGrowth.put(encoding.name(), encoded.sizeInBytes() - idPart.bytes().remaining());
        }
      }
    }
  }

  /** Size of all dictionaries, and of the ids in addition to numbers. */
  long dictionaryBytes(String name, RowEncoding encoding) {
    long bytes = today.dictionary() + idGrowth.getOrDefault(name, 0);
    for (NumberDictionaryPart numbers : column.parts().numbers().values()) {
      final ByteBuffer stored = ColumnEncoder.read(
          column, "dictionary", () -> numbers.encode(encoding.dictionary().isShapeShifting()));
      bytes += stored.remaining() - numbers.bytes().remaining();
    }
    @Nullable final DictionaryPart strings = column.parts().dictionary();
    return strings == null || strings.isShared()
           ? bytes
           : bytes - strings.bytes().remaining()
               + ColumnEncoder.dictionaryOf(dictionaries, encoding.name()).sizeInBytes();
  }

  /** Size of the indexes. Spatial indexes, null bitmaps and hash indexes are unchanged. */
  long indexBytes(String name, EncodedColumn encoded) {
    final ColumnParts parts = column.parts();
    if (parts.hashIndex() != null && !encoded.encoding().isShapeShifting()) {
      return parts.stockNulls(column.numRows()).remaining();
    }
    return today.index() + elements(name).growth
        + (parts.index() == null ? 0 : encoded.index().sizeInBytes() - parts.index().bytes().remaining());
  }

  /** Usage of each form in the indexes. */
  Map<String, FormUsage> indexForms(String name, EncodedColumn encoded) {
    final Map<String, FormUsage> forms =
        new LinkedHashMap<>(encoded.index() == null ? Map.of() : encoded.index().forms());
    elements(name).forms.forEach((form, usage) -> forms.merge(form, usage, FormUsage::plus));
    return forms;
  }

  /** Size of all parts that no encoding changes. */
  long otherBytes() {
    return today.other();
  }

  private Elements elements(String name) {
    return elements.getOrDefault(name, Elements.NONE);
  }
}
