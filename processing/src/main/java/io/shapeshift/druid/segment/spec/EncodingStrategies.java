// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.ImmutableSortedMap;
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
 * Encoding strategies that an indexSpec requests, by property.
 *
 * @param general {@code encodingStrategy}, for all types without a specific strategy; null if absent
 * @param specific {@code intEncodingStrategy} and the other properties of one type. Each replaces the general strategy
 *     completely
 * @param hashIndexes sorted names of the columns that get a hash index; null if the property is absent
 * @param later unknown properties of segments that a later release wrote, as parsed JSON. A spec that has them equals
 *     no spec that can be requested
 */
public record EncodingStrategies(
    @Nullable EncodingStrategy general,
    Map<EncodedType, EncodingStrategy> specific,
    @Nullable Set<String> hashIndexes,
    Map<String, Object> later
) {
  /** Name of the general property in an indexSpec. */
  private static final String GENERAL = "encodingStrategy";

  /** Names of all strategy properties in an indexSpec, the general one first. */
  public static final Set<String> PROPERTIES = properties();

  /** Name of the indexSpec property that lists the columns with a hash index. */
  public static final String HASH_INDEXES = "hashIndexes";

  /** Empty request. */
  static final EncodingStrategies NONE = new EncodingStrategies(null, Map.of());

  /** Copies the maps and the set. */
  public EncodingStrategies {
    specific = Maps.immutableEnumMap(specific);
    hashIndexes = hashIndexes == null ? null : ImmutableSortedSet.copyOf(hashIndexes);
    later = ImmutableSortedMap.copyOf(later);
  }

  /** Strategies without properties of a later release. */
  public EncodingStrategies(
      @Nullable EncodingStrategy general,
      Map<EncodedType, EncodingStrategy> specific,
      @Nullable Set<String> hashIndexes
  ) {
    this(general, specific, hashIndexes, Map.of());
  }

  /** Strategies without {@code hashIndexes}. */
  public EncodingStrategies(@Nullable EncodingStrategy general, Map<EncodedType, EncodingStrategy> specific) {
    this(general, specific, null);
  }

  /** Copy with other hash indexes; null if the property is absent. */
  public EncodingStrategies withHashIndexes(@Nullable Set<String> columns) {
    return new EncodingStrategies(general, specific, columns, later);
  }

  /** Copy with properties of a later release. */
  EncodingStrategies withLater(Map<String, Object> properties) {
    return new EncodingStrategies(general, specific, hashIndexes, properties);
  }

  private static Set<String> properties() {
    final Set<String> properties = new LinkedHashSet<>();
    properties.add(GENERAL);
    for (EncodedType type : EncodedType.values()) {
      properties.add(type.property());
    }
    return Collections.unmodifiableSet(properties);
  }

  /** Whether an unknown property has a name that a later release could give to the strategy of a new type. */
  static boolean isLikeOurs(String property) {
    return property.endsWith("EncodingStrategy");
  }

  /** Reads the strategy properties of an indexSpec. Inverse of {@link #toJson}. */
  static EncodingStrategies fromJson(Map<String, EncodingStrategy> properties) {
    final Map<EncodedType, EncodingStrategy> specific = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      if (properties.containsKey(type.property())) {
        specific.put(type, properties.get(type.property()));
      }
    }
    return new EncodingStrategies(properties.get(GENERAL), specific);
  }

  /** The given properties only, without defaults. */
  Map<String, Object> toJson() {
    final Map<String, Object> properties = new LinkedHashMap<>();
    if (general != null) {
      properties.put(GENERAL, general);
    }
    specific.forEach((type, strategy) -> properties.put(type.property(), strategy));
    if (hashIndexes != null) {
      properties.put(HASH_INDEXES, hashIndexes);
    }
    properties.putAll(later);
    return properties;
  }

  /** Strategy requested for a type, or null if there is none. */
  @Nullable
  public EncodingStrategy get(EncodedType type) {
    return specific.getOrDefault(type, general);
  }

  /** Whether shape-shifting is requested for a type. */
  private boolean shapeShifts(EncodedType type) {
    @Nullable final EncodingStrategy strategy = get(type);
    return strategy != null && strategy.isShapeShift();
  }

  /** Whether stock columns are requested for all number types, so that no column can have a hash index. */
  boolean preventsHashIndexes() {
    return EncodedType.OF_NUMBERS.stream()
        .map(this::get)
        .allMatch(strategy -> strategy != null && !strategy.isShapeShift());
  }

  /** Whether shape-shifting is requested for any type. */
  boolean shapeShifts() {
    for (EncodedType type : EncodedType.values()) {
      if (shapeShifts(type)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Fills in the system's default and normalizes, so that specs that write the same bytes are equal. The result has:
   *
   * <ul>
   * <li>the general property if all types have the same strategy, otherwise only specific ones,
   * <li>{@code compression} only for a type that the system's default shape-shifts,
   * <li>a {@code blockSize} only for types that have blocks,
   * <li>hash indexes only if numbers shape-shift, and an empty list only if the system's default has hash indexes.
   * </ul>
   *
   * <p>Options of a later release are kept, because no requested spec may equal them.
   */
  EncodingStrategies effective(EncodingStrategies systemDefault) {
    if (!later.isEmpty()) {
      return this;
    }
    final Map<EncodedType, EncodingStrategy> effective = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      @Nullable final EncodingStrategy own = get(type);
      @Nullable final EncodingStrategy strategy = own == null ? systemDefault.get(type) : own;
      if (strategy != null && (strategy.isShapeShift() || systemDefault.shapeShifts(type))) {
        effective.put(type, strategy.of(type));
      }
    }
    @Nullable final EncodingStrategy one = effective.get(EncodedType.INT);
    final boolean isOne = one != null
        && Arrays.stream(EncodedType.values()).allMatch(type -> one.of(type).equals(effective.get(type)));
    final EncodingStrategies strategies = isOne
                                          ? new EncodingStrategies(one, Map.of())
                                          : new EncodingStrategies(null, effective);
    return EncodedType.OF_NUMBERS.stream().anyMatch(strategies::shapeShifts)
           ? strategies.withHashIndexes(effectiveHashIndexes(systemDefault.hashIndexes))
           : strategies;
  }

  @Nullable
  private Set<String> effectiveHashIndexes(@Nullable Set<String> ofDefault) {
    @Nullable final Set<String> columns = hashIndexes == null ? ofDefault : hashIndexes;
    final boolean isNothing = columns == null || (columns.isEmpty() && (ofDefault == null || ofDefault.isEmpty()));
    return isNothing ? null : columns;
  }

  /**
   * Fills in {@code compression} for all types without a strategy, and an empty list of hash indexes if that is absent.
   */
  EncodingStrategies orCompression() {
    return new EncodingStrategies(
        general == null ? EncodingStrategy.COMPRESSION : general,
        specific,
        hashIndexes == null ? Set.of() : hashIndexes,
        later
    );
  }
}
