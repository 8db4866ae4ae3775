// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.Maps;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * The encoding strategies that an indexSpec asks for, in the properties it does so.
 *
 * @param general the {@code encodingStrategy} of all types without one of their own; null for none
 * @param specific the {@code intEncodingStrategy} and so on, each of which replaces the whole of the general one
 */
public record EncodingStrategies(@Nullable EncodingStrategy general, Map<EncodedType, EncodingStrategy> specific) {
  /** Name of the general property in an indexSpec. */
  private static final String GENERAL = "encodingStrategy";

  /** Names of all properties in an indexSpec, the general one first. */
  public static final Set<String> PROPERTIES = properties();

  /** Nothing is asked for. */
  static final EncodingStrategies NONE = new EncodingStrategies(null, Map.of());

  /** Copies the map. */
  public EncodingStrategies {
    specific = Maps.immutableEnumMap(specific);
  }

  /** One strategy for all types. */
  private static EncodingStrategies all(EncodingStrategy strategy) {
    return new EncodingStrategies(strategy, Map.of());
  }

  private static Set<String> properties() {
    final Set<String> properties = new LinkedHashSet<>();
    properties.add(GENERAL);
    for (EncodedType type : EncodedType.values()) {
      properties.add(type.property());
    }
    return Collections.unmodifiableSet(properties);
  }

  /** Takes those properties of an indexSpec that name strategies; the inverse of {@link #toJson}. */
  static EncodingStrategies fromJson(Map<String, EncodingStrategy> properties) {
    final Map<EncodedType, EncodingStrategy> specific = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      if (properties.containsKey(type.property())) {
        specific.put(type, properties.get(type.property()));
      }
    }
    return new EncodingStrategies(properties.get(GENERAL), specific);
  }

  /** The properties that were given, and no others. */
  Map<String, EncodingStrategy> toJson() {
    final Map<String, EncodingStrategy> properties = new LinkedHashMap<>();
    if (general != null) {
      properties.put(GENERAL, general);
    }
    specific.forEach((type, strategy) -> properties.put(type.property(), strategy));
    return properties;
  }

  /** What is asked for a type, or null if nothing is. */
  @Nullable
  public EncodingStrategy get(EncodedType type) {
    return specific.getOrDefault(type, general);
  }

  /** Whether columns of this type are asked to shape-shift. */
  private boolean shapeShifts(EncodedType type) {
    @Nullable final EncodingStrategy strategy = get(type);
    return strategy != null && strategy.isShapeShift();
  }

  /** Whether columns of any type are asked to shape-shift. */
  boolean shapeShifts() {
    for (EncodedType type : EncodedType.values()) {
      if (shapeShifts(type)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Fills in the system's default, and normalizes: uses the general property if all types have one strategy, else only
   * specific ones. {@code compression} is kept only for a type that shape-shifts by the system's default, so that specs
   * that mean the same are equal.
   */
  EncodingStrategies effective(EncodingStrategies systemDefault) {
    final Map<EncodedType, EncodingStrategy> effective = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      @Nullable final EncodingStrategy own = get(type);
      @Nullable final EncodingStrategy strategy = own == null ? systemDefault.get(type) : own;
      if (strategy != null && (strategy.isShapeShift() || systemDefault.shapeShifts(type))) {
        effective.put(type, strategy);
      }
    }
    final Set<EncodingStrategy> different = Set.copyOf(effective.values());
    return effective.size() == EncodedType.values().length && different.size() == 1
           ? all(different.iterator().next())
           : new EncodingStrategies(null, effective);
  }

  /** Fills in {@code compression} for all types for which nothing is asked. */
  EncodingStrategies orCompression() {
    return new EncodingStrategies(general == null ? EncodingStrategy.COMPRESSION : general, specific);
  }
}
