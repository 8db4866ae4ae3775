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
 * Placeholder for a shapeshift column type that only a later release knows. Opening the column throws an exception that
 * names the type. The other columns of the segment stay readable.
 */
public final class LaterColumnPartSerde implements ColumnPartSerde {
  /** Prefix of the names of this extension's column types. */
  private static final String OURS = "shapeshift.";

  @Nullable
  private String columnName;

  /** Lets Jackson read descriptors with unknown types of this extension. */
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
      // Null: Jackson's other handlers decide, or reject the type.
      return baseType.hasRawClass(ColumnPartSerde.class) && subTypeId.startsWith(OURS)
             ? context.constructType(LaterColumnPartSerde.class)
             : null;
    }
  }

  @JsonProperty
  void setColumnName(String columnName) {
    this.columnName = columnName;
  }

  /** Ignores all properties: without the type they have no meaning. */
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
