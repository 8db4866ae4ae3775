// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.tool.cli.EncodingOptions;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of commands with which users specify the complete indexSpec. */
public final class IndexSpecOptions {
  @Mixin
  private EncodingOptions encoding;

  @Nullable
  @Option(
      names = "--index-spec",
      paramLabel = "JSON",
      description = "an indexSpec as in Druid's tuningConfig, or @FILE with one. If it names an encoding strategy, "
          + "leave out the options that do"
  )
  private String indexSpec;

  private final Set<String> properties = new TreeSet<>();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Whether the spec is given as JSON. */
  public boolean isJson() {
    return indexSpec != null;
  }

  /** Names of the properties of the JSON; empty before {@link #indexSpec()} is called, and without JSON. */
  public Set<String> properties() {
    return properties;
  }

  /**
   * Spec that the options request.
   *
   * @throws ToolException if the file of the spec cannot be read
   */
  public IndexSpec indexSpec() {
    if (indexSpec == null) {
      return ShapeShiftIndexSpec.of(IndexSpec.getDefault(), encoding.strategies());
    }
    final String json = indexSpec.startsWith("@") ? read(Path.of(indexSpec.substring(1))) : indexSpec;
    final JsonNode tree;
    final IndexSpec base;
    try {
      tree = Druid.json().readTree(json);
      if (!tree.isObject()) {
        throw wrong("--index-spec is no JSON object: " + json.strip());
      }
      requireKnown(tree);
      tree.fieldNames().forEachRemaining(properties::add);
      requireKnownBitmap(tree.path("bitmap").path("type"));
      base = Druid.json().treeToValue(tree, IndexSpec.class);
    } catch (JsonProcessingException e) {
      // For this project's own exceptions, Jackson's wrapper only adds the name of a class, which does not help the
      // user.
      final String reason = e.getCause() instanceof DruidException own ? own.getMessage() : reason(e);
      throw wrong("--index-spec is not an indexSpec: " + reason.lines().findFirst().orElse(""));
    } catch (DruidException e) {
      // Jackson does not wrap exceptions about the spec as a whole.
      throw wrong("--index-spec is not an indexSpec: " + e.getMessage());
    }
    final Optional<String> named = TypeStrategies.PROPERTIES.stream().filter(tree::has).findFirst();
    if (named.isEmpty()) {
      return ShapeShiftIndexSpec.of(
          base, encoding.strategies().withColumns(ShapeShiftIndexSpec.strategiesOf(base).ofColumns()));
    }
    if (encoding.isGiven()) {
      throw wrong("--index-spec names " + named.get() + ", so leave out --strategy, --target, --block-size and the "
          + "strategies of single types");
    }
    return base;
  }

  /** Names the property whose value Jackson rejected, and the allowed values if they are few. */
  private static String reason(JsonProcessingException e) {
    final String property = e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
                            ? mapping.getPath().get(0).getFieldName()
                            : "";
    if (e instanceof ValueInstantiationException wrong && wrong.getType().isEnumType()) {
      // Spelled as in JSON. Druid ignores their case.
      return property + " is not one of " + Druid.json().valueToTree(wrong.getType().getRawClass().getEnumConstants());
    }
    if (e instanceof JsonParseException) {
      return "line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr() + ": "
          + Reason.ofJson(e);
    }
    return (property.isEmpty() ? "" : property + ": ") + Reason.ofJson(e);
  }

  /** Rejects unknown properties, which Druid would ignore. */
  private void requireKnown(JsonNode spec) {
    final ObjectMapper json = Druid.json();
    final Set<String> known = new TreeSet<>(EncodingStrategies.PROPERTIES);
    json.getDeserializationConfig().introspect(json.constructType(IndexSpec.class)).findProperties().stream()
        .filter(BeanPropertyDefinition::hasConstructorParameter)
        .forEach(property -> known.add(property.getName()));
    spec.fieldNames().forEachRemaining(name -> {
      if (!known.contains(name)) {
        throw wrong("--index-spec has the property '" + name + "', which no indexSpec has. There are "
            + String.join(", ", known));
      }
    });
  }

  /** Rejects unknown bitmap types, which Druid would replace by its default. */
  private void requireKnownBitmap(JsonNode type) {
    final Set<String> known = new TreeSet<>();
    for (JsonSubTypes.Type subtype : BitmapSerdeFactory.class.getAnnotation(JsonSubTypes.class).value()) {
      known.add(subtype.name());
    }
    if (!type.isMissingNode() && !known.contains(type.asText())) {
      throw wrong("--index-spec is not an indexSpec: bitmap.type is not one of " + String.join(", ", known));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ToolException(file.toString(), "there is no such file", "--index-spec names it", e);
    } catch (IOException e) {
      throw new ToolException(file.toString(), "it cannot be read: " + Reason.of(e), "--index-spec names it", e);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
