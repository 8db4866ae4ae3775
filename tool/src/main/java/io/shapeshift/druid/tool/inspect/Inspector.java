// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ColumnHeader;
import io.shapeshift.druid.column.blobs.Blobs;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.TextIndex;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.Piece;
import io.shapeshift.druid.tool.inspect.Inspection.ChunkInspection;
import io.shapeshift.druid.tool.inspect.Inspection.ColumnInspection;
import io.shapeshift.druid.tool.inspect.Inspection.FieldInspection;
import io.shapeshift.druid.tool.inspect.Inspection.FormInspection;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.ObjectPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/** Reader of the structure of a segment's columns, which does not read their rows. */
final class Inspector {
  private static final String DICTIONARY = "dictionary";
  private static final String INDEX = "index";
  private static final String ELEMENTS = "elements";
  static final String OBJECTS = "objects";
  private static final String HASH_INDEX = "hashIndex";
  private static final String HASH_LISTS = "hashLists";
  private static final String TEXT_INDEX = "textIndex";

  private Inspector() {}

  static Inspection inspect(Segment segment, Predicate<SegmentColumn> filter) {
    return new Inspection(
        segment.path().toString(),
        segment.version(),
        segment.knownRows().orElse(0),
        segment.interval().toString(),
        segment.sizeInBytes(),
        SegmentChecksums.exist(segment.directory()),
        segment.columns().stream().filter(filter).map(Inspector::inspect).toList()
    );
  }

  private static ColumnInspection inspect(SegmentColumn column) {
    try {
      final ColumnParts parts = column.parts();
      @Nullable final RowPart rows = parts.rows();
      @Nullable final ObjectPart objects = ObjectPart.of(column);
      if (objects != null) {
        final long bytes = column.sizeInBytes();
        return inspect(column, objects.encoding(), 0, bytes, 0, part(objects, bytes), null);
      }
      @Nullable final NestedPart nested = NestedPart.of(column);
      if (nested != null) {
        return inspect(
            column,
            nested.encoding(),
            nested.dictionaryBytes(),
            nested.valueBytes(),
            nested.indexBytes(),
            NestedParts.objects(nested, column.knownRows().orElse(0)),
            NestedParts.fields(nested)
        );
      }
      return new ColumnInspection(
          column.displayName(),
          column.type(),
          column.partType(),
          column.isAuto(),
          parts.multiValue(),
          column.knownRows().orElse(0),
          parts.cardinality(),
          rows == null ? null : rows.encoding(),
          column.sizeInBytes(),
          parts.dictionaryBytes(),
          rows == null ? 0 : rows.bytes().remaining(),
          parts.indexBytes(),
          rows == null ? List.of() : parts(parts, rows, column.knownRows().orElse(0)),
          null,
          null
      );
    } catch (ToolException e) {
      return problem(column, e.getMessage());
    } catch (RuntimeException e) {
      return problem(column, column.damaged(String.valueOf(e.getMessage()), e).getMessage());
    }
  }

  /** Column of objects, as one part. */
  private static ColumnInspection inspect(
      SegmentColumn column,
      String encoding,
      long dictionaryBytes,
      long rowBytes,
      long indexBytes,
      PartInspection objects,
      @Nullable List<FieldInspection> fields
  ) {
    return new ColumnInspection(
        column.displayName(),
        column.type(),
        column.partType(),
        column.isAuto() || column.isNested(),
        false,
        column.knownRows().orElse(0),
        null,
        encoding,
        column.sizeInBytes(),
        dictionaryBytes,
        rowBytes,
        indexBytes,
        List.of(objects),
        fields,
        null
    );
  }

  private static ColumnInspection problem(SegmentColumn column, String message) {
    return new ColumnInspection(
        column.displayName(),
        column.type(),
        column.partType(),
        column.isAuto(),
        false,
        column.knownRows().orElse(0),
        null,
        null,
        column.sizeInBytes(),
        0,
        0,
        0,
        List.of(),
        null,
        message
    );
  }

  /** Pieces of the row part. A numeric {@code auto} column has ids, for its bitmaps, followed by numbers. */
  private static List<PartInspection> parts(ColumnParts parts, RowPart rows, int numRows) {
    final Collection<RowPart> all = parts.files().isEmpty() ? List.of(rows) : parts.files().values();
    final List<PartInspection> found = new ArrayList<>();
    all.forEach(part -> found.addAll(parts(part, numRows)));
    if (parts.dictionary() != null && !parts.dictionary().isShared()) {
      found.add(part(parts.dictionary()));
      @Nullable final TextIndex texts = textIndex(parts.dictionary());
      if (texts != null) {
        found.add(part(texts));
      }
    }
    if (parts.index() != null) {
      found.add(part(INDEX, parts.index()));
    }
    if (parts.elements() != null) {
      found.add(part(ELEMENTS, parts.elements()));
    }
    if (parts.hashIndex() != null) {
      found.addAll(parts(parts.hashIndex().index()));
    }
    return found;
  }

  /** The entries as a whole, and the lists of keys that have one. */
  private static List<PartInspection> parts(HashIndex index) {
    @Nullable final PostingLists lists = index.lists();
    final Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("numRows", index.numRows());
    fields.put("numKeys", index.numKeys());
    fields.put("numEntries", index.numEntries());
    fields.put("numBuckets", index.numBuckets());
    final long bytes = index.sizeInBytes() - (lists == null ? 0 : lists.sizeInBytes());
    final PartInspection entries =
        part(HASH_INDEX, fields, List.of(chunk(0, 0, 0, index.numEntries(), "hash", null, bytes)));
    return lists == null ? List.of(entries) : List.of(entries, part(HASH_LISTS, lists));
  }

