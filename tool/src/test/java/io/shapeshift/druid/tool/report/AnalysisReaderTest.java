// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnalysisReaderTest {
  private static final Analysis ANALYSIS = TestAnalysis.of(TestAnalysis.segment(
      "s",
      TestAnalysis.column("a", 1, true),
      TestAnalysis.column("b", 2, false),
      TestAnalysis.numbers("c"),
      TestAnalysis.opaque("d", "damaged")
  ));

  @TempDir
  Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("analysis.json"), text);
  }

  private static String json() {
    return OutputFormat.json(ANALYSIS);
  }

  @Test
  void readsWhatAnalyzePrints() throws IOException {
    assertEquals(ANALYSIS, AnalysisReader.read(file(json() + System.lineSeparator())));
  }

  @Test
  void readsWhatALaterReleasePrints() throws IOException {
    final ObjectNode later = (ObjectNode) new ObjectMapper().readTree(json());
    later.put("new", true);
    ((ObjectNode) later.at("/segments/0/columns/0")).putObject("new").put("newer", 1);
    assertEquals(ANALYSIS, AnalysisReader.read(file(later.toString())));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "`` | , line 1, column 0: this is no analysis: No content to map due to end-of-input",
      "not JSON | , line 1, column 5: this is no analysis: Unrecognized token 'not'",
      "[] | , line 1, column 1: this is no analysis: Cannot deserialize value of type",
      "{} | , line 1, column 2, in jvm: this is no analysis: Missing required creator property 'jvm'",
      "{\"jvm\": \"x\", \"segments\": null} | , in segments: this is no analysis: Invalid",
      "{\"jvm\": \"x\", \"segments\": [null]} | , in segments[0]: this is no analysis: Invalid",
      "{\"jvm\": \"x\", \"segments\": [{\"path\": []}]} | , in segments[0].path: this is no analysis: ",
      "{\"jvm\": \"x\", \"segments\": [{\"path\": \"x\"}]} | , in segments[0].version: this is no analysis"
  })
  void refusesWhatIsNoAnalysis(String text, String message) throws IOException {
    final Path file = file(text == null ? "" : text);
    final ToolException e = assertThrows(ToolException.class, () -> AnalysisReader.read(file));
    final String found = e.getMessage().replaceFirst(message.startsWith(", in") ? ", line \\d+, column \\d+" : "", "");
    assertTrue(found.startsWith(file + message), e.getMessage());
    assertTrue(found.endsWith(". Name a file that holds what 'analyze --json' printed"), e.getMessage());
    assertEquals(1, found.lines().count(), e.getMessage());
  }

  @Test
  void refusesWhatFollowsAnAnalysis() throws IOException {
    final Path file = file(json() + "{}");
    final ToolException e = assertThrows(ToolException.class, () -> AnalysisReader.read(file));
    assertTrue(e.getMessage().contains("Trailing token"), e.getMessage());
  }

  @Test
  void refusesWhatIsNotThere() {
    final Path file = directory.resolve("none.json");
    assertEquals(
        file + ": there is no such file",
        assertThrows(ToolException.class, () -> AnalysisReader.read(file)).getMessage()
    );
  }
}
