// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;

/**
 * An indexSpec that knows of {@link EncodingStrategies}. Specs without one stay Druid's own class, because
 * {@link IndexSpec#equals} compares classes: otherwise auto-compaction would take every segment that was written
 * before the extension came for one that a changed spec wants rewritten.
 */
public final class ShapeShiftIndexSpec extends IndexSpec {
  private final EncodingStrategies strategies;

  @SuppressWarnings("deprecation") // The option is Druid's to retire.
  private ShapeShiftIndexSpec(IndexSpec base, EncodingStrategies strategies) {
    super(
        base.getBitmapSerdeFactory(),
        base.getMetadataCompression(),
        base.getDimensionCompression(),
        base.getStringDictionaryEncoding(),
        base.getMetricCompression(),
        base.getLongEncoding(),
        base.getComplexMetricCompression(),
        base.getJsonCompression(),
        base.getSegmentLoader(),
        base.getAutoColumnFormatSpec(),
        base.getStringColumnFormatSpec()
    );
    this.strategies = strategies;
  }

  /**
   * Adds strategies to a spec. Those it has are replaced, if there are any to replace them by.
   *
   * @return Druid's own class where neither these nor the system's default ask for ours
   */
  public static IndexSpec of(IndexSpec base, EncodingStrategies strategies) {
    return strategies.equals(EncodingStrategies.NONE) && !systemDefault().shapeShifts()
           ? base
           : new ShapeShiftIndexSpec(base, strategies);
  }

  /**
   * Adds strategies to the spec by which segments were written. Types for which it has none have Druid's own columns,
   * even if since then the system's default asks for ours: auto-compaction is to see the difference.
   */
  static IndexSpec ofWritten(IndexSpec base, EncodingStrategies strategies) {
    return of(base, systemDefault().shapeShifts() ? strategies.orCompression() : strategies);
  }

  /** The strategies of {@code druid.indexing.formats.indexSpec}. */
  static EncodingStrategies systemDefault() {
    return strategiesOf(IndexSpec.getDefault());
  }

  /** The strategies that a spec asks for, {@link EncodingStrategies#NONE} if it is Druid's own. */
  static EncodingStrategies strategiesOf(IndexSpec spec) {
    return spec instanceof ShapeShiftIndexSpec ours ? ours.strategies : EncodingStrategies.NONE;
  }

  /** The strategy by which columns of a type are written, from an {@link IndexSpec#getEffectiveSpec effective} spec. */
  public static EncodingStrategy encodingOf(IndexSpec effectiveSpec, EncodedType type) {
    @Nullable final EncodingStrategy strategy = strategiesOf(effectiveSpec).get(type);
    return strategy == null ? EncodingStrategy.COMPRESSION : strategy;
  }

  /**
   * Whether a column is named to have a hash index, by an {@link IndexSpec#getEffectiveSpec effective} spec.
   *
   * @param column as the table has it, not the name of its file
   */
  public static boolean hasHashIndex(IndexSpec effectiveSpec, String column) {
    return hashIndexesOf(effectiveSpec).contains(column);
  }

  /** The columns that are named to have a hash index, by an {@link IndexSpec#getEffectiveSpec effective} spec. */
  public static Set<String> hashIndexesOf(IndexSpec effectiveSpec) {
    @Nullable final Set<String> columns = strategiesOf(effectiveSpec).hashIndexes();
    return columns == null ? Set.of() : columns;
  }

  @JsonAnyGetter
  Map<String, Object> getStrategiesJson() {
    return strategies.toJson();
  }

  @Override
  @JsonIgnore
  public IndexSpec getEffectiveSpec() {
    return of(super.getEffectiveSpec(), strategies.effective(systemDefault()));
  }

  @Override
  public boolean equals(Object o) {
    return super.equals(o) && strategies.equals(((ShapeShiftIndexSpec) o).strategies);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), strategies);
  }

  @Override
  public String toString() {
    return "ShapeShift" + super.toString().replaceFirst("}$", "") + ", encodingStrategies=" + getStrategiesJson() + '}';
  }
}
