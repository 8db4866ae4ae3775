// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.inject.Inject;
import io.shapeshift.druid.pool.Pools;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.HumanReadableBytes;
import org.apache.druid.java.util.common.IAE;

/** Runtime properties of the pools: the greatest number of bytes that all pools keep together. */
public final class PoolConfig {
  /** Start of the properties' names. */
  static final String PREFIX = "druid.shapeshift.pool";

  private static final String MAX_HEAP_BYTES = "maxHeapBytes";
  private static final String MAX_DIRECT_BYTES = "maxDirectBytes";

  // Druid requires annotated fields.
  @JsonProperty(MAX_HEAP_BYTES)
  private final long maxHeapBytes;
  @JsonProperty(MAX_DIRECT_BYTES)
  private final long maxDirectBytes;

  /** Parses the properties; null stands for the default. */
  @JsonCreator
  public PoolConfig(
      @JsonProperty(MAX_HEAP_BYTES) @Nullable String maxHeapBytes,
      @JsonProperty(MAX_DIRECT_BYTES) @Nullable String maxDirectBytes
  ) {
    this.maxHeapBytes = bytes(MAX_HEAP_BYTES, maxHeapBytes, Pools.DEFAULT_MAX_HEAP_BYTES);
    this.maxDirectBytes = bytes(MAX_DIRECT_BYTES, maxDirectBytes, Pools.DEFAULT_MAX_DIRECT_BYTES);
  }

  private static long bytes(String name, @Nullable String value, long otherwise) {
    if (value == null) {
      return otherwise;
    }
    try {
      return HumanReadableBytes.parse(value);
    } catch (IAE e) {
      throw new IAE(
          e,
          "%s.%s[%s] must be a number of bytes, 0 or more, such as 67108864, 64MiB or 1GiB",
          PREFIX,
          name,
          value
      );
    }
  }

  /** Refuses a property that does not exist. */
  @SuppressWarnings("DoNotCallSuggester") // Jackson calls it.
  @JsonAnySetter
  void refuse(String name, @Nullable Object value) {
    throw new IAE(
        "%s.%s[%s] is unknown. Allowed are %s.%s and %s.%s",
        PREFIX,
        name,
        value,
        PREFIX,
        MAX_HEAP_BYTES,
        PREFIX,
        MAX_DIRECT_BYTES
    );
  }

  /** Returns the greatest number of bytes of heap memory that pools keep. */
  long maxHeapBytes() {
    return maxHeapBytes;
  }

  /** Returns the greatest number of bytes of direct memory, and of native memory of codecs, that pools keep. */
  long maxDirectBytes() {
    return maxDirectBytes;
  }

  /** Applies the properties to the pools of the process when the service starts. */
  static final class Applied {
    @Inject
    Applied(PoolConfig config) {
      Pools.ofProcess().limit(config.maxHeapBytes, config.maxDirectBytes);
    }
  }
}
