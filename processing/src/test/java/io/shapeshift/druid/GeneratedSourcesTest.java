// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What reads and writes doubles and floats differs from what does so with longs by the primitive alone. It is generated
 * from the classes for longs, rather than shared, as loops over arrays of several types, or calls to one of several
 * readers, would cost speed.
 *
 * <p>To change it, change the class for longs, and run this test with {@code -Dshapeshift.generate=true}. In a class
 * that others are generated from, the word long stands for the type of the numbers, and for nothing else.
 */
class GeneratedSourcesTest {
  private static final boolean GENERATE = Boolean.getBoolean("shapeshift.generate");
  private static final Path SOURCES = Path.of("src/main/java/io/shapeshift/druid");
  private static final List<String> OF_LONGS = List.of(
      "form/numbers/LongChunkReader.java",
      "column/numbers/ShapeShiftingColumnarLongs.java",
      "column/numbers/ShapeShiftingColumnarLongsSerializer.java",
      "column/numbers/ShapeShiftingColumnarLongsSupplier.java"
  );
  private static final String NOTE = "// GeneratedSourcesTest generates the classes for other types from this one.";

  static Stream<Arguments> generated() {
    return OF_LONGS.stream().flatMap(file -> Stream.of("Double", "Float").map(type -> Arguments.of(file, type)));
  }

  @ParameterizedTest
  @MethodSource("generated")
  void isWhatIsGenerated(String file, String type) throws IOException {
    final String expected = generate(Path.of(file), type);
    final Path target = SOURCES.resolve(of(type, file));
    if (GENERATE) {
      Files.writeString(target, expected);
    }
    assertEquals(expected, Files.readString(target), "change " + file + " and run with -Dshapeshift.generate=true");
  }

  private static String generate(Path file, String type) throws IOException {
    final String ofLongs = Files.readString(SOURCES.resolve(file));
    assertTrue(ofLongs.contains(NOTE), file + " does not say that others are generated from it");
    final String generated = of(type, ofLongs)
        .replace(of(type, NOTE), "// Generated from " + file.getFileName() + " by GeneratedSourcesTest: do not edit.");
    return type.equals("Float") ? withoutOverride(generated) : generated;
  }

  private static String of(String type, String text) {
    return text
        .replace("Long", type)
        .replace("long", type.toLowerCase(Locale.ROOT))
        .replace("LONG", type.toUpperCase(Locale.ROOT));
  }

  /** Druid's columns of floats, alone of all, do not read to an array from an offset on. */
  private static String withoutOverride(String ofFloats) {
    final String method = "  public void get(float[] out, int offset,";
    return ofFloats.replace("  @Override\n" + method, method);
  }
}
