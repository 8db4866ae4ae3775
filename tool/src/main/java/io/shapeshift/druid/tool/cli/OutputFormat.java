// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Output options of all commands that report something: text for people, JSON, or CSV. */
public final class OutputFormat {
  private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Nullable
  @ArgGroup(exclusive = true)
  private Choice choice;

  private static final class Choice {
    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @SuppressWarnings("unused") // Only for picocli: without this option, the output is the other format.
    @Option(names = "--csv", description = "print CSV, with a header")
    private boolean csv;
  }

  /** Whether the output is text for people. */
  public boolean isText() {
    return choice == null;
  }

  /**
   * Output in the selected format.
   *
   * @param text text for people
   * @param json object for Jackson
   * @param csv  table for programs
   */
  public String format(Supplier<String> text, Supplier<Object> json, Supplier<Table> csv) {
    if (isText()) {
      return text.get();
    }
    return choice.json ? json(json.get()) + System.lineSeparator() : csv.get().toCsv();
  }

  /** Formats an object as indented JSON. */
  public static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
