// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import org.apache.druid.indexing.seekablestream.common.OrderedSequenceNumber;

/** Offset of a record in its partition, ordered as numbers are. */
final class KafkaOffset extends OrderedSequenceNumber<Long> {
  /** End of a task that reads until it is told to stop. */
  static final long NO_END = Long.MAX_VALUE;

  KafkaOffset(long offset) {
    super(offset, false);
  }

  @Override
  public int compareTo(OrderedSequenceNumber<Long> other) {
    return get().compareTo(other.get());
  }
}
