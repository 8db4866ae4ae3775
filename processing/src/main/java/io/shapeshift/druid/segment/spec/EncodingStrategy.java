// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.error.InvalidInput;

/**
 * Way to store columns: the {@code encodingStrategy} of an indexSpec, or the strategy of one {@link EncodedType}.
 *
 * <p>Under {@code compression} the other properties have no meaning and are dropped.
 */
public final class EncodingStrategy {
  /** Kinds of strategies. */
  public enum Strategy {
    /** Stock columns: ids are compressed by {@code dimensionCompression}, numbers by {@code metricCompression}. */
    COMPRESSION,
    /** Shape-shifting columns. */
    SHAPESHIFT
  }

  private static final String STRATEGY = "strategy";
  private static final String OPTIMIZATION_TARGET = "optimizationTarget";
  private static final String BLOCK_SIZE = "blockSize";
  private static final Set<String> PROPERTIES = new TreeSet<>(Set.of(STRATEGY, OPTIMIZATION_TARGET, BLOCK_SIZE));

  private static final OptimizationTarget DEFAULT_TARGET = OptimizationTarget.FASTBUTSMALLISH;
  private static final BlockSize DEFAULT_BLOCK_SIZE = BlockSize.LARGE;

  /** Stock columns. */
  public static final EncodingStrategy COMPRESSION = new EncodingStrategy(Strategy.COMPRESSION, null, null);

  private final Strategy strategy;
  @Nullable
  private final OptimizationTarget optimizationTarget;
  @Nullable
  private final BlockSize blockSize;

  private EncodingStrategy(
      Strategy strategy,
      @Nullable OptimizationTarget optimizationTarget,
      @Nullable BlockSize blockSize
  ) {
    this.strategy = strategy;
    this.optimizationTarget = optimizationTarget;
    this.blockSize = blockSize;
  }

  /** Shape-shifting columns. */
  public static EncodingStrategy shapeShift(OptimizationTarget target, BlockSize blockSize) {
    return new EncodingStrategy(Strategy.SHAPESHIFT, target, blockSize);
  }

  /**
   * Parses the option. Values are case-insensitive.
   *
   * @param property name of the indexSpec property, for messages
   * @param value name of a strategy, whose other properties then have their defaults; or an object with the properties
   *     of a strategy, all of them optional
   * @throws org.apache.druid.error.DruidException if the value is neither a name nor an object, or has an unknown
   *     property or property value (the message lists those allowed); and if properties would have no effect because
   *     the strategy is absent
   */
  static EncodingStrategy fromJson(String property, Object value) {
    if (value instanceof String) {
      return of(valueOf(property, value, Strategy.class), DEFAULT_TARGET, DEFAULT_BLOCK_SIZE);
    }
    if (!(value instanceof Map<?, ?> json)) {
      throw InvalidInput.exception(
          "%s[%s] must be the name of a strategy, one of %s, or an object with the properties %s",
          property,
          value,
          names(Strategy.class),
          PROPERTIES
      );
    }
    final Set<Object> unknown = new TreeSet<>(json.keySet());
    unknown.removeAll(PROPERTIES);
    if (!unknown.isEmpty()) {
      throw InvalidInput.exception(
          "%s has unknown properties %s. Allowed are %s",
          property,
          unknown,
          PROPERTIES
      );
    }
    final boolean effectless = json.get(OPTIMIZATION_TARGET) != null || json.get(BLOCK_SIZE) != null;
    if (json.get(STRATEGY) == null && effectless) {
      throw InvalidInput.exception(
          "%s has no %s, without which %s have no effect. Allowed are %s",
          property,
          STRATEGY,
          json.keySet(),
          names(Strategy.class)
      );
    }
    return of(
        valueOf(property, json, STRATEGY, Strategy.class, Strategy.COMPRESSION),
        valueOf(property, json, OPTIMIZATION_TARGET, OptimizationTarget.class, DEFAULT_TARGET),
        valueOf(property, json, BLOCK_SIZE, BlockSize.class, DEFAULT_BLOCK_SIZE)
    );
  }

  private static EncodingStrategy of(Strategy strategy, OptimizationTarget target, BlockSize blockSize) {
    return strategy == Strategy.COMPRESSION ? COMPRESSION : shapeShift(target, blockSize);
  }

  private static <E extends Enum<E>> E valueOf(
      String property,
      Map<?, ?> json,
      String name,
      Class<E> type,
      E defaultValue
  ) {
    @Nullable final Object value = json.get(name);
    return value == null ? defaultValue : valueOf(property + "." + name, value, type);
  }

  private static <E extends Enum<E>> E valueOf(String property, Object value, Class<E> type) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(value.toString())) {
        return constant;
      }
    }
    throw InvalidInput.exception(
        "%s[%s] is unknown. Allowed are %s",
        property,
        value,
        names(type)
    );
  }

  private static <E extends Enum<E>> List<String> names(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(EncodingStrategy::toJson).toList();
  }

  private static String toJson(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Whether columns shape-shift. */
  public boolean isShapeShift() {
    return strategy == Strategy.SHAPESHIFT;
  }

  /** The optimization target; null under compression. */
  @Nullable
  public OptimizationTarget optimizationTarget() {
    return optimizationTarget;
  }

  /** Maximum number of values in one form; null under compression. */
  @Nullable
  public BlockSize blockSize() {
    return blockSize;
  }

  /** Strategy that writes the same bytes for a type: for a type without blocks it has the default block size. */
  EncodingStrategy of(EncodedType type) {
    return isShapeShift() && !type.hasBlocks()
           ? shapeShift(optimizationTarget, DEFAULT_BLOCK_SIZE)
           : this;
  }

  @JsonValue
  Map<String, String> toJson() {
    final Map<String, String> json = new LinkedHashMap<>();
    json.put(STRATEGY, toJson(strategy));
    if (optimizationTarget != null && blockSize != null) {
      json.put(OPTIMIZATION_TARGET, toJson(optimizationTarget));
      json.put(BLOCK_SIZE, toJson(blockSize));
    }
    return json;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof EncodingStrategy other
        && strategy == other.strategy
        && optimizationTarget == other.optimizationTarget
        && blockSize == other.blockSize;
  }

  @Override
  public int hashCode() {
    return Objects.hash(strategy, optimizationTarget, blockSize);
  }

  @Override
  public String toString() {
    return "EncodingStrategy" + toJson();
  }
}
