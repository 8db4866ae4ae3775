// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.escape.Escaper;
import com.google.common.escape.Escapers;
import com.google.common.hash.Hashing;
import com.google.common.html.HtmlEscapers;
import com.google.common.io.Resources;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/** Writer of an analysis as a self-contained HTML page. */
public final class ReportWriter {
  /** Path of the bundled d3 release. */
  private static final String D3 = "META-INF/resources/webjars/d3/7.9.0/";
  private static final List<String> SCRIPTS = List.of("columns.js", "charts.js", "table.js", "report.js");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");
  private static final ObjectMapper JSON = new ObjectMapper();
  /**
   * Escapes data in a script element, so that it can neither end the element nor start a comment that hides its end.
   */
  private static final Escaper JSON_IN_HTML = Escapers
      .builder()
      .addEscape('<', "\\u003c")
      .addEscape('>', "\\u003e")
      .addEscape('&', "\\u0026")
      .addEscape('\u2028', "\\u2028")
      .addEscape('\u2029', "\\u2029")
      .build();

  private ReportWriter() {}

  /**
   * Writes the page.
   *
   * @param title     headline of the page
   * @param temporary directory on the same file system as {@code out}
   * @param replace   whether to replace an existing file atomically; otherwise it is kept
   * @throws ToolException if the page cannot be written, or the file exists and must not be replaced
   */
  static void write(Analysis analysis, String title, TemporaryDirectory temporary, Path out, boolean replace) {
    final Path page = temporary.path().resolve("report.html");
    try {
      Files.writeString(page, page(analysis, title));
    } catch (IOException e) {
      throw new ToolException(
          out.toString(), "it cannot be written: " + Reason.of(e), "Make room, or allow it to be written", e);
    }
    if (replace) {
      temporary.publishOver(page, out);
    } else {
      temporary.publish(page, out);
    }
  }

  /** HTML of the page. */
  static String page(Analysis analysis, String title) {
    final String style = ours("report.css");
    final List<String> scripts = Stream.concat(Stream.of(d3()), SCRIPTS.stream().map(ReportWriter::ours)).toList();
    @Nullable final Advice advice = analysis.advice();
    final Map<String, String> values = Map.of(
        "advice", advice == null ? "" : "<section id=\"advice\"><h2>Advice</h2><pre class=\"scroll\">"
            + HtmlEscapers.htmlEscaper().escape(advice.text()) + "</pre></section>",
        "policy", policy(style, scripts),
        "title", HtmlEscapers.htmlEscaper().escape(title),
        "style", style,
        "baseline", RowEncodings.DRUID_LZ4.name(),
        "target", RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH),
        "analysis", JSON_IN_HTML.escape(json(analysis)),
        "scripts", scripts.stream().map(script -> "<script>" + script + "</script>").collect(Collectors.joining("\n"))
    );
    return PLACEHOLDER.matcher(ours("report.html"))
                      .replaceAll(match -> Matcher.quoteReplacement(values.get(match.group(1))));
  }

  /**
   * Content security policy that allows only the page's own style and scripts, so that no text of the data can run or
   * be fetched.
   */
  private static String policy(String style, List<String> scripts) {
    return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(style)
           + "; script-src " + scripts.stream().map(ReportWriter::hash).collect(Collectors.joining(" "));
  }

  private static String hash(String text) {
    final byte[] sha256 = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
    return "'sha256-" + Base64.getEncoder().encodeToString(sha256) + "'";
  }

  private static String json(Analysis analysis) {
    try {
      return JSON.writeValueAsString(analysis);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Source of d3 with its licence, which every copy must include. */
  private static String d3() {
    return "/*\n" + resource(D3 + "LICENSE") + "*/\n" + resource(D3 + "dist/d3.min.js");
  }

  private static String ours(String name) {
    return resource(ReportWriter.class.getPackageName().replace('.', '/') + "/" + name);
  }

  private static String resource(String path) {
    try {
      return Resources.toString(Resources.getResource(path), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
