// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import io.shapeshift.druid.tool.convert.ConvertCommand;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.verify.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What Druid itself writes wrongly into projections: {@code build} warns of it, {@code verify} has a note of it. */
class ProjectionNotesTest {
  private static final String SEVERAL = "column p/m: Druid 37 stores only the first value of a row with several"
      + " in a projection, but its index has all of them, here 1 more: queries that use the projection find and count"
      + " other rows than those of the table. Ingest or compact the segment again without projection p";
  private static final String LACKING = "column p/a: Druid 37 left 2 nulls out of the index of the projection, as it"
      + " does with empty arrays, and with parts that have no value of the column when it merges them: filters on null"
      + " miss them in queries that use it. Ingest or compact the segment again without projection p, or with an"
      + " indexEncodingStrategy of shapeshift";
  private static final String EMPTY = "column p/country: Druid 37 fails at empty bitmaps, here 1, of values that no row"
      + " has (IndexOutOfBoundsException), if a filter asks for other values as well. Ingest or compact the"
      + " segment again without projection p, or with an indexEncodingStrategy of shapeshift";

  @TempDir
  private Path folder;

  /** Builds a segment with a projection, and returns what it was warned of. */
  private String build(String rows, String projection, String... options) throws IOException {
    final Path input = Files.writeString(folder.resolve("rows.json"), rows.replace('\'', '"'));
    final StringWriter warnings = new StringWriter();
    Builds.build(warnings, input, folder.resolve("segment"), Stream.concat(
        Stream.of("--timestamp", "t", "--projection", "{'type':'aggregate','name':'p',".replace('\'', '"')
            + projection.replace('\'', '"') + ",\"aggregators\":[{\"type\":\"count\",\"name\":\"c\"}]}"),
        Arrays.stream(options)
    ).toArray(String[]::new));
    return warnings.toString().strip();
  }

  private String buildSeveral(String... options) throws IOException {
    return build(
        """
        {'t':'2024-01-01','m':['a','b']}
        {'t':'2024-01-01','m':['b']}
        {'t':'2024-01-01','m':['a','b']}
        """,
        "'groupingColumns':['m']",
        Stream.concat(Stream.of("--type", "m=string"), Arrays.stream(options)).toArray(String[]::new)
    );
  }

  private String buildLacking(String strategy) throws IOException {
    return build(
        """
        {'t':'2024-01-01','a':'x','n':1}
        {'t':'2024-01-01','a':null,'n':1}
        {'t':'2024-01-01','n':1}
        {'t':'2024-01-01','n':2}
        {'t':'2024-01-01','n':3}
        """,
        "'groupingColumns':[{'type':'long','name':'n'},'a']",
        "--strategy",
        strategy,
        "--max-rows-in-memory",
        "2"
    );
  }

