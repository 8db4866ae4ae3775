// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.error.DruidException;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.AggregateProjectionMetadata;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRow;
import org.apache.druid.segment.incremental.IncrementalIndexRowSelector;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnHeapAggregateProjection;
import org.apache.druid.segment.projections.Projections;
import org.apache.druid.segment.projections.QueryableProjection;

/** Projections of an index. They are Druid's own, on the heap, because they have fewer rows than the index. */
final class HeapProjections {
  private final Map<String, OnHeapAggregateProjection> projections = new HashMap<>();
  private final SortedSet<AggregateProjectionMetadata> descriptions =
      new TreeSet<>(AggregateProjectionMetadata.COMPARATOR);

  HeapProjections(
      IncrementalIndexSchema schema,
      Function<String, IncrementalIndex.DimensionDesc> dimensions,
      Function<String, AggregatorFactory> metrics
  ) {
    for (AggregateProjectionSpec spec : schema.getProjections()) {
      if (projections.containsKey(spec.getName())) {
        throw DruidException.defensive("duplicate projection[%s]", spec.getName());
      }
      descriptions.add(new AggregateProjectionMetadata(spec.toMetadataSchema(), 0));
      projections.put(
          spec.getName(),
          new OnHeapAggregateProjection(spec, dimensions, metrics, schema.getMinTimestamp())
      );
    }
  }

  boolean isEmpty() {
    return projections.isEmpty();
  }

  /** Adds a row to all projections. */
  void add(IncrementalIndexRow key, InputRow input, List<String> parseExceptions, AtomicLong bytesInMemory) {
    for (OnHeapAggregateProjection projection : projections.values()) {
      projection.addToFacts(key, input, parseExceptions, bytesInMemory);
    }
  }

  /** Adds the metadata of projections to that of the index. */
  Metadata addTo(Metadata metadata) {
    if (projections.isEmpty()) {
      return metadata;
    }
    return metadata.withProjections(
        projections.values().stream().map(OnHeapAggregateProjection::toMetadata).collect(Collectors.toList())
    );
  }

  /** Projection that answers a query; null if there is none. */
  @Nullable
  QueryableProjection<IncrementalIndexRowSelector> find(CursorBuildSpec query, IncrementalIndex index) {
    return Projections.findMatchingProjection(
        query,
        descriptions,
        index.getInterval(),
        (projection, column) -> projections.get(projection).getDimensionsMap().containsKey(column)
            || index.getColumnCapabilities(column) == null,
        projections::get
    );
  }

  @Nullable
  IncrementalIndexRowSelector get(String name) {
    return projections.get(name);
  }
}
