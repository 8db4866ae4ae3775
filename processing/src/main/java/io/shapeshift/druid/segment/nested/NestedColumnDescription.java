// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.blobs.Blobs;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.structures.FieldPaths;
import io.shapeshift.druid.column.structures.Kept;
import io.shapeshift.druid.column.structures.ObjectWalker;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.nested.NestedFieldFormat.Section;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.roaringbitmap.IntIterator;

/** Parts of a nested column in a segment, for people and for tools. */
public final class NestedColumnDescription {
  private final NestedColumnData data;

  private NestedColumnDescription(NestedColumnData data) {
    this.data = data;
  }

  /**
   * Opens a column.
   *
   * @param column name of the column's file
   * @param buffer the file, without its descriptor
   * @param files  files of the segment
   * @param order  byte order that the column's part has
   * @param format format that the column's part has
   * @throws io.shapeshift.druid.column.ColumnFormatException if the column is damaged
   */
  public static NestedColumnDescription read(
      String column,
      ByteBuffer buffer,
      SegmentFileMapper files,
      ByteOrder order,
      NestedCommonFormatColumnFormatSpec format
  ) {
    return new NestedColumnDescription(
        NestedColumnData.read(column, buffer, files, order, format, ColumnConfig.DEFAULT));
  }

  /**
   * Structures of the objects.
   *
   * @param number     number of different structures
   * @param entropy    bits per row that the structures of the rows have at least, as if rows were in no order
   * @param nullRows   rows that are null
   * @param keptRows   rows whose objects cannot be rebuilt, and are kept
   * @param tableBytes bytes of the structures
   * @param idBytes    bytes of the rows' ids, with the head
   * @param listBytes  bytes of the posting lists
   * @param keptBytes  bytes of the objects that are kept
   */
  public record ObjectParts(
      int number,
      double entropy,
      int nullRows,
      int keptRows,
      long tableBytes,
      long idBytes,
      long listBytes,
      long keptBytes
  ) {}

  /**
   * Field.
   *
   * @param name     normalized path
   * @param types    types of its values, for people
   * @param rows     rows that have a value, without those whose objects are kept
   * @param values   number of distinct values, including null if there is one
   * @param sections bytes of its sections by name, without its head
   * @param bytes    all bytes
   */
  public record FieldParts(
      String name, String types, int rows, int values, Map<String, Long> sections, long bytes) {
    /** Returns the bytes of distinct values. */
    public long dictionaryBytes() {
      return sum(Section.STRINGS, Section.LONGS, Section.DOUBLES, Section.ARRAYS);
    }

    /** Returns the bytes of ids and numbers of rows. */
    public long rowBytes() {
      return sum(Section.IDS, Section.LONG_VALUES, Section.DOUBLE_VALUES, Section.STRUCTURE_IDS);
    }

    /** Returns the bytes of posting lists. */
    public long indexBytes() {
      return sum(Section.LISTS, Section.ELEMENT_LISTS);
    }

    private long sum(Section... some) {
      long sum = 0;
      for (Section section : some) {
        sum += sections.getOrDefault(label(section), 0L);
      }
      return sum;
    }
  }

  private static String label(Section section) {
    return section.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns the number of rows. */
  public int numRows() {
    return data.numRows();
  }

  /** Returns the bytes of the names of all fields. */
  public long nameBytes() {
    return data.nameBytes();
  }

  /** Returns the dictionaries of strings of all fields that have one, except Druid's own. */
  public List<StringDictionary> dictionaries() {
    final List<StringDictionary> dictionaries = new ArrayList<>();
    for (int field = 0; field < data.numFields(); field++) {
      @Nullable final StringDictionary texts = data.field(field).dictionary();
      if (texts != null) {
        dictionaries.add(texts);
      }
    }
    return dictionaries;
  }

  /** Returns the structures. */
  public ObjectParts objects() {
    final Structures structures = data.structures();
    double entropy = 0;
    for (int id = 0; id < structures.size(); id++) {
      final int rows = structures.numRowsOf(id);
      if (rows > 0) {
        final double share = (double) rows / structures.numRows();
        entropy -= share * Math.log(share) / Math.log(2);
      }
    }
    @Nullable final Blobs kept = data.kept();
    return new ObjectParts(
        structures.size() - Structures.KEPT - 1,
        entropy,
        structures.numNulls(),
        structures.numKept(),
        structures.tableBytes(),
        structures.sizeInBytes() - structures.tableBytes() - structures.listBytes(),
        structures.listBytes(),
        kept == null ? 0 : kept.sizeInBytes()
    );
  }

  /** Returns the fields, in the order of their names. */
  public List<FieldParts> fields() {
    final List<FieldParts> fields = new ArrayList<>();
    int number = 0;
    for (String name : data.names().strings()) {
      final NestedField field = data.field(number);
      final long inFiles = bytesOfStringsInFiles(number);
      final Map<String, Long> sections = new LinkedHashMap<>();
      field.sections().forEach((section, bytes) -> sections.put(label(section), (long) bytes.remaining()));
      sections.computeIfPresent(label(Section.STRINGS), (section, bytes) -> bytes + inFiles);
      fields.add(new FieldParts(
          name,
          types(field.types()),
          data.structures().numRowsWith(number),
          field.numIds(),
          Collections.unmodifiableMap(sections),
          data.fieldBytes(number) + inFiles
      ));
      number++;
    }
    return fields;
  }

  private long bytesOfStringsInFiles(int field) {
    try {
      return data.bytesOfStringsInFiles(field);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String types(FieldTypeInfo.TypeSet types) {
    final Set<ColumnType> all = FieldTypeInfo.convertToSet(types.getByteValue());
    return all.stream().map(ColumnType::asTypeString).sorted().collect(Collectors.joining(", "));
  }

  /** Returns why objects are kept, and how many for each reason. Reads the objects that are kept. */
  public Map<String, Integer> reasons() {
    final Map<String, Integer> reasons = new TreeMap<>();
    final List<String> names = new ArrayList<>();
    data.names().strings().forEach(names::add);
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(names), (field, value) -> 1);
    final RowSet rows = data.structures().rowsOf(Structures.KEPT);
    try (ObjectReader reader = new ObjectReader(data)) {
      final IntIterator kept = rows.toBitmap(data.bitmaps().getBitmapFactory()).iterator();
      while (kept.hasNext()) {
        walker.walk(reader.get(kept.next()).getValue());
        @Nullable final Kept reason = walker.kept();
        reasons.merge(reason == null ? "too many structures" : reason.toString(), 1, Integer::sum);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reasons;
  }
}
