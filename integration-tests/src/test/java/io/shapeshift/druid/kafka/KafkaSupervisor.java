// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.druid.common.utils.IdUtils;
import org.apache.druid.data.input.impl.ByteEntity;
import org.apache.druid.indexing.common.task.Task;
import org.apache.druid.indexing.common.task.TaskResource;
import org.apache.druid.indexing.overlord.DataSourceMetadata;
import org.apache.druid.indexing.overlord.IndexerMetadataStorageCoordinator;
import org.apache.druid.indexing.overlord.TaskMaster;
import org.apache.druid.indexing.overlord.TaskStorage;
import org.apache.druid.indexing.overlord.supervisor.autoscaler.LagStats;
import org.apache.druid.indexing.seekablestream.SeekableStreamEndSequenceNumbers;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTask;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTaskIOConfig;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTaskTuningConfig;
import org.apache.druid.indexing.seekablestream.SeekableStreamStartSequenceNumbers;
import org.apache.druid.indexing.seekablestream.common.OrderedSequenceNumber;
import org.apache.druid.indexing.seekablestream.common.StreamPartition;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisor;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisorIOConfig;
import org.apache.druid.indexing.seekablestream.supervisor.SeekableStreamSupervisorReportPayload;
import org.apache.druid.segment.incremental.RowIngestionMetersFactory;
import org.joda.time.DateTime;

/** Druid's own supervisor over the partitions of one topic. */
final class KafkaSupervisor extends SeekableStreamSupervisor<Integer, Long, ByteEntity> {
  private static final long NOT_SET = -1;

  private final KafkaSupervisorSpec spec;
  private volatile Map<Integer, Long> latest = Map.of();

  KafkaSupervisor(
      KafkaSupervisorSpec spec,
      TaskStorage taskStorage,
      TaskMaster taskMaster,
      IndexerMetadataStorageCoordinator metadata,
      KafkaTaskClients clients,
      ObjectMapper json,
      RowIngestionMetersFactory metersFactory
  ) {
    super(
        "KafkaSupervisor-" + spec.getId(),
        taskStorage,
        taskMaster,
        metadata,
        clients,
        json,
        spec,
        metersFactory,
        false
    );
    this.spec = spec;
  }

  private static final class Report extends SeekableStreamSupervisorReportPayload<Integer, Long> {
    Report(KafkaSupervisor supervisor, int partitions, Map<Integer, Long> lag) {
      super(
          supervisor.spec.getId(),
          supervisor.spec.getSpec().getDataSchema().getDataSource(),
          supervisor.spec.getSource(),
          partitions,
          supervisor.spec.getIoConfig().getReplicas(),
          supervisor.spec.getIoConfig().getTaskDuration().getStandardSeconds(),
          lag == null ? null : supervisor.latest,
          lag,
          lag == null ? null : lag.values().stream().mapToLong(Long::longValue).sum(),
          null,
          null,
          supervisor.sequenceLastUpdated,
          supervisor.spec.isSuspended(),
          supervisor.stateManager.isHealthy(),
          supervisor.stateManager.getSupervisorState().getBasicState(),
          supervisor.stateManager.getSupervisorState(),
          supervisor.stateManager.getExceptionEvents()
      );
    }
  }

  // ---- stream

  @Override
  protected KafkaRecordSupplier setupRecordSupplier() {
    return new KafkaRecordSupplier(spec.getIoConfig().getConsumerProperties());
  }

  @Override
  protected int getTaskGroupIdForPartition(Integer partition) {
    return partition % spec.getIoConfig().getTaskCount();
  }

  @Override
  protected OrderedSequenceNumber<Long> makeSequenceNumber(Long offset, boolean isExclusive) {
    return new KafkaOffset(offset);
  }

  @Override
  protected Long getNotSetMarker() {
    return NOT_SET;
  }

  @Override
  protected Long getEndOfPartitionMarker() {
    return KafkaOffset.NO_END;
  }

  @Override
  protected boolean isEndOfShard(Long offset) {
    return false;
  }

  @Override
  protected boolean isShardExpirationMarker(Long offset) {
    return false;
  }

  @Override
  protected boolean useExclusiveStartSequenceNumberForNonFirstSequence() {
    return false;
  }

  @Override
  protected boolean checkSourceMetadataMatch(DataSourceMetadata metadata) {
    return metadata instanceof KafkaMetadata;
  }

