// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.SegmentAssertions;
import io.shapeshift.druid.segment.TestSegments;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.druid.client.cache.CacheConfig;
import org.apache.druid.client.cache.CachePopulatorStats;
import org.apache.druid.client.cache.MapCache;
import org.apache.druid.data.input.Committer;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.guice.IndexingServiceTuningConfigModule;
import org.apache.druid.indexer.granularity.UniformGranularitySpec;
import org.apache.druid.indexing.common.task.IndexTask;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.concurrent.Execs;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.emitter.core.NoopEmitter;
import org.apache.druid.java.util.emitter.service.ServiceEmitter;
import org.apache.druid.query.DefaultQueryRunnerFactoryConglomerate;
import org.apache.druid.query.Druids;
import org.apache.druid.query.ForwardingQueryProcessingPool;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QueryRunnerTestHelper;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.context.ResponseContext;
import org.apache.druid.query.policy.NoopPolicyEnforcer;
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.apache.druid.query.timeseries.TimeseriesQueryEngine;
import org.apache.druid.query.timeseries.TimeseriesQueryQueryToolChest;
import org.apache.druid.query.timeseries.TimeseriesQueryRunnerFactory;
import org.apache.druid.segment.incremental.NoopRowIngestionMeters;
import org.apache.druid.segment.incremental.ParseExceptionHandler;
import org.apache.druid.segment.indexing.DataSchema;
import org.apache.druid.segment.loading.DataSegmentPusher;
import org.apache.druid.segment.metadata.CentralizedDatasourceSchemaConfig;
import org.apache.druid.segment.realtime.SegmentGenerationMetrics;
import org.apache.druid.segment.realtime.appenderator.Appenderator;
import org.apache.druid.segment.realtime.appenderator.AppenderatorConfig;
import org.apache.druid.segment.realtime.appenderator.Appenderators;
import org.apache.druid.segment.realtime.appenderator.SegmentIdWithShardSpec;
import org.apache.druid.segment.realtime.appenderator.SegmentsAndCommitMetadata;
import org.apache.druid.server.coordination.NoopDataSegmentAnnouncer;
import org.apache.druid.timeline.DataSegment;
import org.apache.druid.timeline.partition.LinearShardSpec;
import org.joda.time.Interval;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streaming task, run by Druid's own {@link Appenderator}: it adds rows of several segments, answers queries meanwhile,
 * persists, merges, pushes and hands off. With rows in direct memory and shape-shifting segments, results are those of
 * rows on the heap.
 */
class StreamAppenderatorTest {
  private static final Interval DAY = Intervals.of("2026-01-01/P1D");
  private static final int ROWS = 5000;

  @TempDir
  private File folder;
  private final List<Streaming> started = new ArrayList<>();

  @AfterEach
  void stop() {
    started.forEach(streaming -> streaming.appenderator.close());
  }

