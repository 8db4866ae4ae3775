// SPDX-License-Identifier: Apache-2.0
package org.apache.druid.msq.guice;

import com.google.inject.Binder;
import org.apache.druid.initialization.DruidModule;

/** Empty stub, named by the peon; see the package {@code io.shapeshift.druid.cluster}. */
public final class PeonMemoryManagementModule implements DruidModule {
  @Override
  public void configure(Binder binder) {}
}
