// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.shapeshift.druid.tool.cli.ToolException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.annotation.Nullable;

/** Reader of JSON lines: one object per line, whose keys are the columns. Blank lines are ignored. */
final class JsonRows extends RowReader {
  private static final ObjectMapper JSON = new ObjectMapper()
      .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
  private static final String ONE_OBJECT = "There must be one object on each line: {\"column\": value, ...}; "
      + "'jq -c .' makes such lines of JSON that spans several";
  private static final Pattern SECOND_SENTENCE =
      Pattern.compile("(: | \\(start marker).*|, from `[^`]*`", Pattern.DOTALL);

  /**
   * Opens a file.
   *
   * @throws ToolException if the file cannot be opened
   */
  JsonRows(Lines lines) {
    super(lines);
  }

  @Override
  List<String> columns() {
    return List.of();
  }

  @Override
  @Nullable
  String nextRow() {
    @Nullable String line = lines().next();
    while (line != null && line.isBlank()) {
      line = lines().next();
    }
    return line;
  }

  @Override
  Map<String, Object> parse(String text) {
    @Nullable final Map<String, Object> row;
    try {
      row = JSON.readValue(text.stripTrailing(), OBJECT);
    } catch (MismatchedInputException e) {
      throw malformed("the line is no JSON object", ONE_OBJECT, e);
    } catch (JsonProcessingException e) {
      throw malformed(
          "the line is no JSON object: " + firstSentence(e.getOriginalMessage())
              + (e.getLocation() == null ? "" : ", at character " + e.getLocation().getColumnNr()),
          ONE_OBJECT,
          e
      );
    }
    if (row == null) {
      throw malformed("the line is no JSON object", ONE_OBJECT);
    }
    if (row.containsKey("")) {
      throw malformed("a key is empty", "Columns must have names");
    }
    row.forEach((column, value) -> {
      if (value instanceof Double number && number.isInfinite()) {
        throw malformed("the number in column '" + column + "' is too large for a double", "Write it as a string");
      }
    });
    return row;
  }

  /** Jackson's finding, without what it expected and the names of its settings. */
  private static String firstSentence(String message) {
    return message.startsWith("Duplicate field") ? message : SECOND_SENTENCE.matcher(message).replaceAll("");
  }
}
