// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.TreeSet;
import org.apache.druid.indexing.overlord.DataSourceMetadata;
import org.apache.druid.indexing.seekablestream.SeekableStreamDataSourceMetadata;
import org.apache.druid.indexing.seekablestream.SeekableStreamEndSequenceNumbers;
import org.apache.druid.indexing.seekablestream.SeekableStreamSequenceNumbers;

/**
 * Offsets that are committed in one transaction with the segments of the records before them. Druid compares them to
 * tell a task that must wait for another's commit from one that has lost.
 */
final class KafkaMetadata extends SeekableStreamDataSourceMetadata<Integer, Long>
    implements Comparable<KafkaMetadata> {
  @JsonCreator
  KafkaMetadata(@JsonProperty("partitions") SeekableStreamSequenceNumbers<Integer, Long> partitions) {
    super(partitions);
  }

  @Override
  public DataSourceMetadata asStartMetadata() {
    return getSeekableStreamSequenceNumbers() instanceof SeekableStreamEndSequenceNumbers<Integer, Long> end
        ? new KafkaMetadata(end.asStartPartitions(true))
        : this;
  }

  @Override
  protected KafkaMetadata createConcreteDataSourceMetaData(SeekableStreamSequenceNumbers<Integer, Long> partitions) {
    return new KafkaMetadata(partitions);
  }

  /** Greater than another if an offset of any partition is greater. */
  @Override
  public int compareTo(KafkaMetadata other) {
    Map<Integer, Long> mine = getSeekableStreamSequenceNumbers().getPartitionSequenceNumberMap();
    Map<Integer, Long> theirs = other.getSeekableStreamSequenceNumbers().getPartitionSequenceNumberMap();
    TreeSet<Integer> common = new TreeSet<>(mine.keySet());
    common.retainAll(theirs.keySet());
    return common.stream().anyMatch(partition -> mine.get(partition) > theirs.get(partition)) ? 1 : 0;
  }
}
