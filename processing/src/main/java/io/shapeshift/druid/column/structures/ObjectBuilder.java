// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import io.shapeshift.druid.column.ColumnFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Builder of objects from their structure and the values of their fields. Not thread-safe. */
public final class ObjectBuilder {
  private final String column;
  private final StructureTable table;
  private final FieldValues values;
  private int row;
  private int structure;
  /** Next token. */
  private int at;

  ObjectBuilder(String column, StructureTable table, FieldValues values) {
    this.column = column;
    this.table = table;
    this.values = values;
  }

  /**
   * Builds the object of a row, as Druid reads it from its Smile.
   *
   * @param structureId the row's, from {@link Structures#ids}
   * @return null if the row is null, or its object is
   * @throws IllegalStateException if the object is kept as a whole
   * @throws ColumnFormatException if there is no such structure, or a field's value does not match it
   */
  @Nullable
  public Object build(int row, int structureId) {
    if (structureId == Structures.NULL) {
      return null;
    }
    if (structureId == Structures.KEPT) {
      throw new IllegalStateException("the object of row " + row + " is kept, and has no structure");
    }
    this.structure = structureId - Structures.FIRST;
    if (structure < 0 || structure >= table.rows.length) {
      throw ColumnFormatException.damaged(
          column, "row " + row + " has structure " + structureId + ", of " + (table.rows.length + Structures.FIRST));
    }
    this.row = row;
    this.at = table.starts[structure];
    return build();
  }

  @Nullable
  private Object build() {
    final int token = table.tokens[at++];
    final int argument = Tokens.argument(token);
    return switch (Tokens.kind(token)) {
      case Tokens.NULL -> null;
      case Tokens.OBJECT -> map(argument);
      case Tokens.ARRAY -> list(argument);
      case Tokens.STRING -> string(argument, values.get(argument, row));
      case Tokens.INTEGER -> integer(argument, values.get(argument, row));
      case Tokens.DOUBLE -> number(argument, values.get(argument, row));
      case Tokens.FLOAT -> number(argument, values.get(argument, row)).floatValue();
      case Tokens.BOOLEAN -> truth(argument, values.get(argument, row));
      default -> array(Tokens.kind(token) - Tokens.TO_ARRAY, argument, values.get(argument, row));
    };
  }

  private Map<String, Object> map(int size) {
    // As many buckets as entries need with the load factor of .75.
    final Map<String, Object> map = new LinkedHashMap<>(size + size / 3 + 1);
    for (int i = 0; i < size; i++) {
      final String key = table.keys[Tokens.argument(table.tokens[at++])];
      map.put(key, build());
    }
    if (map.size() != size) {
      throw ColumnFormatException.damaged(
          column, "structure " + (structure + Structures.FIRST) + " has an object with two entries of one key");
    }
    return map;
  }

  private List<Object> list(int size) {
    final List<Object> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(build());
    }
    return list;
  }

  private String string(int field, @Nullable Object value) {
    if (value instanceof String string) {
      return string;
    }
    throw unexpected("a string", field, value);
  }

  private Number integer(int field, @Nullable Object value) {
    if (value instanceof Long number) {
      final long found = number;
      if (found == (int) found) {
        return (int) found;
      }
      return number;
    }
    throw unexpected("a long", field, value);
  }

  private Double number(int field, @Nullable Object value) {
    if (value instanceof Double number) {
      // A dictionary of doubles has one NaN, which may be another than that of the objects with a structure.
      return number.isNaN() ? Double.valueOf(Double.NaN) : number;
    }
    throw unexpected("a double", field, value);
  }

  private Boolean truth(int field, @Nullable Object value) {
    if (value instanceof Long number && (number == 0 || number == 1)) {
      return number == 1;
    }
    throw unexpected("0 or 1", field, value);
  }

  private List<Object> array(int kind, int field, @Nullable Object value) {
    if (!(value instanceof Object[] elements)) {
      throw unexpected("an array", field, value);
    }
    final List<Object> list = new ArrayList<>(elements.length);
    for (@Nullable final Object element : elements) {
      list.add(element == null ? null : element(kind, field, element));
    }
    return list;
  }

  private Object element(int kind, int field, Object element) {
    return switch (kind) {
      case Tokens.STRING -> string(field, element);
      case Tokens.INTEGER -> integer(field, element);
      case Tokens.DOUBLE -> number(field, element);
      case Tokens.FLOAT -> number(field, element).floatValue();
      default -> truth(field, element);
    };
  }

  private ColumnFormatException unexpected(String expected, int field, @Nullable Object found) {
    final String kind = found == null ? "null" : "a " + found.getClass().getSimpleName();
    return ColumnFormatException.damaged(column, "field " + field + " has " + kind + " in row " + row
        + ", where structure " + (structure + Structures.FIRST) + " has " + expected);
  }
}
