// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.druid.data.input.impl.ByteEntity;
import org.apache.druid.indexing.seekablestream.common.OrderedPartitionableRecord;
import org.apache.druid.indexing.seekablestream.common.OrderedSequenceNumber;
import org.apache.druid.indexing.seekablestream.common.RecordSupplier;
import org.apache.druid.indexing.seekablestream.common.StreamException;
import org.apache.druid.indexing.seekablestream.common.StreamPartition;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumer of Kafka without a group: Druid assigns partitions, seeks, and stores offsets itself. It reads whole
 * transactions only.
 */
final class KafkaRecordSupplier implements RecordSupplier<Integer, Long, ByteEntity> {
  private final KafkaConsumer<byte[], byte[]> consumer;

  KafkaRecordSupplier(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.consumer = new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public void assign(Set<StreamPartition<Integer>> partitions) {
    consumer.assign(topicPartitions(partitions));
  }

  @Override
  public void seek(StreamPartition<Integer> partition, Long offset) {
    consumer.seek(topicPartition(partition), offset);
  }

  @Override
  public void seekToEarliest(Set<StreamPartition<Integer>> partitions) {
    consumer.seekToBeginning(topicPartitions(partitions));
  }

  @Override
  public void seekToLatest(Set<StreamPartition<Integer>> partitions) {
    consumer.seekToEnd(topicPartitions(partitions));
  }

  @Override
  public Collection<StreamPartition<Integer>> getAssignment() {
    return consumer.assignment().stream()
        .map(partition -> StreamPartition.of(partition.topic(), partition.partition()))
        .collect(Collectors.toSet());
  }

  @Override
  public List<OrderedPartitionableRecord<Integer, Long, ByteEntity>> poll(long timeoutMillis) {
    List<OrderedPartitionableRecord<Integer, Long, ByteEntity>> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(timeoutMillis))) {
      records.add(new OrderedPartitionableRecord<>(
          record.topic(),
          record.partition(),
          record.offset(),
          // A record without a value, a tombstone, is no row.
          record.value() == null ? List.of() : List.of(new ByteEntity(record.value())),
          record.timestamp()
      ));
    }
    return records;
  }

  @Override
  public Long getLatestSequenceNumber(StreamPartition<Integer> partition) {
    return wrapped(() -> {
      TopicPartition of = topicPartition(partition);
      return consumer.endOffsets(Set.of(of)).get(of);
    });
  }

  @Override
  public Map<Integer, Long> getLatestSequenceNumbers(Set<StreamPartition<Integer>> partitions) {
    return wrapped(() -> consumer.endOffsets(topicPartitions(partitions)).entrySet().stream()
        .collect(Collectors.toMap(end -> end.getKey().partition(), Map.Entry::getValue)));
  }

  @Override
  public Long getEarliestSequenceNumber(StreamPartition<Integer> partition) {
    return wrapped(() -> {
      TopicPartition of = topicPartition(partition);
      return consumer.beginningOffsets(Set.of(of)).get(of);
    });
  }

  @Override
  public boolean isOffsetAvailable(StreamPartition<Integer> partition, OrderedSequenceNumber<Long> offset) {
    Long earliest = getEarliestSequenceNumber(partition);
    return earliest != null && offset.isAvailableWithEarliest(new KafkaOffset(earliest));
  }

  @Override
  public Long getPosition(StreamPartition<Integer> partition) {
    return wrapped(() -> consumer.position(topicPartition(partition)));
  }

  @Override
  public Set<Integer> getPartitionIds(String topic) {
    return wrapped(() -> consumer.partitionsFor(topic).stream()
        .map(PartitionInfo::partition).collect(Collectors.toSet()));
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** Druid's supervisor retries what fails by its own exception. */
  private static <T> T wrapped(Supplier<T> call) {
    try {
      return call.get();
    } catch (KafkaException e) {
      throw new StreamException(e);
    }
  }

  private static Set<TopicPartition> topicPartitions(Set<StreamPartition<Integer>> partitions) {
    return partitions.stream().map(KafkaRecordSupplier::topicPartition).collect(Collectors.toSet());
  }

  private static TopicPartition topicPartition(StreamPartition<Integer> partition) {
    return new TopicPartition(partition.getStream(), partition.getPartitionId());
  }
}
