// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.inject.Binder;
import org.apache.druid.initialization.DruidModule;

/** Plugs shape-shifting columns into Druid. */
public final class ShapeShiftModule implements DruidModule {
  @Override
  public void configure(Binder binder) {}
}
