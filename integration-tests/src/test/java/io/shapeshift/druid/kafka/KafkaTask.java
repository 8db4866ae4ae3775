// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.Set;
import org.apache.druid.data.input.impl.ByteEntity;
import org.apache.druid.indexing.common.TaskToolbox;
import org.apache.druid.indexing.common.task.TaskResource;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTask;
import org.apache.druid.segment.indexing.DataSchema;
import org.apache.druid.server.security.ResourceAction;

/** Task that reads some partitions of a topic: Druid's own but for its consumer. */
final class KafkaTask extends SeekableStreamIndexTask<Integer, Long, ByteEntity> {
  static final String TYPE = "index_kafka";

  private final KafkaTaskIOConfig ioConfig;

  @JsonCreator
  KafkaTask(
      @JsonProperty("id") String id,
      @JsonProperty("supervisorId") String supervisorId,
      @JsonProperty("resource") TaskResource resource,
      @JsonProperty("dataSchema") DataSchema dataSchema,
      @JsonProperty("tuningConfig") KafkaTuningConfig tuningConfig,
      @JsonProperty("ioConfig") KafkaTaskIOConfig ioConfig,
      @JsonProperty("context") Map<String, Object> context,
      @JsonProperty("serverPriority") Integer serverPriority
  ) {
    super(
        getOrMakeId(id, dataSchema.getDataSource(), TYPE),
        supervisorId,
        resource,
        dataSchema,
        tuningConfig,
        ioConfig,
        context,
        getFormattedGroupId(supervisorId == null ? dataSchema.getDataSource() : supervisorId, TYPE),
        serverPriority
    );
    this.ioConfig = ioConfig;
  }

  @Override
  public String getType() {
    return TYPE;
  }

  /** Without it a process of the task has no threads for queries. */
  @Override
  public boolean supportsQueries() {
    return true;
  }

  @Override
  public Set<ResourceAction> getInputSourceResources() {
    return Set.of();
  }

  @Override
  protected KafkaTaskRunner createTaskRunner() {
    return new KafkaTaskRunner(this, lockGranularityToUse);
  }

  @Override
  protected KafkaRecordSupplier newTaskRecordSupplier(TaskToolbox toolbox) {
    return new KafkaRecordSupplier(ioConfig.getConsumerProperties());
  }
}
