// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** Reader of a program's JSON output, of this or a later release. */
public final class JsonFile {
  private static final ObjectMapper JSON = JsonMapper
      .builder()
      .annotationIntrospector(new RequiredUnlessNullable())
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  private JsonFile() {}

  /**
   * Reads a file.
   *
   * @param file file to read
   * @param type type of its contents; all properties that it does not declare nullable are required
   * @param what name of the contents, for messages
   * @param toDo advice to the user if the file has other contents
   * @throws ToolException if the file cannot be read, or has other contents
   */
  public static <T> T read(Path file, Class<T> type, String what, String toDo) {
    try {
      @Nullable final T value = JSON.readValue(Files.readAllBytes(file), type);
      if (value == null) {
        throw new ToolException(file.toString(), "this is no " + what + ": it is null", toDo);
      }
      return value;
    } catch (JacksonException e) {
      throw new ToolException(
          file + where(e),
          "this is no " + what + ": " + Reason.ofJson(e),
          toDo,
          e
      );
    } catch (IOException e) {
      final String found =
          e instanceof NoSuchFileException ? "there is no such file" : "it cannot be read: " + Reason.of(e);
      throw new ToolException(file.toString(), found, "", e);
    }
  }

  private static String where(JacksonException e) {
    final StringBuilder where = new StringBuilder();
    @Nullable final JsonLocation location = e.getLocation();
    if (location != null) {
      where.append(", line ").append(location.getLineNr()).append(", column ").append(location.getColumnNr());
    }
    if (e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      where.append(mapping.getPath().stream()
                          .map(step -> step.getFieldName() == null
                                       ? "[" + step.getIndex() + "]"
                                       : "." + step.getFieldName())
                          .collect(Collectors.joining("", ", in ", ""))
                          .replace(", in .", ", in "));
    }
    return where.toString();
  }

  /** Makes all properties required that are not declared nullable. */
  private static final class RequiredUnlessNullable extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasRequiredMarker(AnnotatedMember member) {
      return !member.hasAnnotation(Nullable.class);
    }

    @Override
    public JsonSetter.Value findSetterInfo(Annotated property) {
      return JsonSetter.Value.forValueNulls(
          property.hasAnnotation(Nullable.class) ? Nulls.DEFAULT : Nulls.FAIL,
          Nulls.FAIL
      );
    }
  }
}