  @Nullable
  private static TextIndex textIndex(DictionaryPart dictionary) {
    return dictionary.ours() == null ? null : dictionary.ours().textIndex();
  }

  /** The trigrams of the texts of a dictionary as a whole. */
  private static PartInspection part(TextIndex texts) {
    final Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("numGroups", texts.numGroups());
    fields.put("numSlots", texts.numSlots());
    return part(
        TEXT_INDEX, fields, List.of(chunk(0, 0, 0, texts.numGroups(), "trigrams", null, texts.sizeInBytes())));
  }

  /** The distinct strings as a whole, without their text index. */
  private static PartInspection part(DictionaryPart dictionary) {
    final Map<String, Object> fields = new LinkedHashMap<>();
    final int size = dictionary.size();
    fields.put("size", size);
    @Nullable final StringDictionary ours = dictionary.ours();
    @Nullable final TextIndex texts = textIndex(dictionary);
    final int bytes = dictionary.bytes().remaining() - (texts == null ? 0 : texts.sizeInBytes());
    if (ours != null) {
      fields.put("hasNull", ours.hasNull());
      fields.put("textsPerBucket", ours.textsPerBucket());
      fields.put("commonPrefix", ours.commonPrefix());
      fields.put("numSymbols", ours.numSymbols());
    }
    return part(
        DICTIONARY,
        fields,
        size == 0
        ? List.of()
        : List.of(chunk(0, 0, 0, size, dictionary.encoding(), null, bytes))
    );
  }

  /** Objects in sections, or Druid's as a whole. */
  private static PartInspection part(ObjectPart objects, long bytes) {
    final Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("size", objects.size());
    final List<ChunkInspection> chunks = new ArrayList<>();
    @Nullable final Blobs ours = objects.ours();
    if (ours == null) {
      chunks.add(chunk(0, 0, 0, objects.size(), objects.encoding(), null, bytes));
    } else {
      fields.put("hasNulls", ours.hasNulls());
      fields.put("hasEmpty", ours.hasEmpty());
      ours.describe().forEach(each -> chunks.add(chunk(
          chunks.size(), each.offset(), each.firstValue(), each.numValues(), each.form(), null, each.bytes())));
    }
    return part(OBJECTS, fields, chunks);
  }

  /** The rows of each value: lists in chunks, or all bitmaps as a whole. */
  private static PartInspection part(String name, IndexPart index) {
    return index.lists() == null
           ? part(
               name,
               Map.of("size", index.size()),
               index.size() == 0
               ? List.of()
               : List.of(chunk(0, 0, 0, index.size(), index.encoding(), null, index.bytes().remaining()))
           )
           : part(name, index.lists());
  }

  private static PartInspection part(String name, PostingLists lists) {
    final Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("size", lists.size());
    fields.put("numRows", lists.numRows());
    fields.put("hasLists", lists.hasLists());
    final List<ChunkInspection> chunks = new ArrayList<>();
    lists.forEachChunk(each -> chunks.add(
        chunk(each.number(), each.offset(), each.firstList(), each.numLists(), each.form(), null, each.bytes())));
    return part(name, fields, chunks);
  }

  static List<PartInspection> parts(RowPart rows, int numRows) {
    final List<Piece<?>> pieces = Piece.of(rows.column());
    return pieces.isEmpty() ? StockParts.read(rows, numRows) : pieces.stream().map(Inspector::part).toList();
  }

  private static PartInspection part(Piece<?> piece) {
    final ColumnData<?> data = piece.data();
    final ColumnHeader header = data.header();
    final Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", (int) ColumnHeader.VERSION);
    fields.put("logValuesPerBlock", header.logValuesPerBlock());
    fields.put("numForms", header.composition().entries().size());
    fields.put("numValues", header.numValues());
    fields.put("numChunks", header.numChunks());

    final List<ChunkInspection> chunks = new ArrayList<>();
    for (ChunkInfo chunk : data.chunks()) {
      chunks.add(
          chunk(
              chunk.number(),
              chunk.offset(),
              chunk.firstValue(),
              chunk.numValues(),
              piece.form(chunk),
              piece.compressedForm(chunk),
              chunk.bytes()
          )
      );
    }
    return part(piece.name(), fields, chunks);
  }

  static ChunkInspection chunk(
      int number,
      long offset,
      long firstValue,
      int numValues,
      String form,
      @Nullable String innerForm,
      long bytes
  ) {
    return new ChunkInspection(
        number,
        offset,
        firstValue,
        numValues,
        form,
        innerForm,
        bytes,
        Numbers.rounded(8.0 * bytes / Math.max(1, numValues))
    );
  }

  static PartInspection part(String name, Map<String, Object> header, List<ChunkInspection> chunks) {
    final Map<String, FormInspection> forms = new LinkedHashMap<>();
    for (ChunkInspection chunk : chunks) {
      forms.merge(
          chunk.form() + (chunk.innerForm() == null ? "" : " of " + chunk.innerForm()),
          new FormInspection(1, chunk.numValues(), chunk.bytes()),
          FormInspection::plus
      );
    }
    return new PartInspection(name, header, forms, chunks);
  }
}
