// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.convert.Conversion;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.ingest.SegmentWriter;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.RowReader;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.jackson.AggregatorsModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments with each kind of column that Druid's core writes, and what Druid itself writes wrongly among them. */
class HealthySegmentsTest {
  private static final int NUM_ROWS = 40;
  private static final int ROWS_IN_MEMORY = 15;
  private static final RowEncoding OURS = RowEncodings.shapeShifting(OptimizationTarget.SMALLER, BlockSize.SMALL);

  /** What aggregators of Druid's core need besides their names. */
  private static final Map<String, String> METRICS = metrics();
  /** Those that no segment has: Druid has no column for what they make, needs Rhino, or takes none from JSON. */
  private static final Set<String> NO_METRICS = Set.of(
      "doubleMean", "histogram", "javascript", "stringAny", "stringFirstFold", "stringLastFold");

  private static final List<String> DIMENSIONS = List.of(
      "'type':'string','name':'s'",
      "'type':'string','name':'unindexed','createBitmapIndex':false",
      "'type':'string','name':'noIndex','columnFormatSpec':{'indexType':{'type':'none'}}",
      "'type':'string','name':'array','multiValueHandling':'ARRAY'",
      "'type':'string','name':'sorted','multiValueHandling':'SORTED_ARRAY'",
      "'type':'string','name':'set','multiValueHandling':'SORTED_SET'",
      "'type':'string','name':'emptyArray'",
      "'type':'string','name':'nothing'",
      "'type':'string','name':'sometimes'",
      "'type':'string','name':'constant'",
      "'type':'spatial','name':'place','dims':['x','y']",
      "'type':'long','name':'l'",
      "'type':'long','name':'id'",
      "'type':'double','name':'d'",
      "'type':'float','name':'f'",
      "'type':'float','name':'noFloat'",
      "'type':'json','name':'json'",
      "'type':'json','name':'jsonNulls'",
      "'type':'json','name':'jsonArrays'",
      "'type':'auto','name':'words'",
      "'type':'auto','name':'longs'",
      "'type':'auto','name':'doubles'",
      "'type':'auto','name':'wordArrays'",
      "'type':'auto','name':'longArrays'",
      "'type':'auto','name':'doubleArrays'",
      "'type':'auto','name':'mixed'",
      "'type':'auto','name':'mixedArrays'",
      "'type':'auto','name':'objects'",
      "'type':'auto','name':'autoNothing'",
      "'type':'auto','name':'autoSometimes'",
      "'type':'auto','name':'changing'",
      "'type':'auto','name':'toString','castToType':'STRING'",
      "'type':'auto','name':'toLong','castToType':'LONG'",
      "'type':'auto','name':'toDouble','castToType':'DOUBLE'",
      "'type':'auto','name':'toStrings','castToType':'ARRAY<STRING>'",
      "'type':'auto','name':'toLongs','castToType':'ARRAY<LONG>'",
      "'type':'auto','name':'toDoubles','castToType':'ARRAY<DOUBLE>'"
  );
  /** By which no projection groups: nested data, and what makes all rows different. */
  private static final Set<String> UNGROUPED = Set.of("objects", "json", "jsonNulls", "jsonArrays", "id");
  private static final Set<String> GROUPED_FILTERED = Set.of("s", "array", "place", "l", "words", "longs", "mixed");

  /** Names of virtual columns of numbers start so, and end with their type. */
  private static final String PLUS = "plus";
  private static final Map<String, String> VIRTUAL_COLUMNS = new TreeMap<>(Map.of(
      "strings", "'type':'expression','expression':'concat(s, constant)','outputType':'STRING'",
      "several", "'type':'expression','expression':'array_to_mv(array_append(mv_to_array(array), s))',"
          + "'outputType':'STRING'",
      "plusLong", "'type':'expression','expression':'l + 1','outputType':'LONG'",
      "plusDouble", "'type':'expression','expression':'d + 1','outputType':'DOUBLE'",
      "plusFloat", "'type':'expression','expression':'f + 1','outputType':'FLOAT'",
      "list", "'type':'mv-filtered','delegate':'array','values':['a1','a2'],'isAllowList':true",
      "prefix", "'type':'mv-prefix-filtered','delegate':'array','prefix':'a'",
      "regex", "'type':'mv-regex-filtered','delegate':'array','pattern':'a.'",
      "field", "'type':'nested-field','columnName':'json','path':'$.b.c','outputName':'field'"
  ));

