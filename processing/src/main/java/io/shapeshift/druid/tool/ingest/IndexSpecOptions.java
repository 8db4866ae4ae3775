// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.segment.IntEncodingStrategy;
import io.shapeshift.druid.segment.ShapeShiftIndexSpec;
import io.shapeshift.druid.tool.cli.EncodingOptions;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that let their users say all of the indexSpec. */
public final class IndexSpecOptions {
  @Mixin
  private EncodingOptions encoding;

  @Nullable
  @Option(
      names = "--index-spec",
      paramLabel = "JSON",
      description = "an indexSpec as in Druid's tuningConfig, or @FILE that holds one. If it names an "
          + "intEncodingStrategy itself, then --strategy, --target and --block-size must not be given."
  )
  private String indexSpec;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * The spec that the options ask for.
   *
   * @throws ToolException if the file that holds it cannot be read
   */
  public IndexSpec indexSpec() {
    if (indexSpec == null) {
      return ShapeShiftIndexSpec.of(IndexSpec.getDefault(), encoding.strategy());
    }
    final String json = indexSpec.startsWith("@") ? read(Path.of(indexSpec.substring(1))) : indexSpec;
    final JsonNode tree;
    final IndexSpec base;
    try {
      tree = Druid.json().readTree(json);
      if (!tree.isObject()) {
        throw wrong("--index-spec is no JSON object: " + json.strip());
      }
      base = Druid.json().treeToValue(tree, IndexSpec.class);
    } catch (JsonProcessingException e) {
      throw wrong("--index-spec is no indexSpec: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    }
    if (!tree.has(IntEncodingStrategy.PROPERTY)) {
      return ShapeShiftIndexSpec.of(base, encoding.strategy());
    }
    if (encoding.isGiven()) {
      throw wrong("--index-spec names an " + IntEncodingStrategy.PROPERTY
          + ", so leave out --strategy, --target and --block-size");
    }
    return base;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ToolException(file.toString(), "it cannot be read: " + e, "--index-spec names it", e);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