  @Override
  protected KafkaMetadata createDataSourceMetaDataForReset(String topic, Map<Integer, Long> offsets) {
    return new KafkaMetadata(new SeekableStreamEndSequenceNumbers<>(topic, offsets));
  }

  // ---- tasks

  @Override
  protected String baseTaskName() {
    return KafkaTask.TYPE;
  }

  @Override
  protected boolean doesTaskMatchSupervisor(Task task) {
    return task instanceof KafkaTask kafka && kafka.getSupervisorId().equals(spec.getId());
  }

  @Override
  protected KafkaTaskIOConfig createTaskIoConfig(
      int groupId,
      Map<Integer, Long> start,
      Map<Integer, Long> end,
      String baseSequenceName,
      DateTime minimumMessageTime,
      DateTime maximumMessageTime,
      Set<Integer> exclusiveStart,
      SeekableStreamSupervisorIOConfig ioConfig
  ) {
    String topic = ioConfig.getStream();
    return new KafkaTaskIOConfig(
        groupId,
        baseSequenceName,
        new SeekableStreamStartSequenceNumbers<>(topic, start, Set.of()),
        new SeekableStreamEndSequenceNumbers<>(topic, end),
        spec.getIoConfig().getConsumerProperties(),
        true,
        minimumMessageTime,
        maximumMessageTime,
        ioConfig.getInputFormat(),
        ioConfig.getTaskDuration().getStandardMinutes()
    );
  }

  @Override
  @SuppressWarnings("rawtypes") // as in Druid's method
  protected List<SeekableStreamIndexTask<Integer, Long, ByteEntity>> createIndexTasks(
      int replicas,
      String baseSequenceName,
      ObjectMapper sortingMapper,
      TreeMap<Integer, Map<Integer, Long>> sequenceOffsets,
      SeekableStreamIndexTaskIOConfig ioConfig,
      SeekableStreamIndexTaskTuningConfig tuningConfig,
      RowIngestionMetersFactory metersFactory,
      List<Integer> serverPriorities
  ) throws JsonProcessingException {
    Map<String, Object> context = createBaseTaskContexts();
    context.put(
        CHECKPOINTS_CTX_KEY,
        sortingMapper.writerFor(KafkaTaskRunner.CHECKPOINTS).writeValueAsString(sequenceOffsets)
    );
    List<SeekableStreamIndexTask<Integer, Long, ByteEntity>> tasks = new ArrayList<>();
    for (int replica = 0; replica < replicas; replica++) {
      tasks.add(new KafkaTask(
          IdUtils.getRandomIdWithPrefix(baseSequenceName),
          spec.getId(),
          new TaskResource(baseSequenceName, 1),
          spec.getSpec().getDataSchema(),
          (KafkaTuningConfig) tuningConfig,
          (KafkaTaskIOConfig) ioConfig,
          context,
          serverPriorities == null || serverPriorities.isEmpty() ? null : serverPriorities.get(replica)
      ));
    }
    return tasks;
  }

  // ---- lag

  @Override
  protected void updatePartitionLagFromStream() {
    getRecordSupplierLock().lock();
    try {
      String topic = spec.getSource();
      latest = recordSupplier.getLatestSequenceNumbers(recordSupplier.getPartitionIds(topic).stream()
          .map(partition -> StreamPartition.of(topic, partition))
          .collect(Collectors.toSet()));
    } finally {
      getRecordSupplierLock().unlock();
    }
  }

  @Override
  protected Map<Integer, Long> getPartitionRecordLag() {
    return getRecordLagPerPartition(getHighestCurrentOffsets());
  }

  @Override
  protected Map<Integer, Long> getPartitionTimeLag() {
    return null;
  }

  @Override
  protected Map<Integer, Long> getRecordLagPerPartition(Map<Integer, Long> current) {
    Map<Integer, Long> lag = new HashMap<>();
    // A task that has just started has no offset yet.
    latest.forEach((partition, end) -> lag.put(partition, end - requireNonNullElse(current.get(partition), 0L)));
    return lag;
  }

  @Override
  protected Map<Integer, Long> getTimeLagPerPartition(Map<Integer, Long> current) {
    return null;
  }

  @Override
  public LagStats computeLagStats() {
    return aggregatePartitionLags(getPartitionRecordLag());
  }

  @Override
  protected Report createReportPayload(int partitions, boolean includeOffsets) {
    return new Report(this, partitions, includeOffsets ? getPartitionRecordLag() : null);
  }
}
