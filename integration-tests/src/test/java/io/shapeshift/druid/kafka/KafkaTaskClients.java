// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Inject;
import org.apache.druid.guice.LazySingleton;
import org.apache.druid.guice.annotations.EscalatedGlobal;
import org.apache.druid.guice.annotations.Json;
import org.apache.druid.indexing.seekablestream.SeekableStreamIndexTaskClientFactory;
import org.apache.druid.java.util.http.client.HttpClient;

/** Druid's own clients by which a supervisor talks to its tasks. */
@LazySingleton
final class KafkaTaskClients extends SeekableStreamIndexTaskClientFactory<Integer, Long> {
  @Inject
  KafkaTaskClients(@EscalatedGlobal HttpClient http, @Json ObjectMapper json) {
    super(http, json);
  }

  @Override
  protected Class<Integer> getPartitionType() {
    return Integer.class;
  }

  @Override
  protected Class<Long> getSequenceType() {
    return Long.class;
  }
}
