// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.apache.druid.guice.annotations.Json;
import org.apache.druid.indexing.overlord.IndexerMetadataStorageCoordinator;
import org.apache.druid.indexing.overlord.TaskMaster;
import org.apache.druid.indexing.overlord.TaskStorage;
import org.apache.druid.indexing.overlord.supervisor.Supervisor;
import org.apache.druid.indexing.overlord.supervisor.SupervisorStateManagerConfig;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisorIngestionSpec;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisorSpec;
import org.apache.druid.java.util.emitter.service.ServiceEmitter;
import org.apache.druid.java.util.metrics.DruidMonitorSchedulerConfig;
import org.apache.druid.segment.incremental.RowIngestionMetersFactory;
import org.apache.druid.segment.indexing.DataSchema;

/** Specification of a supervisor, as a user sends it to the overlord. */
final class KafkaSupervisorSpec extends SeekableStreamSupervisorSpec {
  /** What to read, how, and what becomes of it. */
  static final class Ingestion extends SeekableStreamSupervisorIngestionSpec {
    private final KafkaSupervisorIOConfig ioConfig;

    @JsonCreator
    Ingestion(
        @JsonProperty("dataSchema") DataSchema dataSchema,
        @JsonProperty("ioConfig") KafkaSupervisorIOConfig ioConfig,
        @JsonProperty("tuningConfig") KafkaTuningConfig tuningConfig
    ) {
      super(dataSchema, ioConfig, tuningConfig);
      this.ioConfig = ioConfig;
    }

    @Override
    public KafkaSupervisorIOConfig getIOConfig() {
      return ioConfig;
    }
  }

  private final Ingestion spec;

  @JsonCreator
  KafkaSupervisorSpec(
      @JsonProperty("id") String id,
      @JsonProperty("spec") Ingestion spec,
      @JsonProperty("context") Map<String, Object> context,
      @JsonProperty("suspended") Boolean suspended,
      @JacksonInject TaskStorage taskStorage,
      @JacksonInject TaskMaster taskMaster,
      @JacksonInject IndexerMetadataStorageCoordinator metadata,
      @JacksonInject KafkaTaskClients clients,
      @JacksonInject @Json ObjectMapper json,
      @JacksonInject ServiceEmitter emitter,
      @JacksonInject DruidMonitorSchedulerConfig monitorSchedulerConfig,
      @JacksonInject RowIngestionMetersFactory metersFactory,
      @JacksonInject SupervisorStateManagerConfig stateManagerConfig
  ) {
    super(
        id,
        spec,
        context,
        suspended,
        taskStorage,
        taskMaster,
        metadata,
        clients,
        json,
        emitter,
        monitorSchedulerConfig,
        metersFactory,
        stateManagerConfig
    );
    this.spec = spec;
  }

  @Override
  public KafkaSupervisorIOConfig getIoConfig() {
    return spec.getIOConfig();
  }

  @Override
  public String getType() {
    return KafkaExtension.TYPE;
  }

  @Override
  public String getSource() {
    return getIoConfig().getStream();
  }

  @Override
  public Supervisor createSupervisor() {
    return new KafkaSupervisor(
        this, taskStorage, taskMaster, indexerMetadataStorageCoordinator, clients(), mapper, rowIngestionMetersFactory);
  }

  @Override
  protected KafkaSupervisorSpec toggleSuspend(boolean suspend) {
    return new KafkaSupervisorSpec(
        getId(),
        spec,
        getContext(),
        suspend,
        taskStorage,
        taskMaster,
        indexerMetadataStorageCoordinator,
        clients(),
        mapper,
        emitter,
        monitorSchedulerConfig,
        rowIngestionMetersFactory,
        supervisorStateManagerConfig
    );
  }

  private KafkaTaskClients clients() {
    return (KafkaTaskClients) indexTaskClientFactory;
  }
}
