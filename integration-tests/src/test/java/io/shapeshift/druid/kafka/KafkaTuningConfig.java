// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.File;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTaskTuningConfig;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisorTuningConfig;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.joda.time.Duration;
import org.joda.time.Period;

/** Options of a supervisor and of its tasks, for which the released extension has two classes. */
final class KafkaTuningConfig extends SeekableStreamIndexTaskTuningConfig
    implements SeekableStreamSupervisorTuningConfig {
  private static final int WORKER_THREADS = 2;
  /** How often offsets of tasks are asked for, the least that Druid allows, so that tests see them soon. */
  private static final Duration OFFSET_FETCH_PERIOD = Duration.standardSeconds(5);

  @JsonCreator
  KafkaTuningConfig(
      @JsonProperty("appendableIndexSpec") AppendableIndexSpec appendableIndexSpec,
      @JsonProperty("maxRowsInMemory") Integer maxRowsInMemory,
      @JsonProperty("maxBytesInMemory") Long maxBytesInMemory,
      @JsonProperty("skipBytesInMemoryOverheadCheck") Boolean skipBytesInMemoryOverheadCheck,
      @JsonProperty("maxRowsPerSegment") Integer maxRowsPerSegment,
      @JsonProperty("maxTotalRows") Long maxTotalRows,
      @JsonProperty("intermediatePersistPeriod") Period intermediatePersistPeriod,
      @JsonProperty("indexSpec") IndexSpec indexSpec,
      @JsonProperty("indexSpecForIntermediatePersists") IndexSpec indexSpecForIntermediatePersists,
      @JsonProperty("handoffConditionTimeout") Long handoffConditionTimeout,
      @JsonProperty("intermediateHandoffPeriod") Period intermediateHandoffPeriod,
      @JsonProperty("maxParseExceptions") Integer maxParseExceptions,
      @JsonProperty("maxSavedParseExceptions") Integer maxSavedParseExceptions,
      @JsonProperty("numPersistThreads") Integer numPersistThreads
  ) {
    super(
        appendableIndexSpec,
        maxRowsInMemory,
        maxBytesInMemory,
        skipBytesInMemoryOverheadCheck,
        maxRowsPerSegment,
        maxTotalRows,
        intermediatePersistPeriod,
        null,
        null,
        indexSpec,
        indexSpecForIntermediatePersists,
        null,
        handoffConditionTimeout,
        null,
        null,
        null,
        intermediateHandoffPeriod,
        null,
        maxParseExceptions,
        maxSavedParseExceptions,
        numPersistThreads,
        null,
        null
    );
  }

  private KafkaTuningConfig(KafkaTuningConfig options, File basePersistDirectory) {
    super(
        options.getAppendableIndexSpec(),
        options.getMaxRowsInMemory(),
        options.getMaxBytesInMemory(),
        options.isSkipBytesInMemoryOverheadCheck(),
        options.getMaxRowsPerSegment(),
        options.getMaxTotalRows(),
        options.getIntermediatePersistPeriod(),
        basePersistDirectory,
        null,
        options.getIndexSpec(),
        options.getIndexSpecForIntermediatePersists(),
        null,
        options.getHandoffConditionTimeout(),
        null,
        null,
        null,
        options.getIntermediateHandoffPeriod(),
        null,
        options.getMaxParseExceptions(),
        options.getMaxSavedParseExceptions(),
        options.getNumPersistThreads(),
        null,
        null
    );
  }

  @Override
  public KafkaTuningConfig withBasePersistDirectory(File directory) {
    return new KafkaTuningConfig(this, directory);
  }

  @Override
  public KafkaTuningConfig convertToTaskTuningConfig() {
    return this;
  }

  @Override
  public Integer getWorkerThreads() {
    return WORKER_THREADS;
  }

  @Override
  public Long getChatRetries() {
    return (long) DEFAULT_CHAT_RETRIES;
  }

  @Override
  public Duration getHttpTimeout() {
    return new Period(DEFAULT_HTTP_TIMEOUT).toStandardDuration();
  }

  @Override
  public Duration getShutdownTimeout() {
    return new Period(DEFAULT_SHUTDOWN_TIMEOUT).toStandardDuration();
  }

  @Override
  public Duration getRepartitionTransitionDuration() {
    return new Period(DEFAULT_REPARTITION_TRANSITION_DURATION).toStandardDuration();
  }

  @Override
  public Duration getOffsetFetchPeriod() {
    return OFFSET_FETCH_PERIOD;
  }

  @Override
  public String toString() {
    return "KafkaTuningConfig{appendableIndexSpec=" + getAppendableIndexSpec()
        + ", maxRowsInMemory=" + getMaxRowsInMemory()
        + ", maxBytesInMemory=" + getMaxBytesInMemory()
        + ", indexSpec=" + getIndexSpec() + '}';
  }
}
