// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Iterables;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.TextRows;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.inspect.Inspection.ChunkInspection;
import io.shapeshift.druid.tool.inspect.Inspection.ColumnInspection;
import io.shapeshift.druid.tool.inspect.Inspection.FieldInspection;
import io.shapeshift.druid.tool.inspect.Inspection.FormInspection;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SketchRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class InspectorTest {
  private static final int NUM_ROWS = 20_000;
  private static final IncrementalIndex ROWS = EveryColumn.inMemory(1, NUM_ROWS);

  /** Bytes of a bitmap without rows: Druid stores its size, which is 0. */
  private static final int EMPTY_BITMAP = 4;

  private static final Pattern OBJECT_FORM = Pattern.compile("(distinct )?(plain|words|lz4|zstd)");

  /** What is said of segments of {@link #ROWS}, each of which is written once. */
  private static final Map<Version, Map<IndexSpec, Map<String, ColumnInspection>>> INSPECTED =
      new EnumMap<>(Version.class);

  @TempDir
  private Path folder;

  private Map<String, ColumnInspection> inspect(IndexSpec spec, Version version) {
    return INSPECTED.computeIfAbsent(version, key -> new HashMap<>())
        .computeIfAbsent(spec, key -> inspect(ROWS, spec, version));
  }

  private Map<String, ColumnInspection> inspect(IncrementalIndex rows, IndexSpec spec, Version version) {
    final Path path = TestSegments.persist(rows, folder.resolve("segment").toFile(), spec, version).toPath();
    try (Segment segment = Segment.open(path)) {
      final Inspection inspection = Inspector.inspect(segment, column -> true);
      assertEquals(version == Version.V9 ? 9 : 10, inspection.version());
      assertEquals(rows.numRows(), inspection.rows());
      return inspection.columns().stream().collect(Collectors.toMap(ColumnInspection::name, Function.identity()));
    }
  }

  static Stream<Arguments> specs() {
    final IndexSpec uncompressed = IndexSpec.builder()
        .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
        .withMetricCompression(CompressionStrategy.NONE)
        .build();
    final IndexSpec auto = IndexSpec.builder()
        .withDimensionCompression(CompressionStrategy.ZSTD)
        .withLongEncoding(CompressionFactory.LongEncodingStrategy.AUTO)
        .build();
    final List<IndexSpec> specs = List.of(
        TestSegments.STOCK,
        uncompressed,
        auto,
        TestSegments.SHAPE_SHIFT,
        TestSegments.shapeShiftAll(OptimizationTarget.SMALLER, BlockSize.MIDDLE),
        TestSegments.shapeShift(OptimizationTarget.SMALLER, BlockSize.SMALL)
    );
    // Each in one of the versions or in both.
    return Stream.of(Version.values()).flatMap(version -> IntStream.range(0, specs.size())
        .filter(i -> Tier.tries(version.ordinal() + i, 2))
        .mapToObj(i -> Arguments.of(specs.get(i), version)));
  }

  @Test
  void textIndexesAreParts() {
    final var columns = inspect(TextRows.inMemory(4000), TextRows.INDEXED, Version.V9);
    for (String column : List.of("plain", "auto")) {
      final Map<String, PartInspection> parts = columns.get(column).parts().stream()
          .filter(part -> part.name().equals("dictionary") || part.name().equals("textIndex"))
          .collect(Collectors.toMap(PartInspection::name, part -> part));
      final PartInspection index = parts.get("textIndex");
      assertTrue((int) index.header().get("numGroups") > 50, index::toString);
      assertTrue(index.chunks().get(0).bytes() > 1000, index::toString);
      assertEquals(
          columns.get(column).dictionaryBytes(),
          parts.values().stream().mapToLong(part -> part.chunks().get(0).bytes()).sum()
      );
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void hashIndexesAreParts(Version version) {
    final IndexSpec spec = ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        TestSegments.withHashIndexes(
            EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE),
            Set.of("longSum", "nullLong")
        )
    );
    final var columns = inspect(NumberRows.inMemory(1, 5000, false), spec, version);
    final PartInspection index = columns.get("nullLong").parts().get(1);
    assertEquals("hashIndex", index.name());
    assertEquals(Map.of("numRows", 5000, "numKeys", 0, "numEntries", 0, "numBuckets", 0), index.header());
    // Some of a thousand numbers have five rows, none has 64.
    final List<PartInspection> parts = columns.get("longSum").parts();
    assertEquals(List.of("numbers", "hashIndex"), parts.stream().map(PartInspection::name).toList());
    final Map<String, Object> header = new HashMap<>(parts.get(1).header());
    final int numKeys = (int) header.remove("numKeys");
    assertTrue(numKeys > 900 && numKeys <= 1000, () -> "keys: " + numKeys);
    assertEquals(Map.of("numRows", 5000, "numEntries", 5000, "numBuckets", 512), header);
    assertEquals(columns.get("longSum").indexBytes(), parts.get(1).chunks().get(0).bytes() + EMPTY_BITMAP);
    assertEquals(List.of("numbers"), columns.get("long").parts().stream().map(PartInspection::name).toList());
  }

  /** Whatever the encoding: chunks lie one behind the other, and hold all values. */
  @ParameterizedTest
  @MethodSource("specs")
  void chunksHoldAllValuesAndAllBytes(IndexSpec spec, Version version) {
    int columnsWithParts = 0;
    for (ColumnInspection column : inspect(spec, version).values()) {
      assertNull(column.problem(), column.name());
      if (column.fields() != null) {
        // Its chunks lie in several files.
        continue;
      }
      columnsWithParts += column.parts().isEmpty() ? 0 : 1;
      long end = 0;
      for (PartInspection part : column.parts()) {
        final boolean isDictionary = part.name().equals("dictionary");
        final boolean isIndex = part.name().equals("index") || part.name().equals("elements");
        if (isIndex && part.chunks().isEmpty()) {
          // The ids answer for lists; or the column is of a projection, in which Druid has no index of elements.
          assertTrue(Boolean.FALSE.equals(part.header().get("hasLists")) || part.header().get("size").equals(0));
          continue;
        }
        final boolean shapeShifts = "shapeshift".equals(column.encoding());
        long offset = part.chunks().get(0).offset();
        long firstValue = 0;
        final Map<String, FormInspection> forms = new HashMap<>();
        for (int i = 0; i < part.chunks().size(); i++) {
          final ChunkInspection chunk = part.chunks().get(i);
          final String what = column.name() + " " + part.name() + " " + i;
          assertEquals(i, chunk.number(), what);
          assertEquals(offset, chunk.offset(), what);
          assertEquals(firstValue, chunk.firstValue(), what);
          assertEquals(8.0 * chunk.bytes() / chunk.numValues(), chunk.bitsPerValue(), 1e-6, what);
          offset += chunk.bytes();
          firstValue += chunk.numValues();
          forms.merge(
              chunk.form() + (chunk.innerForm() == null ? "" : " of " + chunk.innerForm()),
              new FormInspection(1, chunk.numValues(), chunk.bytes()),
              FormInspection::plus
          );
        }
        assertEquals(forms, part.forms());
        switch (part.name()) {
          case "ids", "numbers", "objects" -> assertEquals(column.rows(), firstValue, column.name());
          case "offsets" -> assertEquals(column.rows() + 1, firstValue, column.name());
          case "dictionary", "index", "elements" ->
              assertEquals(part.header().get("size"), (int) firstValue, column.name());
          default -> assertEquals("values", part.name());
        }
        if (isIndex || isDictionary) {
          // Behind posting lists there is what readers touch; and then there may be a spatial index.
          assertTrue(offset <= (isIndex ? column.indexBytes() : column.dictionaryBytes()), column.name());
          if (column.cardinality() != null) {
            assertEquals(column.cardinality(), part.header().get("size"), column.name());
          }
        } else {
          end = shapeShifts ? end + offset : offset;
        }
      }
      assertEquals(column.rowBytes(), end, column.name());
    }
    assertEquals(21, columnsWithParts);
  }

  @Test
  void headersTellTheirFields() {
    final Map<String, ColumnInspection> ours = inspect(TestSegments.SHAPE_SHIFT, Version.V9);
    final PartInspection constant = ours.get("constant").parts().get(0);
    assertEquals(
        "{version=1, logValuesPerBlock=12, numForms=1, numValues=20000, numChunks=1}",
        constant.header().toString()
    );
    assertEquals(
        List.of(new ChunkInspection(0, 26, 0, 20_000, "zero", null, 1, 0.0004)),
        constant.chunks()
    );
    assertEquals(
        List.of("offsets", "values", "dictionary", "index"),
        ours.get("multi").parts().stream().map(PartInspection::name).toList()
    );
    assertTrue(ours.get("multi").multiValue());
    assertEquals("shapeshift", ours.get("byPlain/plain").encoding());
    assertEquals(
        "{version=2, totalSize=20000, sizePer=8192, compression=lz4}",
        ours.get("number").parts().get(0).header().toString()
    );
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void chunksOfNumbersHaveForms(Version version) {
    final IncrementalIndex rows = NumberRows.inMemory(1, Tier.pick(9000, NUM_ROWS), false);
    final Map<String, ColumnInspection> columns = inspect(rows, TestSegments.ALL_SHAPE_SHIFT, version);
    for (String name : List.of("__time", "long", "doubleOrNull", "floatSum", "hourly/longOrNull", "timeless/float")) {
      final ColumnInspection column = columns.get(name);
      assertEquals("shapeshift", column.encoding(), name);
      final PartInspection numbers = column.parts().get(0);
      assertEquals("numbers", numbers.name(), name);
      assertEquals(column.rows(), numbers.chunks().stream().mapToLong(ChunkInspection::numValues).sum(), name);
      assertTrue(numbers.forms().keySet().stream().noneMatch(form -> form.startsWith("unknown")), name);
    }
    // A bitmap of nulls, with its size, is all that there is beside the numbers and their size.
    final ColumnInspection nulls = columns.get("doubleOrNull");
    assertEquals(nulls.bytes(), Integer.BYTES + nulls.rowBytes() + nulls.indexBytes());
    assertTrue(nulls.indexBytes() > Integer.BYTES);
    assertEquals(0, columns.get("__time").indexBytes());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void numbersOfTypeAutoHaveIdsToo(Version version) {
    for (IndexSpec spec : List.of(TestSegments.STOCK, TestSegments.ALL_SHAPE_SHIFT)) {
      final Map<String, ColumnInspection> columns = inspect(AutoColumns.inMemory(1, 1000), spec, version);
      for (String name : List.of("longsOrNull", "doubles")) {
        final ColumnInspection column = columns.get(name);
        assertTrue(column.auto(), name);
        final List<String> parts = column.parts().stream().map(PartInspection::name).toList();
        assertEquals(List.of("ids", "numbers", "index"), parts, name);
        assertEquals(spec.equals(TestSegments.STOCK) ? "lz4" : "shapeshift", column.encoding(), name);
      }
      assertEquals(
          List.of("ids", "dictionary", "index"),
          columns.get("words").parts().stream().map(PartInspection::name).toList()
      );
      assertEquals(
          List.of("ids", "dictionary", "index", "elements"),
          columns.get("words[]").parts().stream().map(PartInspection::name).toList()
      );
      assertTrue(columns.get("json").auto());
      assertEquals(List.of("objects"), columns.get("json").parts().stream().map(PartInspection::name).toList());
    }
  }

  /** Lists in forms, one behind the other; a bitmap for each value, of which nothing is told one by one. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void theIndexIsTold(Version version) {
    final Map<String, ColumnInspection> stock = inspect(TestSegments.STOCK, version);
    final Map<String, ColumnInspection> ours = inspect(TestSegments.ALL_SHAPE_SHIFT, version);
    for (String name : List.of("plain", "multi", "skewed", "withNulls")) {
      final PartInspection bitmaps = Iterables.getLast(stock.get(name).parts());
      assertEquals(List.of("roaring"), List.copyOf(bitmaps.forms().keySet()), name);
      assertEquals(stock.get(name).indexBytes(), bitmaps.chunks().get(0).bytes(), name);
      final PartInspection lists = Iterables.getLast(ours.get(name).parts());
      assertEquals("index", lists.name());
      assertEquals(NUM_ROWS, lists.header().get("numRows"), name);
      assertEquals(true, lists.header().get("hasLists"), name);
      assertTrue(PostingForms.ALL.stream().map(PostingForm::name).toList().containsAll(lists.forms().keySet()), name);
      assertTrue(ours.get(name).indexBytes() < stock.get(name).indexBytes(), name);
    }
    // A column with a spatial index, and one without an index.
    assertEquals(List.of("roaring"), List.copyOf(Iterables.getLast(ours.get("place").parts()).forms().keySet()));
    assertEquals(
        List.of("ids", "dictionary"), ours.get("unindexed").parts().stream().map(PartInspection::name).toList());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void theDictionaryIsTold(Version version) {
    final Map<String, ColumnInspection> stock = inspect(TestSegments.STOCK, version);
    final Map<String, ColumnInspection> ours = inspect(TestSegments.ALL_SHAPE_SHIFT, version);
    for (String name : List.of("plain", "multi", "skewed", "withNulls")) {
      final PartInspection plain = dictionary(stock.get(name));
      assertEquals(List.of("utf8"), List.copyOf(plain.forms().keySet()), name);
      assertEquals(stock.get(name).dictionaryBytes(), plain.chunks().get(0).bytes(), name);
      final PartInspection texts = dictionary(ours.get(name));
      assertTrue(Iterables.getOnlyElement(texts.forms().keySet()).startsWith("shapeshift "), name);
      assertEquals(plain.header().get("size"), texts.header().get("size"), name);
      assertEquals(name.equals("withNulls") || name.equals("multi"), texts.header().get("hasNull"), name);
    }
    assertEquals(List.of("utf8"), List.copyOf(dictionary(ours.get("place")).forms().keySet()));
  }

  /** Structures and fields of ours have the bytes of the column's files, and Druid's fields those of theirs. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void nestedColumnsAreTold(Version version) {
    final ColumnInspection stock = inspect(TestSegments.STOCK, version).get("json");
    final ColumnInspection ours = inspect(TestSegments.ALL_SHAPE_SHIFT, version).get("json");
    assertEquals("lz4", stock.encoding());
    assertEquals("{numRows=20000, numFields=2}", stock.parts().get(0).header().toString());
    assertEquals("shapeshift", ours.encoding());
    final Map<String, Object> header = ours.parts().get(0).header();
    assertEquals(1, header.get("numStructures"));
    assertEquals(0.0, header.get("entropy"));
    assertEquals(0, header.get("numKept"));
    for (ColumnInspection column : List.of(stock, ours)) {
      assertEquals("COMPLEX<json>", column.type());
      assertTrue(column.auto());
      final Map<String, FieldInspection> fields =
          column.fields().stream().collect(Collectors.toMap(FieldInspection::name, Function.identity()));
      assertEquals(Set.of("$.a", "$.b.c"), fields.keySet());
      assertEquals("LONG", fields.get("$.a").types());
      assertEquals(10, fields.get("$.a").values());
      assertEquals("STRING", fields.get("$.b.c").types());
      assertEquals(7, fields.get("$.b.c").values());
      for (FieldInspection field : column.fields()) {
        assertEquals(NUM_ROWS, field.rows());
        final long head = field.bytes() - field.dictionaryBytes() - field.rowBytes() - field.indexBytes();
        assertTrue(head > 0 && head < 32, field::toString);
      }
      final long rest = column.bytes() - column.dictionaryBytes() - column.rowBytes() - column.indexBytes();
      assertTrue(rest > 0 && rest < 200, column::toString);
    }
  }

  /** What cannot be rebuilt is counted by its reason. */
  @Test
  void keptObjectsAreTold() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(AutoTypeColumnSchema.of("json"))))
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, 300)
        .<Map<String, Object>>mapToObj(row -> Map.of(
            "time", "2026-01-01",
            "json", Map.of("a", row % 3 == 0 ? List.of(1, "x") : row, "b", "b" + row)
        ))
        .toList();
    final ColumnInspection column =
        inspect(TestSegments.rowsInMemory(schema, rows), TestSegments.ALL_SHAPE_SHIFT, Version.V9).get("json");
    final Map<String, Object> header = column.parts().get(0).header();
    assertEquals(100, header.get("numKept"));
    assertEquals(Map.of("an array of mixed kinds", 100), header.get("kept"));
    assertEquals(Set.of("structures", "kept"), column.parts().get(0).forms().keySet());
    assertEquals(100, column.parts().get(0).forms().get("kept").values());
    assertEquals(200, column.parts().get(0).forms().get("structures").values());
  }

  private static PartInspection dictionary(ColumnInspection column) {
    return Iterables.getOnlyElement(
        column.parts().stream().filter(part -> part.name().equals("dictionary")).toList());
  }

  @Test
  void innerFormsAreNamed() {
    final Map<String, ColumnInspection> smaller =
        inspect(TestSegments.shapeShift(OptimizationTarget.SMALLER, BlockSize.LARGE), Version.V9);
    final List<String> forms = smaller.values().stream()
        .flatMap(column -> column.parts().stream())
        .flatMap(part -> part.forms().keySet().stream())
        .distinct()
        .toList();
    assertTrue(forms.contains("zstd of bytepack"), forms::toString);
  }

  /** The form that is compressed is that of the frame's child. */
  @Test
  void innerFormsOfNumbersAreNamed() throws IOException {
    final long[] phrase = new Random(1).longs(997, 0, 1 << 20).map(value -> 1_000_000 + 7 * value).toArray();
    final RowValues.Longs values =
        new RowValues.Longs(IntStream.range(0, 10_000).mapToLong(i -> phrase[i % phrase.length]).toArray());
    for (String codec : List.of("lz4", "zstd")) {
      try (EncodedRows rows = RowEncodings.parse("form-linear-" + codec).encode("numbers", values)) {
        final PartInspection part = Inspector.parts(
            new RowPart(EncodedType.LONG, "shapeshift", rows.bytes(), 0, rows.column(), n -> new BitSet()),
            values.rows()
        ).get(0);
        for (ChunkInspection chunk : part.chunks()) {
          assertEquals("linear-" + codec, chunk.form());
          assertTrue(
              List.of("bytepack", "rle", "shuffle", "bytedictionary", "bits").contains(chunk.innerForm()),
              chunk::toString
          );
        }
        assertTrue(part.forms().keySet().stream().allMatch(form -> form.startsWith("linear-" + codec + " of ")));
      }
    }
  }

  @Test
  void stockHeadersToo() {
    final Map<String, ColumnInspection> stock = inspect(TestSegments.STOCK, Version.V10);
    assertEquals(
        "{version=2, numBytes=2, totalSize=20000, sizePer=32768, compression=lz4}",
        stock.get("plain").parts().get(0).header().toString()
    );
    assertEquals(
        "{version=2, totalSize=20001, sizePer=16384, compression=lz4}",
        stock.get("multi").parts().get(0).header().toString()
    );
    assertEquals("{size=20000}", stock.get("unique").parts().get(0).header().toString());
  }

  /** Druid's as a whole, and ours by section; pairs, whose type has a column of its own, not at all. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void objectsAreTold(Version version) {
    final IncrementalIndex rows = SketchRows.inMemory(1);
    final IndexSpec lz4 =
        IndexSpec.builder().withComplexMetricCompression(CompressionStrategy.LZ4).build().getEffectiveSpec();
    for (IndexSpec spec : List.of(TestSegments.STOCK, lz4, TestSegments.ALL_SHAPE_SHIFT)) {
      final Map<String, ColumnInspection> columns = inspect(rows, spec, version);
      for (String name : SketchRows.OBJECTS) {
        final ColumnInspection column = columns.get(name);
        final PartInspection objects = Iterables.getOnlyElement(column.parts());
        assertEquals("objects", objects.name());
        assertEquals(rows.numRows(), objects.header().get("size"), name);
        assertEquals(column.bytes(), column.rowBytes(), name);
        final ChunkInspection chunk = Iterables.getOnlyElement(objects.chunks());
        assertEquals(rows.numRows(), chunk.numValues(), name);
        if (spec.equals(TestSegments.ALL_SHAPE_SHIFT)) {
          assertEquals("shapeshift", column.encoding(), name);
          assertEquals("shapeshift.complex", column.partType(), name);
          // A hyperUnique of nothing is no null.
          assertEquals(!name.equals("unique"), objects.header().get("hasNulls"), name);
          assertEquals(column.bytes(), chunk.offset() + chunk.bytes(), name);
          assertTrue(OBJECT_FORM.matcher(chunk.form()).matches(), chunk::form);
        } else {
          assertEquals(spec.equals(lz4) ? "lz4" : "uncompressed", column.encoding(), name);
          assertEquals(column.encoding(), chunk.form());
          assertEquals(column.bytes(), chunk.bytes(), name);
        }
      }
      for (String name : SketchRows.PAIRS) {
        assertEquals(List.of(), columns.get(name).parts(), name);
        assertNull(columns.get(name).problem(), name);
      }
    }
  }
}
