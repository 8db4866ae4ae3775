// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.incremental.index.ShapeShiftIncrementalIndex;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.metric.LostMetrics;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.segment.incremental.AppendableIndexBuilder;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.utils.RuntimeInfo;

/**
 * The {@code "appendableIndexSpec": {"type": "shapeshift"}} of a tuningConfig. Rows are kept in direct memory while
 * they are ingested.
 */
public final class ShapeShiftAppendableIndexSpec implements AppendableIndexSpec {
  /** The {@code type} in a tuningConfig. */
  public static final String TYPE = "shapeshift";

  @Nullable
  private final Boolean preserveExistingMetrics;

  private final LostMetrics lostMetrics = new LostMetrics();

  /**
   * Creates a spec.
   *
   * @param preserveExistingMetrics as in Druid's {@code onheap}: an input that has a value of a metric's name is
   *     combined rather than aggregated. If absent it is false, but true under
   *     {@link AutomaticCompactionMixin automatic compaction}
   */
  @JsonCreator
  public ShapeShiftAppendableIndexSpec(
      @JsonProperty("preserveExistingMetrics") @Nullable Boolean preserveExistingMetrics
  ) {
    this.preserveExistingMetrics = preserveExistingMetrics;
  }

  /** Bytes of direct memory of all such indexes in the process. */
  public static long directBytesInUse() {
    return DirectMemory.bytesOfAll();
  }

  /** Number of such indexes in the process that have direct memory. */
  public static long indexesInUse() {
    return DirectMemory.inUse();
  }

  @JsonProperty
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Nullable
  public Boolean getPreserveExistingMetrics() {
    return preserveExistingMetrics;
  }

  /** Spec that preserves existing metrics, unless this one sets the property. */
  ShapeShiftAppendableIndexSpec orPreservingMetrics() {
    return preserveExistingMetrics == null ? new ShapeShiftAppendableIndexSpec(true) : this;
  }

  @Override
  public AppendableIndexBuilder builder() {
    return new Builder(lostMetrics).setPreserveExistingMetrics(Boolean.TRUE.equals(preserveExistingMetrics));
  }

  /**
   * Default limit in bytes: the lesser of two shares. One is a sixth of the heap, as in Druid, because sketches are on
   * the heap. The other is a quarter of the direct memory, because an index that is being persisted, the next index,
   * and query buffers share it.
   */
  @Override
  public long getDefaultMaxBytesInMemory() {
    final RuntimeInfo runtime = new RuntimeInfo();
    final long ofHeap = runtime.getMaxHeapSizeBytes() / 6;
    try {
      return Math.min(ofHeap, runtime.getDirectMemorySizeBytes() / 4);
    } catch (UnsupportedOperationException e) {
      // A JVM without the options of Druid's services may not report a limit.
      return ofHeap;
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ShapeShiftAppendableIndexSpec other
        && Objects.equals(other.preserveExistingMetrics, preserveExistingMetrics);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(preserveExistingMetrics);
  }

  @Override
  public String toString() {
    return "ShapeShiftAppendableIndexSpec{preserveExistingMetrics=" + preserveExistingMetrics + '}';
  }

  /** Builder of indexes. */
  private static final class Builder extends AppendableIndexBuilder {
    private final LostMetrics lostMetrics;

    Builder(LostMetrics lostMetrics) {
      this.lostMetrics = lostMetrics;
    }

    @Override
    protected IncrementalIndex buildInner() {
      return new ShapeShiftIncrementalIndex(
          incrementalIndexSchema,
          maxRowCount,
          maxBytesInMemory,
          preserveExistingMetrics,
          lostMetrics,
          new DirectMemory()
      );
    }
  }
}
