// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableSortedSet;
import java.io.File;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.error.InvalidInput;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.SegmentLazyLoadFailCallback;
import org.apache.druid.segment.loading.BroadcastJoinableMMappedQueryableSegmentizerFactory;
import org.apache.druid.segment.loading.SegmentLoadingException;
import org.apache.druid.segment.loading.SegmentizerFactory;
import org.apache.druid.timeline.DataSegment;

/**
 * Loads the segment of a broadcast table. Druid's {@link BroadcastJoinableMMappedQueryableSegmentizerFactory} builds a
 * map on the heap for each key column; this factory builds none for a column with a hash index. An indexSpec selects
 * the factory by {@code segmentLoader}, and the segment stores it in {@code factory.json}.
 */
public final class KeyedSegmentizerFactory implements SegmentizerFactory {
  /** The {@code type} in an indexSpec and in segments; never changes. */
  public static final String TYPE = "shapeshift.broadcast";

  private final IndexIO indexIO;
  private final Set<String> keyColumns;

  /**
   * Creates a factory.
   *
   * @param keyColumns columns that the table can be joined by
   * @throws org.apache.druid.error.DruidException if there are none
   */
  @JsonCreator
  public KeyedSegmentizerFactory(
      @JacksonInject IndexIO indexIO,
      @JsonProperty("keyColumns") @Nullable Set<String> keyColumns
  ) {
    InvalidInput.conditionalException(
        keyColumns != null && !keyColumns.isEmpty(),
        "segmentLoader[%s] has no keyColumns. Name the columns that the table is joined by, such as"
            + " \"keyColumns\": [\"id\"]",
        TYPE
    );
    this.indexIO = indexIO;
    // Sorted, because Druid compares the JSON to decide whether a segment needs compaction.
    this.keyColumns = ImmutableSortedSet.copyOf(keyColumns);
  }

  @JsonProperty
  public Set<String> getKeyColumns() {
    return keyColumns;
  }

  @Override
  public Segment factorize(
      DataSegment dataSegment,
      File parentDir,
      boolean lazy,
      SegmentLazyLoadFailCallback loadFailed
  ) throws SegmentLoadingException {
    try {
      return new KeyedSegment(
          indexIO.loadIndex(parentDir, lazy, loadFailed), dataSegment.getId(), keyColumns, dataSegment.getVersion());
    } catch (IOException e) {
      throw new SegmentLoadingException(e, "%s", e.getMessage());
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyedSegmentizerFactory other && keyColumns.equals(other.keyColumns);
  }

  @Override
  public int hashCode() {
    return Objects.hash(keyColumns);
  }
}
