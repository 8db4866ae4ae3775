// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.segment.InternalFile;
import io.shapeshift.druid.tool.segment.Segment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.BitmapIndexType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Columns of type {@code auto} store most values more than once, such as in a dictionary and in an index: that these
 * do not contradict each other. There are no checksums, as Druid writes none.
 */
class DamagedAutoColumnsTest {
  private static final int ROWS = Tier.pick(1000, 2000);

  /** Segments that no test changes. */
  @TempDir
  private static Path shared;

  @TempDir
  private Path folder;

  @BeforeAll
  static void writeSegments() {
    for (Version version : Version.values()) {
      persist(AutoColumns.inMemory(1, ROWS), shared.resolve(version + "/auto"), TestSegments.STOCK, version);
      persist(AutoColumns.inMemory(1, ROWS), shared.resolve(version + "/ours"), TestSegments.ALL_SHAPE_SHIFT, version);
      persist(nested(), shared.resolve(version + "/nested"), TestSegments.STOCK, version);
      persist(nested(), shared.resolve(version + "/oursNested"), TestSegments.ALL_SHAPE_SHIFT, version);
    }
  }

  private static void persist(IncrementalIndex rows, Path segment, IndexSpec spec, Version version) {
    TestSegments.persist(rows, segment.toFile(), spec, version);
  }

