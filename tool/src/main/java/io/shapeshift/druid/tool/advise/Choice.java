// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import com.google.common.base.Ascii;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.analysis.Variants;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Choices that advice has for a column: the targets, Druid's own columns, and {@link Variants}. */
enum Choice {
  DEFAULT("default", OptimizationTarget.FASTBUTSMALLISH, null, false),
  FASTER("faster", OptimizationTarget.FASTER, null, false),
  SMALLER("smaller", OptimizationTarget.SMALLER, null, false),
  DRUID("Druid's own", null, null, false),
  SMALLER_WITH_LISTS("smaller, with lists", OptimizationTarget.SMALLER, OptimizationTarget.FASTBUTSMALLISH, false),
  DEFAULT_WITHOUT_LISTS(
      "default, without lists", OptimizationTarget.FASTBUTSMALLISH, OptimizationTarget.SMALLER, false),
  DEFAULT_WITH_HASH_INDEX("default, hash index", OptimizationTarget.FASTBUTSMALLISH, null, true);

  /** Choices that can be made for a table. */
  static final List<Choice> OF_TABLES = List.of(DEFAULT, FASTER, SMALLER, DRUID);

  private final String label;
  @Nullable
  private final OptimizationTarget target;
  @Nullable
  private final OptimizationTarget ofIndex;
  private final boolean hasHashIndex;

  /**
   * Constructor.
   *
   * @param target  target of all parts; null for stock columns
   * @param ofIndex target of the index, if it is another one
   */
  Choice(
      String label,
      @Nullable OptimizationTarget target,
      @Nullable OptimizationTarget ofIndex,
      boolean hasHashIndex
  ) {
    this.label = label;
    this.target = target;
    this.ofIndex = ofIndex;
    this.hasHashIndex = hasHashIndex;
  }

  /** Name for people. */
  String label() {
    return label;
  }

  /** Name of the encoding in an analysis. */
  String encoding() {
    return switch (this) {
      case DRUID -> RowEncodings.DRUID_LZ4.name();
      case SMALLER_WITH_LISTS -> Variants.LISTS;
      case DEFAULT_WITHOUT_LISTS -> Variants.SCANS;
      case DEFAULT_WITH_HASH_INDEX -> Variants.HASH_INDEX;
      case DEFAULT, FASTER, SMALLER -> RowEncodings.shapeShiftName(target);
    };
  }

  /** Choice that a column has which cannot have this one; itself if every column can. */
  Choice withoutVariant() {
    return switch (this) {
      case SMALLER_WITH_LISTS -> SMALLER;
      case DEFAULT_WITHOUT_LISTS -> DEFAULT;
      default -> this;
    };
  }

  /** Whether the numbers of the column get a hash index. */
  boolean hasHashIndex() {
    return hasHashIndex;
  }

  /** Value of {@code encodingStrategy}: of all parts, but perhaps the index. */
  Object strategy(BlockSize blockSize) {
    return json(target, blockSize);
  }

  /** Value of {@code indexEncodingStrategy}; null if the index is stored as the other parts. */
  @Nullable
  Object ofIndex() {
    return ofIndex == null ? null : json(ofIndex, BlockSize.LARGE);
  }

  private static Object json(@Nullable OptimizationTarget target, BlockSize blockSize) {
    final Map<String, Object> json = new LinkedHashMap<>();
    json.put("strategy", target == null ? "compression" : "shapeshift");
    if (target != null && target != OptimizationTarget.FASTBUTSMALLISH) {
      json.put("optimizationTarget", Ascii.toLowerCase(target.name()));
    }
    if (target != null && blockSize != BlockSize.LARGE) {
      json.put("blockSize", Ascii.toLowerCase(blockSize.name()));
    }
    return json.size() == 1 ? json.get("strategy") : json;
  }
}
