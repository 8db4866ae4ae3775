// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;

/**
 * IndexSpec with {@link EncodingStrategies}. A spec without strategies stays an instance of Druid's class, because
 * {@link IndexSpec#equals} compares classes. Otherwise auto-compaction would rewrite every segment that was written
 * before the extension was installed.
 */
public final class ShapeShiftIndexSpec extends IndexSpec {
  private final EncodingStrategies strategies;

  @SuppressWarnings("deprecation") // Druid deprecates the option, but still accepts it.
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
   * Adds strategies to a spec. They replace the strategies of the spec, unless they are
   * {@link EncodingStrategies#NONE}.
   *
   * @return an instance of Druid's class if neither these strategies nor the system's default shape-shift
   */
  public static IndexSpec of(IndexSpec base, EncodingStrategies strategies) {
    return strategies.equals(EncodingStrategies.NONE) && !systemDefault().shapeShifts()
           ? base
           : new ShapeShiftIndexSpec(base, strategies);
  }

  /**
   * Adds strategies to the spec by which segments were written. Types without a strategy were written as stock columns,
   * whatever the system's default is now. So auto-compaction sees the difference if the default has changed.
   */
  static IndexSpec ofWritten(IndexSpec base, EncodingStrategies strategies) {
    final EncodingStrategies systemDefault = systemDefault();
    return of(
        base,
        systemDefault.equals(EncodingStrategies.NONE) ? strategies : strategies.orCompression(systemDefault)
    );
  }

  /** Default strategies from {@code druid.indexing.formats.indexSpec}. */
  static EncodingStrategies systemDefault() {
    return strategiesOf(IndexSpec.getDefault());
  }

  /** Strategies of a spec, {@link EncodingStrategies#NONE} for an instance of Druid's class. */
  public static EncodingStrategies strategiesOf(IndexSpec spec) {
    return spec instanceof ShapeShiftIndexSpec ours ? ours.strategies : EncodingStrategies.NONE;
  }

  /**
   * Strategy by which a type of a column is written under an {@link IndexSpec#getEffectiveSpec effective} spec.
   *
   * @param column name of the column in the table, not of its file
   */
  public static EncodingStrategy encodingOf(IndexSpec effectiveSpec, String column, EncodedType type) {
    @Nullable final EncodingStrategy strategy = strategiesOf(effectiveSpec).get(column, type);
    return strategy == null ? EncodingStrategy.COMPRESSION : strategy;
  }

  /**
   * Whether an {@link IndexSpec#getEffectiveSpec effective} spec requests a hash index for a column.
   *
   * @param column name of the column in the table, not of its file
   */
  public static boolean hasHashIndex(IndexSpec effectiveSpec, String column) {
    return strategiesOf(effectiveSpec).hasHashIndex(column);
  }

  /**
   * Whether an {@link IndexSpec#getEffectiveSpec effective} spec requests a text index for a column.
   *
   * @param column name of the column in the table, not of its file
   */
  public static boolean hasTextIndex(IndexSpec effectiveSpec, String column) {
    return strategiesOf(effectiveSpec).hasTextIndex(column);
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
