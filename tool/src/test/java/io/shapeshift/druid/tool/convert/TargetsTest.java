// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import io.shapeshift.druid.tool.verify.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Each segment has a place of its own, or nothing is written. */
class TargetsTest {
  @TempDir
  private Path folder;
  private Path in;
  private Path out;

  @BeforeEach
  void name() {
    in = folder.resolve("in");
    out = folder.resolve("out");
  }

  private Path zip(String name) throws IOException {
    final Path zip = in.resolve(name);
    Files.createDirectories(zip.getParent());
    return Files.move(
        // Two that one directory may have, so that one is no other.
        name.endsWith("1_index.zip")
        ? DruidArtifacts.nestedV4(folder.resolve("artifact"))
        : DruidArtifacts.nestedV3(folder.resolve("artifact")),
        zip
    );
  }

  private Path directory(String name) {
    return DruidArtifacts.fromV8(in.resolve(name));
  }

  private int convert(boolean zip) {
    final CommandLine command = new CommandLine(new ConvertCommand())
        .setOut(new PrintWriter(new StringWriter()))
        .setExecutionExceptionHandler((e, line, parsed) -> {
          throw e;
        });
    return zip
           ? command.execute(in.toString(), "--out", out.toString(), "--zip")
           : command.execute(in.toString(), "--out", out.toString());
  }

  private String refusal(boolean zip) throws IOException {
    final List<SegmentLocation> locations = SegmentLocation.find(List.of(in));
    final Conversion conversion = new Conversion(RowEncodings.DRUID_LZ4, zip);
    final Set<Path> before = list();
    final String message =
        assertThrows(ToolException.class, () -> conversion.run(in, locations, out)).getMessage();
    assertEquals(before, list(), message);
    return message;
  }

