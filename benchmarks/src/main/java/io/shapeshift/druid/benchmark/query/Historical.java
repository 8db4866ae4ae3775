// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import com.google.common.base.Supplier;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.annotation.Nullable;
import org.apache.druid.collections.DefaultBlockingPool;
import org.apache.druid.collections.NonBlockingPool;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.java.util.common.HumanReadableBytes;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.lifecycle.Lifecycle;
import org.apache.druid.query.DefaultGenericQueryMetricsFactory;
import org.apache.druid.query.DefaultQueryRunnerFactoryConglomerate;
import org.apache.druid.query.DruidProcessingBufferConfig;
import org.apache.druid.query.DruidProcessingConfig;
import org.apache.druid.query.FluentQueryRunner;
import org.apache.druid.query.ForwardingQueryProcessingPool;
import org.apache.druid.query.PrioritizedExecutorService;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QueryProcessingPool;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.QueryRunnerFactory;
import org.apache.druid.query.QueryRunnerFactoryConglomerate;
import org.apache.druid.query.QueryWatcher;
import org.apache.druid.query.SegmentDescriptor;
import org.apache.druid.query.context.ConcurrentResponseContext;
import org.apache.druid.query.groupby.DefaultGroupByQueryMetricsFactory;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.groupby.GroupByQueryConfig;
import org.apache.druid.query.groupby.GroupByQueryQueryToolChest;
import org.apache.druid.query.groupby.GroupByQueryRunnerFactory;
import org.apache.druid.query.groupby.GroupByResourcesReservationPool;
import org.apache.druid.query.groupby.GroupByStatsProvider;
import org.apache.druid.query.groupby.GroupingEngine;
import org.apache.druid.query.scan.ScanQuery;
import org.apache.druid.query.scan.ScanQueryConfig;
import org.apache.druid.query.scan.ScanQueryEngine;
import org.apache.druid.query.scan.ScanQueryQueryToolChest;
import org.apache.druid.query.scan.ScanQueryRunnerFactory;
import org.apache.druid.query.search.SearchQuery;
import org.apache.druid.query.search.SearchQueryConfig;
import org.apache.druid.query.search.SearchQueryQueryToolChest;
import org.apache.druid.query.search.SearchQueryRunnerFactory;
import org.apache.druid.query.search.SearchStrategySelector;
import org.apache.druid.query.spec.SpecificSegmentQueryRunner;
import org.apache.druid.query.spec.SpecificSegmentSpec;
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.apache.druid.query.timeseries.TimeseriesQueryEngine;
import org.apache.druid.query.timeseries.TimeseriesQueryQueryToolChest;
import org.apache.druid.query.timeseries.TimeseriesQueryRunnerFactory;
import org.apache.druid.query.topn.TopNQuery;
import org.apache.druid.query.topn.TopNQueryConfig;
import org.apache.druid.query.topn.TopNQueryQueryToolChest;
import org.apache.druid.query.topn.TopNQueryRunnerFactory;
import org.apache.druid.segment.Segment;
import org.apache.druid.utils.RuntimeInfo;
import org.joda.time.Interval;

/**
 * Query engines of a Historical, with its pools of threads and buffers. It does all that a Historical does to answer a
 * native query, between the HTTP request and the serialised response, and merges results as the Broker does for one
 * Historical.
 */
public final class Historical implements AutoCloseable {
  private static final HumanReadableBytes BUFFER_SIZE = HumanReadableBytes.valueOf(1 << 26);
  /** Druid's default for few threads. */
  private static final int NUM_MERGE_BUFFERS = 2;

  private final Closer closer = Closer.create();
  private final QueryProcessingPool pool;
  private final QueryRunnerFactoryConglomerate factories;

