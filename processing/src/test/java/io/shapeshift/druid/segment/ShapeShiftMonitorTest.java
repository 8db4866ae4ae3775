// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.Binder;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.emitter.service.ServiceEmitter;
import org.apache.druid.java.util.metrics.AbstractMonitor;
import org.apache.druid.java.util.metrics.Monitor;
import org.apache.druid.java.util.metrics.StubServiceEmitter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.writeout.OffHeapMemorySegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.apache.druid.server.metrics.MetricsModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service tells its emitter. */
class ShapeShiftMonitorTest {
  @TempDir
  private File folder;

  private static void core(Binder binder) {
    final Properties properties = new Properties();
    properties.setProperty("druid.shapeshift.pool.maxDirectBytes", "33MiB");
    binder.install(ServiceProperties.of(properties));
    binder.bind(ColumnConfig.class).toInstance(ColumnConfig.DEFAULT);
    binder.bind(SegmentWriteOutMediumFactory.class).toInstance(OffHeapMemorySegmentWriteOutMediumFactory.instance());
    MetricsModule.register(binder, AnotherMonitor.class);
  }

  /** One of Druid's. */
  private static final class AnotherMonitor extends AbstractMonitor {
    @Override
    public boolean doMonitor(ServiceEmitter emitter) {
      return true;
    }
  }

  /** The monitor, as Druid's scheduler has it, started. */
  private static Monitor monitor() {
    final Injector injector = Guice.createInjector(
        Modules.override(ShapeShiftMonitorTest::core).with(new ShapeShiftModule()));
    final Set<Class<? extends Monitor>> monitors =
        injector.getInstance(Key.get(new TypeLiteral<Set<Class<? extends Monitor>>>() {}));
    assertEquals(Set.of(ShapeShiftMonitor.class, AnotherMonitor.class), monitors);
    final Monitor monitor = injector.getInstance(ShapeShiftMonitor.class);
    monitor.start();
    return monitor;
  }

  private static StubServiceEmitter emitted(Monitor monitor) {
    final StubServiceEmitter emitter = new StubServiceEmitter("druid/historical", "localhost:8083");
    assertTrue(monitor.monitor(emitter), "goes on");
    return emitter;
  }

  private static long sum(StubServiceEmitter emitter, String name, Map<String, Object> dimensions) {
    return emitter.getMetricValues(name, dimensions).stream().mapToLong(Number::longValue).sum();
  }

  @Test
  void tellsOfWhatWasWrittenSinceItDidLast() {
    final Monitor monitor = monitor();
    emitted(monitor);
    TestSegments.persist(
        EveryColumn.inMemory(1, 2000),
        new File(folder, "segment"),
        TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL),
        Version.V9
    );
    final StubServiceEmitter emitter = emitted(monitor);
    assertEquals(1, sum(emitter, "shapeshift/write/segments", Map.of()));
    assertTrue(sum(emitter, "shapeshift/write/columns", Map.of("kind", "string")) > 1, "columns");
    for (String part : List.of("rows", "indexes", "dictionaries", "Druid's own")) {
      assertTrue(sum(emitter, "shapeshift/write/bytes", Map.of("part", part)) > 0, part);
    }
    assertTrue(sum(emitter, "shapeshift/write/druidBytes", Map.of("part", "indexes")) > 0, "Druid's indexes");
    assertEquals(0, emitted(monitor).getMetricEventCount("shapeshift/write/bytes"));
  }

  @Test
  void tellsOfChunksThatWereRead() {
    final File segment = TestSegments.persist(
        EveryColumn.inMemory(2, 5000),
        new File(folder, "segment"),
        TestSegments.shapeShiftAll(OptimizationTarget.FASTER, BlockSize.SMALL),
        Version.V9
    );
    final Monitor monitor = monitor();
    emitted(monitor);
    try (QueryableIndex index = TestSegments.open(segment)) {
      for (String column : List.of("number", "real", "__time", "plain")) {
        CursorRows.byVectors(index, column, null);
      }
    }
    final StubServiceEmitter emitter = emitted(monitor);
    assertTrue(sum(emitter, "shapeshift/read/chunks", Map.of("kind", "inPlace")) >= 4, "read where they lie");
    assertEquals(0, emitted(monitor).getMetricEventCount("shapeshift/read/chunks"));
  }

  @Test
  void tellsWhatIsBorrowedAndWhatIsIngested() throws Exception {
    final Pool<int[]> pool = Pools.ofProcess().heap("monitored", 1000, () -> new int[1]);
    final Monitor monitor = monitor();
    final Map<String, Object> ofPool = Map.of("pool", "monitored");
    try (ResourceHolder<int[]> one = pool.take(); ResourceHolder<int[]> other = pool.take()) {
      assertEquals(1, one.get().length + other.get()[0]);
      assertEquals(2, sum(emitted(monitor), "shapeshift/pool/borrowed", ofPool));
    }
    final StubServiceEmitter afterwards = emitted(monitor);
    assertEquals(0, sum(afterwards, "shapeshift/pool/borrowed", ofPool));
    assertEquals(2, sum(afterwards, "shapeshift/pool/kept", ofPool));
    assertEquals(2000, sum(afterwards, "shapeshift/pool/keptBytes", Map.of("pool", "monitored", "memory", "heap")));
    assertEquals(64 << 20, sum(afterwards, "shapeshift/pool/maxBytes", Map.of("memory", "heap")), "the default");
    assertEquals(33 << 20, sum(afterwards, "shapeshift/pool/maxBytes", Map.of("memory", "direct")));

    final long before = sum(afterwards, "shapeshift/ingest/bytes", Map.of());
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("dim"))))
        .build();
    try (IncrementalIndex rows = new ShapeShiftAppendableIndexSpec(null)
        .builder().setIndexSchema(schema).setMaxRowCount(10).build()) {
      rows.add(new MapBasedInputRow(0, List.of("dim"), Map.of("dim", "a")));
      final StubServiceEmitter meanwhile = emitted(monitor);
      assertTrue(sum(meanwhile, "shapeshift/ingest/bytes", Map.of()) >= before + 42_000, "bytes");
      assertTrue(sum(meanwhile, "shapeshift/ingest/indexes", Map.of()) >= 1, "indexes");
    }
    assertEquals(before, sum(emitted(monitor), "shapeshift/ingest/bytes", Map.of()));
  }
}
