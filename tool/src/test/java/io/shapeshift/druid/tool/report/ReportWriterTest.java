// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ReportWriterTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HOSTILE =
      "</script><img src=x onerror=\"window.hostile=1\"><!--<script>&amp;\u2028\u2029{{title}}$1\\'";

  @TempDir
  Path directory;

  private static Analysis hostile() {
    return TestAnalysis.of(TestAnalysis.segment(HOSTILE, TestAnalysis.opaque(HOSTILE, HOSTILE)));
  }

  private static List<String> all(String regex, String page) {
    return Pattern.compile(regex, Pattern.DOTALL).matcher(page).results().map(found -> found.group(1)).toList();
  }

  @Test
  void dataIsTheAnalysisWhateverItHolds() throws IOException {
    final String page = ReportWriter.page(hostile(), "t");
    final List<String> data = all("<script type=\"application/json\"[^>]*>(.*?)</script>", page);
    assertEquals(1, data.size());
    assertEquals(JSON.readTree(JSON.writeValueAsString(hostile())), JSON.readTree(data.get(0)));
    assertFalse(Pattern.compile("[<>&\u2028\u2029]").matcher(data.get(0)).find(), data.get(0));
  }

  @Test
  void adviceIsShownAsText() {
    final String page = ReportWriter.page(
        new Analysis(
            "jvm",
            List.of(),
            hostile().totals(),
            null,
            new Advice("size", null, 1, 2, "default", Map.of("default", new Advice.Total(2, 0)), 2, 0, List.of(),
                List.of(), List.of(HOSTILE), Map.of("encodingStrategy", "shapeshift"))
        ),
        "t"
    );
    final List<String> advice = all("<section id=\"advice\"><h2>Advice</h2><pre[^>]*>(.*?)</pre></section>", page);
    assertEquals(1, advice.size());
    assertTrue(advice.get(0).startsWith("Aim size, 1 row; today 2 bytes\n"), advice.get(0));
    assertTrue(advice.get(0).contains("\n- &lt;/script&gt;&lt;img src=x "), advice.get(0));
    assertTrue(advice.get(0).contains("&quot;encodingStrategy&quot; : &quot;shapeshift&quot;"), advice.get(0));
    assertFalse(ReportWriter.page(hostile(), "t").contains("id=\"advice\""));
  }

  @Test
  void titleIsText() {
    final String page = ReportWriter.page(hostile(), "<b>'\"&{{style}}$0");
    final String title = "&lt;b&gt;&#39;&quot;&amp;{{style}}$0";
    assertEquals(List.of(title), all("<title>(.*?)</title>", page));
    assertEquals(List.of(title), all("<h1>(.*?)</h1>", page));
  }

  @Test
  void nothingIsFetched() {
    final String page = ReportWriter.page(hostile(), "t");
    final String markup = page.replaceAll("(?s)(<script[^>]*>).*?</script>", "$1")
                              .replaceAll("(?s)<style>.*?</style>", "");
    assertFalse(Pattern.compile("<(link|img|iframe|object|embed|base|a)\\b|\\s(src|href|on\\w+|style)\\s*=")
                       .matcher(markup).find(), markup);
    final String style = all("<style>(.*?)</style>", page).get(0);
    assertFalse(Pattern.compile("url\\(|@import|src:").matcher(style).find());
    for (String script : ours(page)) {
      assertFalse(Pattern.compile("https?:|fetch\\(|XMLHttp|import\\(|innerHTML|outerHTML|insertAdjacent|"
                                  + "document\\.write|eval\\(|\\.html\\(|Function\\(").matcher(script).find(), script);
    }
  }

  /** The page's scripts without the library. */
  private static List<String> ours(String page) {
    final List<String> scripts = all("<script>(.*?)</script>", page);
    assertEquals(5, scripts.size());
    return scripts.subList(1, scripts.size());
  }

  @Test
  void policyAllowsNothingButTheScriptsAndTheStyleOfThePage() throws Exception {
    final String page = ReportWriter.page(hostile(), "t");
    final MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    final List<String> hashes = Stream.of("<style>(.*?)</style>", "<script>(.*?)</script>")
        .flatMap(regex -> all(regex, page).stream())
        .map(text -> Base64.getEncoder().encodeToString(sha256.digest(text.getBytes(StandardCharsets.UTF_8))))
        .map(hash -> "'sha256-" + hash + "'")
        .toList();
    assertEquals(
        List.of("default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashes.get(0)
                + "; script-src " + String.join(" ", hashes.subList(1, hashes.size()))),
        all("Content-Security-Policy\" content=\"(.*?)\"", page)
    );
  }

  @Test
  void licenceOfTheLibraryIsInThePage() {
    final String library = all("<script>(.*?)</script>", ReportWriter.page(hostile(), "t")).get(0);
    assertTrue(library.contains("Permission to use, copy, modify, and/or distribute this software"));
    assertTrue(library.contains("// https://d3js.org v7.9.0 Copyright 2010-2023 Mike Bostock"));
  }

  @Test
  void pageNamesTheEncodingsThatItCompares() {
    assertEquals(
        List.of("data-baseline=\"druid-lz4\" data-target=\"shapeshift-fastbutsmallish\""),
        all("id=\"analysis\" ([^>]*)>", ReportWriter.page(hostile(), "t"))
    );
  }

  @Test
  void noPlaceholderIsLeft() {
    final Analysis empty = TestAnalysis.of();
    assertEquals(List.of(), all("(\\{\\{\\w+}})", ReportWriter.page(empty, "t")));
  }

  private static void write(String title, Path out, boolean replace) {
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(out)) {
      ReportWriter.write(hostile(), title, temporary, out, replace);
    }
  }

  @Test
  void pageReplacesWhatWasThereOnlyIfToldTo() throws IOException {
    final Path out = directory.resolve("new").resolve("report.html");
    write("first", out, false);
    final ToolException e = assertThrows(ToolException.class, () -> write("second", out, false));
    assertTrue(e.getMessage().startsWith(out + ": what was written cannot be moved here: "), e.getMessage());
    assertEquals(ReportWriter.page(hostile(), "first"), Files.readString(out));
    write("second", out, true);
    assertEquals(ReportWriter.page(hostile(), "second"), Files.readString(out));
    try (Stream<Path> files = Files.list(out.getParent())) {
      assertEquals(List.of(out), files.toList());
    }
  }

  @Test
  void nothingIsLeftWhereThePageCannotBe() throws IOException {
    final Path out = Files.createDirectories(directory.resolve("report.html").resolve("below")).getParent();
    final ToolException e = assertThrows(ToolException.class, () -> write("t", out, true));
    assertTrue(e.getMessage().startsWith(out + ": what was written cannot be moved here: "), e.getMessage());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(out), files.toList());
    }
  }

  /** Of what is to be analyzed nothing is read before. */
  @Test
  void commandFindsOutFirstThatItCannotWrite() throws IOException {
    final Path file = Files.writeString(directory.resolve("file"), "");
    final ReportCommand command = new ReportCommand();
    new CommandLine(command).parseArgs(directory.resolve("nowhere").toString(), "--out", file + "/report.html");
    final ToolException e = assertThrows(ToolException.class, command::call);
    assertTrue(e.getMessage().startsWith(file + ": no directory can be made here: "), e.getMessage());
  }
}