  @TempDir
  private Path folder;

  private static Map<String, String> metrics() {
    final Map<String, String> metrics = new TreeMap<>();
    for (String type : List.of("long", "double", "float")) {
      for (String kind : List.of("Sum", "Min", "Max", "First", "Last", "Any")) {
        metrics.put(type + kind, ",'fieldName':'n'");
      }
    }
    metrics.put("stringFirst", ",'fieldName':'s'");
    metrics.put("stringLast", ",'fieldName':'s'");
    metrics.put("count", "");
    metrics.put("hyperUnique", ",'fieldName':'s'");
    metrics.put("cardinality", ",'fields':['s']");
    metrics.put("filtered", ",'aggregator':{'type':'longSum','name':'filtered','fieldName':'n'},"
        + "'filter':{'type':'equals','column':'s','matchValueType':'STRING','matchValue':'s1'}");
    metrics.put("expression", ",'fields':['n'],'initialValue':'0','fold':'n + __acc','combine':'expression + __acc'");
    metrics.put("grouping", ",'groupings':['s']");
    metrics.put("singleValue", ",'fieldName':'n','columnType':'LONG'");
    return metrics;
  }

  private static <T> T json(String text, Class<T> type) {
    try {
      return Druid.json().readValue(text.replace('\'', '"'), type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static Set<String> names(JsonSubTypes types) {
    return Arrays.stream(types.value()).map(JsonSubTypes.Type::name).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The aggregators and types of dimensions that Druid has are those that are tried here. */
  @Test
  void nothingOfTheCoreIsLeftOut() {
    final Set<String> aggregators = new TreeSet<>(METRICS.keySet());
    aggregators.addAll(NO_METRICS);
    assertEquals(names(AggregatorsModule.AggregatorFactoryMixin.class.getAnnotation(JsonSubTypes.class)), aggregators);
    assertEquals(
        names(DimensionSchema.class.getAnnotation(JsonSubTypes.class)),
        DIMENSIONS.stream().map(text -> text.replaceAll("'type':'(\\w+)',.*", "$1")).collect(Collectors.toSet())
    );
  }

  private static AggregateProjectionSpec projection(String name, String filter, Stream<String> dimensions) {
    final List<String> grouping = new ArrayList<>(dimensions.map(text -> "{" + text + "}").toList());
    final List<String> virtual = new ArrayList<>();
    if (name.equals("virtual")) {
      VIRTUAL_COLUMNS.forEach((column, text) -> {
        virtual.add("{'name':'" + column + "'," + text + "}");
        final String type =
            column.startsWith(PLUS) ? column.substring(PLUS.length()).toLowerCase(Locale.ROOT) : "string";
        grouping.add("{'type':'" + type + "','name':'" + column + "'}");
      });
    }
    return json(
        "{'type':'aggregate','name':'" + name + "'" + filter + ",'virtualColumns':" + virtual + ",'groupingColumns':"
            + grouping + ",'aggregators':[{'type':'count','name':'c'},{'type':'longFirst','name':'first',"
            + "'fieldName':'l'},{'type':'hyperUnique','name':'unique','fieldName':'s'},{'type':'doubleSum',"
            + "'name':'sum','fieldName':'d'}]}",
        AggregateProjectionSpec.class
    );
  }

  private static String nameOf(String dimension) {
    return dimension.replaceAll(".*'name':'(\\w+)'.*", "$1");
  }

  private static List<AggregateProjectionSpec> projections() {
    return List.of(
        projection("all", "", DIMENSIONS.stream().filter(text -> !UNGROUPED.contains(nameOf(text)))),
        projection(
            "filtered",
            ",'filter':{'type':'equals','column':'s','matchValueType':'STRING','matchValue':'s1'}",
            DIMENSIONS.stream().filter(text -> GROUPED_FILTERED.contains(nameOf(text)))
        ),
        projection("virtual", "", Stream.of())
    );
  }

  private static Map<String, Object> row(int i) {
    final Map<String, Object> row = new HashMap<>();
    row.put("s", i % 5 == 0 ? null : "s" + i % 5);
    row.put("n", i % 7 == 0 ? null : i);
    row.put("unindexed", i % 4 == 0 ? null : "u" + i % 4);
    row.put("noIndex", i % 4 == 0 ? "" : "f" + i % 4);
    final Object several = switch (i % 4) {
      case 0 -> null;
      case 1 -> List.of("a" + i % 3);
      case 2 -> Arrays.asList("b" + i % 5, null, "a" + i % 3);
      default -> List.of();
    };
    row.put("array", several);
    row.put("sorted", several);
    row.put("set", several);
    row.put("emptyArray", i % 3 == 0 ? List.of() : "e" + i % 3);
    row.put("constant", "c");
    if (i < ROWS_IN_MEMORY) {
      row.put("sometimes", "x" + i % 2);
      row.put("autoSometimes", "x" + i % 2);
    }
    row.put("x", i % 4);
    row.put("y", i % 3);
    row.put("l", i % 3 == 0 ? null : i % 10);
    row.put("id", i);
    row.put("d", i % 3 == 0 ? null : i % 10 / 4.0);
    row.put("f", i % 3 == 0 ? null : i % 10 / 4f);
    row.put("json", Map.of("a", i % 5, "b", Map.of("c", "d" + i % 3)));
    row.put("jsonNulls", i % 2 == 0 ? null : Map.of("a", "x" + i % 3, "b", i % 2.5));
    row.put("jsonArrays", i % 3 == 0
                          ? null
                          : Map.of("a", List.of(i % 3, i % 2), "b", List.of("x", "y" + i % 3), "c",
                                   List.of(Map.of("d", i % 2))));
    addAuto(i, row);
    return row;
  }

  private static void addAuto(int i, Map<String, Object> row) {
    row.put("words", i % 3 == 0 ? null : "w" + i % 10);
    row.put("longs", i % 3 == 0 ? null : i % 7);
    row.put("doubles", i % 3 == 0 ? null : i % 7 / 2.0);
    row.put("wordArrays", i % 3 == 0 ? null : List.of("w" + i % 2, "v" + i % 5));
    row.put("longArrays", i % 3 == 0 ? null : i % 3 == 1 ? List.of() : Arrays.asList(i % 4, null));
    row.put("doubleArrays", i % 3 == 0 ? null : List.of(i % 4 / 2.0, i % 5 / 2.0));
    row.put("mixed", switch (i % 4) {
      case 0 -> null;
      case 1 -> "m" + i % 3;
      case 2 -> i % 6;
      default -> i % 6 / 4.0;
    });
    row.put("mixedArrays", switch (i % 4) {
      case 0 -> List.of(i % 3, "x");
      case 1 -> "m" + i % 3;
      case 2 -> List.of(i % 3 / 2.0);
      default -> null;
    });
    row.put("objects", i % 2 == 0 ? i % 4 : Map.of("a", i % 3));
    row.put("changing", i < ROWS_IN_MEMORY ? (Object) (i % 4) : "z" + i % 4);
    row.put("toString", i % 3 == 0 ? null : i % 4);
    row.put("toLong", i % 3 == 0 ? "no" : "" + i % 4);
    row.put("toDouble", i % 3 == 0 ? null : "" + i % 4);
    row.put("toStrings", i % 3 == 0 ? null : i % 3 == 1 ? List.of(i % 4) : "one");
    row.put("toLongs", i % 3 == 0 ? null : i % 3 == 1 ? List.of("" + i % 4) : i % 4);
    row.put("toDoubles", i % 3 == 0 ? null : i % 3 == 1 ? List.of("" + i % 4) : i % 4);
  }

  private Path write(String name, IndexSpec spec, int version, int rowsInMemory) throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(
            DIMENSIONS.stream().map(text -> json("{" + text + "}", DimensionSchema.class)).toList()))
        .withMetrics(METRICS.entrySet().stream()
            .map(each -> json("{'type':'" + each.getKey() + "','name':'" + each.getKey() + "'" + each.getValue() + "}",
                              AggregatorFactory.class))
            .toArray(AggregatorFactory[]::new))
        .withProjections(projections())
        .withRollup(false)
        .build();
    final Path out = folder.resolve(name);
    final Path work = Files.createDirectory(folder.resolve(name + ".work"));
    try (SegmentWriter writer = new SegmentWriter(schema, spec, version, rowsInMemory, work)) {
      for (int i = 0; i < NUM_ROWS; i++) {
        assertNull(writer.add(new MapBasedInputRow(
            DateTimes.of("2026-01-01"), schema.getDimensionsSpec().getDimensionNames(), row(i))));
      }
      writer.finish(out);
    }
    return out;
  }

  /** The columns with notes; there must be nothing else to say of any. */
  private static Set<String> notes(Path path) {
    try (Segment segment = Segment.open(path)) {
      final VerifiedSegment verified = SegmentVerifier.check(segment, column -> true);
      assertEquals(List.of(), verified.allProblems().toList());
      assertEquals(0, verified.count(Status.UNCHECKED));
      for (VerifiedColumn column : verified.columns()) {
        final boolean isEmptyBitmapNoted = column.message() != null && column.message().contains("empty bitmaps");
        if (column.projection() != null) {
          assertEquals(failsInDruid(segment, column), isEmptyBitmapNoted, column.toString());
        }
      }
      return verified.columns().stream().filter(column -> column.status() == Status.NOTE)
          .map(VerifiedColumn::displayName).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Whether Druid's reader fails when it is asked for one bitmap after the other. */
  private static boolean failsInDruid(Segment segment, VerifiedColumn verified) {
    final SegmentColumn column = segment.columns().stream()
        .filter(each -> each.displayName().equals(verified.displayName())).findFirst().orElseThrow();
    @Nullable final DictionaryEncodedStringValueIndex index =
        IndexCheck.index(column.holder(), DictionaryEncodedStringValueIndex.class);
    try {
      for (int id = 0; index != null && id < index.getCardinality(); id++) {
        index.getBitmap(id);
      }
      return false;
    } catch (IndexOutOfBoundsException e) {
      return true;
    }
  }

  private Path convert(Path from, RowEncoding encoding, String name) {
    final Path to = folder.resolve(name);
    new Conversion(encoding, false).run(from, SegmentLocation.find(List.of(from)), to);
    return to;
  }

  private static IndexSpec spec(String name) {
    return switch (name) {
      case "stock" -> TestSegments.STOCK;
      case "ours" -> TestSegments.ALL_SHAPE_SHIFT;
      default -> IndexSpec.builder()
          .withBitmapSerdeFactory(new ConciseBitmapSerdeFactory())
          .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
          .withMetricCompression(CompressionStrategy.ZSTD)
          .withComplexMetricCompression(CompressionStrategy.LZ4)
          .withLongEncoding(LongEncodingStrategy.AUTO)
          .withStringDictionaryEncoding(new StringEncodingStrategy.FrontCoded(4, (byte) 1))
          .build();
    };
  }

  /** What Druid makes of projections over rows with several values, and beside spatial indexes, in any case. */
  private static Set<String> expectedNotes(String... others) {
    final Set<String> columns = new TreeSet<>(Set.of(others));
    columns.addAll(
        Set.of("all/array", "all/sorted", "all/set", "filtered/array", "filtered/place", "virtual/several"));
    return columns;
  }

  /** Empty bitmaps, at which Druid fails, go where indexes become posting lists; nulls that were left out stay so. */
  @Test
  void stockSegmentsAreSound() throws IOException {
    final Path segment = write("segment", spec("stock"), 9, ROWS_IN_MEMORY);
    final Set<String> before =
        expectedNotes("all/emptyArray", "all/sometimes", "filtered/s", "filtered/words");
    assertEquals(before, notes(segment));
    final Path ours = convert(segment, OURS, "ours");
    assertEquals(expectedNotes("all/emptyArray", "all/sometimes"), notes(ours));
    final Path back = convert(ours, RowEncodings.DRUID_LZ4, "back");
    assertEquals(before, notes(back));
    assertSame(segment, back);
    assertAnalyzed(segment);
  }

  @Test
  void ourSegmentsAreSound() throws IOException {
    final Path segment = write("segment", spec("ours"), 10, ROWS_IN_MEMORY);
    assertEquals(expectedNotes(), notes(segment));
    final Path stock = convert(segment, RowEncodings.DRUID_LZ4, "stock");
    assertEquals(expectedNotes("filtered/s", "filtered/words"), notes(stock));
    final Path back = convert(stock, OURS, "back");
    assertEquals(expectedNotes(), notes(back));
    assertSame(segment, back);
    assertAnalyzed(segment);
  }

  @Test
  void segmentsOfUnusualOptionsAreSound() throws IOException {
    final Path segment = write("segment", spec("unusual"), 10, NUM_ROWS);
    final Set<String> before = expectedNotes("all/emptyArray", "filtered/s", "filtered/words");
    assertEquals(before, notes(segment));
    final Path ours = convert(segment, OURS, "ours");
    assertEquals(expectedNotes("all/emptyArray"), notes(ours));
    final Path back = convert(ours, RowEncodings.DRUID_LZ4, "back");
    assertEquals(before, notes(back));
    assertSame(segment, back);
    assertAnalyzed(segment);
  }

  /** By whatever a segment is sorted, a query finds its rows. */
  @Test
  void aSegmentThatIsNotSortedByTimeIsSound() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(DimensionsSpec.builder()
            .setDimensions(List.of(
                new StringDimensionSchema("s"), new LongDimensionSchema("__time"), new LongDimensionSchema("orNull")))
            .setForceSegmentSortByTime(false)
            .build())
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, NUM_ROWS)
        .mapToObj(i -> {
          // The first row has a value, and is neither the first in time nor the last.
          final Map<String, Object> row = new HashMap<>();
          row.put("time", DateTimes.utc(1000L * (NUM_ROWS - i)));
          row.put("s", "s" + i % 10);
          row.put("orNull", i % 10 == 0 ? 7 : null);
          return row;
        })
        .toList();
    for (Version version : Version.values()) {
      final Path segment = TestSegments.persist(
          TestSegments.rowsInMemory(schema, rows), folder.resolve(version + "").toFile(), spec("stock"), version)
          .toPath();
      try (Segment opened = Segment.open(segment)) {
        assertFalse(ColumnCheck.isSortedByTime(opened));
      }
      assertEquals(Set.of(), notes(segment));
      final Path ours = convert(segment, OURS, version + "-ours");
      assertEquals(Set.of(), notes(ours));
      assertSame(segment, ours);
    }
  }

  /** A row can be in the index of a value that it does not have only if that is one of several of a row. */
  @Test
  void aProjectionIndexesNoOtherValuesThanThoseOfRowsWithSeveral() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("m"))))
        .withProjections(List.of(json(
            "{'type':'aggregate','name':'p','groupingColumns':[{'type':'string','name':'m'}],'aggregators':["
                + "{'type':'count','name':'c'}]}",
            AggregateProjectionSpec.class
        )))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = List.of(
        Map.of("time", "2026-01-01", "m", List.of("a", "b")), Map.of("time", "2026-01-01", "m", "c"));
    final Path path = TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows), folder.resolve("p").toFile(), spec("stock"), Version.V9).toPath();
    try (Segment segment = Segment.open(path)) {
      final SegmentColumn column = segment.columns().stream()
          .filter(each -> each.displayName().equals("p/m")).findFirst().orElseThrow();
      final DruidFaults faults =
          DruidFaults.of(column, RowReader.read(column.parts().rows(), column.knownRows()), false);
      assertEquals(
          List.of(true, true, false), IntStream.range(0, 3).mapToObj(faults::allowsExtraRow).toList());
    }
  }

  private static void assertSame(Path first, Path second) {
    try (Segment one = Segment.open(first); Segment other = Segment.open(second)) {
      assertEquals(List.of(), SegmentVerifier.compare(one, other, column -> true).allProblems().toList());
    }
  }

  private static void assertAnalyzed(Path segment) {
    new Analyzer(new Analyzer.Options(new ColumnOption(), BlockSize.LARGE, false, false, false, null))
        .analyze(SegmentLocation.find(List.of(segment))).segments().get(0).columns()
        .forEach(column -> assertNull(column.problem(), column.name()));
  }
}
