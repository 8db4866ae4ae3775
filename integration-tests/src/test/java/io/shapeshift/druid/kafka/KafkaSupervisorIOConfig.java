// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.apache.druid.data.input.InputFormat;
import org.apache.druid.indexing.seekablestream.supervisor.LagAggregator;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisorIOConfig;
import org.joda.time.Period;

/** Input of a supervisor: the topic, how many tasks read it, in how many copies, and for how long. */
final class KafkaSupervisorIOConfig extends SeekableStreamSupervisorIOConfig {
  private final Map<String, Object> consumerProperties;

  @JsonCreator
  KafkaSupervisorIOConfig(
      @JsonProperty("topic") String topic,
      @JsonProperty("inputFormat") InputFormat inputFormat,
      @JsonProperty("replicas") Integer replicas,
      @JsonProperty("taskCount") Integer taskCount,
      @JsonProperty("taskDuration") Period taskDuration,
      @JsonProperty("consumerProperties") Map<String, Object> consumerProperties,
      @JsonProperty("startDelay") Period startDelay,
      @JsonProperty("period") Period period,
      @JsonProperty("useEarliestOffset") Boolean useEarliestOffset,
      @JsonProperty("completionTimeout") Period completionTimeout
  ) {
    super(
        topic,
        inputFormat,
        replicas,
        taskCount,
        taskDuration,
        startDelay,
        period,
        useEarliestOffset,
        completionTimeout,
        null,
        null,
        null,
        LagAggregator.DEFAULT,
        null,
        null,
        null,
        null
    );
    this.consumerProperties = consumerProperties;
  }

  @JsonProperty
  String getTopic() {
    return getStream();
  }

  @JsonProperty
  Map<String, Object> getConsumerProperties() {
    return consumerProperties;
  }

  @JsonProperty
  boolean isUseEarliestOffset() {
    return isUseEarliestSequenceNumber();
  }
}
