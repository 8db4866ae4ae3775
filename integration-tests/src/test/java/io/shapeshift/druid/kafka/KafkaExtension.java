// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.kafka;

import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.google.inject.Binder;
import java.util.List;
import org.apache.druid.initialization.DruidModule;

/** Entry of the extension: the names of its types in JSON, which are those of the released extension. */
public final class KafkaExtension implements DruidModule {
  static final String TYPE = "kafka";

  @Override
  public List<? extends Module> getJacksonModules() {
    SimpleModule module = new SimpleModule("shapeshift-test-kafka");
    module.registerSubtypes(
        new NamedType(KafkaTask.class, KafkaTask.TYPE),
        new NamedType(KafkaSupervisorSpec.class, TYPE),
        new NamedType(KafkaTaskIOConfig.class, TYPE),
        new NamedType(KafkaTuningConfig.class, TYPE),
        new NamedType(KafkaMetadata.class, TYPE)
    );
    return List.of(module);
  }

  @Override
  public void configure(Binder binder) {
    // Nothing to bind: Guice makes KafkaTaskClients, which a supervisor is injected with.
  }
}
