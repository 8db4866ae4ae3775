// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.apache.druid.data.input.InputFormat;
import org.apache.druid.indexing.seekablestream.SeekableStreamEndSequenceNumbers;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTaskIOConfig;
import org.apache.druid.indexing.seekablestream.SeekableStreamStartSequenceNumbers;
import org.joda.time.DateTime;

/** Input of a task: the topic, its partitions with their first offsets, and the properties of the consumer. */
final class KafkaTaskIOConfig extends SeekableStreamIndexTaskIOConfig<Integer, Long> {
  private final Map<String, Object> consumerProperties;

  @JsonCreator
  KafkaTaskIOConfig(
      @JsonProperty("taskGroupId") Integer taskGroupId,
      @JsonProperty("baseSequenceName") String baseSequenceName,
      @JsonProperty("startSequenceNumbers") SeekableStreamStartSequenceNumbers<Integer, Long> start,
      @JsonProperty("endSequenceNumbers") SeekableStreamEndSequenceNumbers<Integer, Long> end,
      @JsonProperty("consumerProperties") Map<String, Object> consumerProperties,
      @JsonProperty("useTransaction") Boolean useTransaction,
      @JsonProperty("minimumMessageTime") DateTime minimumMessageTime,
      @JsonProperty("maximumMessageTime") DateTime maximumMessageTime,
      @JsonProperty("inputFormat") InputFormat inputFormat,
      @JsonProperty("refreshRejectionPeriodsInMinutes") Long refreshRejectionPeriodsInMinutes
  ) {
    super(
        taskGroupId,
        baseSequenceName,
        start,
        end,
        useTransaction,
        minimumMessageTime,
        maximumMessageTime,
        inputFormat,
        refreshRejectionPeriodsInMinutes
    );
    this.consumerProperties = consumerProperties;
  }

  @JsonProperty
  Map<String, Object> getConsumerProperties() {
    return consumerProperties;
  }
}
