// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.error.InvalidInput;

/**
 * Options of one column: its entry in {@code columns} of an indexSpec.
 *
 * @param strategies they replace those of the table
 * @param hashIndex whether a column of numbers gets a hash index; null if the entry does not say
 * @param textIndex whether dictionaries of strings get a text index; null if the entry does not say
 */
public record ColumnOptions(TypeStrategies strategies, @Nullable Boolean hashIndex, @Nullable Boolean textIndex) {
  private static final String HASH_INDEX = "hashIndex";
  private static final String TEXT_INDEX = "textIndex";

  /** Names of all properties of an entry. */
  private static final Set<String> PROPERTIES = properties();

  /** An entry that says nothing. */
  public static final ColumnOptions NONE = new ColumnOptions(TypeStrategies.NONE, null, null);

  private static Set<String> properties() {
    final Set<String> properties = new LinkedHashSet<>(TypeStrategies.PROPERTIES);
    properties.add(HASH_INDEX);
    properties.add(TEXT_INDEX);
    return properties;
  }

  /**
   * Reads an entry. Inverse of {@link #toJson}.
   *
   * @param path where the entry is in the indexSpec, for messages
   * @throws org.apache.druid.error.DruidException if the entry is no object, or has an unknown property or an invalid
   *     value; the message lists those allowed
   */
  static ColumnOptions fromJson(String path, Object entry) {
    if (!(entry instanceof Map<?, ?> json)) {
      throw InvalidInput.exception("%s[%s] must be an object with properties of %s", path, entry, PROPERTIES);
    }
    final Set<Object> unknown = new TreeSet<>(json.keySet());
    unknown.removeAll(PROPERTIES);
    if (!unknown.isEmpty()) {
      throw InvalidInput.exception("%s has unknown properties %s. Allowed are %s", path, unknown, PROPERTIES);
    }
    return new ColumnOptions(
        TypeStrategies.fromJson(path + ".", json), flag(path, HASH_INDEX, json), flag(path, TEXT_INDEX, json));
  }

  @Nullable
  private static Boolean flag(String path, String property, Map<?, ?> json) {
    @Nullable final Object value = json.get(property);
    if (value != null && !(value instanceof Boolean)) {
      throw InvalidInput.exception("%s.%s[%s] is unknown. Allowed are [true, false]", path, property, value);
    }
    return (Boolean) value;
  }

  /** The given properties only, without defaults. */
  Map<String, Object> toJson() {
    final Map<String, Object> json = new LinkedHashMap<>(strategies.toJson());
    if (hashIndex != null) {
      json.put(HASH_INDEX, hashIndex);
    }
    if (textIndex != null) {
      json.put(TEXT_INDEX, textIndex);
    }
    return json;
  }

  /** Whether a hash index is requested. */
  public boolean hasHashIndex() {
    return Boolean.TRUE.equals(hashIndex);
  }

  /** Whether a text index is requested. */
  public boolean hasTextIndex() {
    return Boolean.TRUE.equals(textIndex);
  }
}
