// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.inject.Module;
import java.util.Properties;
import org.apache.druid.guice.DruidSecondaryModule;
import org.apache.druid.guice.StartupInjectorBuilder;

/** Runtime properties of a service. */
public final class ServiceProperties {
  private ServiceProperties() {}

  /** The part of Druid's core that binds objects to properties. */
  public static Module of(Properties properties) {
    return new StartupInjectorBuilder().withProperties(properties).build().getInstance(DruidSecondaryModule.class);
  }
}
