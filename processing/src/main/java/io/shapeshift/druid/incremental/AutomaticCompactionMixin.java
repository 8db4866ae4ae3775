// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import java.io.IOException;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.incremental.AppendableIndexSpec;

/**
 * Jackson mixin that defaults {@code preserveExistingMetrics} to true if the tuningConfig of automatic compaction has a
 * {@link ShapeShiftAppendableIndexSpec} without that property.
 *
 * <p>Without an {@code appendableIndexSpec} in that tuningConfig, Druid preserves metrics if the configuration has a
 * {@code metricsSpec}. With one, Druid does not change it, and a metric whose input columns are not in the segments
 * would be lost: {@code count} would become the number of compacted rows. Without a {@code metricsSpec}, the metrics
 * are those of the segments, and are combined under either value.
 *
 * <p>Coordinator and Overlord write the flag into the tasks that they submit, so tasks read the intended value.
 */
public abstract class AutomaticCompactionMixin {
  /**
   * Referred to by name, because the class is in Druid's server, which is neither on this module's compile path nor in
   * the command-line tool.
   */
  static final String TUNING_CONFIG = "org.apache.druid.server.coordinator.UserCompactionTaskQueryTuningConfig";

  private static final Logger LOG = new Logger(AutomaticCompactionMixin.class);

  private AutomaticCompactionMixin() {}

  /** Registers the mixin with a mapper, if Druid's server is on the class path. */
  public static void register(Module.SetupContext context) {
    try {
      context.setMixInAnnotations(Class.forName(TUNING_CONFIG), AutomaticCompactionMixin.class);
    } catch (ClassNotFoundException e) {
      LOG.debug(e, "There is no automatic compaction without Druid's server");
    }
  }

  @JsonDeserialize(using = PreservingMetrics.class)
  abstract AppendableIndexSpec getAppendableIndexSpec();

  /** Deserializer of a spec that preserves metrics unless the JSON says otherwise. */
  static final class PreservingMetrics extends JsonDeserializer<AppendableIndexSpec> {
    @Override
    public AppendableIndexSpec deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      final AppendableIndexSpec spec = context.readValue(parser, AppendableIndexSpec.class);
      return spec instanceof ShapeShiftAppendableIndexSpec ours ? ours.orPreservingMetrics() : spec;
    }

    /** Ignores the type deserializer, since the spec's JSON contains the type. */
    @Override
    public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer type)
        throws IOException {
      return deserialize(parser, context);
    }
  }
}
