// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.shapeshift.druid.segment.CursorRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.differential.Case.Question;
import io.shapeshift.druid.segment.differential.Case.Way;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.NonBlockingPool;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.DefaultGenericQueryMetricsFactory;
import org.apache.druid.query.DefaultQueryRunnerFactoryConglomerate;
import org.apache.druid.query.DirectQueryProcessingPool;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.QueryRunnerFactory;
import org.apache.druid.query.QueryRunnerFactoryConglomerate;
import org.apache.druid.query.QueryWatcher;
import org.apache.druid.query.context.ResponseContext;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.groupby.GroupByQueryConfig;
import org.apache.druid.query.groupby.GroupByQueryRunnerTest;
import org.apache.druid.query.groupby.TestGroupByBuffers;
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
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.apache.druid.query.timeseries.TimeseriesQueryEngine;
import org.apache.druid.query.timeseries.TimeseriesQueryQueryToolChest;
import org.apache.druid.query.timeseries.TimeseriesQueryRunnerFactory;
import org.apache.druid.query.topn.TopNQuery;
import org.apache.druid.query.topn.TopNQueryConfig;
import org.apache.druid.query.topn.TopNQueryQueryToolChest;
import org.apache.druid.query.topn.TopNQueryRunnerFactory;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.timeline.SegmentId;

/** What a segment answers to questions, by Druid's cursors and by its query engines, as a Historical sets them up. */
final class Answers implements AutoCloseable {
  /** In the context of a scan by a cursor: whether its filter is to be optimized, as the engines do it. */
  static final String OPTIMIZES = "optimizes";
  /**
   * The time of a last value where there is none: Druid starts with another by vectors than by rows, and where an index
   * finds no row it needs not match rows by a filter that cannot be asked by vectors.
   */
  private static final String NO_TIME_BY_VECTORS = String.valueOf(DateTimes.MIN.getMillis());
  private static final String NO_TIME_BY_ROWS = String.valueOf(Long.MIN_VALUE);
  /** The text that Druid's vectors make of an array of mixed values, which has another number each time. */
  private static final Pattern ARRAY_AS_TEXT = Pattern.compile("\\[Ljava\\.lang\\.Object;@[0-9a-f]+");
  private static final int BUFFER_SIZE = 1 << 22;
  private static final SegmentId ID = SegmentId.dummy("any");

  private final TestGroupByBuffers buffers = TestGroupByBuffers.createDefault();
  private final QueryRunnerFactoryConglomerate factories;

  Answers() {
    final QueryWatcher watcher = (query, future) -> {};
    final NonBlockingPool<ByteBuffer> pool = new StupidPool<>("differential", () -> ByteBuffer.allocate(BUFFER_SIZE));
    this.factories = DefaultQueryRunnerFactoryConglomerate.buildFromQueryRunnerFactories(Map.of(
        GroupByQuery.class,
        GroupByQueryRunnerTest.makeQueryRunnerFactory(new GroupByQueryConfig(), buffers),
        TopNQuery.class,
        new TopNQueryRunnerFactory(pool, new TopNQueryQueryToolChest(new TopNQueryConfig()), watcher),
        TimeseriesQuery.class,
        new TimeseriesQueryRunnerFactory(
            new TimeseriesQueryQueryToolChest(), new TimeseriesQueryEngine(pool), watcher),
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

  /** The rows of an answer; or why there is no answer, alone. */
  List<Object> of(QueryableIndex index, Question question) {
    try {
      return rowsOf(index, question)
          .stream()
          .map(row -> row instanceof String text ? ARRAY_AS_TEXT.matcher(text).replaceAll("an array") : row)
          .toList();
    } catch (RuntimeException e) {
      return List.of(Failure.of(e));
    }
  }

  private List<Object> rowsOf(QueryableIndex index, Question question) {
    if (question.way() == Way.ENGINE) {
      return byEngine(index, question.query());
    }
    @Nullable final QueryableIndex part =
        question.projection() == null ? index : index.getProjectionQueryableIndex(question.projection());
    return part == null
           ? List.of("no such projection")
           : byCursor(part, question.way(), (ScanQuery) question.query());
  }

  /**
   * In place of an answer.
   *
   * @param kind     of exception, or what there is not
   * @param isStock whether Druid's code threw it
   */
  record Failure(String kind, boolean isStock) {
    private static final Failure NO_VECTORS = new Failure("no vectors", true);

    private static Failure of(RuntimeException e) {
      Throwable origin = e;
      while (origin.getCause() != null) {
        origin = origin.getCause();
      }
      final String thrower = Stream
          .of(origin.getStackTrace())
          .map(StackTraceElement::getClassName)
          .filter(name -> !name.startsWith("java."))
          .findFirst()
          .orElse("");
      return new Failure(e.getClass().getName(), thrower.startsWith("org.apache.druid."));
    }
  }

  /** Whether an answer is none. */
  static boolean isException(List<Object> answer) {
    return answer.size() == 1 && answer.get(0) instanceof Failure;
  }

  private static List<Object> byCursor(QueryableIndex index, Way way, ScanQuery scan) {
    final CursorBuildSpec.CursorBuildSpecBuilder spec = CursorBuildSpec
        .builder()
        .setInterval(scan.getSingleInterval())
        .setVirtualColumns(scan.getVirtualColumns())
        .setQueryContext(scan.context());
    if (way == Way.ROWS_DESCENDING) {
      spec.setPreferredOrdering(Cursors.descendingTimeOrder());
    }
    if (scan.getFilter() != null) {
      spec.setFilter(
          scan.context().getBoolean(OPTIMIZES, false)
          ? scan.getFilter().toOptimizedFilter(false)
          : scan.getFilter().toFilter()
      );
    }
    if (way != Way.VECTORS) {
      return CursorRows.rowByRow(index, scan.getColumns(), spec.build());
    }
    return CursorRows.canVectorize(index, spec.build())
           ? CursorRows.byVectors(index, scan.getColumns(), spec.build())
           : List.of(Failure.NO_VECTORS);
  }

  private <T> List<Object> byEngine(QueryableIndex index, Query<T> query) {
    final QueryRunnerFactory<T, Query<T>> factory = factories.findFactory(query);
    final QueryRunner<T> runner = factory.createRunner(new QueryableIndexSegment(index, ID));
    final List<T> results = factory
        .getToolchest()
        .mergeResults(factory.mergeRunners(DirectQueryProcessingPool.INSTANCE, List.of(runner)))
        .run(
            QueryPlus.wrap(query.withOverriddenContext(Map.of("queryResourceId", "any")).withId("any")),
            ResponseContext.createEmpty()
        )
        .toList();
    final List<Object> rows = new ArrayList<>();
    for (T result : results) {
      try {
        rows.add(TestSegments.JSON.writeValueAsString(result).replace(NO_TIME_BY_VECTORS, NO_TIME_BY_ROWS));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
    return rows;
  }

  @Override
  public void close() {
    buffers.close();
  }
}
