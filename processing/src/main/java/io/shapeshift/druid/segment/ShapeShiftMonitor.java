// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.inject.Inject;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.PoolMemory;
import io.shapeshift.druid.pool.Pools;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.druid.java.util.emitter.service.ServiceEmitter;
import org.apache.druid.java.util.emitter.service.ServiceMetricEvent;
import org.apache.druid.java.util.metrics.AbstractMonitor;

/**
 * Emits metrics about shape-shifting columns: what the service has written and read since the last emission, and the
 * current use of buffer pools and of direct memory for incremental indexes. The extension registers it on every
 * service.
 */
public final class ShapeShiftMonitor extends AbstractMonitor {
  private static final String BORROWED = "shapeshift/pool/borrowed";
  private static final String KEPT = "shapeshift/pool/kept";
  private static final String KEPT_BYTES = "shapeshift/pool/keptBytes";
  private static final String MAX_BYTES = "shapeshift/pool/maxBytes";
  private static final String INGESTED_BYTES = "shapeshift/ingest/bytes";
  private static final String INGESTING_INDEXES = "shapeshift/ingest/indexes";

  /** Last emitted value of each total. */
  private final Map<Totals.Metric, Long> emitted = new HashMap<>();

  /** Called by Druid. */
  @Inject
  public ShapeShiftMonitor() {}

  @Override
  public boolean doMonitor(ServiceEmitter emitter) {
    Totals.forEach((metric, total) -> {
      final long more = total - emitted.getOrDefault(metric, 0L);
      if (more > 0) {
        emitted.put(metric, total);
        emit(emitter, metric.name(), metric.dimensions(), more);
      }
    });
    final Map<String, Pool.State> pools = new TreeMap<>();
    for (Pool.State state : Pools.ofProcess().states()) {
      pools.merge(state.name(), state, Pool.State::plus);
    }
    pools.forEach((name, state) -> {
      emit(emitter, BORROWED, Map.of("pool", name), state.borrowed());
      emit(emitter, KEPT, Map.of("pool", name), state.kept());
      emit(emitter, KEPT_BYTES, Map.of("pool", name, "memory", state.memory()), state.bytes());
    });
    for (PoolMemory memory : Pools.ofProcess().memory()) {
      emit(emitter, MAX_BYTES, Map.of("memory", memory.kind()), memory.maxBytes());
    }
    emit(emitter, INGESTED_BYTES, Map.of(), ShapeShiftAppendableIndexSpec.directBytesInUse());
    emit(emitter, INGESTING_INDEXES, Map.of(), ShapeShiftAppendableIndexSpec.indexesInUse());
    return true;
  }

  private static void emit(ServiceEmitter emitter, String name, Map<String, String> dimensions, long value) {
    final ServiceMetricEvent.Builder event = ServiceMetricEvent.builder();
    dimensions.forEach(event::setDimension);
    emitter.emit(event.setMetric(name, value));
  }
}
