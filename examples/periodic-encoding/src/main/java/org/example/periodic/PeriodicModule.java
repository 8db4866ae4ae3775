// SPDX-License-Identifier: Apache-2.0
package org.example.periodic;

import com.google.inject.Binder;
import io.shapeshift.druid.api.ShapeShiftEncodings;
import org.apache.druid.initialization.DruidModule;

/** Extension of Druid that registers the encoding. */
public final class PeriodicModule implements DruidModule {
  @Override
  public void configure(Binder binder) {
    ShapeShiftEncodings.ints(binder).addBinding().to(PeriodicEncoding.class);
  }
}