  private static String run(int exitCode, Object command, Object... args) {
    final StringWriter said = new StringWriter();
    assertEquals(exitCode, new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(said))
        .execute(Arrays.stream(args).map(String::valueOf).toArray(String[]::new)), said::toString);
    return said.toString();
  }

  private static String verify(int exitCode, Path... segments) {
    return run(exitCode, new VerifyCommand(), (Object[]) segments);
  }

  /** The note stands in the column's line behind its name, and the last line counts it. */
  private static void assertNoted(String warning, String said) {
    final String message = warning.replaceAll("^column p/\\w+: ", "");
    assertTrue(said.lines().anyMatch(line -> line.startsWith("p/") && line.endsWith("note    " + message)), said);
    assertTrue(said.lines().anyMatch(line -> line.startsWith("fine, with 1 note: ")), said);
  }

  private Path convert(String from, String strategy) {
    final Path to = folder.resolve(from + "-" + strategy);
    run(0, new ConvertCommand(), folder.resolve(from), "--out", to, "--strategy", strategy);
    return to;
  }

  @ParameterizedTest
  @ValueSource(strings = {"compression", "shapeshift"})
  void aProjectionKeepsTheFirstOfSeveralValuesOnly(String strategy) throws IOException {
    assertEquals("shapeshift: " + SEVERAL, buildSeveral("--strategy", strategy));
    assertNoted(SEVERAL, verify(0, folder.resolve("segment")));
    for (String other : new String[]{"compression", "shapeshift"}) {
      final Path converted = convert("segment", other);
      assertNoted(SEVERAL, verify(0, converted));
      assertNoted(SEVERAL, verify(0, folder.resolve("segment"), converted));
    }
    // Of many segments as well.
    final String said = verify(0, folder);
    assertTrue(said.contains("  " + SEVERAL), said);
    assertTrue(said.contains("fine, with 3 notes: "), said);
  }

  @Test
  void stockMergesLeaveNullsOut() throws IOException {
    assertEquals("shapeshift: " + LACKING, buildLacking("compression"));
    assertNoted(LACKING, verify(0, folder.resolve("segment")));
    assertNoted(LACKING, verify(0, convert("segment", "shapeshift")));
    assertNoted(LACKING, verify(0, convert("segment-shapeshift", "compression")));
  }

  @Test
  void ourMergesHaveAllNulls() throws IOException {
    assertEquals("", buildLacking("shapeshift"));
    assertTrue(verify(0, folder.resolve("segment")).contains("all fine: "));
    assertTrue(verify(0, convert("segment", "compression")).contains("all fine: "));
  }

  private String buildFiltered(String strategy) throws IOException {
    return build(
        """
        {'t':'2024-01-01','country':'de','status':'ok'}
        {'t':'2024-01-01','country':'fr','status':'bad'}
        {'t':'2024-01-01','country':'it','status':'ok'}
        """,
        "'filter':{'type':'equals','column':'status','matchValueType':'STRING','matchValue':'ok'},"
            + "'groupingColumns':['country']",
        "--strategy",
        strategy
    );
  }

  @Test
  void aDictionaryHasValuesThatNoRowOfAProjectionHas() throws IOException {
    assertEquals("shapeshift: " + EMPTY, buildFiltered("compression"));
    assertNoted(EMPTY, verify(0, folder.resolve("segment")));
    // Ours do not fail there.
    assertTrue(verify(0, convert("segment", "shapeshift")).contains("all fine: "));
    assertNoted(EMPTY, verify(0, convert("segment-shapeshift", "compression")));
  }

  @Test
  void oursWithSuchValuesBecomeStock() throws IOException {
    assertEquals("", buildFiltered("shapeshift"));
    assertTrue(verify(0, folder.resolve("segment")).contains("all fine: "));
    assertNoted(EMPTY, verify(0, convert("segment", "compression")));
  }

  /** A row's id that no bitmap has is damage, whatever else Druid wrote wrongly. */
  @Test
  void whatDruidDoesNotWriteIsDamage() throws IOException {
    buildSeveral("--index-spec",
                 "{\"encodingStrategy\":{\"strategy\":\"compression\"},\"dimensionCompression\":\"uncompressed\"}");
    final Path file = folder.resolve("segment").resolve("00000.smoosh");
    final byte[] bytes = Files.readAllBytes(file);
    final byte[] ids;
    try (Segment segment = Segment.open(folder.resolve("segment"))) {
      final SegmentColumn column = segment.columns().stream()
          .filter(each -> each.displayName().equals("p/m")).findFirst().orElseThrow();
      final ByteBuffer rows = column.parts().rows().bytes();
      ids = new byte[rows.remaining()];
      rows.duplicate().get(ids);
    }
    final int start = Bytes.indexOf(bytes, ids);
    // Behind a version, the bytes of an id and a size: of the second row, whose value is b.
    assertEquals(1, bytes[start + 7]);
    bytes[start + 7] = 0;
    Files.write(file, bytes);
    final String said = verify(1, folder.resolve("segment"));
    assertTrue(said.contains("row 1 has id 0, but is not in the bitmap index of it"), said);
  }
}
