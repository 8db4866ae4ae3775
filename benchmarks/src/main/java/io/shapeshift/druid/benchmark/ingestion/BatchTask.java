// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.guice.IndexingServiceTuningConfigModule;
import org.apache.druid.indexer.granularity.UniformGranularitySpec;
import org.apache.druid.indexer.partitions.DynamicPartitionsSpec;
import org.apache.druid.indexing.common.task.IndexTask;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.incremental.NoopRowIngestionMeters;
import org.apache.druid.segment.incremental.ParseExceptionHandler;
import org.apache.druid.segment.indexing.DataSchema;
import org.apache.druid.segment.loading.DataSegmentKiller;
import org.apache.druid.segment.loading.DataSegmentPusher;
import org.apache.druid.segment.metadata.CentralizedDatasourceSchemaConfig;
import org.apache.druid.segment.realtime.SegmentGenerationMetrics;
import org.apache.druid.segment.realtime.appenderator.AppenderatorConfig;
import org.apache.druid.segment.realtime.appenderator.AppenderatorDriverAddResult;
import org.apache.druid.segment.realtime.appenderator.Appenderators;
import org.apache.druid.segment.realtime.appenderator.BatchAppenderatorDriver;
import org.apache.druid.segment.realtime.appenderator.SegmentIdWithShardSpec;
import org.apache.druid.timeline.DataSegment;
import org.apache.druid.timeline.partition.LinearShardSpec;

/**
 * Ingests parsed rows like a native batch task, with Druid's own driver and appenderator: adds them, persists in the
 * background when memory is full according to the tuningConfig, and merges and pushes a segment at Druid's default size
 * of five million rows. Pushed segments are discarded.
 */
final class BatchTask {
  private static final String SOURCE = "measured";

  private final DataSchema schema;
  private final ObjectMapper json =
      Druid.json().copy().registerModules(new IndexingServiceTuningConfigModule().getJacksonModules());
  private final IndexTask.IndexTuningConfig config;
  private final SegmentGenerationMetrics metrics = new SegmentGenerationMetrics();
  private int segments;
  private long pushedBytes;

  /**
   * Makes a task.
   *
   * @param index the type of the index in memory
   * @param maxRows {@code maxRowsInMemory}
   * @param maxBytes {@code maxBytesInMemory}; 0 is the default of the index, and -1 as many as it takes
   */
  BatchTask(String index, IngestedData data, boolean rollUp, int maxRows, long maxBytes) throws IOException {
    this.schema = DataSchema.builder()
        .withDataSource(SOURCE)
        .withTimestamp(new TimestampSpec(null, null, null))
        .withDimensions(data.schema(rollUp).getDimensionsSpec())
        .withAggregators(data.schema(rollUp).getMetrics())
        .withGranularity(
            new UniformGranularitySpec(Granularities.ALL, data.schema(rollUp).getQueryGranularity(), rollUp, null))
        .build();
    this.config = json.readValue(
        """
        {"type": "index", "maxRowsInMemory": %d, "maxBytesInMemory": %d, "appendableIndexSpec": {"type": "%s"}}
        """.formatted(maxRows, maxBytes, index),
        IndexTask.IndexTuningConfig.class
    );
  }

  /** Ingests rows, and leaves nothing in the directory. */
  void run(Iterator<InputRow> rows, Path directory) throws Exception {
    final AppenderatorConfig appenderatorConfig =
        config.withBasePersistDirectory(directory.resolve("persists").toFile());
    final BatchAppenderatorDriver driver = new BatchAppenderatorDriver(
        Appenderators.createBatch(
            "task",
            schema,
            appenderatorConfig,
            metrics,
            new Pusher(),
            json,
            Druid.instance(IndexIO.class),
            Druid.merger(9),
            new NoopRowIngestionMeters(),
            new ParseExceptionHandler(new NoopRowIngestionMeters(), false, 0, 0),
            CentralizedDatasourceSchemaConfig.create()
        ),
        (row, sequence, previous, skipsCheck) ->
            new SegmentIdWithShardSpec(SOURCE, Intervals.ETERNITY, "version", new LinearShardSpec(segments++)),
        ids -> Set.of(),
        new Killer()
    );
    try {
      driver.startJob();
      while (rows.hasNext()) {
        final AppenderatorDriverAddResult result = driver.add(rows.next(), "sequence");
        if (!result.isOk()) {
          throw new IllegalStateException("A row was not added");
        }
        if (result.isPushRequired(
            DynamicPartitionsSpec.DEFAULT_MAX_ROWS_PER_SEGMENT, DynamicPartitionsSpec.DEFAULT_MAX_TOTAL_ROWS)) {
          driver.pushAllAndClear(0);
        }
      }
      driver.pushAllAndClear(0);
    } finally {
      driver.close();
    }
  }

  int segments() {
    return segments;
  }

  long pushedBytes() {
    return pushedBytes;
  }

  /** Number of times that an index was persisted. */
  long persists() {
    return metrics.numPersists();
  }

  /** Reports segments as pushed, without copying them. */
  private final class Pusher implements DataSegmentPusher {
    @Override
    public DataSegment push(File file, DataSegment segment, boolean useUniquePath) {
      final long size = FileUtils.sizeOfDirectory(file);
      pushedBytes += size;
      return segment.withSize(size).withBinaryVersion(9).withLoadSpec(Map.of("type", "none"));
    }

    @Override
    public Map<String, Object> makeLoadSpec(URI finalIndexZipFilePath) {
      return Map.of();
    }
  }

  /** Deletes nothing, because nothing was copied. */
  private static final class Killer implements DataSegmentKiller {
    @Override
    public void kill(DataSegment segment) {
      // Pushed segments were not copied.
    }

    @Override
    public void killAll() {
      // Pushed segments were not copied.
    }
  }
}
