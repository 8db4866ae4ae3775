// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;

/**
 * An indexSpec that knows of {@code intEncodingStrategy}. Specs without the option stay Druid's own class, because
 * {@link IndexSpec#equals} compares classes: otherwise auto-compaction would take every segment that was written
 * before the extension came for one that a changed spec wants rewritten.
 */
public final class ShapeShiftIndexSpec extends IndexSpec {
  @Nullable
  private final IntEncodingStrategy intEncodingStrategy;

  @SuppressWarnings("deprecation") // The option is Druid's to retire.
  private ShapeShiftIndexSpec(IndexSpec base, @Nullable IntEncodingStrategy intEncodingStrategy) {
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
    this.intEncodingStrategy = intEncodingStrategy;
  }

  /**
   * Adds the option to a spec.
   *
   * @param intEncodingStrategy null for none
   * @return Druid's own class where neither this option nor the system's default asks for ours
   */
  public static IndexSpec of(IndexSpec base, @Nullable IntEncodingStrategy intEncodingStrategy) {
    if (intEncodingStrategy == null && defaultStrategy() == null) {
      return base;
    }
    return new ShapeShiftIndexSpec(base, intEncodingStrategy);
  }

  /**
   * Adds the option to the spec by which segments were written. Where it is absent they have Druid's own columns, even
   * if since then the system's default asks for ours: auto-compaction is to see the difference.
   */
  static IndexSpec ofWritten(IndexSpec base, @Nullable IntEncodingStrategy intEncodingStrategy) {
    return intEncodingStrategy == null && defaultStrategy() != null
           ? new ShapeShiftIndexSpec(base, IntEncodingStrategy.COMPRESSION)
           : of(base, intEncodingStrategy);
  }

  /** The strategy of {@code druid.indexing.formats.indexSpec}, or null if it has none. */
  @Nullable
  private static IntEncodingStrategy defaultStrategy() {
    return IndexSpec.getDefault() instanceof ShapeShiftIndexSpec spec ? spec.intEncodingStrategy : null;
  }

  /** The strategy by which a merger writes ints, from an {@link IndexSpec#getEffectiveSpec() effective} spec. */
  static IntEncodingStrategy intEncodingOf(IndexSpec effectiveSpec) {
    return effectiveSpec instanceof ShapeShiftIndexSpec spec && spec.intEncodingStrategy != null
           ? spec.intEncodingStrategy
           : IntEncodingStrategy.COMPRESSION;
  }

  /** The option, or null if it is absent. */
  @Nullable
  @JsonProperty(IntEncodingStrategy.PROPERTY)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public IntEncodingStrategy getIntEncodingStrategy() {
    return intEncodingStrategy;
  }

  /**
   * Fills in the system's defaults. Asking for Druid's own columns where they are the default is the same as asking
   * for nothing, so that a spec says {@code compression} only where it has to overrule a default.
   */
  @Override
  @JsonIgnore
  public IndexSpec getEffectiveSpec() {
    @Nullable final IntEncodingStrategy defaultStrategy = defaultStrategy();
    @Nullable final IntEncodingStrategy effective =
        intEncodingStrategy == null ? defaultStrategy : intEncodingStrategy;
    final IndexSpec base = super.getEffectiveSpec();
    return defaultStrategy == null && IntEncodingStrategy.COMPRESSION.equals(effective) ? base : of(base, effective);
  }

  @Override
  public boolean equals(Object o) {
    return super.equals(o) && Objects.equals(intEncodingStrategy, ((ShapeShiftIndexSpec) o).intEncodingStrategy);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), intEncodingStrategy);
  }

  @Override
  public String toString() {
    return "ShapeShift" + super.toString().replaceFirst("}$", "")
        + ", " + IntEncodingStrategy.PROPERTY + "=" + intEncodingStrategy + '}';
  }
}
