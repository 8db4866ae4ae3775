// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import io.shapeshift.druid.column.ColumnFormatException;
import javax.annotation.Nullable;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;

/**
 * A column of one of our types that a later release brought: whoever opens it is told so, with its name. The other
 * columns of the segment are not concerned.
 */
public final class LaterColumnPartSerde implements ColumnPartSerde {
  /** How the names of our types begin. */
  private static final String OURS = "shapeshift.";

  @Nullable
  private String columnName;

  /** Lets Jackson read descriptors with such types. */
  public static final class Handler extends DeserializationProblemHandler {
    @Nullable
    @Override
    public JavaType handleUnknownTypeId(
        DeserializationContext context,
        JavaType baseType,
        String subTypeId,
        TypeIdResolver idResolver,
        String failureMessage
    ) {
      // Null leaves it to others to refuse it.
      return baseType.hasRawClass(ColumnPartSerde.class) && subTypeId.startsWith(OURS)
             ? context.constructType(LaterColumnPartSerde.class)
             : null;
    }
  }

  @JsonProperty
  void setColumnName(String columnName) {
    this.columnName = columnName;
  }

  /** All else there is no use for. */
  @JsonAnySetter
  void setUnknown(String name, @Nullable Object value) {}

  @Nullable
  @Override
  public Serializer getSerializer() {
    return null;
  }

  @Override
  public Deserializer getDeserializer() {
    return (buffer, builder, config, parent) -> {
      final String column = columnName == null ? OwnFile.name(buffer, builder, "of a later type") : columnName;
      throw ColumnFormatException.notOpened(column, buffer, ColumnFormatException.newer(
          column, "its descriptor names a type of column that this druid-shapeshift does not know"));
    };
  }
}
