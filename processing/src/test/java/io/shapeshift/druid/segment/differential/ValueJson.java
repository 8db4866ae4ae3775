// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Values of rows as JSON and back, with their classes: what JSON does not tell is an object of a class and a text, such
 * as {@code {"Long": "1"}}.
 */
final class ValueJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> CLASSES = List.of("Long", "Float", "Double", "BigDecimal", "bytes");

  private ValueJson() {}

  static JsonNode toJson(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      final ObjectNode object = JSON.objectNode();
      map.forEach((key, element) -> object.set(key.toString(), toJson(element)));
      return object;
    } else if (value instanceof List<?> list) {
      final ArrayNode array = JSON.arrayNode();
      list.forEach(element -> array.add(toJson(element)));
      return array;
    } else if (value instanceof Object[] elements) {
      return JSON.objectNode().set("array", toJson(Arrays.asList(elements)));
    } else if (value instanceof Integer number) {
      return JSON.numberNode(number);
    } else if (value instanceof Boolean bool) {
      return JSON.booleanNode(bool);
    } else if (value instanceof byte[] bytes) {
      return JSON.objectNode().put("bytes", Base64.getEncoder().encodeToString(bytes));
    } else if (value instanceof Number number) {
      return JSON.objectNode().put(number.getClass().getSimpleName(), number.toString());
    }
    return value == null ? JSON.nullNode() : JSON.textNode((String) value);
  }

  static Map<String, Object> rowFromJson(JsonNode json) {
    final Map<String, Object> row = new LinkedHashMap<>();
    json.properties().forEach(field -> row.put(field.getKey(), fromJson(field.getValue())));
    return row;
  }

  @Nullable
  private static Object fromJson(JsonNode json) {
    if (json.isArray()) {
      final List<Object> list = new ArrayList<>();
      json.forEach(element -> list.add(fromJson(element)));
      return list;
    } else if (json.isObject()) {
      final String type = json.size() == 1 ? json.fieldNames().next() : "";
      if (type.equals("array")) {
        return ((List<?>) fromJson(json.get(type))).toArray();
      }
      return CLASSES.contains(type) ? ofClass(type, json.get(type).asText()) : rowFromJson(json);
    } else if (json.isNumber()) {
      return json.intValue();
    } else if (json.isBoolean()) {
      return json.booleanValue();
    }
    return json.isNull() ? null : json.asText();
  }

  private static Object ofClass(String type, String text) {
    return switch (type) {
      case "Long" -> (Object) Long.valueOf(text);
      case "Float" -> Float.valueOf(text);
      case "Double" -> Double.valueOf(text);
      case "BigDecimal" -> new BigDecimal(text);
      default -> Base64.getDecoder().decode(text);
    };
  }
}