  /**
   * Starts the threads.
   *
   * @param numThreads {@code druid.processing.numThreads}
   */
  public Historical(int numThreads) {
    final DruidProcessingConfig config = new DruidProcessingConfig(
        null,
        numThreads,
        null,
        NUM_MERGE_BUFFERS,
        null,
        null,
        new DruidProcessingBufferConfig(BUFFER_SIZE, null, null),
        null,
        null,
        new RuntimeInfo()
    );
    final Lifecycle lifecycle = new Lifecycle();
    this.pool = new ForwardingQueryProcessingPool(PrioritizedExecutorService.create(lifecycle, config));
    closer.register(lifecycle::stop);
    try {
      lifecycle.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    final Supplier<ByteBuffer> buffers = this::allocate;
    final NonBlockingPool<ByteBuffer> processingBuffers = new StupidPool<>("processing", buffers);
    final QueryWatcher watcher = (query, future) -> {};
    this.factories = DefaultQueryRunnerFactoryConglomerate.buildFromQueryRunnerFactories(Map.of(
        GroupByQuery.class,
        groupBy(config, processingBuffers, new DefaultBlockingPool<>(buffers, NUM_MERGE_BUFFERS), watcher),
        TopNQuery.class,
        new TopNQueryRunnerFactory(processingBuffers, new TopNQueryQueryToolChest(new TopNQueryConfig()), watcher),
        TimeseriesQuery.class,
        new TimeseriesQueryRunnerFactory(
            new TimeseriesQueryQueryToolChest(),
            new TimeseriesQueryEngine(processingBuffers),
            watcher
        ),
        ScanQuery.class,
        new ScanQueryRunnerFactory(
            new ScanQueryQueryToolChest(DefaultGenericQueryMetricsFactory.instance()),
            new ScanQueryEngine(),
            new ScanQueryConfig()
        ),
        SearchQuery.class,
        new SearchQueryRunnerFactory(
            new SearchStrategySelector(SearchQueryConfig::new),
            new SearchQueryQueryToolChest(new SearchQueryConfig()),
            watcher
        )
    ));
  }

  private static GroupByQueryRunnerFactory groupBy(
      DruidProcessingConfig config,
      NonBlockingPool<ByteBuffer> processingBuffers,
      DefaultBlockingPool<ByteBuffer> mergeBuffers,
      QueryWatcher watcher
  ) {
    final Supplier<GroupByQueryConfig> groupByConfig = GroupByQueryConfig::new;
    final GroupByStatsProvider stats = new GroupByStatsProvider();
    final GroupByResourcesReservationPool reservations =
        new GroupByResourcesReservationPool(mergeBuffers, groupByConfig.get());
    final GroupingEngine engine = new GroupingEngine(
        config,
        groupByConfig,
        reservations,
        Druid.json(),
        new DefaultObjectMapper(new SmileFactory(), null),
        watcher,
        stats
    );
    return new GroupByQueryRunnerFactory(
        engine,
        new GroupByQueryQueryToolChest(
            engine,
            groupByConfig,
            DefaultGroupByQueryMetricsFactory.instance(),
            reservations,
            stats
        ),
        processingBuffers
    );
  }

  /** Allocates a buffer that is freed on close, since one process may open many such objects in turn. */
  private synchronized ByteBuffer allocate() {
    return closer.register(ByteBufferUtils.allocateDirect(BUFFER_SIZE.getBytesInInt())).get();
  }

  /**
   * Starts to answer a query; the rest of the work is done while results are read.
   *
   * @param query    of a type that is set up above: groupBy, topN, timeseries, scan or search
   * @param segments those of the data source, with different ids, in their order; what of them is in the query's
   *                 intervals is queried
   */
  public <T> Sequence<T> run(Query<T> query, List<Segment> segments) {
    final QueryRunnerFactory<T, Query<T>> factory = factories.findFactory(query);
    final List<QueryRunner<T>> runners = new ArrayList<>();
    for (Segment segment : segments) {
      final SegmentDescriptor whole = segment.getId().toDescriptor();
      for (Interval interval : query.getIntervals()) {
        // Clips the intervals as the Broker does, so that the Historical gets nothing outside of the query.
        @Nullable final Interval part = interval.overlap(whole.getInterval());
        if (part != null) {
          runners.add(new SpecificSegmentQueryRunner<>(
              factory.createRunner(segment),
              new SpecificSegmentSpec(new SegmentDescriptor(part, whole.getVersion(), whole.getPartitionNumber()))
          ));
        }
      }
    }
    final String id = UUID.randomUUID().toString();
    return FluentQueryRunner
        .create(factory.mergeRunners(pool, runners), factory.getToolchest())
        .mergeResults(true)
        .applyPostMergeDecoration()
        .run(
            QueryPlus.wrap(query.withOverriddenContext(Map.of(QueryContexts.QUERY_RESOURCE_ID, id)).withId(id)),
            ConcurrentResponseContext.createEmpty()
        );
  }

  @Override
  public void close() {
    try {
      closer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
