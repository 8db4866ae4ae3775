// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.Maps;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * Encoding strategies of a table, or of one of its columns, by type.
 *
 * @param general {@code encodingStrategy}, for all types without a specific strategy; null if absent
 * @param specific {@code intEncodingStrategy} and the other properties of one type. Each replaces the general strategy
 *     completely
 */
public record TypeStrategies(@Nullable EncodingStrategy general, Map<EncodedType, EncodingStrategy> specific) {
  /** Name of the general property. */
  private static final String GENERAL = "encodingStrategy";

  /** Names of all properties, the general one first. */
  public static final Set<String> PROPERTIES = properties();

  /** No strategies. */
  static final TypeStrategies NONE = new TypeStrategies(null, Map.of());

  /** Copies the map. */
  public TypeStrategies {
    specific = Maps.immutableEnumMap(specific);
  }

  private static Set<String> properties() {
    final Set<String> properties = new LinkedHashSet<>();
    properties.add(GENERAL);
    for (EncodedType type : EncodedType.values()) {
      properties.add(type.property());
    }
    return Collections.unmodifiableSet(properties);
  }

  /** Strategies of types, as a general one if all types have the same. */
  static TypeStrategies of(Map<EncodedType, EncodingStrategy> byType) {
    @Nullable final EncodingStrategy one = byType.get(EncodedType.INT);
    final boolean isOne = one != null
        && Arrays.stream(EncodedType.values()).allMatch(type -> one.of(type).equals(byType.get(type)));
    return isOne ? new TypeStrategies(one, Map.of()) : new TypeStrategies(null, byType);
  }

  /**
   * Reads the properties of strategies; ignores others. Inverse of {@link #toJson}.
   *
   * @param path where the properties are in the indexSpec, for messages: empty, or a path that ends with a dot
   * @throws org.apache.druid.error.DruidException as {@link EncodingStrategy#fromJson}
   */
  static TypeStrategies fromJson(String path, Map<?, ?> json) {
    final Map<EncodedType, EncodingStrategy> specific = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      @Nullable final EncodingStrategy strategy = fromJson(path, type.property(), json);
      if (strategy != null) {
        specific.put(type, strategy);
      }
    }
    return new TypeStrategies(fromJson(path, GENERAL, json), specific);
  }

  @Nullable
  private static EncodingStrategy fromJson(String path, String property, Map<?, ?> json) {
    @Nullable final Object value = json.get(property);
    return value == null ? null : EncodingStrategy.fromJson(path + property, value);
  }

  /** The given properties only, without defaults. */
  Map<String, Object> toJson() {
    final Map<String, Object> properties = new LinkedHashMap<>();
    if (general != null) {
      properties.put(GENERAL, general);
    }
    specific.forEach((type, strategy) -> properties.put(type.property(), strategy));
    return properties;
  }

  /** Strategy requested for a type, or null if there is none. */
  @Nullable
  public EncodingStrategy get(EncodedType type) {
    return specific.getOrDefault(type, general);
  }

  /** Whether shape-shifting is requested for a type. */
  boolean shapeShifts(EncodedType type) {
    @Nullable final EncodingStrategy strategy = get(type);
    return strategy != null && strategy.isShapeShift();
  }
}
