// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.druid.data.input.impl.ByteEntity;
import org.apache.druid.indexing.common.LockGranularity;
import org.apache.druid.indexing.common.TaskToolbox;
import org.apache.druid.indexing.seekablestream.SeekableStreamEndSequenceNumbers;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTaskRunner;
import org.apache.druid.indexing.seekablestream.SeekableStreamSequenceNumbers;
import org.apache.druid.indexing.seekablestream.SequenceMetadata;
import org.apache.druid.indexing.seekablestream.common.OrderedPartitionableRecord;
import org.apache.druid.indexing.seekablestream.common.OrderedSequenceNumber;
import org.apache.druid.indexing.seekablestream.common.RecordSupplier;
import org.apache.druid.indexing.seekablestream.common.StreamPartition;

/** Loop of a task, Druid's own, over numbers as partitions and as offsets; the last offset is exclusive. */
final class KafkaTaskRunner extends SeekableStreamIndexTaskRunner<Integer, Long, ByteEntity> {
  /** Checkpoints as the supervisor writes them into the context of a task. */
  static final TypeReference<TreeMap<Integer, Map<Integer, Long>>> CHECKPOINTS = new TypeReference<>() {};

  private static final long POLL_MILLIS = 100;

  private final KafkaTask task;

  KafkaTaskRunner(KafkaTask task, LockGranularity lockGranularity) {
    super(task, lockGranularity);
    this.task = task;
  }

  @Override
  protected boolean isEndOfShard(Long offset) {
    return false;
  }

  @Override
  protected TreeMap<Integer, Map<Integer, Long>> getCheckPointsFromContext(TaskToolbox toolbox, String checkpoints)
      throws IOException {
    return checkpoints == null ? null : toolbox.getJsonMapper().readValue(checkpoints, CHECKPOINTS);
  }

  @Override
  protected Long getNextStartOffset(Long offset) {
    return offset + 1;
  }

  @Override
  protected SeekableStreamEndSequenceNumbers<Integer, Long> deserializePartitionsFromMetadata(
      ObjectMapper mapper,
      Object metadata
  ) {
    return mapper.convertValue(metadata, mapper.getTypeFactory().constructParametricType(
        SeekableStreamEndSequenceNumbers.class, Integer.class, Long.class));
  }

  @Override
  protected List<OrderedPartitionableRecord<Integer, Long, ByteEntity>> getRecords(
      RecordSupplier<Integer, Long, ByteEntity> supplier,
      TaskToolbox toolbox
  ) {
    return supplier.poll(POLL_MILLIS);
  }

  @Override
  protected KafkaMetadata createDataSourceMetadata(SeekableStreamSequenceNumbers<Integer, Long> partitions) {
    return new KafkaMetadata(partitions);
  }

  @Override
  protected OrderedSequenceNumber<Long> createSequenceNumber(Long offset) {
    return new KafkaOffset(offset);
  }

  @Override
  protected void possiblyResetDataSourceMetadata(
      TaskToolbox toolbox,
      RecordSupplier<Integer, Long, ByteEntity> supplier,
      Set<StreamPartition<Integer>> partitions
  ) {
    for (StreamPartition<Integer> partition : partitions) {
      long next = getCurrentOffsets().get(partition.getPartitionId());
      if (!supplier.isOffsetAvailable(partition, new KafkaOffset(next))) {
        throw new IllegalStateException(
            "Task " + task.getId() + " needs offset " + next + " of " + partition + ", which Kafka has deleted");
      }
    }
  }

  @Override
  protected boolean isEndOffsetExclusive() {
    return true;
  }

  @Override
  protected TypeReference<List<SequenceMetadata<Integer, Long>>> getSequenceMetadataTypeReference() {
    return new TypeReference<>() {};
  }
}