  /** Nested data with fields of each kind; numbers of {@code nulls} have nothing but a bitmap of nulls. */
  private static IncrementalIndex nested() {
    final NestedCommonFormatColumnFormatSpec nullsOnly = NestedCommonFormatColumnFormatSpec
        .builder()
        .setLongFieldBitmapIndexType(BitmapIndexType.NullValueIndex.INSTANCE)
        .setDoubleFieldBitmapIndexType(BitmapIndexType.NullValueIndex.INSTANCE)
        .build();
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.<DimensionSchema>of(
            AutoTypeColumnSchema.of("nested"),
            new AutoTypeColumnSchema("nulls", null, nullsOnly)
        )))
        .withRollup(false)
        .build();
    final Random random = new Random(1);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      final Map<String, Object> value = new HashMap<>();
      value.put("a", "t" + random.nextInt(20));
      value.put("b", orNull(random, (long) random.nextInt(50)));
      value.put("c", orNull(random, random.nextInt(50) / 4.0));
      value.put("d", random.nextBoolean() ? "word" : (Object) random.nextInt(5));
      value.put("e", orNull(random, Arrays.asList("t" + random.nextInt(5), orNull(random, "t1"), "t1")));
      value.put("f", List.of((long) random.nextInt(50), 7L).subList(0, random.nextInt(3)));
      value.put("g", List.of(random.nextInt(50) / 4.0));
      value.put("h", random.nextBoolean() ? random.nextInt(5) : (Object) List.of(1, 2));
      value.put("", "no name");
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusMillis(i).toString());
      row.put("nested", orNull(random, value));
      row.put("nulls", value);
      rows.add(row);
    }
    return TestSegments.rowsInMemory(schema, rows);
  }

  private static <T> T orNull(Random random, T value) {
    return random.nextInt(4) == 0 ? null : value;
  }

  private static VerifiedSegment check(Path path, Predicate<String> columns) {
    try (Segment segment = Segment.open(path)) {
      return SegmentVerifier.check(segment, columns);
    }
  }

  static Stream<Arguments> segments() {
    return Stream.of(Version.values()).flatMap(version ->
        Stream.of("auto", "ours", "nested", "oursNested").map(name -> Arguments.of(version, name)));
  }

  @ParameterizedTest
  @MethodSource("segments")
  void whatIsSoundIsFine(Version version, String name) {
    final VerifiedSegment verified = check(shared.resolve(version + "/" + name), column -> true);
    verified.columns().forEach(column -> assertEquals(Status.FINE, column.status(), column::toString));
    assertNull(verified.firstProblem());
  }

  /** Changes a byte that is so far from the end of a file. */
  private static Consumer<byte[]> fromEnd(int distance, int mask) {
    return bytes -> bytes[bytes.length - distance] ^= (byte) mask;
  }

  /** Changes the first byte of the first place that has a text. */
  private static Consumer<byte[]> text(String text, char other) {
    return bytes -> bytes[Bytes.indexOf(bytes, text.getBytes(StandardCharsets.UTF_8))] = (byte) other;
  }

  static Stream<Arguments> damage() {
    return Stream.of(
        // The last row of the last bitmap.
        Arguments.of("auto", "words[]", "__arrayElementIndexes", fromEnd(2, 1), "(file __arrayElementIndexes)"),
        Arguments.of("auto", "longs[]", "__arrayElementIndexes", fromEnd(2, 1), "(file __arrayElementIndexes)"),
        Arguments.of("auto", "doubles[]", "__arrayElementIndexes", fromEnd(2, 1), "(file __arrayElementIndexes)"),
        Arguments.of("auto", "words[]", "__arrayElementDictionary", fromEnd(4, 0x40), "__arrayElementDictionary"),
        Arguments.of("auto", "words[]", "__arrayDictionary", fromEnd(4, 0x40), "the dictionary __arrayDictionary"),
        Arguments.of("auto", "words[]", "__stringDictionary", text("a1", 'z'),
                     "the dictionary __stringDictionary is not in order: id 4 is \"a2\", behind \"z1\""),
        Arguments.of("auto", "wordsOrLongs", "__stringDictionary", text("word1", 'z'),
                     "the dictionary __stringDictionary is not in order: id 3 is \"word2\", behind \"zord1\""),
        // The least byte of the largest number, which stays the largest.
        Arguments.of("auto", "longs", "__longDictionary", fromEnd(8, 2), "in the dictionary __longDictionary"),
        Arguments.of("auto", "longsOrNull", "__longDictionary", fromEnd(8, 1), "in the dictionary __longDictionary"),
        Arguments.of("auto", "castToLong", "__longDictionary", fromEnd(7, 64), "in the dictionary __longDictionary"),
        Arguments.of("auto", "doubles", "__doubleDictionary", fromEnd(8, 1), "in the dictionary __doubleDictionary"),
        Arguments.of("auto", "doublesOrNull", "__doubleDictionary", fromEnd(8, 1),
                     "in the dictionary __doubleDictionary"),
        // Behind the lists are eight bytes that mean nothing.
        Arguments.of("ours", "words[]", "__arrayElementIndexes", fromEnd(9, 1), "(file __arrayElementIndexes)"),
        Arguments.of("ours", "longs[]", "__arrayElementIndexes", fromEnd(9, 1), "(file __arrayElementIndexes)"),
        Arguments.of("ours", "longsOrNull", "__longDictionary", fromEnd(9, 1), "dictionary __longDictionary"),
        Arguments.of("ours", "doublesOrNull", "__doubleDictionary", fromEnd(9, 1), "dictionary __doubleDictionary"),
        Arguments.of("nested", "nested", "__stringDictionary", text("t11", 'z'),
                     "the dictionary __stringDictionary is not in order"),
        Arguments.of("nested", "nested", "__longDictionary", fromEnd(7, 1), "field $.b (file %s.__field_1): row "),
        Arguments.of("nested", "nested", "__doubleDictionary", fromEnd(8, 1), "field $.c (file %s.__field_2): row "),
        Arguments.of("nested", "nested", "__arrayDictionary", fromEnd(4, 0x40), "the dictionary __arrayDictionary"),
        // The last row of the last bitmap of values, or of elements.
        Arguments.of("nested", "nested", "__field_0", fromEnd(2, 1), "field $.a (file %s.__field_0): row "),
        Arguments.of("nested", "nested", "__field_1", fromEnd(2, 1), "field $.b (file %s.__field_1): row "),
        Arguments.of("nested", "nested", "__field_2", fromEnd(2, 1), "field $.c (file %s.__field_2): row "),
        Arguments.of("nested", "nested", "__field_3", fromEnd(2, 1), "field $.d (file %s.__field_3): row "),
        Arguments.of("nested", "nested", "__field_4", fromEnd(2, 1), "element \"t4\""),
        Arguments.of("nested", "nested", "__field_5", fromEnd(2, 1), "element 49"),
        Arguments.of("nested", "nested", "__field_6", fromEnd(2, 1), "element 12.25"),
        Arguments.of("nested", "nested", "__field_7", fromEnd(2, 1), "field $.h (file %s.__field_7): row "),
        Arguments.of("nested", "nested", "__nullIndex", fromEnd(2, 1), "the column's bitmap of nulls"),
        // Fields lie one behind another. The last one is that without a name.
        Arguments.of("oursNested", "nested", "__fields", fromEnd(9, 1), "$['']"),
        Arguments.of("oursNested", "nested", "__fields", fromEnd(30, 1), "$['']"),
        Arguments.of("nested", "nulls", "__field_1", fromEnd(2, 1), "field $.b (file %s.__field_1): row "),
        Arguments.of("nested", "nulls", "__longDictionary", fromEnd(7, 1), "field $.b (file %s.__field_1): row ")
    ).flatMap(arguments -> Stream.of(Version.values()).map(version ->
        Arguments.of(Stream.concat(Stream.of(version), Stream.of(arguments.get())).toArray())));
  }

  @ParameterizedTest(name = "{0}, {2}.{3}: {5}")
  @MethodSource("damage")
  void damageIsToldOf(
      Version version,
      String name,
      String column,
      String file,
      Consumer<byte[]> damage,
      String expected
  ) throws IOException {
    final Path damaged = folder.resolve("damaged");
    FileUtils.copyDirectory(shared.resolve(version + "/" + name).toFile(), damaged.toFile());
    final String columnFile;
    try (Segment segment = Segment.open(damaged)) {
      columnFile = segment.baseColumn(column).file();
    }
    damage(damaged, columnFile + "." + file, damage);
    final String problem = check(damaged, Tier.pick(column::equals, all -> true)).firstProblem();
    assertTrue(problem != null && problem.startsWith("column " + column + ": "), problem);
    assertTrue(problem.contains(String.format(expected, columnFile)), problem);
  }

  private static void damage(Path segment, String name, Consumer<byte[]> damage) throws IOException {
    final InternalFile place =
        InternalFile.of(segment).stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    final Path file = segment.resolve(place.file());
    final byte[] bytes = Files.readAllBytes(file);
    final byte[] part = Arrays.copyOfRange(bytes, (int) place.start(), (int) place.end());
    damage.accept(part);
    System.arraycopy(part, 0, bytes, (int) place.start(), part.length);
    Files.write(file, bytes);
  }
}
