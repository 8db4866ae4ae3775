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
 * The encoding strategies that an indexSpec asks for, in the properties it does so.
 *
 * @param general the {@code encodingStrategy} of all types without one of their own; null for none
 * @param specific the {@code intEncodingStrategy} and so on, each of which replaces the whole of the general one
 * @param hashIndexes names of the columns that are to have a hash index, sorted; null where nothing is said of them
 * @param later properties by which a later release wrote segments and which this one does not know, as JSON has them.
 *     They make the spec equal to none that can be asked for
 */
public record EncodingStrategies(
    @Nullable EncodingStrategy general,
    Map<EncodedType, EncodingStrategy> specific,
    @Nullable Set<String> hashIndexes,
    Map<String, Object> later
) {
  /** Name of the general property in an indexSpec. */
  private static final String GENERAL = "encodingStrategy";

  /** Names of all properties in an indexSpec that are strategies, the general one first. */
  public static final Set<String> PROPERTIES = properties();

  /** Name of the property in an indexSpec that names columns. */
  public static final String HASH_INDEXES = "hashIndexes";

  /** Nothing is asked for. */
  static final EncodingStrategies NONE = new EncodingStrategies(null, Map.of());

  /** Copies the maps and the set. */
  public EncodingStrategies {
    specific = Maps.immutableEnumMap(specific);
    hashIndexes = hashIndexes == null ? null : ImmutableSortedSet.copyOf(hashIndexes);
    later = ImmutableSortedMap.copyOf(later);
  }

  /** Strategies that can be asked for. */
  public EncodingStrategies(
      @Nullable EncodingStrategy general,
      Map<EncodedType, EncodingStrategy> specific,
      @Nullable Set<String> hashIndexes
  ) {
    this(general, specific, hashIndexes, Map.of());
  }

  /** Strategies that say nothing of hash indexes. */
  public EncodingStrategies(@Nullable EncodingStrategy general, Map<EncodedType, EncodingStrategy> specific) {
    this(general, specific, null);
  }

  /** The same strategies with hash indexes of other columns; null for none to be named. */
  public EncodingStrategies withHashIndexes(@Nullable Set<String> columns) {
    return new EncodingStrategies(general, specific, columns, later);
  }

  /** The same strategies with properties of a later release. */
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

  /** Whether a property that is not known is named as a later release could name one for a further type. */
  static boolean isLikeOurs(String property) {
    return property.endsWith("EncodingStrategy");
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

  /** The strategy that is asked for a type, or null if none is. */
  @Nullable
  public EncodingStrategy get(EncodedType type) {
    return specific.getOrDefault(type, general);
  }

  /** Whether columns of this type are asked to shape-shift. */
  private boolean shapeShifts(EncodedType type) {
    @Nullable final EncodingStrategy strategy = get(type);
    return strategy != null && strategy.isShapeShift();
  }

  /** Whether numbers of all types are asked not to shape-shift, so that no column can have a hash index. */
  boolean preventsHashIndexes() {
    return EncodedType.OF_NUMBERS.stream()
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
   * Fills in the system's default, and normalizes, so that specs that write the same bytes are equal:
   *
   * <ul>
   *   <li>the general property where all types have one strategy, else only specific ones,
   *   <li>{@code compression} only for a type that shape-shifts by the system's default,
   *   <li>a {@code blockSize} only for types that have blocks,
   *   <li>hash indexes only where numbers shape-shift, and an empty list of them only where the system's default has
   *       some.
   * </ul>
   *
   * <p>Options of a later release stay as they are: nothing that can be asked for equals them.
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

  /** Fills in {@code compression} for all types for which nothing is asked, and that no hash indexes are. */
  EncodingStrategies orCompression() {
    return new EncodingStrategies(
        general == null ? EncodingStrategy.COMPRESSION : general,
        specific,
        hashIndexes == null ? Set.of() : hashIndexes,
        later
    );
  }
}