  private Set<Path> list() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.collect(Collectors.toSet());
    }
  }

  private static String refusalOf(Path out, Path source, String target, Path other, String otherTarget) {
    return out + ": " + source + " would become " + out.resolve(target) + ", and " + other + " would become "
        + out.resolve(otherTarget) + ", so that one would hide the other. "
        + "Convert them one by one, each to a place of its own";
  }

  private static void assertSameContent(Path expected, Path actual) {
    try (Segment first = new SegmentLocation(expected).open(); Segment second = new SegmentLocation(actual).open()) {
      assertNull(SegmentVerifier.compare(first, second, column -> true).firstProblem());
    }
  }

  private static List<String> verify(Path first, Path second) {
    final StringWriter said = new StringWriter();
    new CommandLine(new VerifyCommand()).setOut(new PrintWriter(said)).execute(first.toString(), second.toString());
    return said.toString().lines().toList();
  }

  /** As deep storage on HDFS has the partitions of an interval. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void severalZipsOfADirectoryStayApart(boolean zip) throws IOException {
    final Path first = zip("v1/0_index.zip");
    final Path second = zip("v1/1_index.zip");
    final Path third = zip("v2/index.zip");
    final Path fourth = directory("v3");
    assertEquals(0, convert(zip));
    final List<Path> found = List.of(
        out.resolve(zip ? "v1/0_index.zip" : "v1/0_index"),
        out.resolve(zip ? "v1/1_index.zip" : "v1/1_index"),
        out.resolve(zip ? "v2/index.zip" : "v2"),
        out.resolve(zip ? "v3/index.zip" : "v3")
    );
    assertEquals(found, SegmentLocation.find(List.of(out)).stream().map(SegmentLocation::path).toList());
    final List<Path> sources = List.of(first, second, third, fourth);
    for (int i = 0; i < found.size(); i++) {
      assertSameContent(sources.get(i), found.get(i));
    }
    final List<String> verified = verify(in, out);
    assertTrue(
        verified.get(verified.size() - 1).endsWith(" of 4 pairs of segments"), verified::toString);
    for (int i = 0; i < found.size(); i++) {
      assertTrue(verified.get(i).startsWith(sources.get(i) + " and " + found.get(i) + ": fine"), verified.get(i));
    }
  }

  @Test
  void oneIndexZipAmongOthers() throws IOException {
    final Path first = zip("v1/0_index.zip");
    final Path second = zip("v1/index.zip");
    assertEquals(refusalOf(out, second, "v1", first, "v1/0_index"), refusal(false));
    assertEquals(0, convert(true));
    assertSameContent(first, out.resolve("v1/0_index.zip"));
    assertSameContent(second, out.resolve("v1/index.zip"));
  }

  @Test
  void oneIndexZipAtTheTopOfOthers() throws IOException {
    final Path first = zip("index.zip");
    final Path second = zip("v1/index.zip");
    assertEquals(refusalOf(out, first, "", second, "v1"), refusal(false));
  }

  @Test
  void aZipBesideADirectoryOfItsName() throws IOException {
    final Path first = zip("v1/0_index.zip");
    final Path second = directory("v1/0_index");
    assertEquals(refusalOf(out, second, "v1/0_index", first, "v1/0_index"), refusal(false));
  }

  @Test
  void aZipBesideAFolderOfItsName() throws IOException {
    final Path first = zip("v1/0_index.zip");
    final Path second = directory("v1/0_index/more");
    assertEquals(refusalOf(out, first, "v1/0_index", second, "v1/0_index/more"), refusal(false));
  }

  @Test
  void aDirectoryThatIsCalledAsAZipFile() throws IOException {
    final Path first = zip("v1/0_index.zip");
    final Path second = directory("V1/0_INDEX.ZIP/more");
    assertEquals(refusalOf(out, first, "v1/0_index.zip", second, "V1/0_INDEX.ZIP/more/index.zip"), refusal(true));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void namesThatDifferByCaseOnly(boolean zip) throws IOException {
    final Path first = zip("A/x/index.zip");
    final Path second = zip("a/x/index.zip");
    final String end = zip ? "x/index.zip" : "x";
    assertEquals(refusalOf(out, first, "A/" + end, second, "a/" + end), refusal(zip));
  }

  @Test
  void namesThatDifferByUnicodeFormOnly() throws IOException {
    final Path first = zip("a\u0308/index.zip");
    final Path second = zip("\u00e4/index.zip");
    assertEquals(refusalOf(out, first, "a\u0308", second, "\u00e4"), refusal(false));
  }

  /** Two of the same are two. */
  @Test
  void aSegmentThatALinkLeadsToAsWell() throws IOException {
    final Path source = directory("a");
    Files.createSymbolicLink(in.resolve("b"), source);
    assertEquals(0, convert(false));
    assertSameContent(source, out.resolve("a"));
    assertSameContent(source, out.resolve("b"));
  }

  @Test
  void aTargetInASourceBehindALink() throws IOException {
    directory("a");
    out = Files.createSymbolicLink(folder.resolve("link"), in).resolve("out");
    assertEquals(
        out + ": it is within " + in + ". Inputs are never changed: name another",
        refusal(false)
    );
  }

  @Test
  void aTargetBesideASourceBehindALink() throws IOException {
    directory("a");
    final Path elsewhere = folder.resolve("elsewhere");
    DruidArtifacts.fromV8(elsewhere.resolve("b"));
    Files.createSymbolicLink(in.resolve("link"), elsewhere);
    out = elsewhere.resolve("out");
    assertEquals(out + ": it is within " + in + ". Inputs are never changed: name another", refusal(false));
  }

  @Test
  void aSourceInTheTarget() throws IOException {
    directory("out/a");
    out = in;
    in = in.resolve("out");
    assertEquals(out + ": it exists already. Name one that does not, or an empty directory", refusal(false));
  }

  /** A move to a link would replace the link, or fail when all is done. */
  @ParameterizedTest
  @ValueSource(strings = {"empty", "nowhere"})
  void aTargetThatIsALink(String to) throws IOException {
    directory("a");
    Files.createDirectory(folder.resolve("empty"));
    out = Files.createSymbolicLink(folder.resolve("link"), folder.resolve(to));
    assertEquals(out + ": it exists already. Name one that does not, or an empty directory", refusal(false));
  }

  @Test
  void whatIsInASegmentsDirectoryIsNotLost() throws IOException {
    final Path source = directory("a");
    Files.createDirectory(source.resolve("more"));
    assertEquals(
        source + ": there is more in it, which is no file and would be lost. "
            + "Move it elsewhere: a segment has files only",
        refusal(false)
    );
    final Path within = directory("a/more/b");
    assertEquals(refusalOf(out, source, "a", within, "a/more/b"), refusal(false));
  }
}
