// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.golden.GoldenRows;
import io.shapeshift.druid.segment.golden.GoldenSegment;
import io.shapeshift.druid.segment.nested.NestedRows;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.testing.sketches.SketchSerde;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.AggregateProjectionMetadata;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The format's document suffices to read segments: a reader in Python that was written from it finds the values that
 * Druid's own segments of the same rows have. Skipped where there is no Python, but not in CI.
 */
@Tag("slow")
class PythonReaderTest {
  private static final Path SCRIPTS = Path.of("..", "scripts", "test");
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  private static final ObjectMapper SMILE = new ObjectMapper(new SmileFactory());

  @TempDir
  private Path folder;

  @BeforeAll
  static void thereIsPython() throws IOException, InterruptedException {
    SketchSerde.register();
    boolean found;
    try {
      found = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
          .start().waitFor() == 0;
    } catch (IOException e) {
      found = false;
    }
    Assumptions.assumeTrue(found || System.getenv("CI") != null, "no Python 3.9");
  }

  /** What a script prints; fails if it does. */
  private String run(String script, String... arguments) throws IOException, InterruptedException {
    final List<String> command = new ArrayList<>(List.of("python3", SCRIPTS.resolve(script).toString()));
    command.addAll(List.of(arguments));
    final Path out = folder.resolve("out");
    final Path errors = folder.resolve("errors");
    final ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    final Process process = builder.redirectOutput(out.toFile()).redirectError(errors.toFile()).start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    assertEquals(0, process.waitFor(), () -> command + ": " + read(errors));
    return read(out);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readsGoldenFiles() throws IOException, InterruptedException {
    run("read_segment_test.py");
  }

  /** Golden segments have all layouts for which the reader has lines of their own, but for encodings of other jars. */
  @Test
  void readsGoldenSegments() throws IOException, InterruptedException {
    final Path unreached = folder.resolve("unreached");
    final List<String> arguments = new ArrayList<>(List.of(unreached.toString()));
    for (GoldenSegment kind : GoldenSegment.all()) {
      final Path golden = Files.createDirectories(folder.resolve(kind.toString()));
      try (InputStream zip = PythonReaderTest.class.getResourceAsStream(kind.resource())) {
        CompressionUtils.unzip(zip, golden.toFile());
      }
      arguments.add(golden.toString());
    }
    final List<String> found = run("reached.py", arguments.toArray(String[]::new)).lines().toList();
    assertEquals(GoldenSegment.all().size(), found.size());
    for (int i = 0; i < found.size(); i++) {
      final GoldenSegment kind = GoldenSegment.all().get(i);
      assertEquals(List.of(), assertReadsAs(kind.table().inMemory(), found.get(i), kind.version()), kind::toString);
    }
    assertEquals(
        List.of(
            "ints.py: def names_of_encodings(cursor):",
            "ints.py: names_of_encodings(cursor)",
            "postings.py: names_of_encodings(cursor)",
            "strings.py: def __init__(self, cursor):"
        ),
        JSON.readValue(unreached.toFile(), new TypeReference<List<String>>() {}),
        "lines of the reader in Python that no golden segment reaches"
    );
  }

  /** Rows of many kinds of columns, a target, and a version. */
  record Rows(String name, OptimizationTarget target, Version version) {
    IncrementalIndex inMemory() {
      return switch (name) {
        case "complex" -> TestSegments.rowsInMemory(ComplexColumnTest.schema(), ComplexColumnTest.rows(0));
        case "documents" -> documents();
        case "every" -> EveryColumn.inMemory(1, 3000);
        case "nested" -> TestSegments.rowsInMemory(NestedRows.schema(), NestedRows.rows(1, 3000));
        case "numbers" -> NumberRows.inMemory(1, 10_000, false);
        case "texts" -> TextRows.inMemory(4000);
        default -> throw new IllegalArgumentException(name);
      };
    }

    IndexSpec indexSpec() {
      // The smallest blocks of 10,000 longs are several groups.
      final BlockSize blockSize = name.equals("numbers") ? BlockSize.SMALL : BlockSize.LARGE;
      final EncodingStrategy strategy = EncodingStrategy.shapeShift(target, blockSize);
      return ShapeShiftIndexSpec.of(
          TestSegments.STOCK,
          new EncodingStrategies(strategy, Map.of()).withColumns(Map.of(
              "plain", options(null, true),
              "auto", options(null, true),
              "nested", options(null, true),
              "double", options(true, null),
              "floatOrNull", options(true, null),
              "number", options(true, null)
          ))
      );
    }

    private static ColumnOptions options(@Nullable Boolean hashIndex, @Nullable Boolean textIndex) {
      return new ColumnOptions(new TypeStrategies(null, Map.of()), hashIndex, textIndex);
    }

    /** Columns that stay Druid's. */
    List<String> ofDruid() {
      return switch (name) {
        case "complex" -> List.of("first", "last");
        case "numbers" -> List.of("empty/projectedUnique");
        default -> List.of();
      };
    }
  }

  /** Texts of thousands of bytes that resemble each other, one of them larger than a window of Zstandard; and reals. */
  private static IncrementalIndex documents() {
    final Random random = new Random(1);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      final StringBuilder text = new StringBuilder();
      final int length = i == 700 ? 300_000 : 3000;
      while (text.length() < length) {
        text.append("The quick brown fox no. ").append(random.nextInt(3000)).append(" jumps over the lazy dog; ");
      }
      rows.add(Map.of(
          "time", DateTimes.utc(i).toString(), "documents", text.toString(), "roots", Math.cbrt(i % 700 - 100)));
    }
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema.builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(
                new StringDimensionSchema("documents"), AutoTypeColumnSchema.of("roots"))))
            .withRollup(false)
            .build(),
        rows);
  }

  static Stream<Rows> rows() {
    final List<String> names = List.of("nested", "complex", "documents", "numbers", "every", "texts");
    return names.stream().flatMap(
        name -> Arrays.stream(OptimizationTarget.values())
            .filter(target -> Tier.tries(names.indexOf(name) + target.ordinal(), 3))
            .map(target -> new Rows(name, target, Version.values()[target.ordinal() % 2])));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void readsSegments(Rows rows) throws IOException, InterruptedException {
    final IncrementalIndex inMemory = rows.inMemory();
    final File segment =
        TestSegments.persist(inMemory, folder.resolve("ours").toFile(), rows.indexSpec(), rows.version());
    assertEquals(rows.ofDruid(), assertReadsAs(inMemory, run("read_segment.py", segment.toString()), rows.version()));
  }

  /** Compares all columns with those of Druid's segment of the same rows; those that are Druid's own are returned. */
  private List<String> assertReadsAs(IncrementalIndex rows, String json, Version version) throws IOException {
    final Map<String, List<Object>> found = JSON.readValue(json, new TypeReference<>() {});
    final Path directory = Files.createTempDirectory(folder, "stock");
    final File stock = TestSegments.persist(rows, directory.toFile(), TestSegments.STOCK, version);
    final List<String> missing = new ArrayList<>();
    try (QueryableIndex index = TestSegments.open(stock)) {
      compare(index, ColumnHolder.TIME_COLUMN_NAME, "", found, missing);
      compareAll(index, "", found, missing);
      if (index.getMetadata().getProjections() != null) {
        for (AggregateProjectionMetadata projection : index.getMetadata().getProjections()) {
          final String name = projection.getSchema().getName();
          if (!name.equals("__base")) {
            compareAll(index.getProjectionQueryableIndex(name), name + "/", found, missing);
          }
        }
      }
    }
    return missing;
  }

  /** Compares all columns but that of the time. */
  private static void compareAll(
      QueryableIndex index, String prefix, Map<String, List<Object>> found, List<String> missing) {
    for (String column : index.getColumnNames()) {
      compare(index, column, prefix, found, missing);
    }
  }

  private static void compare(
      QueryableIndex index, String column, String prefix, Map<String, List<Object>> found, List<String> missing) {
    @Nullable final List<Object> values = found.get(prefix + column);
    if (values == null) {
      missing.add(prefix + column);
      return;
    }
    final UnaryOperator<Object> shown = shown(index.getColumnHolder(column).getCapabilities());
    final List<Object> expected = read(index, column);
    assertEquals(expected.size(), values.size(), prefix + column);
    for (int row = 0; row < expected.size(); row++) {
      final int at = row;
      assertEquals(
          shown.apply(normal(expected.get(row))),
          shown.apply(normal(values.get(row))),
          () -> prefix + column + " at row " + at);
    }
  }

  /** What is compared of values: objects of complex types by the bytes that they are written as. */
  private static UnaryOperator<Object> shown(ColumnCapabilities capabilities) {
    if (capabilities.is(ValueType.STRING)) {
      return value -> GoldenRows.shown(value, capabilities.hasMultipleValues().isMaybeTrue());
    }
    if (!capabilities.is(ValueType.COMPLEX) || capabilities.toColumnType().equals(ColumnType.NESTED_DATA)) {
      return value -> value;
    }
    final ObjectStrategy<Object> strategy = strategy(capabilities.getComplexTypeName());
    return value -> {
      if (value instanceof String hex) {
        final byte[] bytes = HexFormat.of().parseHex(hex);
        value = strategy.fromByteBuffer(ByteBuffer.wrap(bytes), bytes.length);
      }
      return value == null ? null : HexFormat.of().formatHex(strategy.toBytes(value));
    };
  }

  @SuppressWarnings({"unchecked", "deprecation"}) // Druid's strategies have raw types.
  private static ObjectStrategy<Object> strategy(String type) {
    return ComplexMetrics.getSerdeForType(type).getObjectStrategy();
  }

  /** A value as Python has it: integers are longs, floats doubles, and what is stored as SMILE an object. */
  @Nullable
  private static Object normal(@Nullable Object value) {
    if (value instanceof Integer number) {
      return number.longValue();
    }
    if (value instanceof Float number) {
      return number.doubleValue();
    }
    if (value instanceof Object[] array) {
      return normal(Arrays.asList(array));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(PythonReaderTest::normal).collect(Collectors.toList());
    }
    if (value instanceof Map<?, ?> map) {
      if (map.keySet().equals(Set.of("smile"))) {
        try {
          return normal(SMILE.readValue(HexFormat.of().parseHex((String) map.get("smile")), Object.class));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      final Map<Object, Object> normal = new HashMap<>();
      map.forEach((key, each) -> normal.put(key, normal(each)));
      return normal;
    }
    return value;
  }

  private static List<Object> read(QueryableIndex index, String column) {
    final List<Object> values = new ArrayList<>();
    try (CursorHolder holder = CursorRows.open(index, CursorBuildSpec.FULL_SCAN)) {
      @Nullable final Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return values;
      }
      final ColumnValueSelector<?> selector = cursor.getColumnSelectorFactory().makeColumnValueSelector(column);
      for (; !cursor.isDone(); cursor.advance()) {
        values.add(StructuredData.unwrap(selector.getObject()));
      }
    }
    return values;
  }
}
