// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.ImmutableSortedSet;
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
 * The encoding strategies that an indexSpec asks for, in the properties it does so.
 *
 * @param general the {@code encodingStrategy} of all types without one of their own; null for none
 * @param specific the {@code intEncodingStrategy} and so on, each of which replaces the whole of the general one
 * @param hashIndexes names of the columns that are to have a hash index, sorted; null where nothing is said of them
 */
public record EncodingStrategies(
    @Nullable EncodingStrategy general,
    Map<EncodedType, EncodingStrategy> specific,
    @Nullable Set<String> hashIndexes
) {
  /** Name of the general property in an indexSpec. */
  private static final String GENERAL = "encodingStrategy";

  /** Names of all properties in an indexSpec that are strategies, the general one first. */
  public static final Set<String> PROPERTIES = properties();

  /** Name of the property in an indexSpec that names columns. */
  public static final String HASH_INDEXES = "hashIndexes";

  /** Nothing is asked for. */
  static final EncodingStrategies NONE = new EncodingStrategies(null, Map.of());

  /** Copies the map and the set. */
  public EncodingStrategies {
    specific = Maps.immutableEnumMap(specific);
    hashIndexes = hashIndexes == null ? null : ImmutableSortedSet.copyOf(hashIndexes);
  }

  /** Strategies that say nothing of hash indexes. */
  public EncodingStrategies(@Nullable EncodingStrategy general, Map<EncodedType, EncodingStrategy> specific) {
    this(general, specific, null);
  }

  /** The same strategies with hash indexes of other columns; null for none to be named. */
  public EncodingStrategies withHashIndexes(@Nullable Set<String> columns) {
    return new EncodingStrategies(general, specific, columns);
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

  /** Whether all columns that could have a hash index are asked not to shape-shift, so that they will have none. */
  boolean prevents(Set<String> columns) {
    return !columns.isEmpty() && Arrays.stream(EncodedType.values())
        .filter(type -> type.numberType() != null)
        .map(this::get)
        .allMatch(strategy -> strategy != null && !strategy.isShapeShift());
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
   * that mean the same are equal; in the same way an empty list of hash indexes only where the system's default has
   * some.
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
    final boolean isOne = effective.size() == EncodedType.values().length && different.size() == 1;
    final EncodingStrategies strategies = isOne
                                          ? new EncodingStrategies(different.iterator().next(), Map.of())
                                          : new EncodingStrategies(null, effective);
    return strategies.withHashIndexes(effectiveHashIndexes(systemDefault.hashIndexes));
  }

  @Nullable
  private Set<String> effectiveHashIndexes(@Nullable Set<String> ofDefault) {
    @Nullable final Set<String> columns = hashIndexes == null ? ofDefault : hashIndexes;
    final boolean isNothing = columns == null || (columns.isEmpty() && (ofDefault == null || ofDefault.isEmpty()));
    return isNothing ? null : columns;
  }

  /** Fills in {@code compression} for all types for which nothing is asked, and that no hash indexes are. */
  EncodingStrategies orCompression() {
    return new EncodingStrategies(
        general == null ? EncodingStrategy.COMPRESSION : general,
        specific,
        hashIndexes == null ? Set.of() : hashIndexes
    );
  }
}