  @Test
  void sameAsOnHeap() throws Exception {
    final Streaming onHeap = start("onheap");
    final Streaming offHeap = start("shapeshift");
    for (int i = 0; i < ROWS; i++) {
      onHeap.add(i);
      offHeap.add(i);
      if (i % 500 == 250) {
        assertEquals(onHeap.answer(), offHeap.answer());
      }
      if (i == ROWS / 2) {
        onHeap.persist();
        offHeap.persist();
      }
    }
    assertEquals(onHeap.answer(), offHeap.answer());
    assertEquals(onHeap.appenderator.getTotalRowCount(), offHeap.appenderator.getTotalRowCount());
    final List<DataSegment> expected = onHeap.push();
    final List<DataSegment> actual = offHeap.push();
    assertEquals(2, expected.size());
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i).getId(), actual.get(i).getId());
      SegmentAssertions.assertSameContent(onHeap.pushed(expected.get(i)), offHeap.pushed(actual.get(i)), List.of());
    }
    offHeap.handOff();
    assertEquals(0, offHeap.appenderator.getTotalRowCount());
    assertTrue(offHeap.answer().isEmpty());
  }

  /** The limit of bytes triggers persists, a lower one more of them, and no row is lost. */
  @Test
  void persistsWhenMemoryIsFull() throws Exception {
    final Streaming plenty = start("shapeshift", 1_000_000, -1);
    final Streaming scarce = start("shapeshift", 1_000_000, 700_000);
    for (int i = 0; i < ROWS; i++) {
      plenty.add(i);
      scarce.add(i);
    }
    assertTrue(scarce.persisted() > 0);
    assertEquals(0, plenty.persisted());
    assertEquals(plenty.answer(), scarce.answer());
  }

  private Streaming start(String index) throws IOException {
    return start(index, 700, -1);
  }

  private Streaming start(String index, int maxRows, long maxBytes) throws IOException {
    final File directory = new File(folder, index + started.size());
    FileUtils.forceMkdir(directory);
    final Streaming streaming = new Streaming(directory, index, maxRows, maxBytes);
    started.add(streaming);
    return streaming;
  }

  /** Task of its own, with the segments that it has pushed. */
  private static final class Streaming {
    private final File directory;
    private final Appenderator appenderator;
    private final List<SegmentIdWithShardSpec> segments = List.of(
        new SegmentIdWithShardSpec("stream", DAY, "version", new LinearShardSpec(0)),
        new SegmentIdWithShardSpec("stream", DAY, "version", new LinearShardSpec(1))
    );
    private final List<Object> commits = new ArrayList<>();

    Streaming(File directory, String index, int maxRows, long maxBytes) throws IOException {
      this.directory = directory;
      final ObjectMapper json =
          TestSegments.JSON.copy().registerModules(new IndexingServiceTuningConfigModule().getJacksonModules());
      final AppenderatorConfig config = json.readValue(
          """
          {
            "type": "index", "maxRowsInMemory": %d, "maxBytesInMemory": %d, "maxPendingPersists": 0,
            "appendableIndexSpec": {"type": "%s"},
            "indexSpec": {"encodingStrategy": "shapeshift"}
          }""".formatted(maxRows, maxBytes, index),
          IndexTask.IndexTuningConfig.class
      ).withBasePersistDirectory(new File(directory, "persists"));
      assertEquals(index, json.valueToTree(config.getAppendableIndexSpec()).path("type").asText());
      this.appenderator = Appenderators.createRealtime(
          null,
          "task",
          schema(),
          config,
          new SegmentGenerationMetrics(),
          new LocalPusher(new File(directory, "pushed")),
          json,
          TestSegments.INDEX_IO,
          TestSegments.merger(TestSegments.Version.V9),
          DefaultQueryRunnerFactoryConglomerate.buildFromQueryRunnerFactories(
              Map.of(TimeseriesQuery.class, new TimeseriesQueryRunnerFactory(
                  new TimeseriesQueryQueryToolChest(),
                  new TimeseriesQueryEngine(),
                  QueryRunnerTestHelper.NOOP_QUERYWATCHER
              ))
          ),
          new NoopDataSegmentAnnouncer(),
          new ServiceEmitter("test", "localhost", new NoopEmitter()),
          new ForwardingQueryProcessingPool(Execs.singleThreaded("queries of " + index)),
          MapCache.create(1000),
          new CacheConfig(),
          new CachePopulatorStats(),
          NoopPolicyEnforcer.instance(),
          new NoopRowIngestionMeters(),
          new ParseExceptionHandler(new NoopRowIngestionMeters(), false, 0, 0),
          CentralizedDatasourceSchemaConfig.create(),
          interval -> { }
      );
      appenderator.startJob();
    }

    void add(int i) throws Exception {
      appenderator.add(
          segments.get(i % 3 / 2),
          new MapBasedInputRow(
              DateTimes.utc(DAY.getStartMillis() + i * 7919L % 80_000_000),
              List.of("text", "list", "number"),
              Map.of(
                  "text", "text " + i % 50,
                  "list", List.of("a" + i % 3, "b" + i % 5),
                  "number", i % 7,
                  "value", i
              )
          ),
          () -> committer(i)
      );
    }

    private Committer committer(int i) {
      return new Committer() {
        @Override
        public Object getMetadata() {
          return i;
        }

        @Override
        public void run() {
          commits.add(i);
        }
      };
    }

    List<?> answer() {
      final Query<?> query = Druids.newTimeseriesQueryBuilder()
          .dataSource("stream")
          .intervals(List.of(DAY))
          .granularity(Granularities.HOUR)
          .filters("text", "text 7")
          .aggregators(
              new LongSumAggregatorFactory("count", "count"),
              new LongSumAggregatorFactory("sum", "sum"),
              new DoubleMaxAggregatorFactory("max", "max"),
              new HyperUniquesAggregatorFactory("numbers", "numbers")
          )
          .context(Map.of("skipEmptyBuckets", true))
          .build();
      return QueryPlus.wrap(query).run(appenderator, ResponseContext.createEmpty()).toList();
    }

    void persist() throws Exception {
      appenderator.persistAll(committer(-1)).get();
    }

    int persisted() {
      return commits.size();
    }

    List<DataSegment> push() throws Exception {
      final SegmentsAndCommitMetadata result = appenderator.push(segments, committer(-2), false).get();
      return result.getSegments().stream().sorted().toList();
    }

    File pushed(DataSegment segment) {
      return new File(directory, "pushed/" + segment.getShardSpec().getPartitionNum());
    }

    void handOff() throws Exception {
      for (SegmentIdWithShardSpec segment : segments) {
        appenderator.drop(segment).get();
      }
    }

    private static DataSchema schema() {
      return DataSchema.builder()
          .withDataSource("stream")
          .withTimestamp(new TimestampSpec("time", "millis", null))
          .withDimensions(DimensionsSpec.builder()
              .setDimensions(DimensionsSpec.getDefaultSchemas(List.of("text", "list", "number")))
              .build())
          .withAggregators(
              new CountAggregatorFactory("count"),
              new LongSumAggregatorFactory("sum", "value"),
              new DoubleMaxAggregatorFactory("max", "value"),
              new HyperUniquesAggregatorFactory("numbers", "value")
          )
          .withGranularity(new UniformGranularitySpec(Granularities.DAY, Granularities.MINUTE, true, List.of(DAY)))
          .build();
    }
  }

  /** Copies segments into folders by the number of their partition. */
  private record LocalPusher(File directory) implements DataSegmentPusher {
    @Override
    public DataSegment push(File file, DataSegment segment, boolean useUniquePath) throws IOException {
      FileUtils.copyDirectory(file, new File(directory, "" + segment.getShardSpec().getPartitionNum()));
      return segment;
    }

    @Override
    public Map<String, Object> makeLoadSpec(URI finalIndexZipFilePath) {
      return Map.of();
    }
  }
}
